// Keys of trials in the journal: whatever changes a value is in its key.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "experiments/plan.hpp"

namespace askrff::experiments {

/// "askrff 0.1.0, WHAT, seed 0, trial 3, all rows".
std::string trial_key(const Plan& plan, std::string_view what, std::size_t trial);

/// "letter (0123456789abcdef)": the name and the beginning of the content's checksum.
std::string data_key(const PaperData& data);

}  // namespace askrff::experiments
