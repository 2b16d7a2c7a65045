// Rows of either kind, scaled by a map and rounded to the type of its features.
#pragma once

#include <algorithm>
#include <utility>

#include "askrff/map.hpp"

namespace askrff::pipeline {

/// Rows of a block of `wanted` rows that are scaled at once: fewer where sparse rows have to be written out and are wide, 32 MiB of them.
template <class U>
std::size_t rows_scaled_at_once(const Map& map, const RowsView<U>& X, std::size_t wanted) {
  if (!X.is_sparse() || map.content().scaler.keeps_zeros()) return wanted;
  return std::min(wanted, std::max<std::size_t>(1, (std::size_t{32} << 20) / sizeof(U) / std::max<std::size_t>(1, X.cols())));
}

/// Keeps what one block of rows of type U needs, and hands it to the next.
template <class T, class U = double>
class RoundedRows {
 public:
  /// The rows themselves where there is nothing to do, which X must outlive. Sparse ones are written out where the scaling makes other
  /// numbers of zeros. Valid until the next call.
  RowsView<T> scaled(const Map& map, const RowsView<U>& X, FeatureSide side = FeatureSide::left) {
    if (!X.is_sparse()) return map.scaled<T, U>(X.dense(), dense_, side);
    if (map.content().scaler.keeps_zeros()) return map.scaled<T, U>(X.sparse(), sparse_, side);
    if (written_out_.rows() < X.rows()) written_out_ = Matrix<U>(X.rows(), X.cols());
    const MatrixView<U> rows = written_out_.view().middle_rows(0, X.rows());
    X.sparse().copy_to(rows);
    return map.scaled<T, U>(MatrixView<const U>(rows), dense_, side);
  }

 private:
  Matrix<T> dense_;
  SparseMatrix<T> sparse_;
  Matrix<U> written_out_;
};

/// Dense rows of either kind; sparse ones are written out to `storage`.
template <class T>
MatrixView<const T> dense_rows(const RowsView<T>& rows, Matrix<T>& storage) {
  if (!rows.is_sparse()) return rows.dense();
  storage = Matrix<T>(rows.rows(), rows.cols());
  rows.sparse().copy_to(storage.view());
  return std::as_const(storage).view();
}

}  // namespace askrff::pipeline
