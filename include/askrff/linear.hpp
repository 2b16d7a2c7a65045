// Linear models on features: what every trainer gives and every prediction uses. Models see features, never kernels.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "askrff/views.hpp"

namespace askrff {

/// outputs = Φ(x)·weights + bias; one output for two classes (positive: the second class) or one target, one per class for more.
struct LinearModel {
  Matrix<double> weights;    ///< n_features × n_outputs
  std::vector<double> bias;  ///< one per output; all 0 where the model was fitted without

  std::size_t n_features() const { return weights.rows(); }
  std::size_t n_outputs() const { return weights.cols(); }
};

/// The class of a row by its outputs: the second of two if the one output is > 0; of more, that of the largest, the first of equal ones.
std::size_t class_of_outputs(std::span<const double> outputs);

}  // namespace askrff
