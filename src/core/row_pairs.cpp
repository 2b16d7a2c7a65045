// Differences and distances of rows.
#include "core/row_pairs.hpp"

#include <cmath>

namespace askrff {

double euclidean_distance(const RowsView<double>& X, std::size_t i, const RowsView<double>& Y, std::size_t j) {
  double squares = 0, length = 0;
  for_each_coordinate(X, i, Y, j, [&](std::size_t, double x, double y) { squares += (x - y) * (x - y); });
  if (is_plain_square(squares)) return std::sqrt(squares);
  for_each_coordinate(X, i, Y, j, [&](std::size_t, double x, double y) { length = std::hypot(length, x - y); });
  return length;
}

RowDifferences::RowDifferences(const RowsView<double>& rows, std::size_t n_rows)
    : rows_(rows), n_rows_(n_rows), dense_(rows.is_sparse() ? 0 : n_rows, rows.is_sparse() ? 0 : rows.cols()), sparse_(rows.cols()) {}

void RowDifferences::add(std::size_t i, std::size_t j, double factor) {
  const std::size_t place = n_added_++;
  if (!rows_.is_sparse())
    return for_each_coordinate(rows_, i, rows_, j,
                               [&](std::size_t column, double x, double y) { dense_(place, column) = factor * (x - y); });
  columns_.clear();
  values_.clear();
  for_each_coordinate(rows_, i, rows_, j, [&](std::size_t column, double x, double y) {
    columns_.push_back(static_cast<std::uint32_t>(column));
    values_.push_back(factor * (x - y));
  });
  sparse_.add_row(columns_, values_);
}

RowsMatrix<double> RowDifferences::finish() && {
  if (!rows_.is_sparse()) return std::move(dense_);
  while (sparse_.rows() < n_rows_) sparse_.add_row({}, {});
  return std::move(sparse_);
}

}  // namespace askrff
