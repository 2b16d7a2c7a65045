// Sparse rows: what must hold of them, and their way to and from dense ones.
#include "askrff/sparse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/checks.hpp"

namespace askrff {
namespace {

void check_columns_of_row(std::size_t row, std::span<const std::uint32_t> columns, std::size_t cols) {
  if (std::ranges::adjacent_find(columns, std::greater_equal<>()) != columns.end())
    throw InvalidArgument("SparseView", fmt::format("the columns of row {} do not increase, expected each once and in order", row));
  if (!columns.empty() && columns.back() >= cols)
    throw InvalidArgument("SparseView",
                          fmt::format("row {} has a number in column {}, expected columns below {}", row, columns.back(), cols));
}

}  // namespace

template <class T>
SparseView<T>::SparseView(std::span<const std::uint64_t> starts, std::span<const std::uint32_t> columns, std::span<const T> values,
                          std::size_t cols)
    : starts_(starts.data()), columns_(columns.data()), values_(values.data()), rows_(starts.empty() ? 0 : starts.size() - 1), cols_(cols) {
  if (starts.empty()) throw InvalidArgument("SparseView", "no starts of rows, expected one more than there are rows");
  if (columns.size() != values.size())
    throw InvalidArgument("SparseView", fmt::format("{} columns for {} values, expected as many", columns.size(), values.size()));
  if (std::ranges::adjacent_find(starts, std::greater<>()) != starts.end())
    throw InvalidArgument("SparseView", "the starts of rows decrease, expected each row to end where the next one starts");
  if (starts.back() > values.size())
    throw InvalidArgument("SparseView", fmt::format("rows up to place {} of {} values", starts.back(), values.size()));
  for (std::size_t i = 0; i < rows_; ++i) check_columns_of_row(i, columns_of(i), cols);
}

template <class T>
void SparseView<T>::copy_to(MatrixView<T> out) const {
  require_shape(out, rows_, cols_, "SparseView::copy_to", "out");
  for (std::size_t i = 0; i < rows_; ++i) {
    const auto columns = columns_of(i);
    const auto values = values_of(i);
    std::ranges::fill(out.row(i), T{0});
    for (std::size_t k = 0; k < columns.size(); ++k) out(i, columns[k]) = values[k];
  }
}

template <class T>
SparseMatrix<T> SparseMatrix<T>::of(MatrixView<const T> dense) {
  SparseMatrix sparse(dense.cols());
  std::vector<std::uint32_t> columns;
  std::vector<T> values;
  for (std::size_t i = 0; i < dense.rows(); ++i) {
    columns.clear();
    values.clear();
    for (std::size_t j = 0; j < dense.cols(); ++j)
      if (dense(i, j) != T{0}) {
        columns.push_back(static_cast<std::uint32_t>(j));
        values.push_back(dense(i, j));
      }
    sparse.add_row(columns, values);
  }
  return sparse;
}

template <class T>
void SparseMatrix<T>::add_row(std::span<const std::uint32_t> columns, std::span<const T> values) {
  if (columns.size() != values.size())
    throw InvalidArgument("SparseMatrix", fmt::format("{} columns for {} values, expected as many", columns.size(), values.size()));
  check_columns_of_row(rows(), columns, cols_);
  if (starts_.empty()) starts_.push_back(0);
  columns_.insert(columns_.end(), columns.begin(), columns.end());
  values_.insert(values_.end(), values.begin(), values.end());
  starts_.push_back(values_.size());
}

template <class T>
void SparseMatrix<T>::add_rows(SparseView<T> rows) {
  if (rows.cols() != cols_) throw InvalidArgument("SparseMatrix", fmt::format("rows of {} columns, expected {}", rows.cols(), cols_));
  if (rows.rows() == 0) return;
  if (starts_.empty()) starts_.push_back(0);
  const std::uint64_t before = values_.size(), start = rows.starts()[0];
  columns_.insert(columns_.end(), rows.columns() + start, rows.columns() + start + rows.n_values());
  values_.insert(values_.end(), rows.values() + start, rows.values() + start + rows.n_values());
  for (std::size_t i = 1; i <= rows.rows(); ++i) starts_.push_back(before + rows.starts()[i] - start);
}

template <class T>
RowsMatrix<T> RowsMatrix<T>::taken_from(const RowsView<T>& data, std::span<const std::size_t> rows) {
  if (data.is_sparse()) {
    SparseMatrix<T> taken(data.cols());
    for (const std::size_t row : rows) taken.add_rows(data.sparse().middle_rows(row, 1));
    return taken;
  }
  Matrix<T> taken(rows.size(), data.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(data.dense().row(rows[i]), taken.row(i).begin());
  return taken;
}

template class SparseView<float>;
template class SparseView<double>;
template class SparseMatrix<float>;
template class SparseMatrix<double>;
template class RowsMatrix<float>;
template class RowsMatrix<double>;

}  // namespace askrff
