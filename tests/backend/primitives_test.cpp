// One test body for every backend, forced by name, against the long double oracle. A new backend is one line in `backends`.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "askrff/features.hpp"
#include "backend/backend.hpp"
#include "backend/environment.hpp"
#include "support/random_inputs.hpp"
#include "oracle/oracle.hpp"

namespace askrff::test {
namespace {

using oracle::Real;

struct NamedBackend {
  const char* name;
  Backend backend;
};
constexpr NamedBackend backends[] = {{"reference", Backend::reference}};

class EveryBackend : public testing::TestWithParam<NamedBackend> {
 protected:
  const backend::Primitives& primitives() const { return backend::select(GetParam().backend); }
};
INSTANTIATE_TEST_SUITE_P(Backends, EveryBackend, testing::ValuesIn(backends),
                         [](const auto& each) { return std::string(each.param.name); });

TEST_P(EveryBackend, RunsUnderItsName) {
  EXPECT_EQ(primitives().name, GetParam().name);
  EXPECT_EQ(FeatureMap(random_atoms(3, 2, 1), GetParam().backend).backend_name(), GetParam().name);
}

TEST_P(EveryBackend, IsForcedByTheEnvironment) {
  const BackendEnvironment forced(GetParam().name);
  EXPECT_EQ(backend::select(Backend::automatic).name, GetParam().name);
  const FeatureMap map(random_atoms(3, 2, 1));
  EXPECT_EQ(map.backend_name(), GetParam().name);
  EXPECT_EQ(map.left(random_matrix(2, 2, 2)).rows(), 2u);
}

template <class T>
void call_waves(const backend::Primitives& primitives, const T* x, std::size_t rows, std::size_t x_stride, const backend::WaveBlock& block,
                T* out, std::size_t out_stride) {
  if constexpr (std::is_same_v<T, float>)
    primitives.waves_float(x, rows, x_stride, block, out, out_stride);
  else
    primitives.waves_double(x, rows, x_stride, block, out, out_stride);
}

/// Every entry within the stated error of the oracle, and nothing written beside the output.
template <class T>
void check_waves(const backend::Primitives& primitives, std::size_t rows, std::size_t n, std::size_t dim, std::size_t in_gap,
                 std::size_t out_gap) {
  const auto omega = random_matrix(n, dim, 10 * n + dim), amplitudes = random_matrix(n, 2, 20 * n + dim),
             wide = random_matrix(rows, dim, 30 * rows + dim);
  Matrix<T> X(rows, dim);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t c = 0; c < dim; ++c) X(i, c) = static_cast<T>(wide(i, c));
  std::vector<double> along, across;
  for (std::size_t j = 0; j < n; ++j) along.push_back(amplitudes(j, 0)), across.push_back(j % 3 == 0 ? 0.0 : amplitudes(j, 1));
  const backend::WaveBlock block{omega.data(), along.data(), across.data(), n, dim};
  const std::size_t in_stride = dim + in_gap, out_stride = 2 * n + out_gap;
  const auto x = spread<T>(X, in_stride, std::numeric_limits<T>::quiet_NaN());
  const T filling = -77;
  std::vector<T> out(rows * out_stride, filling);
  call_waves<T>(primitives, x.data(), rows, in_stride, block, out.data(), out_stride);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      Real u = 0, size = 0;
      for (std::size_t c = 0; c < dim; ++c) {
        const Real term = static_cast<Real>(omega(j, c)) * X(i, c);
        u += term;
        size += std::fabs(term);
      }
      const Real a = along[j], b = across[j], modulus = std::fabs(a) + std::fabs(b);
      const Real expected[2] = {a * std::cos(u) - b * std::sin(u), a * std::sin(u) + b * std::cos(u)};
      for (std::size_t half = 0; half < 2; ++half) {
        const Real phase_error = static_cast<Real>(dim + 2) / 2 * std::numeric_limits<double>::epsilon() * size;
        const Real in_double = modulus * (phase_error + 4 * static_cast<Real>(std::numeric_limits<double>::epsilon()));
        // float: computed in double, then one rounding.
        const Real rounding =
            std::is_same_v<T, float> ? std::fabs(expected[half]) * std::numeric_limits<float>::epsilon() / 2 * (1 + 1e-6L) : 0;
        ASSERT_LE(std::fabs(static_cast<Real>(out[i * out_stride + half * n + j]) - expected[half]), in_double + rounding)
            << rows << " rows, " << n << " waves, dim " << dim << " at " << i << ", " << j;
      }
    }
    for (std::size_t gap = 2 * n; gap < out_stride; ++gap) ASSERT_EQ(out[i * out_stride + gap], filling);
  }
}

