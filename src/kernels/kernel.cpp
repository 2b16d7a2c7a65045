// What every kernel has, and parameters with one value per coordinate.
#include "askrff/kernels.hpp"
#include "askrff/errors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/checks.hpp"

namespace askrff {

std::unique_ptr<const ComplexMeasure> Kernel::measure(std::size_t) const { return nullptr; }

std::unique_ptr<const ComplexMeasure> Kernel::measure(std::size_t dim, const Execution& execution) const {
  find_measure(dim, execution);
  return measure(dim);
}

void Kernel::evaluate_pairs(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out, Backend) const {
  require_columns(Y, X.cols(), "Kernel::evaluate_pairs", "Y", "X has");
  require_shape(out, X.rows(), Y.rows(), "Kernel::evaluate_pairs", "out");
  constexpr std::size_t block_rows = 128;
  Matrix<double> differences(std::min(block_rows, Y.rows()), Y.cols());
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t first = 0; first < Y.rows(); first += block_rows) {
      const std::size_t count = std::min(block_rows, Y.rows() - first);
      for (std::size_t j = 0; j < count; ++j)
        for (std::size_t c = 0; c < Y.cols(); ++c) differences(j, c) = X(i, c) - Y(first + j, c);
      evaluate(differences.view().middle_rows(0, count), out.row(i).subspan(first, count));
    }
}

// Blocks of rows that are written out: a million numbers of each side.
void Kernel::evaluate_sparse_pairs(SparseView<double> X, SparseView<double> Y, std::span<const double> shift, MatrixView<double> out,
                                   Backend backend) const {
  require_row_columns<double>(Y, X.cols(), "Kernel::evaluate_sparse_pairs", "Y", "X has");
  require_shape(out, X.rows(), Y.rows(), "Kernel::evaluate_sparse_pairs", "out");
  if (!shift.empty() && shift.size() != X.cols())
    throw InvalidArgument("Kernel::evaluate_sparse_pairs", fmt::format("a shift of {} numbers, X has {} columns", shift.size(), X.cols()));
  if (out.empty()) return;
  const std::size_t dim = X.cols(), at_once = std::max<std::size_t>(1, (std::size_t{1} << 20) / dim);
  Matrix<double> x(std::min(at_once, X.rows()), dim), y(std::min(at_once, Y.rows()), dim), values(x.rows(), y.rows());
  for (std::size_t i = 0; i < X.rows(); i += at_once) {
    const MatrixView<double> x_block = x.view().middle_rows(0, std::min(at_once, X.rows() - i));
    X.middle_rows(i, x_block.rows()).copy_to(x_block);
    for (std::size_t r = 0; r < x_block.rows(); ++r)
      for (std::size_t c = 0; c < shift.size(); ++c) x_block(r, c) += shift[c];
    for (std::size_t j = 0; j < Y.rows(); j += at_once) {
      const MatrixView<double> y_block = y.view().middle_rows(0, std::min(at_once, Y.rows() - j));
      Y.middle_rows(j, y_block.rows()).copy_to(y_block);
      const MatrixView<double> block(values.data(), x_block.rows(), y_block.rows());
      evaluate_pairs(x_block, y_block, block, backend);
      for (std::size_t r = 0; r < block.rows(); ++r)
        std::ranges::copy(block.row(r), out.row(i + r).begin() + static_cast<std::ptrdiff_t>(j));
    }
  }
}

void Kernel::evaluate_any_pairs(const RowsView<double>& X, const RowsView<double>& Y, MatrixView<double> out, Backend backend) const {
  if (!X.is_sparse() && !Y.is_sparse()) return evaluate_pairs(X.dense(), Y.dense(), out, backend);
  require_row_columns(Y, X.cols(), "Kernel::evaluate_any_pairs", "Y", "X has");
  require_shape(out, X.rows(), Y.rows(), "Kernel::evaluate_any_pairs", "out");
  const SparseMatrix<double> x = X.is_sparse() ? SparseMatrix<double>() : SparseMatrix<double>::of(X.dense());
  const SparseMatrix<double> y = Y.is_sparse() ? SparseMatrix<double>() : SparseMatrix<double>::of(Y.dense());
  evaluate_sparse_pairs(X.is_sparse() ? X.sparse() : x.view(), Y.is_sparse() ? Y.sparse() : y.view(), {}, out, backend);
}

void Kernel::evaluate_differences(const RowsView<double>& differences, std::span<double> out, Backend backend) const {
  if (!differences.is_sparse() || !shift_invariant()) return evaluate(differences.dense(), out);
  if (out.size() != differences.rows())
    throw InvalidArgument("Kernel::evaluate_differences",
                          fmt::format("{} differences but room for {} values", differences.rows(), out.size()));
  SparseMatrix<double> origin(differences.cols());
  origin.add_row({}, {});
  evaluate_sparse_pairs(differences.sparse(), origin, {}, MatrixView<double>(out.data(), out.size(), 1), backend);
}

double Kernel::operator()(std::span<const double> difference) const {
  double value = 0;
  evaluate(MatrixView<const double>(difference.data(), 1, difference.size()), std::span<double>(&value, 1));
  return value;
}

double Kernel::at_zero(std::size_t dim) const { return (*this)(std::vector<double>(dim, 0.0)); }

CoordinateParameter CoordinateParameter::over_dim(double total) {
  CoordinateParameter parameter(total);
  parameter.over_dim_ = true;
  return parameter;
}

CoordinateParameter CoordinateParameter::list(std::vector<double> values) {
  CoordinateParameter parameter(std::move(values));
  parameter.is_vector_ = false;
  parameter.is_list_ = true;
  return parameter;
}

std::vector<double> CoordinateParameter::expand(std::size_t dim, const std::string& owner, const std::string& what) const {
  if (is_list_)
    throw InvalidArgument(owner, fmt::format("{} is a list of {} numbers, expected one for each coordinate", what, values_.size()));
  if (is_vector_ && values_.size() != dim)
    throw InvalidArgument(owner, fmt::format("{} has {} values, the data has dimension {}", what, values_.size(), dim));
  std::vector<double> expanded = is_vector_ ? values_ : std::vector<double>(dim, over_dim_ ? scalar_ / static_cast<double>(dim) : scalar_);
  require_finite(owner, what);
  return expanded;
}

void CoordinateParameter::require_finite(const std::string& owner, const std::string& what) const {
  if ((is_vector_ || is_list_) && values_.empty()) throw InvalidArgument(owner, fmt::format("{} is an empty list, expected numbers", what));
  for (const double value : values())
    if (!std::isfinite(value)) throw InvalidArgument(owner, fmt::format("{} holds {}, expected finite numbers", what, value));
}

std::string CoordinateParameter::text() const {
  if (is_vector_ || is_list_) return fmt::format("{}", fmt::join(values_, ","));
  return over_dim_ ? fmt::format("{}/d", scalar_) : fmt::format("{}", scalar_);
}

}  // namespace askrff
