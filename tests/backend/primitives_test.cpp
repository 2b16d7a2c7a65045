// One test body for every backend, forced by name, against the long double oracle. Every backend that runs here is tested.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <string>
#include <tuple>
#include <vector>

#include "askrff/features.hpp"
#include "backend/backend.hpp"
#include "backend/environment.hpp"
#include "backend/every_backend.hpp"
#include "backend/wave_cases.hpp"
#include "support/random_inputs.hpp"
#include "oracle/oracle.hpp"

namespace askrff::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Backends, EveryBackend, testing::ValuesIn(backend_names()), backend_test_name);

TEST_P(EveryBackend, RunsUnderItsName) {
  EXPECT_EQ(primitives().name, GetParam());
  // The name of a simd table is stated by the code compiled for that target; and no two tables share code.
  for (const backend::Primitives* other : backend::available()) {
    if (other->name == GetParam()) continue;
    EXPECT_NE(primitives().for_float.waves, other->for_float.waves) << other->name;
    EXPECT_NE(primitives().for_double.product, other->for_double.product) << other->name;
  }
}

/// What is forced is what runs: features of the forced backend are those of its table, to the bit.
TEST_P(EveryBackend, IsForcedByTheEnvironment) {
  const BackendEnvironment forced(GetParam().c_str());
  EXPECT_EQ(backend::select(Backend::automatic).name, GetParam());
  const auto omega = random_matrix(40, 3, 1);
  const FeatureMap map(SpectralAtoms(omega, std::vector<std::complex<double>>(40, 1.0)));
  EXPECT_EQ(map.backend_name(), GetParam());
  const auto X = random_matrix(50, 3, 2);
  const auto features = map.right(X);
  Matrix<double> expected(50, 80);
  const auto projection = primitives().make_projection(omega);
  const backend::Amplitudes ones(std::vector<double>(40, 1.0), std::vector<double>(40, 0.0));
  primitives().for_double.waves(*projection, ones, backend::rows_of(X.view()), backend::rows_of(expected.view()), backend::Store::cached);
  for (std::size_t i = 0; i < 50; ++i)
    for (std::size_t f = 0; f < 80; ++f) ASSERT_EQ(features(i, f), expected(i, f));
}

TEST_P(EveryBackend, WavesOfEverySmallSize) {
  for (std::size_t rows = 1; rows <= 13; rows += rows < 9 ? 1 : 2)
    for (const std::size_t n : {1, 2, 3, 5, 8, 15, 16, 17, 31, 32, 33})
      for (const std::size_t dim : {1, 2, 3, 4, 5, 7, 57}) {
        check_waves(primitives(), Case<double>(rows, n, dim), 0, 0);
        check_waves(primitives(), Case<float>(rows, n, dim), 0, 0);
        if (HasFatalFailure()) return;
      }
}

TEST_P(EveryBackend, WavesOfLargerSizesAndStrides) {
  for (const auto& [rows, n, dim] :
       {std::tuple<std::size_t, std::size_t, std::size_t>{31, 65, 3}, {17, 130, 16}, {200, 64, 57}, {5, 257, 1}})
    for (const std::size_t gap : {0, 1, 3, 16})
      for (const auto store : {backend::Store::cached, backend::Store::streaming}) {
        check_waves(primitives(), Case<double>(rows, n, dim), gap, 2 * gap, store);
        check_waves(primitives(), Case<float>(rows, n, dim), gap, 2 * gap, store);
        if (HasFatalFailure()) return;
      }
  check_waves(primitives(), Case<double>(0, 3, 2), 0, 0);
  check_waves(primitives(), Case<float>(0, 3, 2), 0, 0);
}

/// Many tiny terms beside a quarter of a turn, of which each alone is lost: the stated error has the quarter turn in it.
TEST_P(EveryBackend, TinyTermsBesideAQuarterTurn) {
  Case<float> given(3, 33, 784);
  for (std::size_t j = 0; j < 33; ++j) {
    given.along[j] = 0, given.across[j] = 1;
    for (double& value : given.omega.row(j)) value = 6;
  }
  for (std::size_t i = 0; i < 3; ++i)
    for (float& value : given.X.row(i)) value = 1.1e-8f;
  check_waves(primitives(), given, 0, 0);
}

/// More coordinates than are summed at a time (256), and rows too long for a block of 192.
TEST_P(EveryBackend, WavesOfManyCoordinates) {
  for (const std::size_t dim : {255, 257, 784, 3000}) {
    const double scale = 1 / std::sqrt(static_cast<double>(dim));
    check_waves(primitives(), Case<double>(13, 40, dim, scale), 0, 0);
    check_waves(primitives(), Case<float>(13, 40, dim, scale), 0, 0);
    if (HasFatalFailure()) return;
  }
}

