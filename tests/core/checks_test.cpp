// Numbers that are not finite are found wherever they are, in rows that lie together and in rows that do not.
#include "core/checks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace askrff {
namespace {

template <class T>
class Checks : public testing::Test {};
using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(Checks, Numbers);

template <class T>
std::string complaint_about(MatrixView<const T> matrix) {
  try {
    require_finite<T>(matrix, "who", "X");
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TYPED_TEST(Checks, FindNumbersThatAreNotFinite) {
  using T = TypeParam;
  for (const std::size_t cols : {1, 2, 3, 7})
    for (const std::size_t stride : {cols, cols + 2}) {
      const std::size_t rows = 300;
      // What is between rows does not matter.
      std::vector<T> values(rows * stride, std::numeric_limits<T>::quiet_NaN());
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j)
          values[i * stride + j] = (i + j) % 2 == 0 ? std::numeric_limits<T>::max() : std::numeric_limits<T>::denorm_min();
      const MatrixView<const T> matrix(values.data(), rows, cols, stride);
      EXPECT_EQ(complaint_about(matrix), "");
      for (const std::size_t i : {0, 1, 6, 7, 8, 9, 255, 256, 298, 299})
        for (std::size_t j = 0; j < cols; ++j) {
          const T before = values[i * stride + j];
          values[i * stride + j] = -std::numeric_limits<T>::infinity();
          EXPECT_EQ(complaint_about(matrix), fmt::format("who: X holds -inf in row {}, column {}; expected finite numbers", i, j));
          values[i * stride + j] = std::numeric_limits<T>::quiet_NaN();
          EXPECT_EQ(complaint_about(matrix), fmt::format("who: X holds nan in row {}, column {}; expected finite numbers", i, j));
          values[i * stride + j] = before;
        }
    }
}

TYPED_TEST(Checks, TakeMatricesWithoutNumbers) {
  const Matrix<TypeParam> no_rows(0, 3), no_columns(3, 0);
  EXPECT_EQ(complaint_about(no_rows.view()), "");
  EXPECT_EQ(complaint_about(no_columns.view()), "");
}

}  // namespace
}  // namespace askrff
