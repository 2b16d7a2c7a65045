// Products of sparse rows on every backend: the bits of the dense product of the same rows written out.
#include <gtest/gtest.h>

#include "backend/every_backend.hpp"
#include "core/transpose.hpp"
#include "support/same_bits.hpp"
#include "support/sparse_rows.hpp"

namespace askrff::test {
namespace {

class SparseProduct : public EveryBackend {};

TEST_P(SparseProduct, IsThatOfDenseRows) {
  for (const std::size_t inner : {1, 7, 300})
    for (const std::size_t n : {1, 2, 3, 7, 8, 15, 16, 33, 64, 129}) {
      const Matrix<double> A = rows_with_zeros<double>(23, inner, 0.3, inner + n), B = random_matrix(inner, n, 5);
      const Matrix<double> Bt = transposed<double>(B);
      Matrix<double> dense(A.rows(), n), sparse = random_matrix(A.rows(), n + 3, 9);
      primitives().for_double.product(backend::rows_of(A.view()), backend::rows_of(Bt.view()), inner, backend::rows_of(dense.view()),
                                      backend::Update::set);
      const Matrix<double> before = sparse;
      const SparseMatrix<double> rows = SparseMatrix<double>::of(A);
      primitives().sparse_product(backend::rows_of(rows.view()), backend::rows_of(B.view()), n, {sparse.data(), A.rows(), n + 3});
      for (std::size_t i = 0; i < A.rows(); ++i) {
        for (std::size_t f = 0; f < n; ++f) ASSERT_EQ(sparse(i, f), dense(i, f)) << inner << " " << n << " " << i << " " << f;
        for (std::size_t f = n; f < n + 3; ++f) ASSERT_EQ(sparse(i, f), before(i, f));  // nothing beyond
      }
    }
}

INSTANTIATE_TEST_SUITE_P(All, SparseProduct, testing::ValuesIn(backend_names()), backend_test_name);

}  // namespace
}  // namespace askrff::test
