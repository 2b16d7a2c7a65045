// The sample, and quantiles of one column after another.
#include "io/column_quantiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/errors.hpp"
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
ColumnQuantiles::ColumnQuantiles(std::size_t n_columns, std::uint64_t first_row)
    : n_columns_(n_columns), first_row_(first_row), sampler_(Scaler::exact_rows(n_columns), 0, Purpose::scaled_rows, first_row) {}

void ColumnQuantiles::add(MatrixView<const double> X, const StopToken& stop) {
  if (X.cols() != n_columns_) throw InvalidArgument("Scaler", fmt::format("{} columns, expected {} as before", X.cols(), n_columns_));
  for (std::size_t i = 0; i < X.rows(); ++i) {
    if (i % 256 == 0) stop.check();
    if (const auto place = sampler_.next()) put(*place, X.row(i));
  }
}

void ColumnQuantiles::put(std::size_t place, std::span<const double> row) {
  if (place >= slots_.size()) slots_.resize(place + 1, no_slot);
  if (slots_[place] == no_slot) {
    slots_[place] = static_cast<std::uint32_t>(n_kept_++);
    values_.insert(values_.end(), row.begin(), row.end());
  } else {
    std::copy(row.begin(), row.end(), values_.begin() + static_cast<std::ptrdiff_t>(slots_[place] * n_columns_));
  }
}

void ColumnQuantiles::merge(const ColumnQuantiles& next) {
  if (next.n_columns_ != n_columns_)
    throw InvalidArgument("Scaler", fmt::format("a part has {} columns, expected {} as before", next.n_columns_, n_columns_));
  if (next.n_rows() == 0) return;
  if (next.first_row_ != sampler_.next_row())
    throw InvalidArgument("Scaler", fmt::format("a part starts with row {}, expected row {}", next.first_row_, sampler_.next_row()));
  for (std::size_t place = 0; place < next.slots_.size(); ++place)
    if (next.slots_[place] != no_slot) put(place, next.row_in(next.slots_[place]));
  sampler_.go_to(next.sampler_.next_row());
}

ColumnQuantiles::Quantiles ColumnQuantiles::of(std::size_t column) const {
  std::vector<double> values(n_kept_);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = values_[i * n_columns_ + column] + 0.0;  // -0 becomes 0: the order must not show
  constexpr double tail = 0.05;
  return {quantile(values, tail), quantile(values, 0.5), quantile(values, 1 - tail)};
}

}  // namespace io
}  // namespace askrff