TEST_P(EveryBackend, WavesOfEverySmallSize) {
  for (std::size_t rows = 1; rows <= 9; ++rows)
    for (std::size_t n = 1; n <= 9; ++n)
      for (const std::size_t dim : {1, 2, 3, 4, 5, 6, 7, 8, 9, 57}) {
        check_waves<double>(primitives(), rows, n, dim, 0, 0);
        check_waves<float>(primitives(), rows, n, dim, 0, 0);
        if (HasFatalFailure()) return;
      }
}

TEST_P(EveryBackend, WavesOfLargerSizesAndStrides) {
  for (const auto& [rows, n, dim] : {std::tuple{31, 65, 3}, {17, 130, 16}, {64, 33, 57}, {5, 257, 1}})
    for (const std::size_t gap : {0, 1, 3, 8}) {
      check_waves<double>(primitives(), static_cast<std::size_t>(rows), static_cast<std::size_t>(n), static_cast<std::size_t>(dim), gap,
                          2 * gap);
      check_waves<float>(primitives(), static_cast<std::size_t>(rows), static_cast<std::size_t>(n), static_cast<std::size_t>(dim), gap,
                         2 * gap);
      if (HasFatalFailure()) return;
    }
  check_waves<double>(primitives(), 0, 3, 2, 0, 0);
  check_waves<float>(primitives(), 0, 3, 2, 0, 0);
}

/// Each output depends on its own row and wave only.
TEST_P(EveryBackend, WavesHaveTheSameBitsInAnyBlock) {
  const std::size_t rows = 13, n = 21, dim = 5;
  const auto omega = random_matrix(n, dim, 1), amplitudes = random_matrix(2, n, 2), X = random_matrix(rows, dim, 3);
  const backend::WaveBlock whole{omega.data(), amplitudes.row(0).data(), amplitudes.row(1).data(), n, dim};
  Matrix<double> expected(rows, 2 * n);
  primitives().waves_double(X.data(), rows, dim, whole, expected.data(), 2 * n);
  for (std::size_t first = 0; first < n; ++first)
    for (const std::size_t count : {std::size_t{1}, std::size_t{3}, n - first}) {
      if (first + count > n) continue;
      const backend::WaveBlock part{omega.row(first).data(), amplitudes.row(0).data() + first, amplitudes.row(1).data() + first, count,
                                    dim};
      for (const std::size_t row : {0, 7, 12}) {
        std::vector<double> out(2 * count);
        primitives().waves_double(X.row(row).data(), 1, dim, part, out.data(), 2 * count);
        for (std::size_t j = 0; j < count; ++j) {
          ASSERT_EQ(out[j], expected(row, first + j));
          ASSERT_EQ(out[count + j], expected(row, n + first + j));
        }
      }
    }
}

/// Sums in the order of the features: the same bits as a plain loop, at every edge of the tiles.
TEST_P(EveryBackend, ProductsOfEverySmallSize) {
  for (std::size_t a_rows = 0; a_rows <= 9; ++a_rows)
    for (std::size_t b_rows = 0; b_rows <= 9; ++b_rows)
      for (const std::size_t n : {0, 1, 2, 7, 64, 131})
        for (const std::size_t gap : {0, 3}) {
          const auto A = random_matrix(a_rows, n, 1), B = random_matrix(b_rows, n, 2);
          const auto a = spread<double>(A, n + gap, std::numeric_limits<double>::quiet_NaN());
          const auto b = spread<double>(B, n + 2 * gap, std::numeric_limits<double>::quiet_NaN());
          const std::size_t out_stride = b_rows + gap;
          std::vector<double> out(a_rows * out_stride, -77.0);
          primitives().product(a.data(), a_rows, n + gap, b.data(), b_rows, n + 2 * gap, n, out.data(), out_stride);
          for (std::size_t i = 0; i < a_rows; ++i)
            for (std::size_t j = 0; j < out_stride; ++j) {
              if (j >= b_rows) {
                ASSERT_EQ(out[i * out_stride + j], -77.0);
                continue;
              }
              double sum = 0;
              Real exact = 0, size = 0;
              for (std::size_t f = 0; f < n; ++f) {
                sum += A(i, f) * B(j, f);
                exact += static_cast<Real>(A(i, f)) * B(j, f);
                size += std::fabs(static_cast<Real>(A(i, f)) * B(j, f));
              }
              ASSERT_LE(std::fabs(out[i * out_stride + j] - exact), static_cast<Real>(n) * std::numeric_limits<double>::epsilon() * size);
              if (GetParam().backend == Backend::reference) {
                ASSERT_EQ(out[i * out_stride + j], sum);
              }
            }
        }
}

}  // namespace
}  // namespace askrff::test