/// Phases of up to 10^9 radians, among small ones in the same rows and the same panel of waves.
TEST_P(EveryBackend, LargePhases) {
  for (const double scale : {1e2, 1e3, 1e5, 1e7, 1e9}) {
    check_waves(primitives(), Case<double>(25, 70, 3, scale), 0, 0);
    check_waves(primitives(), Case<float>(25, 70, 3, scale), 0, 0);
    Case<float> mixed(25, 70, 3);
    for (std::size_t j = 0; j < 70; j += 5)
      for (double& value : mixed.omega.row(j)) value *= scale;
    for (std::size_t i = 0; i < 25; i += 4)
      for (float& value : mixed.X.row(i)) value *= 30;
    check_waves(primitives(), mixed, 0, 0);
    if (HasFatalFailure()) return;
  }
}

/// Frequencies that float cannot hold, and phases beyond all digits of a double: finite, and no larger than the amplitude.
TEST_P(EveryBackend, PhasesBeyondAllDigitsStayBounded) {
  const std::size_t n = 40;
  Matrix<double> omega(n, 2);
  for (std::size_t j = 0; j < n; ++j) omega(j, 0) = std::pow(10.0, 5.0 * static_cast<double>(j)) * 1e-20, omega(j, 1) = 1;
  const backend::Amplitudes ones(std::vector<double>(n, 1.0), std::vector<double>(n, 0.0));
  const auto projection = primitives().make_projection(omega);
  const auto check = [&]<class T>(T small, T large) {
    const Matrix<T> X(3, 2, {0, 0, small, small, large, -large});
    Matrix<T> out(3, 2 * n);
    primitives().of<T>().waves(*projection, ones, backend::rows_of(X.view()), backend::rows_of(out.view()), backend::Store::cached);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t f = 0; f < 2 * n; ++f) {
        ASSERT_TRUE(std::fabs(out(i, f)) <= T(1.000001)) << i << " " << f << " " << out(i, f);
        if (i == 0) {
          ASSERT_EQ(out(i, f), f < n ? T{1} : T{0});
        }
      }
  };
  check(1e-30f, 1e30f);
  check(1e-30, 1e100);
}

/// Each output depends on its own row and wave only.
template <class T>
void check_blocks(const backend::Primitives& primitives, double scale) {
  const Case<T> given(29, 43, 5, scale);
  const std::size_t rows = 29, n = 43, dim = 5;
  const auto whole = primitives.make_projection(given.omega);
  Matrix<T> expected(rows, 2 * n);
  primitives.of<T>().waves(*whole, given.waves(), backend::rows_of(given.X.view()), backend::rows_of(expected.view()),
                           backend::Store::cached);
  for (std::size_t first = 0; first < n; first += 4)
    for (const std::size_t count : {std::size_t{1}, std::size_t{3}, n - first}) {
      if (first + count > n) continue;
      const auto part = primitives.make_projection(given.omega.view().middle_rows(first, count));
      const backend::Amplitudes waves({given.along.begin() + first, given.along.begin() + first + count},
                                      {given.across.begin() + first, given.across.begin() + first + count});
      for (const std::size_t row : {0, 7, 12, 28}) {
        std::vector<T> out(2 * count);
        primitives.of<T>().waves(*part, waves, backend::Rows<const T>{given.X.row(row).data(), 1, dim}, {out.data(), 1, 2 * count},
                                 backend::Store::cached);
        for (std::size_t j = 0; j < count; ++j) {
          ASSERT_EQ(out[j], expected(row, first + j));
          ASSERT_EQ(out[count + j], expected(row, n + first + j));
        }
      }
    }
}
TEST_P(EveryBackend, WavesHaveTheSameBitsInAnyBlock) {
  for (const double scale : {1.0, 60.0, 1e4}) {
    check_blocks<double>(primitives(), scale);
    check_blocks<float>(primitives(), scale);
  }
}

TEST_P(EveryBackend, ProductsWithWaves) {
  for (const std::size_t rows : {0, 1, 9, 200})
    for (const std::size_t n : {1, 33, 64})
      for (const std::size_t dim : {1, 4, 300}) {
        const double scale = 1 / std::sqrt(static_cast<double>(dim));
        check_sums(primitives(), Case<double>(rows, n, dim, scale));
        check_sums(primitives(), Case<float>(rows, n, dim, scale));
        if (HasFatalFailure()) return;
      }
  check_sums(primitives(), Case<float>(50, 40, 3, 1e4));  // phases that are computed again in double
}

