// Strided views, owning matrices, and the Eigen adapter.
#include "askrff/views.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cstdint>
#include <numeric>

#include "askrff/eigen.hpp"

namespace askrff::test {
namespace {

TEST(MatrixView, StridedElements) {
  std::vector<int> memory(12);
  std::iota(memory.begin(), memory.end(), 0);
  const MatrixView<int> view(memory.data(), 3, 2, 4);
  EXPECT_EQ(view.rows(), 3u);
  EXPECT_EQ(view.cols(), 2u);
  EXPECT_EQ(view.stride(), 4u);
  EXPECT_FALSE(view.empty());
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 2; ++j) EXPECT_EQ(view(i, j), static_cast<int>(4 * i + j));
  EXPECT_EQ(view.row(1).size(), 2u);
  EXPECT_EQ(view.row(1)[1], 5);
  view(2, 1) = -7;
  EXPECT_EQ(memory[9], -7);
}

TEST(MatrixView, ConstViewOfMutableElements) {
  Matrix<double> matrix(2, 3, {1, 2, 3, 4, 5, 6});
  const MatrixView<double> view = matrix;
  const MatrixView<const double> constant = view;
  EXPECT_EQ(constant.data(), view.data());
  EXPECT_EQ(constant(1, 2), 6);
  static_assert(!std::is_convertible_v<MatrixView<const double>, MatrixView<double>>);
  const Matrix<double>& fixed = matrix;
  const MatrixView<const double> from_constant = fixed;
  EXPECT_EQ(from_constant(0, 1), 2);
}

TEST(MatrixView, RefusesBadStridesAndNull) {
  double x = 0;
  EXPECT_THROW(MatrixView<double>(&x, 1, 3, 2), std::invalid_argument);
  EXPECT_THROW(MatrixView<double>(nullptr, 1, 1), std::invalid_argument);
  EXPECT_NO_THROW(MatrixView<double>(nullptr, 0, 5));
  EXPECT_NO_THROW(MatrixView<double>(nullptr, 5, 0));
  EXPECT_TRUE(MatrixView<double>().empty());
}

TEST(MatrixView, MiddleRows) {
  Matrix<int> matrix(4, 2, {0, 1, 2, 3, 4, 5, 6, 7});
  const auto middle = matrix.view().middle_rows(1, 2);
  EXPECT_EQ(middle.rows(), 2u);
  EXPECT_EQ(middle(0, 0), 2);
  EXPECT_EQ(middle(1, 1), 5);
  EXPECT_TRUE(matrix.view().middle_rows(4, 0).empty());
  EXPECT_THROW(matrix.view().middle_rows(5, 0), std::out_of_range);
  EXPECT_THROW(matrix.view().middle_rows(3, 2), std::out_of_range);
  EXPECT_THROW(matrix.view().middle_rows(1, SIZE_MAX), std::out_of_range);  // first + count wraps around
}

TEST(Matrix, StartsAtZeroAndOwnsItsElements) {
  Matrix<double> matrix(2, 2);
  EXPECT_EQ(matrix(1, 1), 0.0);
  Matrix<double> copy = matrix;
  copy(0, 0) = 1;
  EXPECT_EQ(matrix(0, 0), 0.0);
  EXPECT_TRUE(Matrix<double>().empty());
  EXPECT_TRUE(Matrix<double>(0, 3).empty());
}

static_assert(!std::is_nothrow_copy_assignable_v<Matrix<double>> && std::is_nothrow_move_assignable_v<Matrix<double>>);

TEST(Matrix, LargeOnesStartAtZeroOnACacheLineToo) {
  const Matrix<float> large(3000, 1001);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(large.data()) % 64, 0u);
  for (std::size_t i = 0; i < 3000; ++i)
    for (const float value : large.row(i)) ASSERT_EQ(value, 0.0f);
  Matrix<float> copy = large;
  copy(2999, 1000) = 1;
  copy = large;
  EXPECT_EQ(copy(2999, 1000), 0.0f);
  const Matrix<float> moved = std::move(copy);
  EXPECT_EQ(moved.rows(), 3000u);
}

