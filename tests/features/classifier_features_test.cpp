// The classifier's Φ: 6M columns instead of 8M with the same inner products, and blind to the asymmetry of k (errata 5 and 7).
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/features.hpp"
#include "askrff/kernels.hpp"
#include "askrff/operators.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {
namespace {

constexpr std::size_t M = 12;

SpectralAtoms atoms_of(const Kernel& kernel, std::size_t dim) { return approximate(kernel, dim, {.n_frequencies = M, .seed = 2}); }

double inner(const Matrix<double>& Phi, std::size_t i, std::size_t j) {
  long double sum = 0;
  for (std::size_t f = 0; f < Phi.cols(); ++f) sum += static_cast<long double>(Phi(i, f)) * Phi(j, f);
  return static_cast<double>(sum);
}

TEST(ClassifierFeatures, NumberOfColumns) {
  const auto columns = [](const Kernel& kernel, ClassifierForm form) { return ClassifierFeatures(atoms_of(kernel, 2), form).n_features(); };
  for (const auto& [kernel, collapsed, paper] : {std::tuple{"shift-gaussian", 6, 8},
                                                 {"cosh-gaussian", 6, 8},
                                                 {"sinh-gaussian", 4, 6},
                                                 {"difference-of-gaussians", 4, 4},
                                                 {"gaussian", 2, 2}}) {
    EXPECT_EQ(columns(*make_kernel(kernel), ClassifierForm::collapsed), static_cast<std::size_t>(collapsed) * M) << kernel;
    EXPECT_EQ(columns(*make_kernel(kernel), ClassifierForm::paper), static_cast<std::size_t>(paper) * M) << kernel;
  }
  const auto dropped = atoms_of(*shift_gaussian(), 57);  // μ_R^- is negligible
  EXPECT_EQ(ClassifierFeatures(dropped).n_features(), 4 * M);
  EXPECT_EQ(ClassifierFeatures(dropped).dim(), 57u);
}

/// Φ(x)·Φ(y) = m₁ mean cos + m₂ mean cos + 4 m₃ mean cos of the three parts, in both forms.
TEST(ClassifierFeatures, BothFormsHaveTheSameInnerProducts) {
  for (const char* name : {"shift-gaussian", "sinh-gaussian", "cosh-gaussian", "difference-of-gaussians"}) {
    const auto atoms = atoms_of(*make_kernel(name), 3);
    const auto X = random_matrix(8, 3, 5);
    const auto collapsed = ClassifierFeatures(atoms).transform(X), paper = ClassifierFeatures(atoms, ClassifierForm::paper).transform(X);
    for (std::size_t i = 0; i < X.rows(); ++i)
      for (std::size_t j = 0; j < X.rows(); ++j) {
        double expected = 0, size = 0;
        for (const PartRecord& part : atoms.parts()) {
          const double weight = part.part == Part::imaginary_positive ? 4 * part.mass : part.mass;
          size += weight;
          for (std::size_t w = part.first; w < part.first + part.count; ++w) {
            double phase = 0;
            for (std::size_t c = 0; c < 3; ++c) phase += atoms.frequencies()(w, c) * (X(i, c) - X(j, c));
            expected += weight * std::cos(phase) / static_cast<double>(part.count);
          }
        }
        EXPECT_NEAR(inner(collapsed, i, j), expected, 1e-13 * size) << name;
        EXPECT_NEAR(inner(paper, i, j), expected, 1e-13 * size) << name;
      }
  }
}

/// The classifier sees ΦΦᵀ, which is symmetric and even in x - y, while K̃ is not: swapping x and y changes k̂ and leaves Φ·Φ as it was.
TEST(ClassifierFeatures, NeverSeesTheAsymmetry) {
  const auto kernel = shift_gaussian({.sigma = 1.0, .shift = {0.9, 0.0}});
  const auto atoms = approximate(*kernel, 2, {.n_frequencies = 256, .seed = 2});
  const auto X = random_matrix(6, 2, 5);
  auto mirrored = X;
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (double& value : mirrored.row(i)) value = -value;  // x_i - x_j becomes x_j - x_i
  const ClassifierFeatures classifier(atoms);
  const auto Phi = classifier.transform(X), Phi_mirrored = classifier.transform(mirrored);
  const FeatureMap map(atoms);
  const auto K = approximate_gram(map, X, X), K_mirrored = approximate_gram(map, mirrored, mirrored);
  double asymmetry = 0;
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < X.rows(); ++j) {
      EXPECT_NEAR(inner(Phi, i, j), inner(Phi_mirrored, i, j), 1e-13);
      EXPECT_NEAR(K(i, j), K_mirrored(j, i), 1e-13);
      asymmetry = std::max(asymmetry, std::fabs(K(i, j) - K_mirrored(i, j)));
    }
  EXPECT_GT(asymmetry, 0.1);
}

