// Rows of a stream, put together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "askrff/sparse.hpp"

namespace askrff::pipeline {

/// Rows in pieces that are given back while the whole is put together: little more than the rows themselves is ever held.
class CollectedRows {
 public:
  explicit CollectedRows(std::size_t n_columns) : sparse_(n_columns) {}

  void add(const RowsView<double>& rows) {
    n_rows_ += rows.rows();
    if (rows.is_sparse()) return sparse_.add_rows(rows.sparse());
    Matrix<double> piece(rows.rows(), rows.cols());
    for (std::size_t i = 0; i < piece.rows(); ++i) std::ranges::copy(rows.dense().row(i), piece.row(i).begin());
    pieces_.push_back(std::move(piece));
  }
  std::size_t n_rows() const { return n_rows_; }
  RowsMatrix<double> finish() {
    if (sparse_.rows() > 0) return std::move(sparse_);
    Matrix<double> all(n_rows_, sparse_.cols());
    double* end = all.data();
    for (Matrix<double>& piece : pieces_) {
      end = std::copy_n(piece.data(), piece.rows() * piece.cols(), end);
      piece = {};
    }
    return all;
  }

 private:
  SparseMatrix<double> sparse_;
  std::vector<Matrix<double>> pieces_;
  std::size_t n_rows_ = 0;
};

}  // namespace askrff::pipeline
