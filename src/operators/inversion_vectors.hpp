// The few operations on vectors that the solvers of an inversion are made of.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "core/vectors.hpp"

namespace askrff::inversion {

/// y += factor · x
inline void add_multiple(std::vector<double>& y, double factor, std::span<const double> x) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += factor * x[i];
}

/// y = x - factor · y
inline void subtract_from(std::span<const double> x, double factor, std::vector<double>& y) {
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[i] - factor * y[i];
}

inline void divide(std::vector<double>& x, double divisor) {
  for (double& value : x) value /= divisor;
}

inline std::vector<double> difference(std::span<const double> a, std::span<const double> b) {
  std::vector<double> out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = a[i] - b[i];
  return out;
}

inline double norm(std::span<const double> a) { return std::sqrt(squared_norm(a)); }

}  // namespace askrff::inversion
