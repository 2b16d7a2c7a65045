// Blocks of rows out of arrays and out of Python's hands.
#include "rows.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace askrff::python {

PythonRows::PythonRows(nb::object X, std::vector<std::string> column_names)
    : source_(std::move(X)), column_names_(std::move(column_names)) {
  if (Array array; nb::try_cast(source_, array)) {
    with_type_of(array, "rows", "X", [&](auto type) { view_of<decltype(type)>(array, "rows", "X"); });  // refuses what is none
    array_ = std::move(array);
    n_rows_ = array_->shape(0);
    n_columns_ = array_->shape(1);
  } else if (nb::try_cast(source_, sparse_)) {
    n_rows_ = sparse_->n_rows();
    n_columns_ = sparse_->n_columns();
    if (holds<double>(sparse_->values())) {
      sparse_rows_ = sparse_->view<double>("rows");
    } else {
      const SparseView<float> narrow = sparse_->view<float>("rows");
      const std::vector<double> values(narrow.values(), narrow.values() + sparse_->values().shape(0));
      widened_ = SparseMatrix<double>(n_columns_);
      widened_.add_rows(narrow.with_values(values.data()));
      sparse_rows_ = widened_;
    }
    is_sparse_ = is_worth_keeping_sparse(n_rows_, n_columns_, sparse_rows_.n_values());
  } else {
    std::tie(n_rows_, n_columns_) = nb::cast<std::pair<std::size_t, std::size_t>>(source_.attr("shape"));
  }
  if (n_columns_ == 0) throw std::invalid_argument("rows: X has no columns, expected at least one");
  if (!column_names_.empty() && column_names_.size() != n_columns_)
    throw std::invalid_argument("rows: " + std::to_string(column_names_.size()) + " names for " + std::to_string(n_columns_) + " columns");
}

void PythonRows::set_classes(const Array& codes, std::vector<std::string> names) {
  const auto of_rows = codes_of(codes, n_rows_, names.size(), "rows");
  labels_.assign(of_rows.begin(), of_rows.end());
  class_names_ = std::move(names);
}

void PythonRows::set_codes(const Array& codes) {
  constexpr std::size_t any = std::size_t{1} << 31;
  const auto of_rows = codes_of(codes, n_rows_, any, "rows");
  labels_.assign(of_rows.begin(), of_rows.end());
}

void PythonRows::set_targets(const Array& targets) {
  const auto values = view_of<double>(targets, "rows", "Y");
  if (values.rows() != n_rows_ || values.cols() == 0)
    throw std::invalid_argument("rows: Y has shape (" + std::to_string(values.rows()) + ", " + std::to_string(values.cols()) +
                                "), expected a row for each of " + std::to_string(n_rows_));
  n_targets_ = values.cols();
  for (std::size_t i = 0; i < n_rows_; ++i) labels_.insert(labels_.end(), values.row(i).begin(), values.row(i).end());
}

void PythonRows::set_weights(const Array& weights) { weights_ = weights_of(weights, n_rows_, "rows"); }

void PythonRows::copy_from_python(std::size_t first, MatrixView<double> out) const {
  const nb::gil_scoped_acquire lock;
  const auto array = nb::cast<Array>(source_(first, first + out.rows()));
  const auto rows = view_of<double>(array, "rows", "a block of X");
  if (rows.rows() != out.rows() || rows.cols() != out.cols()) throw std::invalid_argument("rows: a block of X has another shape");
  for (std::size_t i = 0; i < rows.rows(); ++i) std::ranges::copy(rows.row(i), out.row(i).begin());
}

MatrixView<const double> PythonRows::copied_rows(std::size_t first, std::size_t count) {
  if (block_.rows() < count) block_ = Matrix<double>(count, n_columns_);
  const MatrixView<double> out = block_.view().middle_rows(0, count);
  if (sparse_) {
    sparse_rows_.sparse().middle_rows(first, count).copy_to(out);
    return out;
  }
  if (!array_) {
    copy_from_python(first, out);
    return out;
  }
  with_type_of(*array_, "rows", "X", [&](auto type) {
    const auto rows = view_of<decltype(type)>(*array_, "rows", "X");
    for (std::size_t i = 0; i < count; ++i) std::ranges::copy(rows.row(first + i), out.row(i).begin());
  });
  return out;
}

void PythonRows::read_block(RowBlock& block, std::size_t max_rows) {
  const std::size_t first = next_row_, count = std::min(max_rows, n_rows_ - first);
  if (count == 0) return;
  block.X = is_sparse_ ? sparse_rows_.middle_rows(first, count) : RowsView<double>(copied_rows(first, count));
  const auto label = labels_.begin() + static_cast<std::ptrdiff_t>(first * n_targets_);
  if (has_labels()) block.label_numbers.assign(label, label + static_cast<std::ptrdiff_t>(count * n_targets_));
  const auto weight = weights_.begin() + static_cast<std::ptrdiff_t>(weights_.empty() ? 0 : first);
  if (!weights_.empty()) block.weights.assign(weight, weight + static_cast<std::ptrdiff_t>(count));
  next_row_ += count;
}

std::vector<double> weights_of(const Array& array, std::size_t n_rows, const char* who) {
  const std::string start = std::string(who) + ": weights";
  if (!holds<double>(array) || array.ndim() != 1)
    throw nb::type_error(
        (start + " hold " + dtype_name(array.dtype()) + " in " + std::to_string(array.ndim()) + " dimensions, expected float64 in one")
            .c_str());
  if (array.shape(0) != n_rows)
    throw std::invalid_argument(start + " are " + std::to_string(array.shape(0)) + ", expected one for each of " + std::to_string(n_rows) +
                                " rows");
  const auto* const values = static_cast<const double*>(array.data());
  const std::int64_t stride = n_rows > 1 ? array.stride(0) : 1;
  std::vector<double> weights(n_rows);
  for (std::size_t i = 0; i < n_rows; ++i) weights[i] = values[static_cast<std::int64_t>(i) * stride];
  return weights;
}

std::vector<std::uint32_t> codes_of(const Array& array, std::size_t n_rows, std::size_t n_values, const char* who) {
  const std::string start = std::string(who) + ": codes";
  if (!holds<std::int64_t>(array) || array.ndim() != 1)
    throw nb::type_error(
        (start + " hold " + dtype_name(array.dtype()) + " in " + std::to_string(array.ndim()) + " dimensions, expected int64 in one")
            .c_str());
  if (array.shape(0) != n_rows)
    throw std::invalid_argument(start + " are " + std::to_string(array.shape(0)) + ", expected one for each of " + std::to_string(n_rows) +
                                " rows");
  const auto* const values = static_cast<const std::int64_t*>(array.data());
  const std::int64_t stride = n_rows > 1 ? array.stride(0) : 1;
  std::vector<std::uint32_t> codes(n_rows);
  for (std::size_t i = 0; i < n_rows; ++i) {
    const std::int64_t code = values[static_cast<std::int64_t>(i) * stride];
    if (code < 0 || static_cast<std::uint64_t>(code) >= n_values)
      throw std::invalid_argument(start + " hold " + std::to_string(code) + " in row " + std::to_string(i) + ", expected 0 to " +
                                  std::to_string(n_values - 1));
    codes[i] = static_cast<std::uint32_t>(code);
  }
  return codes;
}

}  // namespace askrff::python
