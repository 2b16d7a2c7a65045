// Scaler: smallest and largest value, mean and deviation, or quantiles of every column, gathered row by row in one pass.
#include "askrff/rows.hpp"
#include "askrff/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "io/column_quantiles.hpp"
#include "io/finite.hpp"

namespace askrff {

/// Rows one after another, so that no cut into blocks can change a bit.
struct ScalerFit::Sums {
  Scaling kind;
  std::uint64_t n_rows = 0;
  std::vector<double> lowest, highest;
  // Of (x - first row)/unit, so that a large common part costs no digits and squares neither vanish nor overflow: mean, and Σ (x - mean)²
  // by Welford's recurrence. The unit is the power of two of the widest difference so far, so dividing by it is exact.
  std::vector<double> first, mean, squares, unit, per_unit;  // per_unit: 1/unit
  io::ColumnQuantiles quantiles;

  Sums(std::size_t n_columns, Scaling scaling)
      : kind(scaling),
        lowest(n_columns, std::numeric_limits<double>::infinity()),
        highest(n_columns, -std::numeric_limits<double>::infinity()),
        first(n_columns),
        mean(n_columns),
        squares(n_columns),
        unit(n_columns),
        per_unit(n_columns),
        quantiles(n_columns) {}

  void add_range(const double* x) {
    if (!io::all_finite(x, lowest.size())) refuse_row(x);
    for (std::size_t j = 0; j < lowest.size(); ++j) {
      lowest[j] = std::min(lowest[j], x[j]);
      highest[j] = std::max(highest[j], x[j]);
    }
    ++n_rows;
  }

  void add_moments(const double* x) {
    const double n = static_cast<double>(n_rows);
    if (n_rows == 1) std::copy_n(x, first.size(), first.data());
    for (std::size_t j = 0; j < mean.size(); ++j) {
      const double raw = x[j] - first[j];
      if (std::abs(raw) >= 2 * unit[j] && raw != 0) widen(j, raw);
      if (unit[j] == 0) continue;  // all the same so far
      const double moved = raw * per_unit[j], difference = moved - mean[j];
      mean[j] += difference / n;
      squares[j] += difference * (moved - mean[j]);
    }
  }

  /// A unit for differences as wide as this.
  void widen(std::size_t j, double difference) {
    constexpr int smallest = -1022, largest = 1022;  // so that a quotient of two units is a double
    const double wider = std::isfinite(difference) ? std::ldexp(1.0, std::clamp(std::ilogb(difference), smallest, largest)) : 0x1p1022;
    const double ratio = unit[j] / wider;
    mean[j] *= ratio;
    squares[j] *= ratio * ratio;
    unit[j] = wider;
    per_unit[j] = 1 / wider;
  }

  [[noreturn]] void refuse_row(const double* x) const {
    const auto bad = static_cast<std::size_t>(std::find_if(x, x + lowest.size(), [](double v) { return !std::isfinite(v); }) - x);
    throw InvalidArgument("Scaler", fmt::format("row {}, column {} is {}, expected a finite number", n_rows + 1, bad + 1, x[bad]));
  }

  struct Place {
    double offset, width;
  };
  Place place_of(std::size_t j) const {
    if (lowest[j] == highest[j]) return {lowest[j], 0};
    Place place{lowest[j], highest[j] - lowest[j]};
    if (!std::isfinite(place.width)) refuse_column(j);
    if (kind == Scaling::standard) place = {first[j] + unit[j] * mean[j], unit[j] * std::sqrt(squares[j] / static_cast<double>(n_rows))};
    if (kind == Scaling::robust) {
      const auto [low, median, high] = quantiles.of(j);
      place = {median, high > low ? high - low : place.width};
    }
    if (!std::isfinite(place.width)) refuse_column(j);
    place.width = std::max(place.width, std::numeric_limits<double>::denorm_min());
    return place;
  }

  [[noreturn]] void refuse_column(std::size_t j) const {
    throw InvalidArgument("Scaler", fmt::format("column {} goes from {} to {}, which is too wide for a double; leave it unscaled", j + 1,
                                                lowest[j], highest[j]));
  }
};

ScalerFit::ScalerFit(std::size_t n_columns, Scaling kind) : sums_(std::make_unique<Sums>(n_columns, kind)) {}
ScalerFit::~ScalerFit() = default;
ScalerFit::ScalerFit(ScalerFit&&) noexcept = default;
ScalerFit& ScalerFit::operator=(ScalerFit&&) noexcept = default;

void ScalerFit::add(MatrixView<const double> X, const StopToken& stop) {
  if (X.cols() != sums_->lowest.size())
    throw InvalidArgument("ScalerFit::add", fmt::format("{} columns, expected {} as before", X.cols(), sums_->lowest.size()));
  for (std::size_t i = 0; i < X.rows(); ++i) {
    if (i % 256 == 0) stop.check();
    sums_->add_range(X.row(i).data());
    if (sums_->kind == Scaling::standard) sums_->add_moments(X.row(i).data());
    if (sums_->kind == Scaling::robust) sums_->quantiles.add(X.row(i).data());
  }
}

Scaler ScalerFit::finish() const {
  const Sums& sums = *sums_;
  if (sums.n_rows == 0) throw InvalidArgument("Scaler", "no rows, expected at least one to fit to");
  Scaler scaler{sums.kind, {}, {}};
  if (sums.kind == Scaling::none) return scaler;
  for (std::size_t j = 0; j < sums.lowest.size(); ++j) {
    const Sums::Place place = sums.place_of(j);
    scaler.offset.push_back(place.offset);
    scaler.width.push_back(place.width);
  }
  return scaler;
}

Scaler Scaler::fitted_to(MatrixView<const double> X, Scaling kind, const StopToken& stop) {
  ScalerFit fit(X.cols(), kind);
  fit.add(X, stop);
  return fit.finish();
}

// (x - low)/(high - low) lies in [0,1] exactly: rounding is monotone, so x - low ≤ high - low and the quotient is at most 1.
void Scaler::apply(MatrixView<double> X, const StopToken& stop) const {
  if (kind == Scaling::none) return;
  if (X.cols() != offset.size() || offset.size() != width.size())
    throw InvalidArgument("Scaler::apply", fmt::format("{} columns, the scaling was fitted to {}", X.cols(), offset.size()));
  std::vector<double> divisor = width;
  std::replace(divisor.begin(), divisor.end(), 0.0, 1.0);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    if (i % 256 == 0) stop.check();
    double* const x = X.row(i).data();
    for (std::size_t j = 0; j < divisor.size(); ++j) x[j] = (x[j] - offset[j]) / divisor[j];
  }
}

}  // namespace askrff
