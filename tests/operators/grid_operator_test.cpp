// Sums of kernels on grids against exact ones: every kernel, number of dimensions and precision.
#include "askrff/grid_operator.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "askrff/errors.hpp"
#include "askrff/operators.hpp"
#include "askrff/random.hpp"

namespace askrff {
namespace {

template <class T = double>
Matrix<T> points_in(std::size_t n, std::size_t dim, double scale, double origin, std::uint64_t seed) {
  Matrix<T> X(n, dim);
  for (std::size_t i = 0; i < n; ++i) {
    RandomStream random(seed, Purpose::landmark_pivots, i);
    for (std::size_t k = 0; k < dim; ++k) X(i, k) = static_cast<T>(origin + scale * random.uniform());
  }
  return X;
}

struct Case {
  std::string kernel;
  ParameterValues values;
  std::size_t dim;
  double tolerance;
};

Matrix<double> to_double(const Matrix<double>& A) { return A; }
Matrix<double> to_double(const Matrix<float>& A) {
  Matrix<double> out(A.rows(), A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) out(i, j) = A(i, j);
  return out;
}

/// The largest error of an entry of K̃ and of K̃ᵀ, by unit vectors, relative to the largest entry of K.
template <class T>
double largest_error(const Case& each, const Matrix<T>& X, const Matrix<T>& Y) {
  const auto kernel = make_kernel(each.kernel, each.values);
  const GridOperator<T> sums(*kernel, std::as_const(X).view(), std::as_const(Y).view(),
                             {.tolerance = each.tolerance, .max_bytes = std::size_t{16} << 20});
  const Matrix<double> exact = exact_gram(*kernel, to_double(X), to_double(Y));
  Matrix<T> unit(Y.rows(), Y.rows()), unit_left(X.rows(), X.rows());
  for (std::size_t j = 0; j < Y.rows(); ++j) unit(j, j) = 1;
  for (std::size_t i = 0; i < X.rows(); ++i) unit_left(i, i) = 1;
  const Matrix<T> K = sums.apply(std::as_const(unit).view()), Kt = sums.apply_transposed(std::as_const(unit_left).view());
  double error = 0, largest = 0;
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < Y.rows(); ++j) {
      error =
          std::max({error, std::fabs(static_cast<double>(K(i, j)) - exact(i, j)), std::fabs(static_cast<double>(Kt(j, i)) - exact(i, j))});
      largest = std::max(largest, std::fabs(exact(i, j)));
    }
  return error / largest;
}

TEST(GridOperator, IsWithinItsToleranceForEveryKernel) {
  const std::vector<std::pair<std::string, ParameterValues>> kernels{
      {"gaussian", {{"sigma", 0.2}}},
      {"matern-3/2", {{"sigma", 0.4}}},
      {"matern-5/2", {{"sigma", 0.4}}},
      {"cauchy", {{"sigma", 0.3}}},
      {"difference-of-gaussians", {{"sigma", 0.2}, {"sigma2", 0.35}, {"weight", 0.6}}},
      {"shift-gaussian", {{"sigma", 0.2}, {"shift", 0.1}}},
      {"sinh-gaussian", {{"sigma", 0.3}, {"beta", 2.0}}},
      {"cosh-gaussian", {{"sigma", 0.3}, {"beta", 2.0}}},
      {"shifted:matern-5/2", {{"sigma", 0.4}, {"shift", 0.1}}},
      {"shifted:cauchy", {{"sigma", 0.3}, {"shift", -0.1}}}};
  for (const auto& [name, values] : kernels)
    for (std::size_t dim = 1; dim <= 3; ++dim)
      for (const double tolerance : {1e-2, 1e-5, 1e-9}) {
        const Matrix<double> X = points_in(14, dim, 1.0, 0.0, 1), Y = points_in(10, dim, 1.0, 0.0, 2);
        const Case each{name, values, dim, tolerance};
        try {
          EXPECT_LE(largest_error(each, X, Y), tolerance) << name << " in " << dim << " dimensions, tolerance " << tolerance;
        } catch (const InvalidArgument& refused) {
          EXPECT_NE(std::string(refused.what()).find("GB"), std::string::npos) << refused.what();  // too many frequencies
        }
      }
}

TEST(GridOperator, TakesKernelsWithSlowSpectraInOneDimension) {
  const Matrix<double> X = points_in(40, 1, 1.0, 0.0, 1), Y = points_in(30, 1, 1.0, 0.0, 2);
  for (const char* name : {"laplacian", "matern-1/2"})
    for (const double tolerance : {1e-2, 1e-4})
      EXPECT_LE(largest_error(Case{name, {{"sigma", 0.5}}, 1, tolerance}, X, Y), tolerance) << name;
}

TEST(GridOperator, IsWithinItsToleranceInFloat) {
  for (std::size_t dim = 1; dim <= 3; ++dim)
    for (const double tolerance : {1e-3, 1e-5}) {
      const Matrix<float> X = points_in<float>(40, dim, 1.0, 0.0, 1), Y = points_in<float>(30, dim, 1.0, 0.0, 2);
      EXPECT_LE(largest_error(Case{"shift-gaussian", {{"sigma", 0.1}, {"shift", 0.1}}, dim, tolerance}, X, Y), tolerance) << dim;
    }
}

TEST(GridOperator, TakesPointsFarFromEachOtherAndFromTheOrigin) {
  const Matrix<double> X = points_in(40, 2, 1.0, 1e5, 1), Y = points_in(30, 2, 3.0, 99999.0, 2);
  EXPECT_LE(largest_error(Case{"shift-gaussian", {{"sigma", 0.3}, {"shift", 0.1}}, 2, 1e-9}, X, Y), 1e-9);
}

TEST(GridOperator, TakesExtentsThatDifferAndPointsThatAreTheSame) {
  Matrix<double> X = points_in(40, 3, 1.0, 0.0, 1);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    X(i, 0) *= 20;
    X(i, 2) = 5;
  }
  EXPECT_LE(largest_error(Case{"shift-gaussian", {{"sigma", 0.5}, {"shift", 0.1}}, 3, 1e-7}, X, X), 1e-7);
  const Matrix<double> same(5, 2);
  EXPECT_LE(largest_error(Case{"gaussian", {{"sigma", 0.5}}, 2, 1e-7}, same, same), 1e-7);
}