/// [√m₁φ(ω), √m₂φ(ζ), 2√m₃φ(ν)]; the paper's form has √(2m₃)φ(ν) and √(2m₃)ψ(ν) at its end, the same numbers in another order with signs.
TEST(ClassifierFeatures, ColumnsOfBothForms) {
  const auto atoms = atoms_of(*cosh_gaussian({.sigma = 1.0, .beta = {0.8, 0.3}}), 2);
  const auto X = random_matrix(5, 2, 6);
  const auto collapsed = ClassifierFeatures(atoms).transform(X), paper = ClassifierFeatures(atoms, ClassifierForm::paper).transform(X);
  ASSERT_EQ(atoms.parts().size(), 3u);
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t p = 0; p < 3; ++p)
      for (std::size_t j = 0; j < M; ++j) {
        const PartRecord& part = atoms.parts()[p];
        const double phase = atoms.frequencies()(part.first + j, 0) * X(i, 0) + atoms.frequencies()(part.first + j, 1) * X(i, 1);
        const double unit = std::sqrt(part.mass / static_cast<double>(M)), factor = p == 2 ? 2 : 1,
                     paper_factor = p == 2 ? std::sqrt(2.0) : 1;
        const std::size_t at = 2 * M * p + j;
        EXPECT_NEAR(collapsed(i, at), factor * unit * std::cos(phase), 1e-15 + 1e-14 * unit);
        EXPECT_NEAR(collapsed(i, at + M), factor * unit * std::sin(phase), 1e-15 + 1e-14 * unit);
        EXPECT_NEAR(paper(i, at), paper_factor * unit * std::cos(phase), 1e-15 + 1e-14 * unit);
        EXPECT_NEAR(paper(i, at + M), paper_factor * unit * std::sin(phase), 1e-15 + 1e-14 * unit);
        if (p == 2) {
          EXPECT_NEAR(paper(i, at + 2 * M), -paper(i, at + M), 1e-14 * unit);
          EXPECT_NEAR(paper(i, at + 3 * M), paper(i, at), 1e-14 * unit);
        }
      }
}

TEST(ClassifierFeatures, LayoutsAndFloats) {
  const auto atoms = atoms_of(*shift_gaussian(), 2);
  const auto X = random_matrix(5, 2, 6);
  const ClassifierFeatures classifier(atoms, ClassifierForm::paper);
  const auto whole = classifier.transform(X);
  const std::size_t stride = whole.cols() + 3;
  std::vector<double> out(X.rows() * stride, -5.0);
  classifier.transform(X, MatrixView<double>(out.data(), X.rows(), whole.cols(), stride));
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t f = 0; f < stride; ++f) EXPECT_EQ(out[i * stride + f], f < whole.cols() ? whole(i, f) : -5.0);
  const auto narrow = classifier.transform(to_float(X));
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t f = 0; f < whole.cols(); ++f) EXPECT_NEAR(narrow(i, f), whole(i, f), 1e-6);
  EXPECT_EQ(classifier.transform(Matrix<double>(0, 2)).rows(), 0u);
  EXPECT_EQ(classifier.transform(Matrix<double>(0, 2)).cols(), 8 * M);
}

TEST(ClassifierFeatures, Refusals) {
  EXPECT_THROW(ClassifierFeatures{random_atoms(4, 2, 1)}, std::invalid_argument);
  const ClassifierFeatures classifier(atoms_of(*shift_gaussian(), 2));
  EXPECT_THROW(classifier.transform(Matrix<double>(3, 3)), std::invalid_argument);
  Matrix<double> out(3, classifier.n_features() + 1);
  EXPECT_THROW(classifier.transform(Matrix<double>(3, 2), out.view()), std::invalid_argument);
  Matrix<double> with_nan(3, 2);
  with_nan(2, 1) = std::nan("");
  EXPECT_THROW(classifier.transform(with_nan), std::invalid_argument);
}

}  // namespace
}  // namespace askrff::test
