// The sample, and quantiles of one column after another.
#include "io/column_quantiles.hpp"

#include <algorithm>
#include <cmath>

#include "askrff/rows.hpp"

namespace askrff {

std::size_t Scaler::exact_rows(std::size_t n_columns) {
  constexpr std::size_t max_rows = 65536, max_numbers = std::size_t{1} << 24, min_rows = 500;
  return std::clamp(max_numbers / std::max<std::size_t>(n_columns, 1), min_rows, max_rows);
}

namespace io {
namespace {

double quantile(std::vector<double>& values, double share) {
  const double place = share * static_cast<double>(values.size() - 1), whole = std::floor(place);
  const auto below = values.begin() + static_cast<std::ptrdiff_t>(whole);
  std::nth_element(values.begin(), below, values.end());
  if (place == whole) return *below;
  const double above = *std::min_element(below + 1, values.end()), part = place - whole;
  return *below + part * above - part * *below;  // the difference itself may be too large for a double
}

}  // namespace

// The seed is a constant: the scaling depends on the rows and on nothing else.
ColumnQuantiles::ColumnQuantiles(std::size_t n_columns)
    : n_columns_(n_columns), sampler_(Scaler::exact_rows(n_columns), 0, Purpose::scaled_rows) {}

void ColumnQuantiles::add(const double* row) {
  const auto place = sampler_.next();
  if (!place) return;
  const std::size_t first = *place * n_columns_;
  if (first == values_.size()) values_.resize(first + n_columns_);
  std::copy_n(row, n_columns_, values_.begin() + static_cast<std::ptrdiff_t>(first));
}

ColumnQuantiles::Quantiles ColumnQuantiles::of(std::size_t column) const {
  std::vector<double> values(values_.size() / n_columns_);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = values_[i * n_columns_ + column];
  constexpr double tail = 0.05;
  return {quantile(values, tail), quantile(values, 0.5), quantile(values, 1 - tail)};
}

}  // namespace io
}  // namespace askrff
