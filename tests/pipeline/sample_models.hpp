// Small models and maps of every kind, the same for every run.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "askrff/approximate.hpp"
#include "askrff/model.hpp"
#include "askrff/sampling.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {

/// Labels as somebody may have written them: signs, UTF-8, quotes, a zero byte.
inline std::vector<std::string> odd_labels() { return {"-1", "größer \"2\",\n", std::string("a\0b", 3)}; }

/// Weights are numbers without a meaning, but for their count.
inline LinearModel some_weights(std::size_t n_features, std::size_t n_outputs, std::uint64_t seed) {
  LinearModel linear{random_matrix(n_features, n_outputs, seed), {}};
  for (std::size_t k = 0; k < n_outputs; ++k) linear.bias.push_back(0.125 - static_cast<double>(k) / 3);
  return linear;
}

inline Training some_training() {
  Training training;
  training.version = "0.1.0";
  training.command = "askrff train --data 'a b.csv'";
  training.trainer = "svm";
  training.solver = "newton";
  training.seed = 18446744073709551615u;
  training.n_rows = 1234;
  training.c = 0.1;
  training.cv_c = {0.1, 1.0 / 3, 10};
  training.cv_scores = {0.75, 0.5, std::numeric_limits<double>::infinity()};
  training.cv_measure = "accuracy";
  return training;
}

/// Jordan parts of a shifted Gaussian in three dimensions, columns scaled to [0,1], three classes.
inline Model fourier_classifier() {
  Model model;
  Preparation& map = model.preparation;
  map.dim = 3;
  map.scaler = {Scaling::minmax, {0.1, -2, 5}, {1, 1.0 / 3, 0}};
  map.kernel = named_kernel("shift-gaussian", {{"sigma", CoordinateParameter(1.5)}, {"shift", CoordinateParameter::over_dim(0.7)}});
  map.atoms = approximate(*map.kernel.kernel, map.dim, {.n_frequencies = 4, .seed = 3});
  map.side = FeatureSide::classifier;
  map.seed = 3;
  model.classes = odd_labels();
  model.linear = some_weights(map.n_features(), 3, 11);
  model.training = some_training();
  return model;
}

/// Landmarks of a kernel with a vector for a parameter, columns standardised.
inline Model nystrom_regression() {
  Model model;
  Preparation& map = model.preparation;
  map.dim = 2;
  map.scaler = {Scaling::standard, {0.5, -1e-3}, {0.1, 1e3}};
  map.kernel = named_kernel("sinh-gaussian", {{"beta", CoordinateParameter{0.3, -1.0 / 7}}});
  const Matrix<double> rows = uniform_matrix(60, 2, 5);
  map.nystrom = nystrom(map.kernel.kernel, rows, {.n_features = 5, .n_landmarks = 9, .seed = 4});
  map.range = ColumnRange::of(rows);
  map.side = FeatureSide::right;
  model.task = Task::regression;
  model.linear = some_weights(map.n_features(), 1, 12);
  model.training = some_training();
  model.training.trainer = "ridge";
  return model;
}

/// Structured frequencies, two classes, in float.
inline Model structured_classifier() {
  Model model;
  Preparation& map = model.preparation;
  map.dim = 5;
  std::vector<std::complex<double>> weights;
  for (int j = 0; j < 20; ++j) weights.emplace_back(0.1 * j, 0.3 - 0.01 * j);
  map.atoms = SpectralAtoms(draw_hadamard_blocks(20, 5, 7), std::move(weights)).with_provenance({"own", "structured", "own", "", {}});
  model.classes = {"no", "yes"};
  model.precision = Precision::float32;
  model.linear = some_weights(map.n_features(), 1, 13);
  return model;
}

/// A linear model on the columns themselves.
inline Model linear_regression() {
  Model model;
  model.preparation.dim = 4;
  model.task = Task::regression;
  model.linear = some_weights(4, 1, 14);
  return model;
}

/// A calibrated map with a certificate without an upper bound.
inline Preparation calibrated_map() {
  Preparation map;
  map.dim = 2;
  map.kernel = named_kernel("shifted:matern-3/2");
  map.atoms = approximate(*map.kernel.kernel, uniform_matrix(80, 2, 6),
                          {.n_frequencies = 6, .estimator = Estimator::polar, .weights = Weights::calibrated, .seed = 9});
  map.reason = "it was the best";
  map.certificate = Certificate{{0.1, 0.05, std::numeric_limits<double>::infinity(), 20, 400}, 6, 12, false};
  map.command = "askrff choose --tolerance 1e-3";
  map.seed = 9;
  return map;
}

}  // namespace askrff::test
