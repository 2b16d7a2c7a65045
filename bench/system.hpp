// What the system says of memory and processor.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace askrff::bench {

/// Bytes a new allocation can count on: what the kernel calls available, and what the control group leaves. 0 if unknown.
std::size_t available_memory();

/// A field of /proc/self/status in bytes, "VmHWM" for example: the peak of resident memory. Throws std::runtime_error if there is none.
std::size_t own_memory(std::string_view field);

/// The same of another process, by its number; 0 if it has ended.
std::size_t memory_of(const std::string& process, std::string_view field);

/// Flags of the first processor as /proc/cpuinfo lists them; empty where it lists none.
std::set<std::string> processor_flags();

}  // namespace askrff::bench
