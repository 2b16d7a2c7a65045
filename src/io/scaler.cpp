// Scaler: from ranges, moments and quantiles of columns to offset and width, and its use.
#include "askrff/rows.hpp"
#include "askrff/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/resources.hpp"
#include "io/finish_scaler.hpp"

namespace askrff {
namespace io {
namespace {

struct Place {
  double offset, width;
};

[[noreturn]] void refuse_column(const ColumnSums& sums, std::size_t j) {
  throw InvalidArgument(
      "Scaler", fmt::format("column {} goes from {} to {}, which is too wide for a double, expected a narrower one, or scaling maxabs",
                            j + 1, sums.lowest()[j], sums.highest()[j]));
}

Place place_of(const ColumnSums& sums, const ColumnQuantiles* quantiles, std::size_t j) {
  const double low = sums.lowest()[j], high = sums.highest()[j];
  if (sums.kind() == Scaling::maxabs) return {0, std::max(std::abs(low), std::abs(high))};
  if (low == high) return {low, 0};
  Place place{low, high - low};
  if (!std::isfinite(place.width)) refuse_column(sums, j);
  if (sums.kind() == Scaling::standard) place = {sums.mean(j), sums.deviation(j)};
  if (sums.kind() == Scaling::robust) {
    const auto [tail, median, other_tail] = quantiles->of(j);
    place = {median, other_tail > tail ? other_tail - tail : place.width};
  }
  if (!std::isfinite(place.width)) refuse_column(sums, j);
  place.width = std::max(place.width, std::numeric_limits<double>::denorm_min());
  return place;
}

/// Throws unless the quantiles are of all rows of the sums, and of no others.
void check_quantiles(const ColumnSums& sums, const ColumnQuantiles* quantiles) {
  if (quantiles == nullptr) throw InvalidArgument("Scaler", "no quantiles, expected them for scaling robust");
  if (quantiles->n_columns() != sums.n_columns())
    throw InvalidArgument("Scaler", fmt::format("quantiles of {} columns, expected {}", quantiles->n_columns(), sums.n_columns()));
  if (quantiles->first_row() != 0)
    throw InvalidArgument("Scaler",
                          fmt::format("quantiles without the {} rows before, expected those of all rows", quantiles->first_row()));
  if (quantiles->n_rows() != sums.n_rows())
    throw InvalidArgument("Scaler", fmt::format("quantiles of {} rows, expected those of all {}", quantiles->n_rows(), sums.n_rows()));
}

}  // namespace

Scaler finish_scaler(const ColumnSums& sums, const ColumnQuantiles* quantiles) {
  if (sums.n_rows() == 0) throw InvalidArgument("Scaler", "no rows, expected at least one to fit to");
  if (sums.kind() == Scaling::robust) check_quantiles(sums, quantiles);
  Scaler scaler{sums.kind(), {}, {}};
  if (sums.kind() == Scaling::none) return scaler;
  for (std::size_t j = 0; j < sums.n_columns(); ++j) {
    const Place place = place_of(sums, quantiles, j);
    scaler.offset.push_back(place.offset);
    scaler.width.push_back(place.width);
  }
  return scaler;
}

}  // namespace io

struct ScalerFit::Parts {
  io::ColumnSums sums;
  std::optional<io::ColumnQuantiles> quantiles;  // robust only
};

ScalerFit::ScalerFit(std::size_t n_columns, Scaling kind, std::uint64_t first_row)
    : parts_([&] {
        require_memory(64.0 * static_cast<double>(n_columns), "ScalerFit", fmt::format("what is kept of each of {} columns", n_columns),
                       "use fewer columns");
        return new Parts{io::ColumnSums(n_columns, kind), std::nullopt};
      }()) {
  if (kind == Scaling::robust) parts_->quantiles.emplace(n_columns, first_row);
}
ScalerFit::~ScalerFit() = default;
ScalerFit::ScalerFit(ScalerFit&&) noexcept = default;
ScalerFit& ScalerFit::operator=(ScalerFit&&) noexcept = default;

void ScalerFit::add(const RowsView<double>& X, const StopToken& stop) {
  // Of a block the sums take all or nothing: both see the same rows. For every block of sparse rows all columns are looked at.
  const std::size_t block = X.is_sparse() && !parts_->quantiles ? std::max<std::size_t>(1, X.rows()) : io::ColumnSums::block_rows;
  Matrix<double> written_out;  // quantiles are of columns as a whole
  for (std::size_t first = 0; first == 0 || first < X.rows(); first += block) {
    const RowsView<double> rows = X.middle_rows(first, std::min(block, X.rows() - first));
    parts_->sums.add(rows, stop);
    if (!parts_->quantiles) continue;
    if (rows.is_sparse()) {
      written_out = Matrix<double>(rows.rows(), rows.cols());
      rows.sparse().copy_to(written_out.view());
    }
    parts_->quantiles->add(rows.is_sparse() ? written_out.view() : rows.dense());
  }
}

void ScalerFit::merge(ScalerFit&& next) {
  parts_->sums.check_like(next.parts_->sums);
  if (parts_->quantiles) parts_->quantiles->merge(*next.parts_->quantiles);
  parts_->sums.merge(next.parts_->sums);
}

std::uint64_t ScalerFit::n_rows() const { return parts_->sums.n_rows(); }
const std::vector<double>& ScalerFit::lowest() const { return parts_->sums.lowest(); }
const std::vector<double>& ScalerFit::highest() const { return parts_->sums.highest(); }

Scaler ScalerFit::finish() const { return io::finish_scaler(parts_->sums, parts_->quantiles ? &*parts_->quantiles : nullptr); }

Scaler Scaler::fitted_to(const RowsView<double>& X, Scaling kind, const StopToken& stop) {
  ScalerFit fit(X.cols(), kind);
  fit.add(X, stop);
  return fit.finish();
}

bool Scaler::keeps_zeros() const {
  return std::ranges::all_of(offset, [](double each) { return each == 0; });
}

namespace {

/// The distance from its offset up to which a number can be divided, to rounding.
double farthest_from(double divisor) {
  constexpr double most = std::numeric_limits<double>::max(), rounding = 1e-15;
  return divisor < 1 ? most * divisor * (1 - rounding) : most;
}
std::vector<double> farthest_of(const std::vector<double>& divisors) {
  std::vector<double> farthest;
  for (const double divisor : divisors) farthest.push_back(farthest_from(divisor));
  return farthest;
}

[[noreturn]] void refuse_far_number(std::size_t column, double number, double divisor) {
  throw DataError("Scaler::apply",
                  fmt::format("column {} holds {}, which is too large to be scaled by a width of {}; expected numbers nearer to those "
                              "that this width is of, or another scaling",
                              column + 1, number, divisor));
}

/// Throws for the first number of a row that is finite but would not stay so.
void refuse_far_number(std::span<const double> row, const std::vector<double>& offset, const std::vector<double>& divisor,
                       const std::vector<double>& farthest) {
  for (std::size_t j = 0; j < row.size(); ++j)
    if (std::isfinite(row[j]) && std::abs(row[j] - offset[j]) > farthest[j]) refuse_far_number(j, row[j], divisor[j]);
}

}  // namespace

RowsMatrix<double> Scaler::applied(RowsMatrix<double> rows, const StopToken& stop) const {
  if (kind == Scaling::none) return rows;
  if (rows.is_sparse() && !keeps_zeros()) {
    require_memory(static_cast<double>(rows.rows()) * static_cast<double>(rows.cols()) * sizeof(double), "Scaler",
                   fmt::format("{} sparse rows of {} columns, whose zeros the scaling {} turns into other numbers,", rows.rows(),
                               rows.cols(), name_of(kind)),
                   "scale maxabs or none, which leave them 0");
    Matrix<double> written_out(rows.rows(), rows.cols());
    rows.sparse().view().copy_to(written_out.view());
    rows = std::move(written_out);
  }
  if (!rows.is_sparse()) {
    apply(rows.dense().view(), stop);
    return rows;
  }
  const SparseView<double> view = rows.sparse();
  if (view.cols() != offset.size() || offset.size() != width.size())
    throw InvalidArgument("Scaler::apply", fmt::format("{} columns, the scaling was fitted to {}", view.cols(), offset.size()));
  const std::span<double> values = rows.sparse().all_values();
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t j = view.columns()[k];
    const double divisor = width[j] == 0 ? 1 : width[j];
    if (std::abs(values[k]) > farthest_from(divisor)) refuse_far_number(j, values[k], divisor);
    values[k] /= divisor;  // offsets are 0
  }
  return rows;
}

// (x - low)/(high - low) lies in [0,1] exactly: rounding is monotone, so x - low ≤ high - low and the quotient is at most 1.
void Scaler::apply(MatrixView<double> X, const StopToken& stop) const {
  if (kind == Scaling::none) return;
  if (X.cols() != offset.size() || offset.size() != width.size())
    throw InvalidArgument("Scaler::apply", fmt::format("{} columns, the scaling was fitted to {}", X.cols(), offset.size()));
  std::vector<double> divisor = width;
  std::replace(divisor.begin(), divisor.end(), 0.0, 1.0);
  const std::vector<double> farthest = farthest_of(divisor);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    if (i % 256 == 0) stop.check();
    double* const x = X.row(i).data();
    bool any_far = false;
    for (std::size_t j = 0; j < divisor.size(); ++j) any_far |= std::abs(x[j] - offset[j]) > farthest[j];
    if (any_far) refuse_far_number(X.row(i), offset, divisor, farthest);
    for (std::size_t j = 0; j < divisor.size(); ++j) x[j] = (x[j] - offset[j]) / divisor[j];
  }
}

}  // namespace askrff
