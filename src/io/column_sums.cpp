// Sums of columns, by blocks of rows.
#include "io/column_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "askrff/errors.hpp"
#include "io/finite.hpp"

namespace askrff::io {
namespace {

constexpr std::size_t tile_columns = 8;  // a cache line of a row

[[noreturn]] void refuse_number(MatrixView<const double> X, std::uint64_t n_rows_before) {
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < X.cols(); ++j)
      if (!std::isfinite(X(i, j)))
        throw InvalidArgument("Scaler",
                              fmt::format("row {}, column {} is {}, expected a finite number", n_rows_before + i + 1, j + 1, X(i, j)));
  throw std::logic_error("ColumnSums: all numbers are finite");
}

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

ColumnSums::ColumnSums(std::size_t n_columns, Scaling kind) : kind_(kind), lowest_(n_columns, infinity), highest_(n_columns, -infinity) {
  if (kind != Scaling::standard) return;
  sums_.resize(n_columns);
  squares_.resize(n_columns);
}

void ColumnSums::add(const RowsView<double>& X, const StopToken& stop) {
  if (X.cols() != n_columns()) throw InvalidArgument("Scaler", fmt::format("{} columns, expected {} as before", X.cols(), n_columns()));
  if (X.is_sparse()) return add_sparse_block(X.sparse());
  for (std::size_t first = 0; first < X.rows(); first += block_rows) {
    stop.check();
    add_block(X.dense().middle_rows(first, std::min(block_rows, X.rows() - first)));
  }
}

void ColumnSums::add_block(MatrixView<const double> X) {
  for (std::size_t i = 0; i < X.rows(); ++i)
    if (!all_finite(X.row(i).data(), X.cols())) refuse_number(X, n_rows_);
  for (std::size_t i = 0; i < X.rows(); ++i) add_range(X.row(i).data());
  if (kind_ == Scaling::standard) add_moments(X);
  n_rows_ += X.rows();
}

void ColumnSums::add_range(const double* x) {
  double* const low = lowest_.data();
  double* const high = highest_.data();
  for (std::size_t j = 0; j < n_columns(); ++j) {
    const double value = x[j] + 0.0;  // -0 becomes 0: which of them came first must not show
    low[j] = std::min(low[j], value);
    high[j] = std::max(high[j], value);
  }
}

/// Rows that have no number in a column have 0 there. A pass over all columns goes with a block, not with a row.
void ColumnSums::add_sparse_block(SparseView<double> X) {
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t k = 0; k < X.values_of(i).size(); ++k)
      if (!std::isfinite(X.values_of(i)[k]))
        throw InvalidArgument("Scaler", fmt::format("row {}, column {} is {}, expected a finite number", n_rows_ + i + 1,
                                                    X.columns_of(i)[k] + 1, X.values_of(i)[k]));
  std::vector<std::uint32_t> n_with(n_columns());
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t k = 0; k < X.values_of(i).size(); ++k) {
      const std::uint32_t j = X.columns_of(i)[k];
      const double value = X.values_of(i)[k] + 0.0;
      ++n_with[j];
      lowest_[j] = std::min(lowest_[j], value);
      highest_[j] = std::max(highest_[j], value);
      if (kind_ == Scaling::standard) add_with_squares({&value, 1}, sums_[j], squares_[j]);
    }
  for (std::size_t j = 0; j < n_columns(); ++j)
    if (n_with[j] < X.rows()) {
      lowest_[j] = std::min(lowest_[j], 0.0);
      highest_[j] = std::max(highest_[j], 0.0);
    }
  n_rows_ += X.rows();
}

/// Columns are copied, some at a time, so that each is one piece.
void ColumnSums::add_moments(MatrixView<const double> X) {
  double columns[tile_columns][block_rows];
  for (std::size_t first = 0; first < X.cols(); first += tile_columns) {
    const std::size_t count = std::min(tile_columns, X.cols() - first);
    for (std::size_t i = 0; i < X.rows(); ++i)
      for (std::size_t j = 0; j < count; ++j) columns[j][i] = X(i, first + j);
    for (std::size_t j = 0; j < count; ++j) add_with_squares({columns[j], X.rows()}, sums_[first + j], squares_[first + j]);
  }
}

void ColumnSums::check_like(const ColumnSums& other) const {
  if (other.kind_ != kind_)
    throw InvalidArgument("Scaler", fmt::format("a part is scaled {}, expected {} as before", name_of(other.kind_), name_of(kind_)));
  if (other.n_columns() != n_columns())
    throw InvalidArgument("Scaler", fmt::format("a part has {} columns, expected {} as before", other.n_columns(), n_columns()));
  if (other.n_rows_ > std::numeric_limits<std::uint64_t>::max() - n_rows_)
    throw InvalidArgument("Scaler", fmt::format("a part has {} rows after {}, expected fewer than 2^64 in all", other.n_rows_, n_rows_));
}

void ColumnSums::merge(const ColumnSums& other) {
  check_like(other);
  n_rows_ += other.n_rows_;
  for (std::size_t j = 0; j < n_columns(); ++j) {
    lowest_[j] = std::min(lowest_[j], other.lowest_[j]);
    highest_[j] = std::max(highest_[j], other.highest_[j]);
  }
  for (std::size_t j = 0; j < sums_.size(); ++j) {
    sums_[j].add(other.sums_[j]);
    squares_[j].add(other.squares_[j]);
  }
}

}  // namespace askrff::io
