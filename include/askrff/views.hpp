// Row-major matrices: a non-owning strided view and an owning matrix. First stage of the flow: what every stage reads and writes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "askrff/errors.hpp"

namespace askrff {

/// rows × cols elements, row-major; consecutive rows are `stride` ≥ cols elements apart. Does not own its memory.
template <class T>
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(T* data, std::size_t rows, std::size_t cols) : MatrixView(data, rows, cols, cols) {}
  MatrixView(T* data, std::size_t rows, std::size_t cols, std::size_t stride) : data_(data), rows_(rows), cols_(cols), stride_(stride) {
    if (stride < cols) throw InvalidArgument("MatrixView", "the row stride is smaller than the number of columns");
    if (data == nullptr && rows != 0 && cols != 0) throw InvalidArgument("MatrixView", "null data for a non-empty matrix");
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

namespace detail {

/// Zeroed memory on a cache line; large pieces in huge pages where the system has them, untouched until they are used. Throws
/// std::bad_alloc.
void* allocate_zeroed(std::size_t bytes);
void release(void* memory, std::size_t bytes);

/// n zeroed elements; copies are deep.
template <class T>
class Storage {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  Storage() = default;
  explicit Storage(std::size_t n) : data_(n > 0 ? static_cast<T*>(allocate_zeroed(n * sizeof(T))) : nullptr), size_(n) {}
  Storage(const Storage& other) : Storage(other.size_) { std::copy_n(other.data_, size_, data_); }
  Storage(Storage&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Storage& operator=(Storage other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Storage() {
    if (data_) release(data_, size_ * sizeof(T));
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace detail

/// Owns rows × cols contiguous elements, zero at first, the first one on a cache line.
template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols), values_(checked_size(rows, cols)) {}
  Matrix(std::size_t rows, std::size_t cols, const std::vector<T>& values) : rows_(rows), cols_(cols), values_(values.size()) {
    if (values.size() != checked_size(rows, cols)) throw InvalidArgument("Matrix", "number of values is not rows times columns");
    std::copy_n(values.data(), values.size(), values_.data());
  }
  Matrix(const Matrix&) = default;
  Matrix& operator=(const Matrix& other) { return *this = Matrix(other); }  // unchanged if there is no memory for the copy
  /// What is left behind is an empty matrix.
  Matrix(Matrix&& other) noexcept
      : rows_(std::exchange(other.rows_, 0)), cols_(std::exchange(other.cols_, 0)), values_(std::move(other.values_)) {}
  Matrix& operator=(Matrix&& other) noexcept {
    rows_ = std::exchange(other.rows_, 0);
    cols_ = std::exchange(other.cols_, 0);
    values_ = std::move(other.values_);
    return *this;
  }
  ~Matrix() = default;

  operator MatrixView<T>() { return view(); }
  operator MatrixView<const T>() const { return view(); }
  MatrixView<T> view() { return {values_.data(), rows_, cols_}; }
  MatrixView<const T> view() const { return {values_.data(), rows_, cols_}; }

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  bool empty() const { return values_.size() == 0; }
  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  T& operator()(std::size_t i, std::size_t j) { return values_.data()[i * cols_ + j]; }
  const T& operator()(std::size_t i, std::size_t j) const { return values_.data()[i * cols_ + j]; }
  std::span<T> row(std::size_t i) { return {values_.data() + i * cols_, cols_}; }
  std::span<const T> row(std::size_t i) const { return {values_.data() + i * cols_, cols_}; }

 private:
  static std::size_t checked_size(std::size_t rows, std::size_t cols) {
    if (cols != 0 && rows > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T) / cols)
      throw InvalidArgument("Matrix", "rows times columns does not fit into memory");
    return rows * cols;
  }

  std::size_t rows_ = 0, cols_ = 0;
  detail::Storage<T> values_;
};

/// The rows of `data` with the given numbers, in that order; every number must be below data.rows().
inline Matrix<double> take_rows(MatrixView<const double> data, std::span<const std::size_t> rows) {
  Matrix<double> taken(rows.size(), data.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(data.row(rows[i]).begin(), data.cols(), taken.row(i).begin());
  return taken;
}

}  // namespace askrff
