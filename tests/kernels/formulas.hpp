// Every kernel's formula again, in long double, written from the definitions; and what the roundings of one value are relative to.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "askrff/kernels.hpp"

namespace askrff::test {

using Real = long double;
using Formula = std::function<Real(std::span<const Real>)>;

/// Parameters, in a unit of length.
struct TestParameters {
  double unit = 1;
  double sigma = 1.3 * unit, sigma2 = 2.1 * unit, weight = 0.7, shift = 0.4 * unit, beta = -0.6 / unit;
  double alpha = 3.5, power = 1.25, decay = 7, period = 0.9 * unit, length = 1.4, shape = 2.7, skew = -0.8, phase = 0.7, scales = 1;

  double of(const std::string& name) const {
    const std::pair<const char*, double> all[] = {{"sigma", sigma}, {"sigma2", sigma2}, {"weight", weight}, {"shift", shift},
                                                  {"beta", beta},   {"wave", beta},     {"alpha", alpha},   {"power", power},
                                                  {"decay", decay}, {"period", period}, {"length", length}, {"shape", shape},
                                                  {"skew", skew},   {"phase", phase},   {"scales", scales}};
    for (const auto& [known, value] : all)
      if (name == known) return value;
    throw std::logic_error("no value for " + name);
  }
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
  if (name == "rational-quadratic")
    return [=](std::span<const Real> delta) {
      const Real q = squares(delta) / (static_cast<Real>(p.sigma) * p.sigma) / (2 * static_cast<Real>(p.alpha));
      return std::exp(-static_cast<Real>(p.alpha) * std::log1p(q));
    };
  const auto to_power = [p](std::span<const Real> delta) {
    return std::pow(std::sqrt(squares(delta)) / static_cast<Real>(p.sigma), static_cast<Real>(p.power));
  };
  if (name == "generalised-cauchy")
    return [=](std::span<const Real> delta) { return std::exp(-static_cast<Real>(p.decay) / p.power * std::log1p(to_power(delta))); };
  if (name == "exponential-power") return [=](std::span<const Real> delta) { return std::exp(-to_power(delta)); };
  if (name == "periodic-gaussian")
    return [=](std::span<const Real> delta) {
      Real sum = 0;
      for (const Real value : delta) {
        const Real sine = std::sin(std::numbers::pi_v<Real> * (std::remainder(value, static_cast<Real>(p.period)) / p.period));
        sum += 2 * sine * sine / (static_cast<Real>(p.length) * p.length);
      }
      return bell(delta, p.sigma) * std::exp(-sum);
    };
  if (name == "gabor") return [=](std::span<const Real> delta) { return bell(delta, p.sigma) * std::cos(along(delta) + p.phase); };
  if (name == "skew-normal")
    return [=](std::span<const Real> delta) {
      Real product = bell(delta, p.sigma);
      for (const Real value : delta) product *= std::erfc(-static_cast<Real>(p.skew) * value / p.sigma / std::numbers::sqrt2_v<Real>);
      return product;
    };
  if (name == "causal-gamma")
    return [=](std::span<const Real> delta) {
      Real exponent = 0;
      for (const Real value : delta) {
        const Real t = value / p.sigma / (static_cast<Real>(p.shape) - 1);
        if (!(t > 0)) return static_cast<Real>(0);
        exponent += (static_cast<Real>(p.shape) - 1) * (std::log(t) + 1 - t);
      }
      return std::exp(exponent);
    };
  throw std::logic_error("no formula for " + name);
}

/// Every parameter of `name` at these values.
inline std::unique_ptr<Kernel> kernel_with_values(const std::string& name, const TestParameters& p = {}) {
  ParameterValues values;
  for (const ParameterInfo& parameter : kernel_parameters(name)) values.emplace(parameter.name, p.of(parameter.name));
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
  if (name == "gabor") return {std::exp(-q), q + std::fabs(p.phase) + std::fabs(p.beta) * absolutes(delta)};
  if (name == "causal-gamma") {  // (a - 1)(log t + 1 - t), where log t is of a t that was rounded
    Real exponent = 0;
    for (const Real x : delta) {
      const Real t = std::fabs(x) / p.sigma / (static_cast<Real>(p.shape) - 1);
      exponent += (static_cast<Real>(p.shape) - 1) * (2 + t + (t > 0 ? std::fabs(std::log(t)) : 0));
    }
    return {formula(name, p)(delta), exponent};
  }
  if (name == "periodic-gaussian") {  // differences are taken modulo the period
    Real angles = 0;
    for (const Real x : delta) angles += std::fabs(x) / p.period / (p.length * p.length) * 8;
    return {formula(name, p)(delta), q + angles};
  }
  const Real value = formula(name, p)(delta);
  return {value, -std::log(std::fmax(value, 1e-4000L))};
}

}  // namespace askrff::test
