// What askrff-paper reproduce prints for people.
#pragma once

#include <string>

#include "experiments/results.hpp"

namespace askrff::experiments {

/// Tables of verdicts, the findings, and where the report is.
std::string reproduction_text(const Results& results, const std::string& report);

}  // namespace askrff::experiments