/// A·Bᵀ at every edge of the tiles, within the error of a sum in order.
template <class T>
void check_product(const backend::Primitives& primitives, std::size_t a_rows, std::size_t b_rows, std::size_t n, std::size_t gap) {
  const auto A = random_rows<T>(a_rows, n, 1), B = random_rows<T>(b_rows, n, 2);
  const auto a = spread<T>(A, n + gap, std::numeric_limits<T>::quiet_NaN());
  const auto b = spread<T>(B, n + 2 * gap, std::numeric_limits<T>::quiet_NaN());
  const std::size_t stride = b_rows + gap;
  for (const auto update : {backend::Update::set, backend::Update::add, backend::Update::subtract}) {
    std::vector<T> out(a_rows * stride, T{-77});
    primitives.of<T>().product({a.data(), a_rows, n + gap}, {b.data(), b_rows, n + 2 * gap}, n, {out.data(), a_rows, stride}, update);
    for (std::size_t i = 0; i < a_rows; ++i)
      for (std::size_t j = 0; j < stride; ++j) {
        if (j >= b_rows) {
          ASSERT_EQ(out[i * stride + j], T{-77});
          continue;
        }
        Real exact = 0, size = 80;
        for (std::size_t f = 0; f < n; ++f) {
          exact += static_cast<Real>(A(i, f)) * B(j, f);
          size += std::fabs(static_cast<Real>(A(i, f)) * B(j, f));
        }
        exact = update == backend::Update::set ? exact : update == backend::Update::add ? -77 + exact : -77 - exact;
        ASSERT_LE(std::fabs(out[i * stride + j] - exact), static_cast<Real>(n + 1) * std::numeric_limits<T>::epsilon() * size);
      }
  }
}
TEST_P(EveryBackend, ProductsOfEverySmallSize) {
  for (const std::size_t a_rows : {0, 1, 5, 6, 7, 8, 9, 13, 200})
    for (const std::size_t b_rows : {0, 1, 15, 16, 17, 31, 33, 70})
      for (const std::size_t n : {0, 1, 7, 300}) {
        check_product<double>(primitives(), a_rows, b_rows, n, n % 2 ? 3 : 0);
        check_product<float>(primitives(), a_rows, b_rows, n, n % 2 ? 3 : 0);
        if (HasFatalFailure()) return;
      }
}

template <class T>
void check_transposed_product(const backend::Primitives& primitives, std::size_t rows, std::size_t a_cols, std::size_t b_cols,
                              std::size_t first, bool upper, bool weighted) {
  const auto A = random_rows<T>(rows, a_cols, 1), B = random_rows<T>(rows, b_cols, 2);
  std::vector<T> weights(rows);
  for (std::size_t i = 0; i < rows; ++i) weights[i] = static_cast<T>(1 + i % 3);
  const std::size_t count = a_cols - first;
  Matrix<double> out(count, b_cols);
  std::fill_n(out.data(), count * b_cols, 2.0);
  primitives.of<T>().transposed_product(backend::rows_of(A.view()), backend::rows_of(B.view()), weighted ? weights.data() : nullptr, b_cols,
                                        first, upper, backend::rows_of(out.view()));
  for (std::size_t f = first; f < a_cols; ++f)
    for (std::size_t g = 0; g < b_cols; ++g) {
      Real exact = 2, size = 2;
      for (std::size_t i = 0; i < rows; ++i) {
        const Real term = static_cast<Real>(A(i, f)) * B(i, g) * (weighted ? weights[i] : T{1});
        exact += term;
        size += std::fabs(term);
      }
      if (upper && g < f)
        ASSERT_EQ(out(f - first, g), 2.0);
      else
        ASSERT_LE(std::fabs(out(f - first, g) - exact), static_cast<Real>(rows + 2) * std::numeric_limits<T>::epsilon() * size)
            << rows << " " << f << " " << g;
    }
}
TEST_P(EveryBackend, TransposedProducts) {
  for (const std::size_t rows : {0, 1, 100, 300})
    for (const std::size_t cols : {1, 8, 33, 70})
      for (const bool upper : {false, true})
        for (const std::size_t first : {std::size_t{0}, cols / 2}) {
          check_transposed_product<double>(primitives(), rows, cols, upper ? cols : 45, first, upper, cols == 33);
          check_transposed_product<float>(primitives(), rows, cols, upper ? cols : 45, first, upper, cols == 33);
          if (HasFatalFailure()) return;
        }
}

