// Whether a formula is symmetric, by looking.
#pragma once

#include <span>
#include <vector>

#include "expressions/program.hpp"

namespace askrff::kernels {

/// Up to roundings, or both no numbers.
bool are_alike(double a, double b);

/// Where two sides are compared: sizes over 24 orders of magnitude, and those around each of these numbers.
std::vector<double> compared_lengths(std::span<const double> numbers);

/// A formula of one coordinate.
bool looks_even(const expressions::Program& program, std::span<const double> lengths);

}  // namespace askrff::kernels
