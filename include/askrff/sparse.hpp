// Rows of which most entries are zero: the sparse siblings of MatrixView and Matrix, in compressed rows (CSR).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "askrff/views.hpp"

namespace askrff {

/// rows × cols numbers, of which those of row i that are not zero stand at places starts[i] … starts[i+1] - 1 of `columns` and `values`.
/// Zeros may be among them. Does not own its memory.
template <class T>
class SparseView {
 public:
  SparseView() = default;
  /// starts: one more than rows. Throws InvalidArgument unless the starts do not decrease and stay inside the values, and the columns of
  /// every row increase and are below cols.
  SparseView(std::span<const std::uint64_t> starts, std::span<const std::uint32_t> columns, std::span<const T> values, std::size_t cols);

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  bool empty() const { return rows_ == 0 || cols_ == 0; }
  /// Of all rows together.
  std::size_t n_values() const { return rows_ == 0 ? 0 : static_cast<std::size_t>(starts_[rows_] - starts_[0]); }

  const std::uint64_t* starts() const { return starts_; }
  const std::uint32_t* columns() const { return columns_; }
  const T* values() const { return values_; }
  std::span<const std::uint32_t> columns_of(std::size_t i) const { return {columns_ + starts_[i], columns_ + starts_[i + 1]}; }
  std::span<const T> values_of(std::size_t i) const { return {values_ + starts_[i], values_ + starts_[i + 1]}; }
  /// Values of all rows.
  std::span<const T> all_values() const { return rows_ == 0 ? std::span<const T>() : std::span<const T>(values_ + starts_[0], n_values()); }

  /// Rows first, …, first+count-1.
  SparseView middle_rows(std::size_t first, std::size_t count) const {
    if (first > rows_ || count > rows_ - first) throw std::out_of_range("SparseView::middle_rows: rows out of range");
    SparseView part = *this;
    part.starts_ += first;
    part.rows_ = count;
    return part;
  }

  /// The same places with other values: as many as `values()` reach.
  template <class U>
  SparseView<U> with_values(const U* values) const {
    SparseView<U> other;
    other.starts_ = starts_;
    other.columns_ = columns_;
    other.values_ = values;
    other.rows_ = rows_;
    other.cols_ = cols_;
    return other;
  }

  /// Fills out, rows × cols. Throws InvalidArgument for another shape.
  void copy_to(MatrixView<T> out) const;

 private:
  template <class U>
  friend class SparseView;

  const std::uint64_t* starts_ = nullptr;
  const std::uint32_t* columns_ = nullptr;
  const T* values_ = nullptr;
  std::size_t rows_ = 0, cols_ = 0;
};

/// Rows of either kind.
template <class T>
using RowsView = std::variant<MatrixView<const T>, SparseView<T>>;

/// Owns its rows, which are added one after another.
template <class T>
class SparseMatrix {
 public:
  explicit SparseMatrix(std::size_t cols = 0) : cols_(cols) {}
  /// What of a dense matrix is not zero.
  static SparseMatrix of(MatrixView<const T> dense);

  /// Throws InvalidArgument unless the columns increase, are below cols, and there is a value for each.
  void add_row(std::span<const std::uint32_t> columns, std::span<const T> values);

  std::size_t rows() const { return starts_.size() - 1; }
  std::size_t cols() const { return cols_; }
  SparseView<T> view() const { return {starts_, columns_, values_, cols_}; }
  operator SparseView<T>() const { return view(); }

 private:
  std::size_t cols_;
  std::vector<std::uint64_t> starts_ = {0};
  std::vector<std::uint32_t> columns_;
  std::vector<T> values_;
};

}  // namespace askrff
