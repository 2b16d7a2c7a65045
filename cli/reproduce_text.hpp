// What askrff reproduce prints for people.
#pragma once

#include <string>

#include "experiments/results.hpp"

namespace askrff::cli {

/// Tables of verdicts, the findings, and where the page is.
std::string reproduction_text(const experiments::Results& results, const std::string& folder);

}  // namespace askrff::cli
