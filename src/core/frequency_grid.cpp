// Equispaced frequencies: how many, which.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "askrff/errors.hpp"
#include "askrff/structure.hpp"

namespace askrff {

std::size_t FrequencyGrid::size() const {
  std::size_t all = half.empty() ? 0 : 1;
  for (const std::size_t n : half) all *= 2 * n + 1;
  return (all + 1) / 2;
}

double FrequencyGrid::period(std::size_t k) const { return 2 * std::numbers::pi / spacing[k]; }

void FrequencyGrid::check() const {
  constexpr const char* who = "FrequencyGrid";
  if (dim() < 1 || dim() > 3) throw InvalidArgument(who, fmt::format("{} dimensions, expected 1 to 3", dim()));
  if (half.size() != dim() || extent.size() != dim())
    throw InvalidArgument(who,
                          fmt::format("{} spacings, {} half numbers, {} extents; expected as many", dim(), half.size(), extent.size()));
  double all = 1;
  for (std::size_t k = 0; k < dim(); ++k) {
    if (!(spacing[k] > 0) || !std::isfinite(spacing[k]))
      throw InvalidArgument(who, fmt::format("spacing {}, expected above 0", spacing[k]));
    if (!(extent[k] >= 0) || !(extent[k] < period(k)))
      throw InvalidArgument(who, fmt::format("extent {}, expected from 0 to below the period {}", extent[k], period(k)));
    all *= 2 * static_cast<double>(half[k]) + 1;
  }
  if (!(tolerance >= 1e-14 && tolerance < 1)) throw InvalidArgument(who, fmt::format("tolerance {}, expected 1e-14 to below 1", tolerance));
  if (!(all < 4294967296.0)) throw InvalidArgument(who, fmt::format("{:.3g} frequencies, expected fewer than 2^31", all / 2));
}

void FrequencyGrid::require_extent(std::span<const double> of_rows, std::string_view who) const {
  for (std::size_t k = 0; k < of_rows.size(); ++k)
    if (of_rows[k] > extent[k] * (1 + 1e-12))
      throw InvalidArgument(
          who, fmt::format("rows are up to {:.6g} apart in column {}, the grid was made for {:.6g}", of_rows[k], k, extent[k]));
}

Matrix<double> FrequencyGrid::frequencies() const {
  check();
  Matrix<double> out(size(), dim());
  for (std::size_t j = 0; j < size(); ++j) {
    std::size_t number = size() - 1 + j;  // from the first of all; the middle is number size() - 1
    for (std::size_t k = dim(); k-- > 0;) {
      const std::size_t count = 2 * half[k] + 1;
      out(j, k) = (static_cast<double>(number % count) - static_cast<double>(half[k])) * spacing[k];
      number /= count;
    }
  }
  return out;
}

}  // namespace askrff
