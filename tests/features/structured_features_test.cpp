// Features of structured atoms against those of the same atoms without their structure.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "askrff/features.hpp"
#include "askrff/operators.hpp"
#include "askrff/sampling.hpp"
#include "backend/backend.hpp"
#include "backend/environment.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {
namespace {

SpectralAtoms structured_atoms(std::size_t n, std::size_t dim, std::vector<PartRecord> parts = {}) {
  const auto complex = random_atoms(n, 1, 6);
  return {draw_hadamard_blocks(n, dim, 5), {complex.weights().begin(), complex.weights().end()}, std::move(parts)};
}

SpectralAtoms without_structure(const SpectralAtoms& atoms) {
  Matrix<double> frequencies(atoms.size(), atoms.dim());
  for (std::size_t j = 0; j < atoms.size(); ++j) std::ranges::copy(atoms.frequencies().row(j), frequencies.row(j).begin());
  return {std::move(frequencies), {atoms.weights().begin(), atoms.weights().end()}, {atoms.parts().begin(), atoms.parts().end()}};
}

/// Error of a feature in units of its amplitude, as stated in features.hpp: phases up to `reach` radians, roundings of `size` radians in
/// all.
template <class T>
double stated_error(double reach, double size) {
  if (sizeof(T) == sizeof(double)) return 0x1p-53 * size + 1.3e-15;
  return (reach <= 804 * (1 + 1e-4) ? 0x1p-24 * size : 0x1p-53 * size + 2e-7) + 7e-7;
}

/// Of both ways together.
template <class T>
double stated_errors(const SpectralAtoms& atoms, const Matrix<T>& X, std::size_t i, std::size_t j) {
  double squares = 0, size = 0, largest = 0, norm = 0;
  for (std::size_t k = 0; k < atoms.dim(); ++k) {
    const double x = static_cast<double>(X(i, k)), omega = atoms.frequencies()(j, k);
    squares += x * x;
    size += std::fabs(omega * x);
    largest = std::max(largest, std::fabs(x));
    norm += std::fabs(omega);
  }
  const HadamardBlocks& blocks = *atoms.structure();
  const double reach = std::sqrt(squares) * blocks.scales[j], start = 1.6;  // |θ| ≤ π/2
  return stated_error<T>(reach, (3 * std::log2(static_cast<double>(blocks.padded_dim)) + 8) * (reach + start)) +
         stated_error<T>(largest * norm, static_cast<double>(atoms.dim() + 3) * (size + start));
}

template <class T>
void expect_same_features(const Features& structured, const Features& dense, const SpectralAtoms& atoms, const Matrix<T>& X) {
  const auto ours = structured.transform(X), theirs = dense.transform(X);
  ASSERT_EQ(ours.cols(), theirs.cols());
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t f = 0; f < ours.cols(); ++f) {
      const std::size_t j = f % atoms.size();
      ASSERT_LE(std::fabs(ours(i, f) - theirs(i, f)), std::sqrt(std::abs(atoms.weights()[j])) * stated_errors(atoms, X, i, j))
          << i << " " << f;
    }
}

TEST(StructuredFeatures, EqualThoseOfTheDenseFrequenciesOnEveryBackend) {
  for (const backend::Primitives* each : backend::available()) {
    const BackendEnvironment forced(std::string(each->name).c_str());
    for (const std::size_t dim : {1, 3, 17, 100, 512}) {
      const auto atoms = structured_atoms(150, dim);
      const FeatureMap ours(atoms), theirs(without_structure(atoms));
      for (const double scale : {0.3, 1e6}) {
        const auto X = random_matrix(10, dim, 8, scale);
        expect_same_features(ours.left(), theirs.left(), atoms, X);
        expect_same_features(ours.right(), theirs.right(), atoms, X);
        expect_same_features(ours.left(), theirs.left(), atoms, to_float(X));
        expect_same_features(ours.right(), theirs.right(), atoms, to_float(X));
        if (HasFatalFailure()) {
          ADD_FAILURE() << each->name << " dim " << dim << " scale " << scale;
          return;
        }
      }
    }
  }
}

TEST(StructuredFeatures, AreTheSameBitsForAnyNumberOfThreadsAndRows) {
  const FeatureMap map(structured_atoms(512, 40));
  const auto X = random_rows<float>(3000, 40, 2);
  const auto one = map.left(X, {1}), two = map.left(X, {2});
  for (std::size_t i = 0; i < one.rows() * one.cols(); ++i) ASSERT_EQ(one.data()[i], two.data()[i]);
  for (const std::size_t first : {0, 1, 959, 2500}) {
    const auto some = map.left(X.view().middle_rows(first, 37));
    for (std::size_t i = 0; i < 37; ++i)
      for (std::size_t f = 0; f < some.cols(); ++f) ASSERT_EQ(some(i, f), one(first + i, f));
  }
}

TEST(StructuredFeatures, OperatorsRunTheTransformToo) {
  const auto atoms = structured_atoms(70, 20);
  const FeatureMap map(atoms);
  const auto X = random_matrix(300, 20, 3), W = random_matrix(140, 1, 4);
  const auto features = map.right(X);
  const auto product = multiply(map.right(), X, W);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    double sum = 0;
    for (std::size_t f = 0; f < 140; ++f) sum += features(i, f) * W(f, 0);
    EXPECT_NEAR(product(i, 0), sum, 1e-12);
  }
}

TEST(StructuredFeatures, RefuseWhatDenseOnesRefuse) {
  const FeatureMap map(structured_atoms(20, 5));
  EXPECT_THROW(map.left(Matrix<double>(3, 6)), std::invalid_argument);
  Matrix<double> X(1, 5);
  X(0, 2) = std::nan("");
  EXPECT_THROW(map.left(X), std::invalid_argument);
  X(0, 2) = 1e308;
  EXPECT_THROW(map.left(X), std::invalid_argument);
}

TEST(StructuredFeatures, ClassifierFeaturesTakeTheDenseFrequencies) {
  const std::vector<PartRecord> parts{{Part::real_positive, 1.5, 0.4, 0, 30, false}, {Part::imaginary_positive, 0.5, -0.7, 30, 20, false}};
  const auto atoms = structured_atoms(50, 6, parts);
  const auto X = random_matrix(9, 6, 3);
  const auto ours = ClassifierFeatures(atoms).transform(X), theirs = ClassifierFeatures(without_structure(atoms)).transform(X);
  ASSERT_EQ(ours.cols(), 100u);
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t f = 0; f < 100; ++f) ASSERT_EQ(ours(i, f), theirs(i, f));
}

}  // namespace
}  // namespace askrff::test
