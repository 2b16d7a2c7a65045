// Features of sparse rows, and products with them: the bits of the same rows written out, for every kind of features.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/features.hpp"
#include "askrff/kernels.hpp"
#include "askrff/operators.hpp"
#include "support/same_bits.hpp"
#include "support/sparse_rows.hpp"

namespace askrff::test {
namespace {

template <class T>
class SparseFeatures : public testing::Test {
 protected:
  static constexpr std::size_t dim = 60;
  const Matrix<T> X = rows_with_zeros<T>(1500, dim, 0.1, 1), Y = rows_with_zeros<T>(700, dim, 0.1, 2);
  const SparseMatrix<T> sparse_X = SparseMatrix<T>::of(X), sparse_Y = SparseMatrix<T>::of(Y);

  /// But for sums over rows that are cut elsewhere.
  static void expect_close(const Matrix<T>& a, const Matrix<T>& b) {
    double size = 0;
    for (std::size_t i = 0; i < b.rows() * b.cols(); ++i) size = std::max(size, std::abs(static_cast<double>(b.data()[i])));
    for (std::size_t i = 0; i < b.rows() * b.cols(); ++i)
      ASSERT_NEAR(a.data()[i], b.data()[i], (sizeof(T) == sizeof(float) ? 1e-4 : 1e-12) * size) << i;
  }

  std::vector<FeatureMap> maps() const {
    const std::shared_ptr<const Kernel> kernel = shift_gaussian({.sigma = 5, .shift = 0.1});
    return {FeatureMap(random_atoms(70, dim, 3)), FeatureMap(nystrom(kernel, random_matrix(300, dim, 4), {.n_features = 20})),
            FeatureMap(FeatureSource(Columns{dim}))};
  }
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(SparseFeatures, Scalars);

TYPED_TEST(SparseFeatures, AreThoseOfDenseRows) {
  using T = TypeParam;
  for (const FeatureMap& map : this->maps())
    for (const std::size_t n_threads : {1, 3}) {
      const auto expected = map.left(this->X);
      Matrix<T> out(expected.rows(), expected.cols());
      map.left().transform(this->sparse_X.view(), out.view(), {.n_threads = n_threads});
      expect_same(out, expected);
    }
}

TYPED_TEST(SparseFeatures, ProductsAreThoseOfDenseRows) {
  using T = TypeParam;
  for (const FeatureMap& map : this->maps())
    for (const std::size_t k : {1, 3}) {
      const auto W = random_rows<T>(map.n_features(), k, 5), V = random_rows<T>(this->X.rows(), k, 6);
      expect_same(multiply(map.left(), this->sparse_X.view(), W), multiply(map.left(), this->X, W));
      const auto sums = multiply_transposed(map.left(), this->sparse_X.view(), V);
      expect_same_sums<T>(sums, multiply_transposed(map.left(), this->X, V), 6.0 * static_cast<double>(this->X.rows()));
      expect_same(sums, multiply_transposed(map.left(), this->sparse_X.view(), V, {.n_threads = 3}));
    }
}

TYPED_TEST(SparseFeatures, OperatorsTakeEitherKindOnEitherSide) {
  using T = TypeParam;
  for (const FeatureMap& map : this->maps()) {
    const auto V = random_rows<T>(this->Y.rows(), 2, 7), U = random_rows<T>(this->X.rows(), 2, 8);
    const LowRankOperator<T> dense(map, this->X, this->Y), sparse(map, this->sparse_X.view(), this->sparse_Y.view()),
        mixed(map, this->sparse_X.view(), this->Y);
    EXPECT_EQ(sparse.rows(), this->X.rows());
    this->expect_close(sparse.apply(V), dense.apply(V));
    this->expect_close(mixed.apply(V), dense.apply(V));
    this->expect_close(sparse.apply_transposed(U), dense.apply_transposed(U));
  }
}

TYPED_TEST(SparseFeatures, RefuseOtherColumnsAndNumbersThatAreNotFinite) {
  using T = TypeParam;
  const FeatureMap map = this->maps()[0];
  Matrix<T> out(1, map.n_features());
  SparseMatrix<T> wide(61), bad(60);
  wide.add_row(std::vector<std::uint32_t>{60}, std::vector<T>{1});
  bad.add_row(std::vector<std::uint32_t>{2, 17}, std::vector<T>{1, std::numeric_limits<T>::quiet_NaN()});
  EXPECT_THROW(map.left().transform(wide.view(), out.view()), InvalidArgument);
  try {
    map.left().transform(bad.view(), out.view());
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("row 0, column 17"), std::string::npos) << error.what();
  }
  EXPECT_THROW(map.left().transform(this->sparse_X.view(), out.view()), InvalidArgument);  // no room
}

}  // namespace
}  // namespace askrff::test
