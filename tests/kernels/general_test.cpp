// Kernels of pairs that are no functions of differences: their values, dense and sparse, and what refuses them.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/errors.hpp"
#include "askrff/grid_operator.hpp"
#include "askrff/operators.hpp"
#include "askrff/pair_kernel.hpp"
#include "support/random_inputs.hpp"
#include "support/same_bits.hpp"
#include "support/sparse_rows.hpp"

namespace askrff::test {
namespace {

/// (1 + x·y)·|x_0|: neither symmetric nor a function of x - y.
std::unique_ptr<Kernel> leaning_product() {
  return pair_kernel(
      [](MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> values) {
        for (std::size_t i = 0; i < X.rows(); ++i)
          for (std::size_t j = 0; j < Y.rows(); ++j) {
            double sum = 1;
            for (std::size_t c = 0; c < X.cols(); ++c) sum += X(i, c) * Y(j, c);
            values(i, j) = sum * std::fabs(X(i, 0));
          }
      },
      {.name = "leaning"});
}

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "not refused";
}

TEST(GeneralKernel, HasValuesOfPairs) {
  const auto kernel = leaning_product();
  EXPECT_FALSE(kernel->shift_invariant());
  EXPECT_FALSE(kernel->symmetric());
  EXPECT_EQ(kernel->measure(3), nullptr);
  const Matrix<double> X = rows_with_zeros<double>(300, 70, 0.1, 1), Y = rows_with_zeros<double>(40, 70, 0.1, 2);
  const Matrix<double> K = exact_gram(*kernel, X, Y);
  double sum = 1;
  for (std::size_t c = 0; c < 70; ++c) sum += X(5, c) * Y(7, c);
  EXPECT_NEAR(K(5, 7), sum * std::fabs(X(5, 0)), 1e-12);
  const SparseMatrix<double> x = SparseMatrix<double>::of(X), y = SparseMatrix<double>::of(Y);
  expect_same(exact_gram(*kernel, x, y), K);
  EXPECT_TRUE(make_kernel("gaussian")->shift_invariant());
}

TEST(GeneralKernel, HasNoDifferences) {
  const auto kernel = leaning_product();
  const Matrix<double> X = random_matrix(30, 2, 3);
  const std::string no_frequencies =
      ": kernel leaning is no function of x - y and has no frequencies: expected the estimator nystrom, which takes pairs of rows";
  EXPECT_EQ(refusal([&] { approximate(*kernel, X, {}); }), "approximate" + no_frequencies);
  EXPECT_EQ(refusal([&] { approximate(*kernel, 2, {}); }), "approximate" + no_frequencies);
  EXPECT_EQ(refusal([&] { calibrate(*kernel, random_atoms(4, 2, 1), X); }), "calibrate" + no_frequencies);
  EXPECT_EQ(refusal([&] { GridOperator<double>(*kernel, X, X); }), "grid" + no_frequencies);
  EXPECT_EQ(
      refusal([&] { kernel->at_zero(2); }),
      "leaning: k(x, y) is no function of x - y, so it has no values of differences: expected pairs of rows, as the estimator nystrom "
      "takes them");
  const SparseMatrix<double> sparse = SparseMatrix<double>::of(X);
  std::vector<double> values(30);
  EXPECT_NE(refusal([&] { kernel->evaluate_differences(sparse, values); }), "not refused");
  EXPECT_EQ(refusal([&] { shifted(pair_kernel([](auto, auto, auto) {}, {.name = "even", .symmetric = true})); }),
            "shifted: even is no function of x - y; only such a kernel can be shifted");
  EXPECT_EQ(refusal([] { pair_kernel({}); }), "pair_kernel: no function, expected one of blocks of rows");
}

}  // namespace
}  // namespace askrff::test
