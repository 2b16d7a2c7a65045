// Blocks of pairs of rows, for every kernel and on every backend of this machine: the stated error, edges, and the same bits in any block.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "askrff/kernels.hpp"
#include "backend/backend.hpp"
#include "backend/environment.hpp"
#include "kernels/formulas.hpp"
#include "support/catalogue.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {
namespace {

class EveryKernelsPairs : public testing::TestWithParam<std::string> {
 protected:
  const std::string& name() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Registry, EveryKernelsPairs, testing::ValuesIn(every_kernel()),
                         [](const auto& each) { return test_name(each.param); });

template <class Body>
void on_every_backend(const Body& body) {
  for (const backend::Primitives* primitives : backend::available()) {
    const std::string backend(primitives->name);
    const BackendEnvironment forced(backend.c_str());
    SCOPED_TRACE(backend);
    body();
  }
}

Matrix<double> pairs_of(const Kernel& kernel, MatrixView<const double> X, MatrixView<const double> Y) {
  Matrix<double> out(X.rows(), Y.rows());
  kernel.evaluate_pairs(X, Y, out.view());
  return out;
}

bool is_moved(const std::string& name) { return name.starts_with("shift"); }
bool is_cauchy(const std::string& name) { return name.ends_with("cauchy"); }

/// The stated error of k(x - y): dim + 8 roundings of 1 and of the exponent; where rows were moved or divided first also half an ulp of
/// those times the slope of log k; at the ends of the doubles what denormals, and for Cauchy an overflowing product, lose.
Real stated_error(const std::string& name, std::span<const double> x, std::span<const double> y, const TestParameters& p) {
  constexpr Real half_ulp = 0x1p-53L;
  std::vector<Real> delta(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) delta[i] = static_cast<Real>(x[i]) - y[i];
  auto [magnitude, exponent] = rounding(name, delta, p);
  Real moves = 0;
  const bool gaussian = name.find("gaussian") != std::string::npos;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Real at = is_moved(name) ? static_cast<Real>(x[i]) + p.shift : x[i], argument = delta[i] + (is_moved(name) ? p.shift : 0);
    Real slope = gaussian ? std::fabs(argument) / p.sigma / p.sigma : std::sqrt(5.0L) / p.sigma;
    if (name.ends_with("periodic-gaussian")) slope += 2 * std::numbers::pi_v<Real> / p.period / p.length / p.length;
    if (is_moved(name)) moves += slope * half_ulp * std::fabs(at);
    if (is_cauchy(name)) moves += slope * half_ulp * (std::fabs(at) + std::fabs(y[i]));
  }
  const Real roundings = static_cast<Real>(x.size() + 8) * 2 * half_ulp * (1 + exponent);
  return magnitude * (roundings + moves) + (is_cauchy(name) ? 6e-309L : 1e-318L);
}

void expect_values(const std::string& name, MatrixView<const double> X, MatrixView<const double> Y, MatrixView<const double> K,
                   const TestParameters& p) {
  const Formula exact = formula(name, p);
  std::vector<Real> delta(X.cols());
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < Y.rows(); ++j) {
      for (std::size_t c = 0; c < X.cols(); ++c) delta[c] = static_cast<Real>(X(i, c)) - Y(j, c);
      ASSERT_LE(std::fabs(K(i, j) - exact(delta)), stated_error(name, X.row(i), Y.row(j), p))
          << "unit " << p.unit << ", d = " << X.cols() << " at " << i << ", " << j << ": " << K(i, j);
    }
}

// Near, usual, far, and where values leave the doubles; in units whose squares are about to do so.
TEST_P(EveryKernelsPairs, FollowTheFormula) {
  on_every_backend([&] {
    for (const double unit : {1.0, 1e-149, 3e-101, 1e-40, 1e60, 1e149}) {
      const TestParameters p{.unit = unit};
      const auto kernel = kernel_with_values(name(), p);
      for (const std::size_t dim : {1u, 3u, 8u, 57u})
        for (const double size : {1e-12, 0.3, 1.0, 6.0, 25.0}) {
          const auto X = random_matrix(5, dim, 1, size * unit), Y = random_matrix(9, dim, 2, size * unit);
          expect_values(name(), X, Y, pairs_of(*kernel, X, Y), p);
          if (HasFatalFailure()) return;
        }
    }
  });
}

// Rows far from the origin whose differences are small: what is lost is what the stated error says, nothing for most kernels.
TEST_P(EveryKernelsPairs, FarFromTheOrigin) {
  on_every_backend([&] {
    const TestParameters p;
    const auto kernel = kernel_with_values(name(), p);
    auto X = random_matrix(6, 4, 1), Y = random_matrix(7, 4, 2);
    for (auto* rows : {&X, &Y})
      for (std::size_t i = 0; i < rows->rows(); ++i)
        for (double& value : rows->row(i)) value += 1e6;
    expect_values(name(), X, Y, pairs_of(*kernel, X, Y), p);
  });
}

TEST_P(EveryKernelsPairs, EqualRowsGiveTheValueAtZero) {
  on_every_backend([&] {
    const auto kernel = kernel_with_values(name());
    const auto X = random_matrix(11, 5, 1);
    const auto K = pairs_of(*kernel, X, X);
    for (std::size_t i = 0; i < X.rows(); ++i) {
      if (!is_moved(name())) {
        EXPECT_EQ(K(i, i), kernel->at_zero(5));
      }
      for (std::size_t j = 0; j < i && kernel->symmetric(); ++j) EXPECT_EQ(K(i, j), K(j, i));
    }
  });
}