TEST(Matrix, RefusesWrongAndOverflowingSizes) {
  EXPECT_THROW(Matrix<double>(2, 2, std::vector<double>(3)), std::invalid_argument);
  // rows · cols wraps to a small number: refused before anything is allocated.
  EXPECT_THROW(Matrix<double>(SIZE_MAX / 2 + 1, 2), std::invalid_argument);
  EXPECT_THROW(Matrix<double>(std::size_t{1} << 33, std::size_t{1} << 33), std::invalid_argument);
  EXPECT_THROW(Matrix<double>(SIZE_MAX / 8, 1), std::invalid_argument);
  EXPECT_THROW(Matrix<double>(SIZE_MAX / 2 + 1, 2, std::vector<double>{}), std::invalid_argument);
}

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

TEST(EigenAdapter, RoundTripSharesMemory) {
  RowMajor matrix(3, 2);
  matrix << 1, 2, 3, 4, 5, 6;
  const MatrixView<double> view = view_of(matrix);
  EXPECT_EQ(view.data(), matrix.data());
  EXPECT_EQ(view.rows(), 3u);
  EXPECT_EQ(view.cols(), 2u);
  view(1, 0) = 30;
  EXPECT_EQ(matrix(1, 0), 30);
  auto map = map_of(view);
  EXPECT_EQ(map, matrix);
  map(2, 1) = 60;
  EXPECT_EQ(matrix(2, 1), 60);
  const RowMajor& constant = matrix;
  static_assert(std::is_same_v<decltype(view_of(constant)), MatrixView<const double>>);
  EXPECT_EQ(map_of(view_of(constant)), matrix);
}

TEST(EigenAdapter, BlocksKeepTheOuterStride) {
  RowMajor matrix(4, 5);
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<double>(i);
  auto block = matrix.block(1, 2, 2, 3);
  const auto view = view_of(block);
  EXPECT_EQ(view.stride(), 5u);
  EXPECT_EQ(view(0, 0), matrix(1, 2));
  EXPECT_EQ(view(1, 2), matrix(2, 4));
  EXPECT_EQ(map_of(view), block);
  auto rows = matrix.middleRows(1, 2);
  EXPECT_EQ(map_of(view_of(rows)), rows);
  // A column of a row-major matrix: elements a row apart.
  auto column = matrix.col(3);
  const auto column_view = view_of(column);
  EXPECT_EQ(column_view.cols(), 1u);
  EXPECT_EQ(column_view(2, 0), matrix(2, 3));
}

TEST(EigenAdapter, ColumnVectorsAndRowVectors) {
  Eigen::VectorXd column = Eigen::VectorXd::LinSpaced(4, 1, 4);
  const auto view = view_of(column);
  EXPECT_EQ(view.rows(), 4u);
  EXPECT_EQ(view.cols(), 1u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(view(i, 0), static_cast<double>(i + 1));
  auto segment = column.segment(1, 2);
  EXPECT_EQ(view_of(segment)(1, 0), 3.0);
  Eigen::RowVectorXd row = Eigen::RowVectorXd::LinSpaced(3, 1, 3);
  EXPECT_EQ(view_of(row).cols(), 3u);
  EXPECT_EQ(view_of(row)(0, 2), 3.0);
}

TEST(EigenAdapter, RefusesRowsWithGaps) {
  std::vector<double> memory(12);
  Eigen::Map<RowMajor, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>> gaps(memory.data(), 2, 3, {6, 2});
  EXPECT_THROW(view_of(gaps), std::invalid_argument);
}

TEST(EigenAdapter, MapOfAStridedView) {
  std::vector<double> memory{1, 2, 0, 3, 4, 0};
  const auto map = map_of(MatrixView<const double>(memory.data(), 2, 2, 3));
  EXPECT_EQ(map(1, 1), 4.0);
  EXPECT_EQ(map.sum(), 10.0);
}

}  // namespace
}  // namespace askrff::test
