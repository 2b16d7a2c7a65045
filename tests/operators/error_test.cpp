// approximation_error against its definitions.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "askrff/approximate.hpp"
#include "askrff/kernels.hpp"
#include "askrff/operators.hpp"
#include "support/random_inputs.hpp"
#include "support/plain_kernels.hpp"

namespace askrff::test {
namespace {

TEST(ApproximationError, IsWhatItsFieldsSay) {
  for (const char* name : {"gaussian", "sinh-gaussian", "difference-of-gaussians"}) {
    const auto kernel = make_kernel(name);
    const FeatureMap map(approximate(*kernel, 2, {.n_frequencies = 64, .seed = 1}));
    const auto X = random_matrix(140, 2, 1), Y = random_matrix(260, 2, 2);
    const auto K = exact_gram(*kernel, X, Y), approximate_K = approximate_gram(map, X, Y);
    long double errors = 0, squares = 0, largest_error = 0, largest = 0;
    for (std::size_t i = 0; i < X.rows(); ++i)
      for (std::size_t j = 0; j < Y.rows(); ++j) {
        const long double error = static_cast<long double>(K(i, j)) - approximate_K(i, j);
        errors += error * error;
        squares += static_cast<long double>(K(i, j)) * K(i, j);
        largest_error = std::max(largest_error, std::fabs(error));
        largest = std::max(largest, std::fabs(static_cast<long double>(K(i, j))));
      }
    const auto error = approximation_error(*kernel, map, X, Y);
    EXPECT_NEAR(error.frobenius, static_cast<double>(std::sqrt(errors / squares)), 1e-13 * error.frobenius) << name;
    EXPECT_NEAR(error.kernel_norm, static_cast<double>(std::sqrt(squares)), 1e-13 * error.kernel_norm) << name;
    EXPECT_NEAR(error.maximum, static_cast<double>(largest_error / largest), 1e-14 * error.maximum) << name;
    EXPECT_NEAR(error.max_absolute, static_cast<double>(largest_error), 1e-15 * error.max_absolute) << name;
    EXPECT_GT(error.frobenius, 1e-4) << name;
    EXPECT_LT(error.frobenius, 1.0) << name;
  }
}

/// If K is zero the relative errors are 0 for an exact approximation and infinite otherwise.
TEST(ApproximationError, OfAZeroKernel) {
  const auto X = random_matrix(4, 2, 1);
  const ConstantKernel zero(0.0);
  const FeatureMap exact(SpectralAtoms(random_matrix(3, 2, 2), {0.0, 0.0, 0.0})), wrong(random_atoms(3, 2, 2));
  const auto none = approximation_error(zero, exact, X, X);
  EXPECT_EQ(none.frobenius, 0.0);
  EXPECT_EQ(none.maximum, 0.0);
  EXPECT_EQ(none.max_absolute, 0.0);
  EXPECT_EQ(none.kernel_norm, 0.0);
  const auto all = approximation_error(zero, wrong, X, X);
  EXPECT_EQ(all.frobenius, std::numeric_limits<double>::infinity());
  EXPECT_EQ(all.maximum, std::numeric_limits<double>::infinity());
  EXPECT_GT(all.max_absolute, 0.0);
}

TEST(ApproximationError, OfNoRows) {
  const auto error = approximation_error(*gaussian(), FeatureMap(random_atoms(3, 2, 2)), Matrix<double>(0, 2), random_matrix(4, 2, 1));
  EXPECT_EQ(error.frobenius, 0.0);
  EXPECT_EQ(error.maximum, 0.0);
  EXPECT_EQ(error.max_absolute, 0.0);
  EXPECT_EQ(error.kernel_norm, 0.0);
}

/// A constant kernel is one atom at frequency 0.
TEST(ApproximationError, OfAnExactApproximation) {
  const FeatureMap map(SpectralAtoms(Matrix<double>(1, 2), {0.25}));
  const auto X = random_matrix(40, 2, 1);
  const auto error = approximation_error(ConstantKernel(0.25), map, X, X);
  EXPECT_EQ(error.frobenius, 0.0);
  EXPECT_EQ(error.maximum, 0.0);
  EXPECT_DOUBLE_EQ(error.kernel_norm, 10.0);
}

/// A kernel that returns NaN has no error that could be called small.
TEST(ApproximationError, OfAKernelThatIsNotANumberIsNotSmall) {
  const FeatureMap map(random_atoms(3, 2, 2));
  const auto X = random_matrix(4, 2, 1);
  const ConstantKernel broken(std::numeric_limits<double>::quiet_NaN());
  try {
    const auto error = approximation_error(broken, map, X, X);
    for (const double value : {error.frobenius, error.maximum, error.max_absolute}) EXPECT_FALSE(value < 1e300) << value;
  } catch (const std::exception&) {
    SUCCEED();
  }
}

// Squares of K beyond the range of double: the relative error is still a number.
TEST(ApproximationError, OfVeryLargeAndVerySmallKernels) {
  const Matrix<double> X(2, 1, {0.0, 0.1});
  for (const auto& kernel : {cosh_gaussian({.sigma = 2, .beta = 18.45}), shift_gaussian({.sigma = 1, .shift = 28.0})}) {
    const FeatureMap map(approximate(*kernel, 1, {.n_frequencies = 16}));
    const auto error = approximation_error(*kernel, map, X, X);
    for (const double value : {error.frobenius, error.maximum, error.kernel_norm}) {
      EXPECT_TRUE(std::isfinite(value)) << kernel->name();
      EXPECT_GT(value, 0) << kernel->name();
    }
  }
}

}  // namespace
}  // namespace askrff::test