// An entry depends on its own two rows only. Sizes on both sides of every vector and tile; gaps between rows are neither read nor written.
TEST_P(EveryKernelsPairs, HaveTheSameBitsInAnyBlock) {
  on_every_backend([&] {
    const auto kernel = kernel_with_values(name());
    constexpr std::size_t n = 33, dim = 3, stride = 7, gap = 4;
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    const auto X = random_matrix(n, dim, 1), Y = random_matrix(n, dim, 2);
    const auto x = spread<double>(X, stride, nothing), y = spread<double>(Y, stride + 1, nothing);
    const MatrixView<const double> wide_x(x.data(), n, dim, stride), wide_y(y.data(), n, dim, stride + 1);
    const auto K = pairs_of(*kernel, X, Y);
    expect_values(name(), X, Y, K, {});
    for (const std::size_t rows : {0u, 1u, 5u, 33u})
      for (const std::size_t cols : {0u, 1u, 5u, 33u}) {
        const std::size_t first_x = n - rows, first_y = (n - cols) / 2;
        std::vector<double> out(rows * (cols + gap), -77.0);
        kernel->evaluate_pairs(wide_x.middle_rows(first_x, rows), wide_y.middle_rows(first_y, cols),
                               MatrixView<double>(out.data(), rows, cols, cols + gap));
        for (std::size_t i = 0; i < rows; ++i)
          for (std::size_t j = 0; j < cols + gap; ++j)
            ASSERT_EQ(out[i * (cols + gap) + j], j < cols ? K(first_x + i, first_y + j) : -77.0) << i << ", " << j;
      }
  });
}

TEST_P(EveryKernelsPairs, FarTailsVanishWithoutNaN) {
  on_every_backend([&] {
    const auto kernel = kernel_with_values(name());
    const std::vector<double> far{1e3, 1e10, 1e150, 1e200, 1e300, 1.7e308};
    Matrix<double> X(far.size(), 3), Y(far.size(), 3);
    for (std::size_t i = 0; i < far.size(); ++i)
      for (std::size_t c = 0; c < 2; ++c) {  // the last coordinates are equal
        X(i, c) = far[i];
        Y(i, c) = -far[i];
      }
    const auto K = pairs_of(*kernel, X, Y);
    for (std::size_t i = 0; i < far.size(); ++i)
      for (std::size_t j = 0; j < far.size(); ++j) {
        EXPECT_TRUE(std::isfinite(K(i, j))) << far[i] << " " << far[j];
        EXPECT_LE(std::fabs(K(i, j)), 1e-11) << far[i] << " " << far[j];
      }
  });
}

// Rows that are not finite in units of σ, or when multiplied by β.
TEST_P(EveryKernelsPairs, RowsBeyondTheDoubles) {
  on_every_backend([&] {
    const auto kernel = kernel_with_values(name(), {.unit = 1e-149});
    Matrix<double> X(4, 2);
    for (std::size_t i = 0; i < 4; ++i) X(i, 0) = X(i, 1) = std::vector<double>{1e300, 2e300, -1e300, 1e-149}[i];
    const auto K = pairs_of(*kernel, X, X);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        if (i != j) {
          EXPECT_EQ(K(i, j), 0.0) << i << " " << j;
        } else if (i == 3 || !is_moved(name())) {
          EXPECT_NEAR(K(i, j), kernel->at_zero(2), 1e-14) << i;
        }
      }
  });
}

TEST(Pairs, RefuseShapesThatDoNotFit) {
  const auto X = random_matrix(3, 2, 1), Y = random_matrix(5, 2, 2), wide = random_matrix(5, 3, 2);
  Matrix<double> out(3, 5), small(3, 4);
  for (const std::string& name : every_kernel()) {
    const auto kernel = make_kernel(name);
    EXPECT_THROW(kernel->evaluate_pairs(X, wide, out.view()), std::invalid_argument) << name;
    EXPECT_THROW(kernel->evaluate_pairs(X, Y, small.view()), std::invalid_argument) << name;
  }
}

// Where e^{b-q} is finite and sinh b is not, and where both overflow.
TEST(Pairs, SinhOfLargeArguments) {
  const auto kernel = sinh_gaussian({.sigma = 1, .beta = {40.0}});
  const Matrix<double> X(1, 1, {60.0}), Y(3, 1, {0.0, 35.0, 120.0});  // b - q = 2400 - 1800, 1000 - 312.5, then b = -2400
  const auto K = pairs_of(*kernel, X, Y);
  EXPECT_NEAR(K(0, 0) / (0.5 * std::exp(600.0)), 1, 9 * 4200 * 0x1p-52);
  EXPECT_NEAR(K(0, 1) / (0.5 * std::exp(687.5)), 1, 9 * 1313 * 0x1p-52);
  EXPECT_NEAR(K(0, 2) / (-0.5 * std::exp(600.0)), 1, 9 * 4200 * 0x1p-52);
  const Matrix<double> nearer(1, 1, {20.0});  // b - q = 1600 - 800
  EXPECT_EQ(pairs_of(*kernel, X, nearer)(0, 0), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace askrff::test
