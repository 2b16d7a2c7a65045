// The artefacts as tidy CSV: one observation per line under a header line, numbers as short as they read back to the same bits, an empty
// field where there is no number.
#pragma once

#include <string>

#include "experiments/results.hpp"

namespace askrff::experiments {

std::string csv_of(const Figure1& figure);
std::string csv_of(const Figure2& figure);
/// The linear classifier's lines have the kernel "linear" and nothing that depends on frequencies.
std::string csv_of(const Figure3& figure);
std::string csv_of(const Table1& table);

}  // namespace askrff::experiments
