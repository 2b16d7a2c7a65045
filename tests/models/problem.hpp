// A classification problem that is neither separable nor noise: classes by the angle of noisy points, features of a shifted Gaussian
// kernel. And how far from its solution a model is.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "askrff/approximate.hpp"
#include "askrff/linear.hpp"
#include "askrff/features.hpp"
#include "askrff/kernels.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {

struct Problem {
  Matrix<double> X;
  ClassLabels labels;
  FeatureMap map;

  static Problem with(std::size_t rows, std::size_t n_classes, std::size_t n_frequencies, std::uint64_t seed = 1) {
    Matrix<double> X = random_matrix(rows, 3, seed);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < rows; ++i) {
      RandomStream random(seed, Purpose::evaluation_rows, i);
      const double turn = (std::atan2(X(i, 1), X(i, 0)) + 0.4 * random.normal()) / 6.283185307179586 + 0.5;
      const auto k = static_cast<int>(std::floor((turn - std::floor(turn)) * static_cast<double>(n_classes)));
      names.push_back("class " + std::to_string(k));
    }
    const auto kernel = shift_gaussian({.sigma = 1.0, .shift = 0.5});
    return {std::move(X), ClassLabels::of(names), FeatureMap(approximate(*kernel, 3, {.n_frequencies = n_frequencies, .seed = seed}))};
  }
};

/// ‖gradient‖ / ‖gradient at w = 0‖ of the squared hinge of one output, by direct sums in long double. No weights: 1 for every row.
template <class T>
double relative_gradient(const Design<T>& design, const ClassLabels& labels, std::size_t positive, const LinearModel& model,
                         std::size_t output, double c, const std::vector<double>& weights = {}) {
  using Real = long double;
  std::vector<double> row(design.n_columns());
  std::vector<Real> gradient(design.n_columns()), start(design.n_columns());
  for (std::size_t f = 0; f < model.n_features(); ++f) gradient[f] = model.weights(f, output);
  if (design.has_bias()) gradient.back() = model.bias[output];
  const std::vector<Real> w = gradient;
  for (std::size_t i = 0; i < design.rows(); ++i) {
    design.copy_row(i, row);
    Real value = 0;
    for (std::size_t f = 0; f < row.size(); ++f) value += w[f] * row[f];
    const Real y = labels.of_rows[i] == positive ? 1 : -1, weight = weights.empty() ? 1.0 : weights[i], factor = 2 * c * weight * y;
    for (std::size_t f = 0; f < row.size(); ++f) {
      gradient[f] -= factor * std::max<Real>(0, 1 - y * value) * row[f];
      start[f] -= factor * row[f];
    }
  }
  Real norm = 0, first = 0;
  for (std::size_t f = 0; f < row.size(); ++f) {
    norm += gradient[f] * gradient[f];
    first += start[f] * start[f];
  }
  return static_cast<double>(std::sqrt(norm / first));
}

}  // namespace askrff::test
