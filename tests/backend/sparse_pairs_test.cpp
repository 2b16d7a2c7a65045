// Forms of pairs of sparse rows on every backend: the stated error against the oracle's arithmetic, with and without a shift, the same bits
// in any block, equal rows, and numbers whose squares overflow.
#include <gtest/gtest.h>

#include <cmath>

#include "backend/every_backend.hpp"
#include "support/same_bits.hpp"
#include "support/sparse_rows.hpp"

namespace askrff::test {
namespace {

using backend::PairForm;
using Real = long double;

constexpr PairForm all_forms[] = {PairForm::squared, PairForm::absolute, PairForm::product};

Real term(PairForm form, Real difference) {
  if (form == PairForm::absolute) return std::fabs(difference);
  return difference * difference + (form == PairForm::product ? 1 : 0);
}

struct Exact {
  Real value, error;
};

/// The form, and the error the primitive states.
Exact exact(PairForm form, std::span<const double> x, std::span<const double> y, std::span<const double> shift) {
  const bool is_product = form == PairForm::product;
  Real value = is_product ? 1 : 0, size = 0;
  std::size_t n = 0;
  for (std::size_t c = 0; c < x.size(); ++c) {
    const Real s = shift.empty() ? 0 : shift[c], each = term(form, x[c] + s - y[c]);
    value = is_product ? value * each : value + each;
    size += term(form, x[c]) + term(form, y[c] - s);
    n += x[c] != 0 || y[c] != 0 || s != 0 ? 1 : 0;
  }
  // Every coordinate of a product is a quotient of two rounded sums, and a shifted y is rounded first.
  return {value, is_product ? 16 * static_cast<Real>(n + 4) * 0x1p-52L * value : 2 * static_cast<Real>(n + 4) * 0x1p-52L * size};
}

class SparsePairs : public EveryBackend {
 protected:
  Matrix<double> forms(PairForm form, const SparseView<double>& x, const SparseView<double>& y, std::span<const double> shift) const {
    Matrix<double> out(x.rows(), y.rows());
    primitives().sparse_pairs(form, backend::rows_of(x), backend::rows_of(y), shift.empty() ? nullptr : shift.data(), x.cols(),
                              backend::rows_of(out.view()));
    return out;
  }
};

TEST_P(SparsePairs, HaveTheStatedError) {
  for (const std::size_t dim : {1, 9, 300})
    for (const bool shifted : {false, true}) {
      const Matrix<double> X = rows_with_zeros<double>(11, dim, 0.3, dim, 2), Y = rows_with_zeros<double>(37, dim, 0.3, dim + 1, 2);
      const SparseMatrix<double> x = SparseMatrix<double>::of(X), y = SparseMatrix<double>::of(Y);
      const Matrix<double> all_shifts = rows_with_zeros<double>(1, dim, 0.5, dim + 2, 1);
      const std::span<const double> shift = shifted ? all_shifts.row(0) : std::span<const double>();
      for (const PairForm form : all_forms) {
        if (form == PairForm::product && dim > 100) continue;  // beyond the doubles
        const Matrix<double> found = forms(form, x, y, shift);
        for (std::size_t i = 0; i < X.rows(); ++i)
          for (std::size_t j = 0; j < Y.rows(); ++j) {
            const Exact wanted = exact(form, X.row(i), Y.row(j), shift);
            ASSERT_NEAR(found(i, j), static_cast<double>(wanted.value), static_cast<double>(wanted.error))
                << dim << " " << shifted << " " << static_cast<int>(form);
          }
      }
    }
}

TEST_P(SparsePairs, AreTheSameBitsInAnyBlock) {
  const SparseMatrix<double> x = SparseMatrix<double>::of(rows_with_zeros<double>(40, 90, 0.1, 1, 1));
  for (const PairForm form : all_forms) {
    const Matrix<double> whole = forms(form, x, x, {});
    for (const std::size_t first : {0u, 3u, 17u, 39u}) {
      const Matrix<double> some = forms(form, x.view().middle_rows(first, 1), x.view().middle_rows(first / 2, 20), {});
      for (std::size_t j = 0; j < 20; ++j) ASSERT_EQ(some(0, j), whole(first, first / 2 + j));
    }
  }
}

TEST_P(SparsePairs, EqualRowsAreAtNoDistance) {
  const SparseMatrix<double> x = SparseMatrix<double>::of(rows_with_zeros<double>(70, 500, 0.1, 4, 1e6));
  for (const PairForm form : {PairForm::squared, PairForm::absolute}) {
    const Matrix<double> found = forms(form, x, x, {});
    for (std::size_t i = 0; i < found.rows(); ++i) EXPECT_EQ(found(i, i), 0.0);
    for (std::size_t i = 0; i < found.rows(); ++i)
      for (std::size_t j = 0; j < found.cols(); ++j) EXPECT_GE(found(i, j), 0.0);
  }
}

// Numbers that rows have in common, a time stamp for instance, cancel: the distance keeps its digits.
TEST_P(SparsePairs, KeepTheirDigitsFarFromTheOrigin) {
  Matrix<double> X = rows_with_zeros<double>(20, 300, 0.05, 6);
  const Matrix<double> steps = uniform_matrix(20, 1, 7);
  for (std::size_t i = 0; i < X.rows(); ++i) X(i, 0) = 1.7e9 + std::round(16 * steps(i, 0)) / 16;
  const SparseMatrix<double> x = SparseMatrix<double>::of(X);
  std::vector<double> shift(300);
  shift[0] = 0.5, shift[7] = 1;
  for (const PairForm form : all_forms)
    for (const std::span<const double> used : {std::span<const double>(), std::span<const double>(shift)}) {
      if (form == PairForm::product && !used.empty()) continue;
      const Matrix<double> found = forms(form, x, x, used);
      for (std::size_t i = 0; i < X.rows(); ++i)
        for (std::size_t j = 0; j < X.rows(); ++j) {
          const double wanted = static_cast<double>(exact(form, X.row(i), X.row(j), used).value);
          ASSERT_NEAR(found(i, j), wanted, 300 * 0x1p-30 * wanted) << static_cast<int>(form);
        }
    }
}

TEST_P(SparsePairs, NumbersWhoseSquaresOverflow) {
  Matrix<double> X(3, 4);
  X(0, 1) = 1e200, X(1, 1) = 1e200, X(1, 2) = 3, X(2, 0) = 1;
  const SparseMatrix<double> x = SparseMatrix<double>::of(X);
  const Matrix<double> found = forms(PairForm::squared, x, x, {});
  EXPECT_EQ(found(0, 0), 0.0);
  EXPECT_EQ(found(0, 1), 9.0);
  EXPECT_TRUE(std::isinf(found(0, 2)));
  EXPECT_EQ(forms(PairForm::product, x, x, {})(0, 1), 10.0);
}

TEST_P(SparsePairs, RowsWithoutNumbersAndNoRows) {
  SparseMatrix<double> x(5);
  x.add_row({}, {});
  EXPECT_EQ(forms(PairForm::squared, x, x, {})(0, 0), 0.0);
  EXPECT_EQ(forms(PairForm::product, x, x, {})(0, 0), 1.0);
  EXPECT_EQ(forms(PairForm::squared, x, SparseMatrix<double>(5), {}).cols(), 0u);
}

INSTANTIATE_TEST_SUITE_P(All, SparsePairs, testing::ValuesIn(backend_names()), backend_test_name);

}  // namespace
}  // namespace askrff::test