TEST(GridOperator, IsWithinItsToleranceWhereTheKernelIsMuchSmallerThanItsMeasure) {
  for (std::size_t dim = 1; dim <= 2; ++dim) {
    const Matrix<double> X = points_in(40, dim, 0.5, 0.0, 1), Y = points_in(30, dim, 0.5, 0.0, 2);
    std::vector<double> shift(dim, 0.0);
    for (const double away : {4.0, 6.0}) {
      shift[0] = away;
      for (const double tolerance : {1e-3, 1e-6})
        EXPECT_LE(largest_error(Case{"shift-gaussian", {{"sigma", 1.0}, {"shift", shift}}, dim, tolerance}, X, Y), tolerance)
            << away << " away in " << dim << " dimensions, tolerance " << tolerance;
    }
  }
}

TEST(GridOperator, TakesNoPointsOnePointAndManyColumns) {
  const auto kernel = shift_gaussian({.sigma = 0.2, .shift = 0.1});
  const Matrix<double> none(0, 2), one(1, 2);
  const Matrix<double> V0(0, 3), V1(1, 3);
  EXPECT_EQ(GridOperator<double>(*kernel, one.view(), none.view()).apply(V0.view()).rows(), 1u);
  EXPECT_EQ(GridOperator<double>(*kernel, none.view(), one.view()).apply(V1.view()).rows(), 0u);
  const Matrix<double> X = points_in(40, 2, 1.0, 0.0, 1);
  const GridOperator<double> sums(*kernel, X.view(), X.view());
  Matrix<double> V = points_in(40, 5, 1.0, -0.5, 3), column(40, 1);
  const Matrix<double> all = sums.apply(std::as_const(V).view());
  for (std::size_t c = 0; c < 5; ++c) {
    for (std::size_t i = 0; i < 40; ++i) column(i, 0) = V(i, c);
    const Matrix<double> one_column = sums.apply(std::as_const(column).view());
    for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(one_column(i, 0), all(i, c));
  }
}

TEST(GridOperator, SaysWhatIsWrong) {
  const auto kernel = gaussian({.sigma = 0.2});
  const Matrix<double> X = points_in(10, 2, 1.0, 0.0, 1), wide(10, 4);
  Matrix<double> bad = X;
  bad(3, 1) = NAN;
  const auto says = [&](const std::string& part, const auto& make) {
    try {
      make();
      ADD_FAILURE() << "nothing thrown, expected: " << part;
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  using Operator = GridOperator<double>;
  says("4 dimensions, expected 1 to 3", [&] { Operator(*kernel, wide.view(), wide.view()); });
  says("X holds nan", [&] { Operator(*kernel, std::as_const(bad).view(), X.view()); });
  says("a tolerance of 0", [&] { Operator(*kernel, X.view(), X.view(), {.tolerance = 0}); });
  says("GB", [&] { Operator(*laplacian({.sigma = 0.01}), X.view(), X.view(), {.tolerance = 1e-6}); });
  says("V has 3 rows, expected 10", [&] { (void)Operator(*kernel, X.view(), X.view()).apply(Matrix<double>(3, 1).view()); });
  const ChosenGrid small = choose_grid(*kernel, std::vector<double>{0.5, 0.5});
  says("apart in column", [&] { Operator(grid_atoms(*kernel->measure(2), small.grid), X.view(), X.view()); });
}

}  // namespace
}  // namespace askrff
