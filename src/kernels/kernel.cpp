// What every kernel has, and parameters with one value per coordinate.
#include "askrff/kernels.hpp"
#include "askrff/errors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/checks.hpp"

namespace askrff {

std::unique_ptr<const ComplexMeasure> Kernel::measure(std::size_t) const { return nullptr; }

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

std::vector<double> CoordinateParameter::expand(std::size_t dim, const std::string& owner, const std::string& what) const {
  if (is_vector_ && values_.size() != dim)
    throw InvalidArgument(owner, fmt::format("{} has {} values, the data has dimension {}", what, values_.size(), dim));
  std::vector<double> expanded = is_vector_ ? values_ : std::vector<double>(dim, over_dim_ ? scalar_ / static_cast<double>(dim) : scalar_);
  require_finite(owner, what);
  return expanded;
}

void CoordinateParameter::require_finite(const std::string& owner, const std::string& what) const {
  if (is_vector_ && values_.empty()) throw InvalidArgument(owner, fmt::format("{} is an empty list, expected numbers", what));
  for (const double value : is_vector_ ? values_ : std::vector<double>{scalar_})
    if (!std::isfinite(value)) throw InvalidArgument(owner, fmt::format("{} holds {}, expected finite numbers", what, value));
}

std::string CoordinateParameter::text() const {
  if (is_vector_) return fmt::format("{}", fmt::join(values_, ","));
  return over_dim_ ? fmt::format("{}/d", scalar_) : fmt::format("{}", scalar_);
}

}  // namespace askrff
