// How much memory there is, and refusals of what would not fit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace askrff {

/// Of the machine, in bytes; 0 if the system does not say.
std::uint64_t physical_memory();

/// Throws InvalidArgument if `what` needs more than half of the machine's memory; `advice` says what to do.
void require_memory(double n_bytes, std::string_view where, const std::string& what, const std::string& advice);

}  // namespace askrff
