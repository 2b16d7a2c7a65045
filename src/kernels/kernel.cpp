// What every kernel has, and parameters with one value per coordinate.
#include "askrff/kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <stdexcept>

namespace askrff {

std::unique_ptr<const ComplexMeasure> Kernel::measure(std::size_t) const { return nullptr; }

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
    throw std::invalid_argument(fmt::format("{}: {} has {} values, the data has dimension {}", owner, what, values_.size(), dim));
  std::vector<double> expanded = is_vector_ ? values_ : std::vector<double>(dim, over_dim_ ? scalar_ / static_cast<double>(dim) : scalar_);
  require_finite(owner, what);
  return expanded;
}

void CoordinateParameter::require_finite(const std::string& owner, const std::string& what) const {
  if (is_vector_ && values_.empty()) throw std::invalid_argument(fmt::format("{}: {} is an empty list, expected numbers", owner, what));
  for (const double value : is_vector_ ? values_ : std::vector<double>{scalar_})
    if (!std::isfinite(value)) throw std::invalid_argument(fmt::format("{}: {} holds {}, expected finite numbers", owner, what, value));
}

std::string CoordinateParameter::text() const {
  if (is_vector_) return fmt::format("{}", fmt::join(values_, ","));
  return over_dim_ ? fmt::format("{}/d", scalar_) : fmt::format("{}", scalar_);
}

}  // namespace askrff
