// A classification problem that is neither separable nor noise: classes by the angle of noisy points, features of a shifted Gaussian
// kernel.
#pragma once

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

}  // namespace askrff::test
