// Every kernel's formula again, in long double, written from the definitions; and what the roundings of one value are relative to.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "askrff/kernels.hpp"

namespace askrff::test {

using Real = long double;
using Formula = std::function<Real(std::span<const Real>)>;

/// Parameters, in a unit of length.
struct TestParameters {
  double unit = 1;
  double sigma = 1.3 * unit, sigma2 = 2.1 * unit, weight = 0.7, shift = 0.4 * unit, beta = -0.6 / unit;
};

inline Real squares(std::span<const Real> delta) {
  Real sum = 0;
  for (const Real x : delta) sum += x * x;
  return sum;
}
inline Real absolutes(std::span<const Real> delta) {
  Real sum = 0;
  for (const Real x : delta) sum += std::fabs(x);
  return sum;
}
inline std::vector<Real> plus(std::span<const Real> delta, Real shift) {
  std::vector<Real> moved(delta.begin(), delta.end());
  for (Real& x : moved) x += shift;
  return moved;
}

inline Formula formula(const std::string& name, const TestParameters& p = {}) {
  if (name.starts_with("shifted:"))
    return [base = formula(name.substr(8), p), p](std::span<const Real> delta) { return base(plus(delta, p.shift)); };
  const auto x = [p](std::span<const Real> delta, int twice_nu) {
    return std::sqrt(static_cast<Real>(twice_nu) * squares(delta)) / p.sigma;
  };
  const auto bell = [](std::span<const Real> delta, Real width) { return std::exp(-squares(delta) / (2 * width * width)); };
  const auto along = [p](std::span<const Real> delta) {
    Real sum = 0;
    for (const Real value : delta) sum += static_cast<Real>(p.beta) * value;
    return sum;
  };
  if (name == "gaussian") return [=](std::span<const Real> delta) { return bell(delta, p.sigma); };
  if (name == "laplacian") return [=](std::span<const Real> delta) { return std::exp(-absolutes(delta) / p.sigma); };
  if (name == "matern-1/2") return [=](std::span<const Real> delta) { return std::exp(-x(delta, 1)); };
  if (name == "matern-3/2") return [=](std::span<const Real> delta) { return (1 + x(delta, 3)) * std::exp(-x(delta, 3)); };
  if (name == "matern-5/2")
    return [=](std::span<const Real> delta) { return (1 + x(delta, 5) + x(delta, 5) * x(delta, 5) / 3) * std::exp(-x(delta, 5)); };
  if (name == "cauchy")
    return [=](std::span<const Real> delta) {
      Real product = 1;
      for (const Real value : delta) product /= 1 + value * value / (static_cast<Real>(p.sigma) * p.sigma);
      return product;
    };
  if (name == "difference-of-gaussians")
    return [=](std::span<const Real> delta) { return bell(delta, p.sigma) - p.weight * bell(delta, p.sigma2); };
  if (name == "shift-gaussian") return [=](std::span<const Real> delta) { return bell(plus(delta, p.shift), p.sigma); };
  if (name == "sinh-gaussian") return [=](std::span<const Real> delta) { return bell(delta, p.sigma) * (1 + std::sinh(along(delta))); };
  if (name == "cosh-gaussian") return [=](std::span<const Real> delta) { return bell(delta, p.sigma) * std::exp(along(delta)); };
  throw std::logic_error("no formula for " + name);
}

/// Every parameter of `name` at these values.
inline std::unique_ptr<Kernel> kernel_with_values(const std::string& name, const TestParameters& p = {}) {
  ParameterValues values;
  for (const ParameterInfo& parameter : kernel_parameters(name)) {
    const double value = parameter.name == "sigma"    ? p.sigma
                         : parameter.name == "sigma2" ? p.sigma2
                         : parameter.name == "weight" ? p.weight
                         : parameter.name == "shift"  ? p.shift
                                                      : p.beta;
    values.emplace(parameter.name, value);
  }
  return make_kernel(name, values);
}

/// What the roundings of one value are relative to: the sum of its terms without their signs, times the size of the exponents in it.
struct Rounding {
  Real magnitude, exponent;
};
inline Rounding rounding(const std::string& name, std::span<const Real> delta, const TestParameters& p = {}) {
  if (name.starts_with("shifted:")) return rounding(name.substr(8), plus(delta, p.shift), p);
  const Real q = squares(delta) / (2 * static_cast<Real>(p.sigma) * p.sigma);
  Real b = 0;
  for (const Real x : delta) b += static_cast<Real>(p.beta) * x;
  if (name == "sinh-gaussian") return {std::exp(-q) * (1 + std::cosh(b)), q + std::fabs(p.beta) * absolutes(delta)};
  if (name == "cosh-gaussian") return {std::exp(b - q), q + std::fabs(p.beta) * absolutes(delta)};
  if (name == "difference-of-gaussians") return {std::exp(-q) + p.weight * std::exp(-q * (p.sigma / p.sigma2) * (p.sigma / p.sigma2)), q};
  const Real value = formula(name, p)(delta);
  return {value, -std::log(std::fmax(value, 1e-4000L))};
}

}  // namespace askrff::test
