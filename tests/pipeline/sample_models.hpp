// Small models and maps of every kind, the same for every run.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "askrff/approximate.hpp"
#include "askrff/model.hpp"
#include "askrff/sampling.hpp"
#include "support/matrices.hpp"
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

/// A model on a map: weights, and how it came about.
inline Model model_on(MapContent content, std::size_t n_outputs, std::uint64_t seed) {
  Map map(std::move(content));
  LinearModel linear = some_weights(map.n_features(), n_outputs, seed);
  return {.map = std::move(map), .linear = std::move(linear)};
}

/// Jordan parts of a shifted Gaussian in three dimensions, columns scaled to [0,1], three classes.
inline Model fourier_classifier() {
  MapContent map;
  map.scaler = {Scaling::minmax, {0.1, -2, 5}, {1, 1.0 / 3, 0}};
  map.kernel = named_kernel("shift-gaussian", {{"sigma", CoordinateParameter(1.5)}, {"shift", CoordinateParameter::over_dim(0.7)}});
  map.source = approximate(*map.kernel.kernel, 3, {.n_frequencies = 4, .seed = 3});
  map.side = FeatureSide::classifier;
  map.seed = 3;
  Model model = model_on(std::move(map), 3, 11);
  model.classes = odd_labels();
  model.output_scale = OutputScale{1.0 / 3, 0};
  model.training = some_training();
  return model;
}

/// Landmarks of a kernel with a vector for a parameter, columns standardised.
inline Model nystrom_regression() {
  MapContent map;
  map.scaler = {Scaling::standard, {0.5, -1e-3}, {0.1, 1e3}};
  map.kernel = named_kernel("sinh-gaussian", {{"beta", CoordinateParameter{0.3, -1.0 / 7}}});
  const Matrix<double> rows = uniform_matrix(60, 2, 5);
  map.source = nystrom(map.kernel.kernel, rows, {.n_features = 5, .n_landmarks = 9, .seed = 4});
  map.range = ColumnRange::of(rows);
  map.side = FeatureSide::right;
  Model model = model_on(std::move(map), 1, 12);
  model.task = Task::regression;
  model.training = some_training();
  model.training.trainer = "ridge";
  return model;
}

/// Structured frequencies, two classes, in float.
inline Model structured_classifier() {
  std::vector<std::complex<double>> weights;
  for (int j = 0; j < 20; ++j) weights.emplace_back(0.1 * j, 0.3 - 0.01 * j);
  MapContent map;
  map.source = SpectralAtoms(draw_hadamard_blocks(20, 5, 7), std::move(weights)).with_provenance({"own", "structured", "own", "", {}});
  Model model = model_on(std::move(map), 1, 13);
  model.classes = {"no", "yes"};
  model.output_scale = OutputScale{2.1, -0.7};
  model.precision = Precision::float32;
  return model;
}

/// A linear model on the columns themselves.
inline Model linear_regression() {
  Model model = model_on({.source = Columns{4}}, 1, 14);
  model.task = Task::regression;
  return model;
}

/// Rows of a kernel matrix that is not square, of which some columns are read; two classes.
inline Model matrix_classifier() {
  const Matrix<double> K = skew_matrix(random_matrix(14, 2, 21), random_matrix(9, 2, 22));
  MapContent map;
  map.source = matrix_factors(K, {.n_features = 3, .n_landmarks = 6, .seed = 5});
  map.certificate = Certificate{{0.2, 0.1, 0.3, 8, 16}, 0, 3, true};
  map.seed = 5;
  Model model = model_on(std::move(map), 1, 15);
  model.classes = {"no", "yes"};
  return model;
}

/// A calibrated map with a certificate without an upper bound.
inline Map calibrated_map() {
  MapContent map;
  map.kernel = named_kernel("shifted:matern-3/2");
  map.source = approximate(*map.kernel.kernel, uniform_matrix(80, 2, 6),
                           {.n_frequencies = 6, .estimator = Estimator::polar, .weights = Weights::calibrated, .seed = 9});
  map.reason = "it was the best";
  map.certificate = Certificate{{0.1, 0.05, std::numeric_limits<double>::infinity(), 20, 400}, 6, 12, false};
  map.command = "askrff choose --tolerance 1e-3";
  map.seed = 9;
  return Map(std::move(map));
}

}  // namespace askrff::test
