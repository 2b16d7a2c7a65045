// What differs between Linux, macOS and other systems, and so all that is not standard C++ or POSIX.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

struct stat;
struct timespec;

namespace askrff::platform {

/// Processors the calling thread may run on; nothing where the system has no affinity, or more of them than it can say.
std::optional<std::size_t> processors_of_affinity();

/// The processor as its maker calls it, with family and model where the system knows them, and the architecture: "AMD EPYC, family 25,
/// model 17, x86_64".
std::string processor_name();

/// Of the machine, in bytes; 0 if the system does not say.
std::uint64_t physical_memory();

/// When a file was last written to, of what stat() said.
timespec last_written(const struct stat& status);

/// std::strtod of the whole text as if the locale were "C", errno included.
double strtod_of_c_locale(const char* text);

/// log|Γ(x)|: std::lgamma leaves the sign in a variable that all threads share.
double log_gamma(double x);

/// n_bytes of zeroed pages that begin at a multiple of `alignment`, a power of two and a multiple of the system's pages, as n_bytes is; in
/// huge pages where the system has them to give. Throws std::bad_alloc.
void* map_pages(std::size_t n_bytes, std::size_t alignment);
/// Gives back what map_pages(n_bytes, …) returned.
void unmap_pages(void* memory, std::size_t n_bytes);

}  // namespace askrff::platform
