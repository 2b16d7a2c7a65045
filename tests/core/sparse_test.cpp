// Sparse rows: views, owners, and everything that is refused.
#include "askrff/sparse.hpp"

#include <gtest/gtest.h>

#include "support/same_bits.hpp"
#include "support/sparse_rows.hpp"

namespace askrff::test {
namespace {

using Starts = std::vector<std::uint64_t>;
using ColumnNumbers = std::vector<std::uint32_t>;
using Values = std::vector<double>;

Matrix<double> dense(const SparseView<double>& rows) {
  Matrix<double> out(rows.rows(), rows.cols());
  std::fill_n(out.data(), out.rows() * out.cols(), 7.0);
  rows.copy_to(out.view());
  return out;
}

TEST(SparseView, HoldsWhatIsNotZero) {
  const Matrix<double> X = rows_with_zeros<double>(40, 23, 0.2, 1);
  const SparseMatrix<double> sparse = SparseMatrix<double>::of(X);
  expect_same(dense(sparse), X);
  EXPECT_EQ(sparse.view().columns_of(3).size(), 0u);
  const SparseView<double> some = sparse.view().middle_rows(10, 20);
  EXPECT_EQ(some.rows(), 20u);
  EXPECT_EQ(some.n_values(), some.all_values().size());
  EXPECT_EQ(dense(some)(19, 5), X(29, 5));
  EXPECT_EQ(sparse.view().middle_rows(40, 0).n_values(), 0u);
  EXPECT_THROW(sparse.view().middle_rows(39, 2), std::out_of_range);
}

TEST(SparseView, HasNoRowsOrNoValues) {
  EXPECT_TRUE(SparseView<float>().empty());
  EXPECT_TRUE(SparseMatrix<float>(5).view().empty());
  const Starts starts{0, 0, 0};
  const SparseView<double> zeros(starts, {}, {}, 3);
  EXPECT_EQ(zeros.rows(), 2u);
  EXPECT_EQ(zeros.n_values(), 0u);
}

TEST(SparseView, RefusesPlacesThatAreNone) {
  const auto view = [](const Starts& starts, const ColumnNumbers& columns, const Values& values, std::size_t cols = 4) {
    return SparseView<double>(starts, columns, values, cols);
  };
  EXPECT_NO_THROW(view({0, 2, 3}, {0, 3, 1}, {1, 2, 3}));
  EXPECT_THROW(view({}, {}, {}), InvalidArgument);
  EXPECT_THROW(view({0, 2, 1}, {0, 3}, {1, 2}), InvalidArgument);  // decreasing
  EXPECT_THROW(view({0, 3}, {0, 3}, {1, 2}), InvalidArgument);     // beyond the values
  EXPECT_THROW(view({0, ~std::uint64_t{0}}, {0, 3}, {1, 2}), InvalidArgument);
  EXPECT_THROW(view({0, 2}, {3, 0}, {1, 2}), InvalidArgument);  // unsorted
  EXPECT_THROW(view({0, 2}, {3, 3}, {1, 2}), InvalidArgument);  // twice
  EXPECT_THROW(view({0, 2}, {0, 4}, {1, 2}), InvalidArgument);  // beyond the columns
  EXPECT_THROW(view({0, 1}, {0xFFFFFFFF}, {1}), InvalidArgument);
  EXPECT_THROW(view({0, 1}, {0}, {1, 2}), InvalidArgument);  // not as many
  EXPECT_THROW(view({0, 1}, {0}, {1}, 0), InvalidArgument);
}

TEST(SparseMatrix, RefusesRowsThatAreNoneAndKeepsTheOthers) {
  SparseMatrix<double> rows(3);
  rows.add_row(ColumnNumbers{1}, Values{2});
  EXPECT_THROW(rows.add_row(ColumnNumbers{3}, Values{2}), InvalidArgument);
  EXPECT_THROW(rows.add_row(ColumnNumbers{2, 1}, Values{2, 3}), InvalidArgument);
  EXPECT_THROW(rows.add_row(ColumnNumbers{2}, Values{2, 3}), InvalidArgument);
  EXPECT_EQ(rows.rows(), 1u);
  Matrix<double> wrong(2, 3);
  EXPECT_THROW(rows.view().copy_to(wrong.view()), InvalidArgument);
}

}  // namespace
}  // namespace askrff::test
