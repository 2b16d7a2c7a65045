// Rows of which most entries are zero, in compressed rows (CSR): the sparse siblings of MatrixView and Matrix; and rows of either kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
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

  /// Of rows that were checked before.
  static SparseView of_checked(const std::uint64_t* starts, const std::uint32_t* columns, const T* values, std::size_t rows,
                               std::size_t cols) {
    SparseView view;
    view.starts_ = starts;
    view.columns_ = columns;
    view.values_ = values;
    view.rows_ = rows;
    view.cols_ = cols;
    return view;
  }

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
    return SparseView<U>::of_checked(starts_, columns_, values, rows_, cols_);
  }

  /// Fills out, rows × cols. Throws InvalidArgument for another shape.
  void copy_to(MatrixView<T> out) const;

 private:
  const std::uint64_t* starts_ = nullptr;
  const std::uint32_t* columns_ = nullptr;
  const T* values_ = nullptr;
  std::size_t rows_ = 0, cols_ = 0;
};

/// Owns its rows, which are added one after another.
template <class T>
class SparseMatrix {
 public:
  SparseMatrix() = default;
  explicit SparseMatrix(std::size_t cols) : cols_(cols) {}
  /// The places of other rows, with other values, as many as they have.
  template <class U>
  SparseMatrix(const SparseView<U>& places, std::vector<T> values)
      : cols_(places.cols()),
        columns_(places.columns() + first_of(places), places.columns() + first_of(places) + places.n_values()),
        values_(std::move(values)) {
    for (std::size_t i = 1; i <= places.rows(); ++i) starts_.push_back(places.starts()[i] - first_of(places));
  }
  /// What of a dense matrix is not zero.
  static SparseMatrix of(MatrixView<const T> dense);

  /// Throws InvalidArgument unless the columns increase, are below cols, and there is a value for each.
  void add_row(std::span<const std::uint32_t> columns, std::span<const T> values);
  /// The rows of another matrix, which has as many columns; throws InvalidArgument otherwise.
  void add_rows(SparseView<T> rows);

  std::size_t rows() const { return starts_.empty() ? 0 : starts_.size() - 1; }  // empty: it was moved from
  std::size_t cols() const { return cols_; }
  /// Of all rows together; they may be changed.
  std::span<T> all_values() { return values_; }
  SparseView<T> view() const { return SparseView<T>::of_checked(starts_.data(), columns_.data(), values_.data(), rows(), cols_); }
  operator SparseView<T>() const { return view(); }

 private:
  template <class U>
  static std::uint64_t first_of(const SparseView<U>& rows) {
    return rows.rows() == 0 ? 0 : rows.starts()[0];
  }

  std::size_t cols_ = 0;
  std::vector<std::uint64_t> starts_ = {0};
  std::vector<std::uint32_t> columns_;
  std::vector<T> values_;
};

/// Whether fits go through such rows as sparse ones: with 64 columns or more of which at most a fifth are held. Else dense rows are faster,
/// and distances between them more exact.
constexpr bool is_worth_keeping_sparse(std::size_t n_rows, std::size_t n_columns, std::size_t n_values) {
  return n_columns >= 64 && n_values <= n_rows * (n_columns / 5);
}

/// Rows of either kind. Does not own its memory.
template <class T>
class RowsView {
 public:
  RowsView() = default;
  RowsView(MatrixView<const T> rows) : dense_(rows), rows_(rows.rows()), cols_(rows.cols()) {}
  RowsView(MatrixView<T> rows) : RowsView(MatrixView<const T>(rows)) {}
  RowsView(const Matrix<T>& rows) : RowsView(rows.view()) {}
  RowsView(SparseView<T> rows) : sparse_(rows), rows_(rows.rows()), cols_(rows.cols()), is_sparse_(true) {}
  RowsView(const SparseMatrix<T>& rows) : RowsView(rows.view()) {}

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  bool empty() const { return rows_ == 0 || cols_ == 0; }
  bool is_sparse() const { return is_sparse_; }
  const MatrixView<const T>& dense() const { return dense_; }  ///< empty if they are sparse
  const SparseView<T>& sparse() const { return sparse_; }      ///< empty if they are dense
  /// Numbers that are stored.
  std::size_t n_values() const { return is_sparse_ ? sparse_.n_values() : rows_ * cols_; }

  RowsView middle_rows(std::size_t first, std::size_t count) const {
    return is_sparse_ ? RowsView(sparse_.middle_rows(first, count)) : RowsView(dense_.middle_rows(first, count));
  }
  /// Calls use(view) with the MatrixView or the SparseView.
  template <class Use>
  decltype(auto) visit(const Use& use) const {
    return is_sparse_ ? use(sparse_) : use(dense_);
  }

 private:
  MatrixView<const T> dense_;
  SparseView<T> sparse_;
  std::size_t rows_ = 0, cols_ = 0;
  bool is_sparse_ = false;
};

/// Owns rows of either kind.
template <class T>
class RowsMatrix {
 public:
  RowsMatrix() = default;
  RowsMatrix(Matrix<T> rows) : dense_(std::move(rows)) {}
  RowsMatrix(SparseMatrix<T> rows) : sparse_(std::move(rows)), is_sparse_(true) {}
  /// The rows of `data` with the given numbers, in that order, of the same kind; every number must be below data.rows().
  static RowsMatrix taken_from(const RowsView<T>& data, std::span<const std::size_t> rows);

  RowsView<T> view() const { return is_sparse_ ? RowsView<T>(sparse_) : RowsView<T>(dense_); }
  operator RowsView<T>() const { return view(); }
  std::size_t rows() const { return is_sparse_ ? sparse_.rows() : dense_.rows(); }
  std::size_t cols() const { return is_sparse_ ? sparse_.cols() : dense_.cols(); }
  bool empty() const { return rows() == 0 || cols() == 0; }
  bool is_sparse() const { return is_sparse_; }
  Matrix<T>& dense() { return dense_; }  ///< empty if they are sparse
  const Matrix<T>& dense() const { return dense_; }
  SparseMatrix<T>& sparse() { return sparse_; }  ///< empty if they are dense
  const SparseMatrix<T>& sparse() const { return sparse_; }

 private:
  Matrix<T> dense_;
  SparseMatrix<T> sparse_;
  bool is_sparse_ = false;
};

}  // namespace askrff
