// Where a formula may do something narrow, which looks all over would miss: near the numbers that it holds.
#pragma once

#include <vector>

#include "expressions/program.hpp"

namespace askrff::expressions {

/// Sizes, none of them 0 and each once, of: what is constant in the formula ("0.3", "s", "0.1*pi"); sums, differences, products and ratios
/// of two of the first of these; and, of a formula of one variable, where it passes from one piece to the next or is nearest to that:
/// zeros, and places next to 0, of what abs, sign, step and a condition look at, and of the difference of what is compared or of which the
/// smallest or largest is taken. Some hundreds at most.
std::vector<double> telling_numbers(const Syntax& syntax, const Meanings& meanings);

/// 321 sizes over 24 orders of magnitude, four in every octave, at no round numbers; ascending.
std::vector<double> sizes_all_over();

}  // namespace askrff::expressions
