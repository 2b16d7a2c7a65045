// Values, symmetry and definiteness of every kernel.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <thread>

#include "askrff/kernels.hpp"
#include "kernels/formulas.hpp"
#include "support/catalogue.hpp"

namespace askrff::test {
namespace {

constexpr double sigma = TestParameters{}.sigma;

class EveryKernel : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryKernel, testing::ValuesIn(every_kernel()), [](const auto& each) { return test_name(each.param); });

// Near, far, and where the value is about to leave the doubles.
TEST_P(EveryKernel, FollowsItsFormula) {
  const auto kernel = kernel_with_values(GetParam());
  const Formula exact = formula(GetParam());
  for (const std::size_t dim : {1u, 2u, 5u, 57u})
    for (const double size : {1e-8, 0.1, 1.0, 5.0, 20.0})
      for (std::uint64_t i = 0; i < 20; ++i) {
        const auto delta = random_difference(dim, i, size);
        const std::vector<Real> real(delta.begin(), delta.end());
        const auto [magnitude, exponent] = rounding(GetParam(), real);
        // An exponent q is a sum of dim squares and carries a few roundings of q; the product of the Cauchy kernel carries a few per
        // factor.
        const Real roundings = 4 + 2 * static_cast<Real>(dim) + 4 * exponent;
        EXPECT_LE(std::fabs((*kernel)(delta)-exact(real)), 2.3e-16L * roundings * magnitude + 1e-320L)
            << "d=" << dim << " size=" << size << " i=" << i;
      }
}

TEST_P(EveryKernel, FarTailsVanishWithoutNaN) {
  const auto kernel = kernel_with_values(GetParam());
  for (const double far : {1e3, 1e10, 1e150, 1e200, 1e300, -1e3, -1e100, -1e300}) {
    const double value = (*kernel)(std::vector<double>(3, far));
    EXPECT_TRUE(std::isfinite(value)) << far;
    EXPECT_LE(std::fabs(value), 1e-15) << far;
  }
}

// A block of a larger matrix, and the same rows one by one, also from many threads.
TEST_P(EveryKernel, BlocksAreThePointsToTheBit) {
  const auto kernel = kernel_with_values(GetParam());
  constexpr std::size_t n = 33, dim = 3, stride = 7;
  std::vector<double> memory(n * stride, std::nan(""));
  const MatrixView<double> view(memory.data(), n, dim, stride);
  for (std::size_t i = 0; i < n; ++i) {
    const auto delta = random_difference(dim, 100 + i);
    std::copy(delta.begin(), delta.end(), view.row(i).begin());
  }
  std::vector<double> block(n), threaded(n);
  kernel->evaluate(view, block);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(block[i], (*kernel)(view.row(i))) << i;
  std::vector<std::thread> threads;
  for (std::size_t first = 0; first < n; first += 11)
    threads.emplace_back([&, first] { kernel->evaluate(view.middle_rows(first, 11), std::span(threaded).subspan(first, 11)); });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(block, threaded);
  std::vector<double> too_short(n - 1);
  EXPECT_THROW(kernel->evaluate(view, too_short), std::invalid_argument);
  kernel->evaluate(view.middle_rows(0, 0), {});
}

TEST_P(EveryKernel, SymmetryIsAsDeclared) {
  const auto kernel = kernel_with_values(GetParam());
  double largest = 0;
  for (std::uint64_t i = 0; i < 50; ++i) {
    const auto delta = random_difference(3, i);
    auto mirrored = delta;
    for (double& x : mirrored) x = -x;
    largest = std::fmax(largest, std::fabs((*kernel)(delta) - (*kernel)(mirrored)));
  }
  if (kernel->symmetric()) {
    EXPECT_EQ(largest, 0.0);
  } else {
    EXPECT_GT(largest, 0.01);
  }
}

TEST_P(EveryKernel, DefinitenessIsAsDeclared) {
  const auto kernel = kernel_with_values(GetParam());
  constexpr int n = 60;
  double smallest = 0;
  for (const double size : {0.3, 1.0, 3.0}) {
    Eigen::MatrixXd gram(n, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        auto delta = random_difference(2, static_cast<std::uint64_t>(i), size);
        const auto y = random_difference(2, static_cast<std::uint64_t>(j), size);
        for (std::size_t c = 0; c < 2; ++c) delta[c] -= y[c];
        gram(i, j) = (*kernel)(delta);
      }
    const Eigen::MatrixXd symmetric_part = (gram + gram.transpose()) / 2;
    smallest = std::min(smallest, Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric_part, Eigen::EigenvaluesOnly).eigenvalues()[0]);
  }
  EXPECT_TRUE(!kernel->positive_definite() || kernel->symmetric());
  if (kernel->positive_definite()) {
    EXPECT_GE(smallest, -1e-12);
  } else if (GetParam() == "difference-of-gaussians") {
    EXPECT_LT(smallest, -0.1);
  }
}

TEST_P(EveryKernel, AtZeroIsTheValueThere) {
  const auto kernel = kernel_with_values(GetParam());
  for (const std::size_t dim : {1u, 4u}) EXPECT_EQ(kernel->at_zero(dim), (*kernel)(std::vector<double>(dim, 0.0)));
  if (kernel->positive_definite()) {
    EXPECT_EQ(kernel->at_zero(4), 1.0);
  }
}

// Errata 7: cosh-gaussian is a scaled shift-gaussian, k₃(δ; β) = e^{σ²‖β‖²/2} k₁(δ; r = -σ²β).
TEST(Errata, CoshIsAScaledShift) {
  const std::vector<double> b{0.3, -0.7, 0.2};
  std::vector<double> r = b;
  double norm2 = 0;
  for (double& x : r) {
    norm2 += x * x;
    x *= -sigma * sigma;
  }
  const auto cosh = cosh_gaussian({.sigma = sigma, .beta = b}), shifted_gaussian = shift_gaussian({.sigma = sigma, .shift = r});
  const double scale = std::exp(sigma * sigma * norm2 / 2);
  for (std::uint64_t i = 0; i < 50; ++i) {
    const auto delta = random_difference(3, i, 2.0);
    const double expected = scale * (*shifted_gaussian)(delta);
    EXPECT_NEAR((*cosh)(delta), expected, 1e-14 * expected + 1e-300) << i;
  }
}

// Errata 6: the symmetric part of sinh-gaussian is the Gaussian kernel.
TEST(Errata, SymmetricPartOfSinhIsTheGaussian) {
  const auto sinh = sinh_gaussian({.sigma = sigma, .beta = {0.3, -0.7, 0.2}}), plain = gaussian({.sigma = sigma});
  for (std::uint64_t i = 0; i < 50; ++i) {
    const auto delta = random_difference(3, i, 1.5);
    auto mirrored = delta;
    for (double& x : mirrored) x = -x;
    const double a = (*sinh)(delta), b = (*sinh)(mirrored);
    EXPECT_NEAR(0.5 * (a + b), (*plain)(delta), 4e-16 * (std::fabs(a) + std::fabs(b))) << i;
  }
}

// shifted:gaussian and shift-gaussian are one kernel.
TEST(Shifted, GaussianIsShiftGaussian) {
  const auto a = make_kernel("shifted:gaussian"), b = make_kernel("shift-gaussian");
  for (std::uint64_t i = 0; i < 20; ++i) {
    const auto delta = random_difference(4, i);
    EXPECT_DOUBLE_EQ((*a)(delta), (*b)(delta));
  }
}

}  // namespace
}  // namespace askrff::test
