// Two models or maps that must agree in every field, to the bit.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "askrff/model.hpp"
#include "support/same_bits.hpp"

namespace askrff::test {

inline Matrix<double> copied(MatrixView<const double> view) {
  Matrix<double> matrix(view.rows(), view.cols());
  for (std::size_t i = 0; i < view.rows(); ++i) std::ranges::copy(view.row(i), matrix.row(i).begin());
  return matrix;
}

inline void expect_same_kernel(const NamedKernel& a, const NamedKernel& b) {
  EXPECT_EQ(a.name, b.name);
  ASSERT_EQ(a.parameters.size(), b.parameters.size());
  for (std::size_t i = 0; i < a.parameters.size(); ++i) {
    const auto& [name, value] = a.parameters[i];
    EXPECT_EQ(name, b.parameters[i].first);
    EXPECT_EQ(value.is_vector(), b.parameters[i].second.is_vector());
    EXPECT_EQ(value.is_over_dim(), b.parameters[i].second.is_over_dim());
    EXPECT_EQ(value.is_list(), b.parameters[i].second.is_list());
    EXPECT_TRUE(std::ranges::equal(value.values(), b.parameters[i].second.values()));
  }
}

inline void expect_same_atoms(const SpectralAtoms& a, const SpectralAtoms& b) {
  expect_same(copied(a.frequencies()), copied(b.frequencies()));
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t j = 0; j < a.size(); ++j) EXPECT_EQ(a.weights()[j], b.weights()[j]);
  ASSERT_EQ(a.parts().size(), b.parts().size());
  for (std::size_t i = 0; i < a.parts().size(); ++i) {
    const PartRecord &p = a.parts()[i], &q = b.parts()[i];
    EXPECT_EQ(std::tie(p.part, p.mass, p.log_mass, p.first, p.count, p.dropped),
              std::tie(q.part, q.mass, q.log_mass, q.first, q.count, q.dropped));
  }
  ASSERT_EQ(a.structure() != nullptr, b.structure() != nullptr);
  if (a.structure()) {
    EXPECT_EQ(a.structure()->padded_dim, b.structure()->padded_dim);
    EXPECT_EQ(a.structure()->signs, b.structure()->signs);
    EXPECT_EQ(a.structure()->scales, b.structure()->scales);
  }
  const Provenance &p = a.provenance(), &q = b.provenance();
  EXPECT_EQ(std::tie(p.estimator, p.sampler, p.weights, p.reason), std::tie(q.estimator, q.sampler, q.weights, q.reason));
  ASSERT_EQ(p.calibration.has_value(), q.calibration.has_value());
  if (!p.calibration) return;
  const Calibration &c = *p.calibration, &d = *q.calibration;
  EXPECT_EQ(std::tie(c.error_before, c.error_after, c.even_ridge, c.odd_ridge, c.n_pairs, c.n_held_out_pairs),
            std::tie(d.error_before, d.error_after, d.even_ridge, d.odd_ridge, d.n_pairs, d.n_held_out_pairs));
  EXPECT_EQ(c.range, d.range);
}

inline void expect_same_factors(const NystromFactors& a, const NystromFactors& b) {
  expect_same(a.landmarks.dense(), b.landmarks.dense());
  expect_same(a.left_factor, b.left_factor);
  expect_same(a.right_factor, b.right_factor);
  EXPECT_EQ(std::tie(a.landmark_rows, a.core_singular_values, a.singular_values),
            std::tie(b.landmark_rows, b.core_singular_values, b.singular_values));
}

inline void expect_same_matrix(const MatrixFactors& a, const MatrixFactors& b) {
  expect_same(a.left_factor, b.left_factor);
  expect_same(a.right_factor, b.right_factor);
  EXPECT_EQ(std::tie(a.n_rows, a.n_columns, a.rows, a.columns, a.singular_values),
            std::tie(b.n_rows, b.n_columns, b.rows, b.columns, b.singular_values));
}

inline void expect_same_map(const Map& one, const Map& other) {
  const MapContent &a = one.content(), &b = other.content();
  ASSERT_EQ(one.dim(), other.dim());
  EXPECT_EQ(std::tie(a.side, a.reason, a.command, a.seed, a.column_names), std::tie(b.side, b.reason, b.command, b.seed, b.column_names));
  EXPECT_EQ(a.scaler, b.scaler);
  expect_same_kernel(a.kernel, b.kernel);
  ASSERT_EQ(one.kind(), other.kind());
  if (one.atoms()) expect_same_atoms(*one.atoms(), *other.atoms());
  if (one.nystrom()) expect_same_factors(*one.nystrom(), *other.nystrom());
  if (one.matrix()) expect_same_matrix(*one.matrix(), *other.matrix());
  EXPECT_EQ(a.range, b.range);
  ASSERT_EQ(a.certificate.has_value(), b.certificate.has_value());
  if (!a.certificate) return;
  const Certificate &c = *a.certificate, &d = *b.certificate;
  EXPECT_EQ(std::tie(c.error.error, c.error.lower, c.error.upper, c.error.n_rows, c.error.n_pairs),
            std::tie(d.error.error, d.error.lower, d.error.upper, d.error.n_rows, d.error.n_pairs));
  EXPECT_EQ(std::tie(c.n_frequencies, c.n_features, c.reached), std::tie(d.n_frequencies, d.n_features, d.reached));
}

inline void expect_same_model(const Model& a, const Model& b) {
  expect_same_map(a.map, b.map);
  expect_same(a.linear.weights, b.linear.weights);
  EXPECT_EQ(std::tie(a.linear.bias, a.task, a.classes, a.precision), std::tie(b.linear.bias, b.task, b.classes, b.precision));
  ASSERT_EQ(a.output_scale.has_value(), b.output_scale.has_value());
  if (a.output_scale) {
    EXPECT_EQ(std::tie(a.output_scale->scale, a.output_scale->offset), std::tie(b.output_scale->scale, b.output_scale->offset));
  }
  const Training &s = a.training, &t = b.training;
  EXPECT_EQ(std::tie(s.version, s.command, s.trainer, s.solver, s.seed, s.n_rows, s.c, s.cv_c, s.cv_scores, s.cv_measure),
            std::tie(t.version, t.command, t.trainer, t.solver, t.seed, t.n_rows, t.c, t.cv_c, t.cv_scores, t.cv_measure));
}

}  // namespace askrff::test
