// Refuses work whose memory this machine does not have, before it starts: a killed process explains nothing.
#pragma once

#include <string>

namespace askrff::cli {

/// Throws std::invalid_argument if so many bytes are more than half of the machine's memory: "WHAT need 412 GiB, expected at most 11.6 GiB,
/// half of this machine's memory; ADVICE". Lets everything pass where nobody knows the memory.
void require_memory(double n_bytes, const std::string& what, const std::string& advice);

}  // namespace askrff::cli
