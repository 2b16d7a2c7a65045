// A matrix without some of its rows and columns, which are left out of products instead of being copied.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "askrff/kernel_matrix.hpp"

namespace askrff::landmarks {

/// K(rows, columns), both increasing. K must outlive it.
class RestrictedMap final : public LinearMap {
 public:
  RestrictedMap(const LinearMap& K, std::vector<std::size_t> rows, std::vector<std::size_t> columns)
      : K_(K), rows_(std::move(rows)), columns_(std::move(columns)) {}

  std::size_t rows() const override { return rows_.size(); }
  std::size_t cols() const override { return columns_.size(); }
  void times(MatrixView<const double> V, MatrixView<double> out, const Execution& execution) const override {
    Matrix<double> product(K_.rows(), V.cols());
    K_.times(spread_out(V, columns_, K_.cols()), product.view(), execution);
    gather(product, rows_, out);
  }
  void transposed_times(MatrixView<const double> V, MatrixView<double> out, const Execution& execution) const override {
    Matrix<double> product(K_.cols(), V.cols());
    K_.transposed_times(spread_out(V, rows_, K_.rows()), product.view(), execution);
    gather(product, columns_, out);
  }
  void take_columns(std::span<const std::size_t> columns, MatrixView<double> out, const Execution& execution) const override {
    Matrix<double> all(K_.rows(), columns.size());
    K_.take_columns(of_all(columns, columns_), all.view(), execution);
    gather(all, rows_, out);
  }
  void take_rows(std::span<const std::size_t> rows, MatrixView<double> out, const Execution& execution) const override {
    Matrix<double> all(rows.size(), K_.cols());
    K_.take_rows(of_all(rows, rows_), all.view(), execution);
    for (std::size_t a = 0; a < rows.size(); ++a)
      for (std::size_t j = 0; j < columns_.size(); ++j) out(a, j) = all(a, columns_[j]);
  }
  /// As the whole is, for the same rows and columns.
  bool symmetric() const override { return rows_ == columns_ && K_.symmetric(); }

 private:
  static Matrix<double> spread_out(MatrixView<const double> V, const std::vector<std::size_t>& places, std::size_t size) {
    Matrix<double> all(size, V.cols());
    for (std::size_t i = 0; i < places.size(); ++i) std::ranges::copy(V.row(i), all.row(places[i]).begin());
    return all;
  }
  static void gather(const Matrix<double>& all, const std::vector<std::size_t>& places, MatrixView<double> out) {
    for (std::size_t i = 0; i < places.size(); ++i) std::ranges::copy(all.row(places[i]), out.row(i).begin());
  }
  static std::vector<std::size_t> of_all(std::span<const std::size_t> some, const std::vector<std::size_t>& places) {
    std::vector<std::size_t> out;
    for (const std::size_t i : some) out.push_back(places[i]);
    return out;
  }

  const LinearMap& K_;
  std::vector<std::size_t> rows_, columns_;
};

}  // namespace askrff::landmarks
