// Row-major matrices: a non-owning strided view and an owning matrix. First stage of the flow: what every stage reads and writes.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace askrff {

/// rows × cols elements, row-major; consecutive rows are `stride` ≥ cols elements apart. Does not own its memory.
template <class T>
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(T* data, std::size_t rows, std::size_t cols) : MatrixView(data, rows, cols, cols) {}
  MatrixView(T* data, std::size_t rows, std::size_t cols, std::size_t stride) : data_(data), rows_(rows), cols_(cols), stride_(stride) {
    if (stride < cols) throw std::invalid_argument("MatrixView: the row stride is smaller than the number of columns");
    if (data == nullptr && rows != 0 && cols != 0) throw std::invalid_argument("MatrixView: null data for a non-empty matrix");
  }

  /// A view of mutable elements is also a view of constant ones.
  operator MatrixView<const T>() const requires(!std::is_const_v<T>) { return {data_, rows_, cols_, stride_}; }

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  std::size_t stride() const { return stride_; }
  bool empty() const { return rows_ == 0 || cols_ == 0; }
  T* data() const { return data_; }
  T& operator()(std::size_t i, std::size_t j) const { return data_[i * stride_ + j]; }
  std::span<T> row(std::size_t i) const { return {data_ + i * stride_, cols_}; }

  /// Rows first, …, first+count-1.
  MatrixView middle_rows(std::size_t first, std::size_t count) const {
    if (first > rows_ || count > rows_ - first) throw std::out_of_range("MatrixView::middle_rows: rows out of range");
    return {data_ + first * stride_, count, cols_, stride_};
  }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0, cols_ = 0, stride_ = 0;
};

/// Owns rows × cols contiguous elements, zero at first.
template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols), values_(checked_size(rows, cols)) {}
  Matrix(std::size_t rows, std::size_t cols, std::vector<T> values) : rows_(rows), cols_(cols), values_(std::move(values)) {
    if (values_.size() != checked_size(rows, cols)) throw std::invalid_argument("Matrix: number of values is not rows times columns");
  }

  operator MatrixView<T>() { return view(); }
  operator MatrixView<const T>() const { return view(); }
  MatrixView<T> view() { return {values_.data(), rows_, cols_}; }
  MatrixView<const T> view() const { return {values_.data(), rows_, cols_}; }

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  bool empty() const { return values_.empty(); }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  T& operator()(std::size_t i, std::size_t j) { return values_[i * cols_ + j]; }
  const T& operator()(std::size_t i, std::size_t j) const { return values_[i * cols_ + j]; }
  std::span<T> row(std::size_t i) { return {values_.data() + i * cols_, cols_}; }
  std::span<const T> row(std::size_t i) const { return {values_.data() + i * cols_, cols_}; }

 private:
  static std::size_t checked_size(std::size_t rows, std::size_t cols) {
    if (cols != 0 && rows > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T) / cols)
      throw std::invalid_argument("Matrix: rows times columns does not fit into memory");
    return rows * cols;
  }

  std::size_t rows_ = 0, cols_ = 0;
  std::vector<T> values_;
};

}  // namespace askrff
