// Block principal pivoting: L. F. Portugal, J. J. Júdice and L. N. Vicente, Math. Comp. 63 (1994) 625-643.
#include "weighting/non_negative.hpp"

#include <algorithm>
#include <cmath>

#include "core/vectors.hpp"

namespace askrff::weighting {
namespace {

/// The solution with all entries outside `free` zero; empty if it is singular.
std::vector<double> solve_on(const NormalSystem& system, double shift, std::span<const double> right, std::span<const std::size_t> free,
                             const Execution& execution) {
  if (free.size() == right.size()) return system.solve(shift, right, execution);
  std::vector<double> x(right.size(), 0.0);
  if (free.empty()) return x;
  NormalSystem part{Matrix<double>(free.size(), free.size()), std::vector<double>(free.size())};
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto row = system.gram.row(free[i]);
    for (std::size_t j = 0; j < free.size(); ++j) part.gram(i, j) = row[free[j]];
    part.right[i] = right[free[i]];
  }
  const auto solution = part.solve(shift, part.right, execution);
  if (solution.empty()) return {};
  for (std::size_t i = 0; i < free.size(); ++i) x[free[i]] = solution[i];
  return x;
}

}  // namespace

std::vector<double> solve_non_negative(const NormalSystem& system, double shift, std::span<const double> right,
                                       std::vector<bool>& is_positive, const Execution& execution) {
  constexpr int max_rounds = 100, full_exchanges = 3;  // exchanges of all that may fail to gain before one entry at a time is exchanged
  const std::size_t n = right.size();
  double size = 0;
  for (const double value : right) size = std::max(size, std::abs(value));
  const double rounding = 1e-13 * static_cast<double>(n) * size;  // of a gradient that is zero
  std::size_t least_wrong = n + 1;
  int left = full_exchanges;
  for (int round = 0; round < max_rounds; ++round) {
    std::vector<std::size_t> free, wrong;
    for (std::size_t j = 0; j < n; ++j)
      if (is_positive[j]) free.push_back(j);
    std::vector<double> x = solve_on(system, shift, right, free, execution);
    if (x.empty()) return {};
    for (std::size_t j = 0; j < n; ++j)
      if (is_positive[j] ? x[j] < 0 : dot(system.gram.row(j), x) - right[j] < -rounding) wrong.push_back(j);
    if (wrong.empty()) return x;
    if (wrong.size() < least_wrong) {
      least_wrong = wrong.size();
      left = full_exchanges;
    } else if (left > 0) {
      --left;
    } else {
      wrong.assign(1, wrong.back());  // Murty's rule, which cannot cycle
    }
    for (const std::size_t j : wrong) is_positive[j] = !is_positive[j];
  }
  return {};
}

}  // namespace askrff::weighting
