// Kernel values of sparse rows: those of the same rows written out, for every kernel and on every backend.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/kernels.hpp"
#include "backend/backend.hpp"
#include "backend/environment.hpp"
#include "kernels/formulas.hpp"
#include "support/catalogue.hpp"
#include "support/plain_kernels.hpp"
#include "support/sparse_rows.hpp"

namespace askrff::test {
namespace {

class EveryKernelsSparsePairs : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Registry, EveryKernelsSparsePairs, testing::ValuesIn(every_kernel()),
                         [](const auto& each) { return test_name(each.param); });

double largest_difference(const Matrix<double>& a, const Matrix<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.rows() * a.cols(); ++i) largest = std::fmax(largest, std::fabs(a.data()[i] - b.data()[i]));
  return largest;
}

/// Rows of size 1 at σ = 1.3: exponents are some tens, squares of norms as well.
void expect_values_of_dense(const Kernel& kernel, std::size_t dim, double tolerance) {
  const Matrix<double> X = rows_with_zeros<double>(23, dim, dim > 60 ? 0.05 : 0.4, dim), Y = rows_with_zeros<double>(41, dim, 0.1, dim + 7);
  const SparseMatrix<double> x = SparseMatrix<double>::of(X), y = SparseMatrix<double>::of(Y);
  Matrix<double> dense(23, 41), sparse(23, 41), mixed(23, 41), moved(23, 41), moved_dense(23, 41);
  kernel.evaluate_pairs(X, Y, dense.view());
  kernel.evaluate_sparse_pairs(x, y, {}, sparse.view());
  kernel.evaluate_any_pairs(X, y.view(), mixed.view());
  EXPECT_LE(largest_difference(dense, sparse), tolerance) << kernel.name() << " " << dim;
  EXPECT_EQ(largest_difference(mixed, sparse), 0) << kernel.name() << " " << dim;

  const Matrix<double> shift = rows_with_zeros<double>(1, dim, 0.5, 3, 0.1);
  Matrix<double> shifted = X;
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t c = 0; c < dim; ++c) shifted(i, c) += shift(0, c);
  kernel.evaluate_sparse_pairs(x, y, shift.row(0), moved.view());
  kernel.evaluate_pairs(shifted, Y, moved_dense.view());
  EXPECT_LE(largest_difference(moved_dense, moved), tolerance) << kernel.name() << " shifted, " << dim;

  std::vector<double> along(23), along_dense(23);
  kernel.evaluate_differences(x.view(), along);
  kernel.evaluate_differences(X, along_dense);
  for (std::size_t i = 0; i < along.size(); ++i) EXPECT_NEAR(along[i], along_dense[i], tolerance) << kernel.name();
}

TEST_P(EveryKernelsSparsePairs, AreThoseOfDenseRows) {
  const auto kernel = kernel_with_values(GetParam());
  for (const backend::Primitives* primitives : backend::available()) {
    const std::string backend(primitives->name);
    const BackendEnvironment forced(backend.c_str());
    SCOPED_TRACE(backend);
    for (const std::size_t dim : {1u, 8u, 150u}) expect_values_of_dense(*kernel, dim, 1e-12);
  }
}

// Rows of more columns than any table has, and a user's kernel, which knows nothing of sparse rows.
TEST(SparsePairs, OfMillionsOfColumns) {
  constexpr std::size_t dim = 3'000'000'000;
  SparseMatrix<double> x(dim), narrow(3);
  x.add_row(std::vector<std::uint32_t>{5, 2'000'000'000}, std::vector<double>{1, 2});
  x.add_row(std::vector<std::uint32_t>{5, 2'999'999'999}, std::vector<double>{1, 0.5});
  narrow.add_row(std::vector<std::uint32_t>{0, 1}, std::vector<double>{1, 2});
  narrow.add_row(std::vector<std::uint32_t>{0, 2}, std::vector<double>{1, 0.5});
  const auto kernel = gaussian({.sigma = 2});
  Matrix<double> wide_values(2, 2), values(2, 2);
  kernel->evaluate_sparse_pairs(x, x, {}, wide_values.view());
  kernel->evaluate_sparse_pairs(narrow, narrow, {}, values.view());
  EXPECT_EQ(largest_difference(wide_values, values), 0);
  EXPECT_EQ(values(0, 0), 1);
}

TEST(SparsePairs, OfAKernelThatOnlyKnowsDifferences) {
  const SkewedGaussian kernel(1.3);
  expect_values_of_dense(kernel, 12, 1e-13);
  expect_values_of_dense(kernel, 400, 1e-13);
}

TEST(SparsePairs, RefuseWhatDoesNotFit) {
  const auto kernel = gaussian();
  const SparseMatrix<double> x = SparseMatrix<double>::of(Matrix<double>(2, 3)), wide = SparseMatrix<double>::of(Matrix<double>(2, 4));
  Matrix<double> out(2, 2), small(1, 2);
  EXPECT_THROW(kernel->evaluate_sparse_pairs(x, wide, {}, out.view()), InvalidArgument);
  EXPECT_THROW(kernel->evaluate_sparse_pairs(x, x, {}, small.view()), InvalidArgument);
  EXPECT_THROW(kernel->evaluate_sparse_pairs(x, x, std::vector<double>(2), out.view()), InvalidArgument);
  EXPECT_THROW(kernel->evaluate_any_pairs(x.view(), Matrix<double>(2, 4), out.view()), InvalidArgument);
  const SkewedGaussian own(1.3);
  EXPECT_THROW(own.evaluate_sparse_pairs(x, wide, {}, out.view()), InvalidArgument);
  EXPECT_THROW(own.evaluate_sparse_pairs(x, x, {}, small.view()), InvalidArgument);
  EXPECT_THROW(own.evaluate_sparse_pairs(x, x, std::vector<double>(2), out.view()), InvalidArgument);
  std::vector<double> too_few(1);
  EXPECT_THROW(own.evaluate_differences(x.view(), too_few), InvalidArgument);
}

}  // namespace
}  // namespace askrff::test
