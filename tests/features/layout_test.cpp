// Rows, strides and sizes: the same bits for any layout, and refusals that say who, got, wanted.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "askrff/features.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {
namespace {

template <class T>
class FeatureLayout : public testing::Test {
 protected:
  static Matrix<T> points(std::size_t rows, std::size_t cols, std::uint64_t seed) {
    const auto values = random_matrix(rows, cols, seed);
    Matrix<T> out(rows, cols);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; ++j) out(i, j) = static_cast<T>(values(i, j));
    return out;
  }
  const FeatureMap map{random_atoms(7, 3, 1)};
  const Matrix<T> data = points(10, 3, 2);
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(FeatureLayout, Scalars);

TYPED_TEST(FeatureLayout, StridesInAndOut) {
  using T = TypeParam;
  const auto& X = this->data;
  const auto left = this->map.left(X), right = this->map.right(X);
  const T filling = -77;
  for (const std::size_t extra : {0, 1, 5}) {
    const std::size_t in_stride = X.cols() + extra, out_stride = left.cols() + 2 * extra;
    const auto spread_X = spread<T>(X, in_stride, std::numeric_limits<T>::quiet_NaN());  // must not be read
    std::vector<T> out(X.rows() * out_stride, filling);
    const MatrixView<const T> in(spread_X.data(), X.rows(), X.cols(), in_stride);
    const MatrixView<T> out_view(out.data(), X.rows(), left.cols(), out_stride);
    for (const bool left_side : {true, false}) {
      left_side ? this->map.left(in, out_view) : this->map.right(in, out_view);
      for (std::size_t i = 0; i < X.rows(); ++i)
        for (std::size_t f = 0; f < out_stride; ++f)
          EXPECT_EQ(out[i * out_stride + f], f >= left.cols() ? filling : left_side ? left(i, f) : right(i, f));
    }
  }
}

TYPED_TEST(FeatureLayout, AnySubsetOrderAndBlockGivesTheSameBits) {
  using T = TypeParam;
  const auto& X = this->data;
  const auto whole = this->map.left(X);
  for (std::size_t first = 0; first < X.rows(); ++first)
    for (std::size_t count = 0; first + count <= X.rows(); ++count) {
      const auto block = this->map.left(X.view().middle_rows(first, count));
      ASSERT_EQ(block.rows(), count);
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t f = 0; f < whole.cols(); ++f) EXPECT_EQ(block(i, f), whole(first + i, f));
    }
  Matrix<T> reversed(X.rows(), X.cols());
  for (std::size_t i = 0; i < X.rows(); ++i) std::ranges::copy(X.row(X.rows() - 1 - i), reversed.row(i).begin());
  const auto backwards = this->map.left(reversed);
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t f = 0; f < whole.cols(); ++f) EXPECT_EQ(backwards(X.rows() - 1 - i, f), whole(i, f));
}

TYPED_TEST(FeatureLayout, SmallestSizes) {
  using T = TypeParam;
  const FeatureMap single(random_atoms(1, 1, 3));
  EXPECT_EQ(single.n_features(), 2u);
  const auto one = single.right(this->points(1, 1, 4));
  EXPECT_EQ(one.rows(), 1u);
  EXPECT_EQ(one.cols(), 2u);
  const auto none = this->map.left(Matrix<T>(0, 3));
  EXPECT_EQ(none.rows(), 0u);
  EXPECT_EQ(none.cols(), 14u);
  const MatrixView<const T> empty_in(nullptr, 0, 3);
  EXPECT_NO_THROW(this->map.right(empty_in, MatrixView<T>(nullptr, 0, 14)));
}

TYPED_TEST(FeatureLayout, WrongSizesAreRefused) {
  using T = TypeParam;
  const auto& X = this->data;
  EXPECT_THROW(this->map.left(Matrix<T>(4, 2)), std::invalid_argument);
  EXPECT_THROW(this->map.right(Matrix<T>(4, 4)), std::invalid_argument);
  EXPECT_THROW(this->map.left(Matrix<T>(0, 2)), std::invalid_argument);
  for (const auto& [rows, cols] : {std::pair{10, 13}, {10, 15}, {9, 14}, {11, 14}, {10, 7}}) {
    Matrix<T> out(static_cast<std::size_t>(rows), static_cast<std::size_t>(cols));
    EXPECT_THROW(this->map.left(X, out.view()), std::invalid_argument) << rows << " x " << cols;
    EXPECT_THROW(this->map.right(X, out.view()), std::invalid_argument) << rows << " x " << cols;
  }
  try {
    this->map.left(Matrix<T>(4, 2));
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "FeatureMap::left: X has 2 columns, atoms were drawn in dimension 3");
  }
}

TYPED_TEST(FeatureLayout, NumbersThatAreNotFiniteAreRefusedWithTheirPlace) {
  using T = TypeParam;
  for (const T bad : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity()}) {
    auto X = this->data;
    X(6, 2) = bad;
    Matrix<T> out(X.rows(), 14);
    try {
      this->map.right(X, out.view());
      FAIL() << "accepted " << bad;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("row 6, column 2"), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("FeatureMap::right"), std::string::npos) << error.what();
    }
    for (std::size_t i = 0; i < out.rows(); ++i)
      for (const T value : out.row(i)) EXPECT_EQ(value, T{0});  // nothing was written
  }
}

}  // namespace
}  // namespace askrff::test