/// Both products of one vector with rows 3 elements further apart than they are long; the same bits however the rows are grouped.
template <class T>
void check_rows_with_a_vector(const backend::Primitives& primitives, std::size_t rows, std::size_t n) {
  const auto A = random_rows<T>(rows, n + 3, 1), w = random_rows<T>(1, n, 2), v = random_rows<T>(1, rows, 3);
  const backend::Rows<const T> stored = backend::rows_of(A.view());
  std::vector<T> products(rows, T{5}), one_by_one(rows, T{5});
  primitives.of<T>().rows_times(stored, n, w.data(), products.data());
  for (std::size_t i = 0; i < rows; ++i) primitives.of<T>().rows_times(stored.from(i, 1), n, w.data(), &one_by_one[i]);
  ASSERT_EQ(products, one_by_one);
  std::vector<double> sums(n + 1, 2.0);
  primitives.of<T>().rows_transposed_times(stored, n, v.data(), sums.data());
  ASSERT_EQ(sums[n], 2.0);
  const Real epsilon = std::numeric_limits<T>::epsilon();
  for (std::size_t i = 0; i < rows; ++i) {
    Real exact = 5, size = 5;
    for (std::size_t f = 0; f < n; ++f)
      exact += static_cast<Real>(A(i, f)) * w(0, f), size += std::fabs(static_cast<Real>(A(i, f)) * w(0, f));
    ASSERT_LE(std::fabs(products[i] - exact), static_cast<Real>(n + 2) * epsilon * size) << rows << " " << n;
  }
  for (std::size_t f = 0; f < n; ++f) {
    Real exact = 2, size = 2;
    for (std::size_t i = 0; i < rows; ++i)
      exact += static_cast<Real>(A(i, f)) * v(0, i), size += std::fabs(static_cast<Real>(A(i, f)) * v(0, i));
    ASSERT_LE(std::fabs(sums[f] - exact), static_cast<Real>(rows + 2) * epsilon * size) << rows << " " << n;
  }
}
TEST_P(EveryBackend, StoredRowsWithAVector) {
  for (const std::size_t rows : {0, 1, 3, 4, 5, 191, 192, 193, 400})
    for (const std::size_t n : {1, 7, 8, 15, 16, 17, 100}) {
      check_rows_with_a_vector<double>(primitives(), rows, n);
      check_rows_with_a_vector<float>(primitives(), rows, n);
      if (HasFatalFailure()) return;
    }
}

TEST_P(EveryBackend, PairsOfRows) {
  for (const std::size_t rows : {1, 9, 40})
    for (const std::size_t dim : {0, 1, 5, 260}) {
      const auto X = random_matrix(rows, dim, 1, 0.3), Y = random_matrix(rows + 7, dim, 2, 0.3);
      for (const auto form : {backend::PairForm::squared, backend::PairForm::absolute, backend::PairForm::product}) {
        Matrix<double> out(rows, rows + 7);
        primitives().pairs(form, backend::rows_of(X.view()), backend::rows_of(Y.view()), dim, backend::rows_of(out.view()));
        for (std::size_t i = 0; i < rows; ++i)
          for (std::size_t j = 0; j < rows + 7; ++j) {
            Real value = form == backend::PairForm::product ? 1 : 0;
            for (std::size_t c = 0; c < dim; ++c) {
              const Real difference = static_cast<Real>(X(i, c)) - Y(j, c);
              if (form == backend::PairForm::squared) value += difference * difference;
              if (form == backend::PairForm::absolute) value += std::fabs(difference);
              if (form == backend::PairForm::product) value *= 1 + difference * difference;
            }
            ASSERT_LE(std::fabs(out(i, j) - value), static_cast<Real>(dim + 3) * std::numeric_limits<double>::epsilon() * value);
          }
      }
    }
}

TEST_P(EveryBackend, FillsEveryElementAndNoOther) {
  for (std::size_t first = 0; first < 20; ++first)
    for (const std::size_t n : {0, 1, 15, 16, 17, 100}) {
      std::vector<float> memory(200, -1.0f);
      primitives().fill(memory.data() + first, n, 2.5f);
      for (std::size_t i = 0; i < memory.size(); ++i) ASSERT_EQ(memory[i], i >= first && i < first + n ? 2.5f : -1.0f);
    }
}

}  // namespace
}  // namespace askrff::test
