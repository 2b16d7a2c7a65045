// Coordinates of two rows side by side, dense or sparse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "askrff/sparse.hpp"

namespace askrff {

/// Calls visit(column, x, y) for the coordinates of x_i and y_j, of one kind, in their order; of sparse rows those that one of them has.
template <class Visit>
void for_each_coordinate(const RowsView<double>& X, std::size_t i, const RowsView<double>& Y, std::size_t j, const Visit& visit) {
  if (X.is_sparse() != Y.is_sparse()) throw std::logic_error("for_each_coordinate: rows of two kinds");
  if (!X.is_sparse()) {
    const auto x = X.dense().row(i), y = Y.dense().row(j);
    for (std::size_t c = 0; c < x.size(); ++c) visit(c, x[c], y[c]);
    return;
  }
  const auto x_columns = X.sparse().columns_of(i), y_columns = Y.sparse().columns_of(j);
  const auto x_values = X.sparse().values_of(i), y_values = Y.sparse().values_of(j);
  std::size_t a = 0, b = 0;
  while (a < x_columns.size() || b < y_columns.size()) {
    const bool has_x = b == y_columns.size() || (a < x_columns.size() && x_columns[a] <= y_columns[b]);
    const bool has_y = a == x_columns.size() || (b < y_columns.size() && y_columns[b] <= x_columns[a]);
    const std::size_t column = has_x ? x_columns[a] : y_columns[b];
    visit(column, has_x ? x_values[a++] : 0.0, has_y ? y_values[b++] : 0.0);
  }
}

/// Calls visit(column, value) for the coordinates of row i, of a sparse one those it has.
template <class Visit>
void for_each_value(const RowsView<double>& rows, std::size_t i, const Visit& visit) {
  if (!rows.is_sparse()) {
    const auto row = rows.dense().row(i);
    for (std::size_t c = 0; c < row.size(); ++c) visit(c, row[c]);
    return;
  }
  const auto columns = rows.sparse().columns_of(i);
  const auto values = rows.sparse().values_of(i);
  for (std::size_t k = 0; k < columns.size(); ++k) visit(std::size_t{columns[k]}, values[k]);
}

/// √Σ (x - y)²; squares that overflow, or lose what is too small, are not taken.
double euclidean_distance(const RowsView<double>& X, std::size_t i, const RowsView<double>& Y, std::size_t j);
/// Whether a sum of squares holds all digits of its terms' sum.
inline bool is_plain_square(double squares) { return squares > 1e-290 && squares < 1e290; }

/// Differences of rows, one after another, of the kind the rows are of.
class RowDifferences {
 public:
  /// n_rows: how many there will be; those that are not added are 0.
  RowDifferences(const RowsView<double>& rows, std::size_t n_rows);
  /// factor·(x_i - x_j).
  void add(std::size_t i, std::size_t j, double factor = 1);
  RowsMatrix<double> finish() &&;

 private:
  RowsView<double> rows_;
  std::size_t n_rows_, n_added_ = 0;
  Matrix<double> dense_;
  SparseMatrix<double> sparse_;
  std::vector<std::uint32_t> columns_;
  std::vector<double> values_;
};

}  // namespace askrff
