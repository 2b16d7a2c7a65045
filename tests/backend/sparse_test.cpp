// Waves of sparse rows on every backend: the bits of the same rows written out, whatever the sizes, the density and the phases.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/sampling.hpp"
#include "backend/every_backend.hpp"
#include "support/same_bits.hpp"
#include "support/sparse_rows.hpp"

namespace askrff::test {
namespace {

class SparseWaves : public EveryBackend {
 protected:
  template <class T>
  void expect_bits_of_dense(const backend::Projection& projection, const Matrix<T>& X, std::size_t n) const {
    const SparseMatrix<T> sparse = SparseMatrix<T>::of(X);
    const Matrix<double> parts = random_matrix(n, 2, 5);
    std::vector<double> along, across;
    for (std::size_t j = 0; j < n; ++j) along.push_back(parts(j, 0)), across.push_back(j % 3 == 0 ? 0.0 : parts(j, 1));
    const backend::Amplitudes amplitudes(along, across);
    const Matrix<T> weights = random_rows<T>(2 * n, 1, 6), values = random_rows<T>(X.rows(), 1, 7);
    const auto& table = primitives().of<T>();
    Matrix<T> waves[2], times[2];
    Matrix<double> sums[2];
    for (const bool is_sparse : {false, true}) {
      const backend::InputRows<T> rows =
          is_sparse ? backend::InputRows<T>(backend::rows_of(sparse.view())) : backend::InputRows<T>(backend::rows_of(X.view()));
      for (const backend::Store store : {backend::Store::cached, backend::Store::streaming}) {
        waves[is_sparse] = Matrix<T>(X.rows(), 2 * n);
        table.waves(projection, amplitudes, rows, backend::rows_of(waves[is_sparse].view()), store);
      }
      times[is_sparse] = Matrix<T>(X.rows(), 1);
      table.waves_times(projection, amplitudes, rows, weights.data(), times[is_sparse].data());
      sums[is_sparse] = Matrix<double>(2 * n, 1);
      table.waves_transposed_times(projection, amplitudes, rows, values.data(), sums[is_sparse].data());
    }
    expect_same(waves[0], waves[1]);
    expect_same(times[0], times[1]);
    double size = 0;  // of all values; amplitudes are below 6
    for (std::size_t i = 0; i < X.rows(); ++i) size += 6 * std::abs(static_cast<double>(values(i, 0)));
    expect_same_sums<T>(sums[0], sums[1], size);
  }

  /// scale: of the rows; 3000 makes phases that floats cannot hold.
  template <class T>
  void expect_bits_for_all_sizes(double scale) const {
    for (const std::size_t dim : {1, 7, 130, 700})
      for (const std::size_t n : {1, 31, 64, 100}) {
        const auto projection = primitives().make_projection(random_matrix(n, dim, 10 * n + dim));
        for (const std::size_t rows : {1, 9, 200})
          expect_bits_of_dense<T>(*projection, rows_with_zeros<T>(rows, dim, dim > 100 ? 0.02 : 0.4, rows + dim, scale), n);
      }
  }
};

TEST_P(SparseWaves, AreThoseOfDenseRows) {
  expect_bits_for_all_sizes<double>(1);
  expect_bits_for_all_sizes<float>(1);
}

TEST_P(SparseWaves, AreThoseOfDenseRowsFarOut) {
  expect_bits_for_all_sizes<double>(3000);
  expect_bits_for_all_sizes<float>(3000);
  expect_bits_for_all_sizes<float>(30);  // some rows of a block, some waves of a row
}

TEST_P(SparseWaves, OfStructuredFrequenciesToo) {
  for (const std::size_t dim : {5, 64, 200}) {
    const std::size_t n = 150;
    const auto projection = primitives().make_structured_projection(draw_hadamard_blocks(n, dim, 3));
    expect_bits_of_dense<double>(*projection, rows_with_zeros<double>(33, dim, 0.1, dim), n);
    expect_bits_of_dense<float>(*projection, rows_with_zeros<float>(33, dim, 0.1, dim), n);
    expect_bits_of_dense<float>(*projection, rows_with_zeros<float>(33, dim, 0.1, dim, 3000), n);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SparseWaves, testing::ValuesIn(backend_names()), backend_test_name);

}  // namespace
}  // namespace askrff::test
