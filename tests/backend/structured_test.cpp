// The fast transform on every backend, against the dense frequencies it stands for, with the stated error.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "askrff/sampling.hpp"
#include "backend/backend.hpp"
#include "backend/every_backend.hpp"
#include "backend/wave_cases.hpp"

namespace askrff::test {
namespace {

class StructuredOnEveryBackend : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, StructuredOnEveryBackend, testing::ValuesIn(backend_names()), backend_test_name);

template <class T>
struct StructuredCase : Case<T> {
  HadamardBlocks blocks;

  StructuredCase(std::size_t rows, std::size_t n, std::size_t dim, double scale = 1)
      : StructuredCase(rows, draw_hadamard_blocks(n, dim, 7 * n + dim), scale) {}
  StructuredCase(std::size_t rows, HadamardBlocks drawn, double scale)
      : Case<T>(rows, drawn.size(), drawn.dim, scale), blocks(std::move(drawn)) {
    this->omega = blocks.frequencies();
  }
  std::unique_ptr<const backend::Projection> projection(const backend::Primitives& primitives) const {
    return primitives.make_structured_projection(blocks);
  }

  /// As stated in features.hpp; the oracle's dense frequencies are themselves rounded, by less than 4·2^-53.
  typename Case<T>::Exact at(std::size_t i, std::size_t f, bool reference) const {
    auto exact = Case<T>::at(i, f, reference);
    if (reference) return exact;
    const std::size_t j = f % blocks.size();
    Real squares = 0;
    for (const T value : this->X.row(i)) squares += static_cast<Real>(value) * static_cast<Real>(value);
    const Real norm = std::sqrt(squares), a = this->along[j], b = this->across[j], modulus = std::hypot(a, b);
    const Real start = b == 0 ? 0 : a == 0 ? std::numbers::pi_v<Real> / 2 : std::fabs(std::atan(b / a));
    const Real stages = 3 * static_cast<Real>(std::countr_zero(blocks.padded_dim)) + 4;
    const Real reach = norm * std::fabs(static_cast<Real>(blocks.scales[j])), size = reach + start;
    const Real in_double = (stages + 4) * 0x1p-53L * size + 1.3e-15L;
    if constexpr (std::is_same_v<T, double>) {
      exact.error = modulus * in_double;
    } else {
      // The limit is 128 turns; ‖x‖ is measured in float.
      const bool narrow = reach <= 128 * 2 * std::numbers::pi_v<Real> * (1 + 1e-4L);
      exact.error = modulus * ((narrow ? stages * 0x1p-24L * size : in_double + 2e-7L) + 7e-7L);
    }
    return exact;
  }
};

template <class T>
void check_dim(const backend::Primitives& primitives, std::size_t dim) {
  const std::size_t padded = std::bit_ceil(std::max<std::size_t>(dim, 16));
  const double scale = 1 / std::sqrt(static_cast<double>(dim));
  std::vector<std::size_t> counts{1, 17, 40};
  if (padded <= 256) counts.insert(counts.end(), {padded / 2 + 1, padded, 2 * padded + 37});
  if (padded <= 32) counts.push_back(40 * padded + 5);  // more blocks than a slab
  for (const std::size_t n : counts) {
    check_waves(primitives, StructuredCase<T>(n % 2 == 0 ? 9 : 2, n, dim, scale), 0, 0);
    if (testing::Test::HasFatalFailure()) return;
  }
}
TEST_P(StructuredOnEveryBackend, WavesOfEveryDimension) {
  for (const std::size_t dim : {1, 3, 15, 16, 17, 31, 33, 64, 100, 128, 200, 257, 512, 784, 1025, 2049, 4097}) {
    check_dim<double>(primitives(), dim);
    check_dim<float>(primitives(), dim);
    if (HasFatalFailure()) return;
  }
}

TEST_P(StructuredOnEveryBackend, WavesOfEveryNumberOfRowsAndStride) {
  for (const std::size_t rows : {0, 1, 2, 5, 6, 7, 8, 9, 13, 200})
    for (const std::size_t gap : {0, 3, 16})
      for (const auto store : {backend::Store::cached, backend::Store::streaming}) {
        check_waves(primitives(), StructuredCase<double>(rows, 64, 20), gap, 2 * gap, store);
        check_waves(primitives(), StructuredCase<float>(rows, 96, 20), gap, 2 * gap, store);
        check_waves(primitives(), StructuredCase<float>(rows, 45, 9), gap, 2 * gap, store);
        if (HasFatalFailure()) return;
      }
}

/// Small rows among large ones, small scales among large ones; phases that are computed in double beside phases that are not.
TEST_P(StructuredOnEveryBackend, LargePhases) {
  for (const double scale : {1e2, 1e3, 1e5, 1e7, 1e9}) {
    check_waves(primitives(), StructuredCase<double>(25, 70, 30, scale), 0, 0);
    check_waves(primitives(), StructuredCase<float>(25, 70, 30, scale), 0, 0);
    auto drawn = draw_hadamard_blocks(600, 100, 3);
    for (std::size_t j = 0; j < 600; ++j) drawn.scales[j] *= j % 256 < 128 ? 1e-3 : j % 2 == 0 ? -1.0 : 1e-2;
    StructuredCase<float> mixed(11, std::move(drawn), 1.0);
    for (std::size_t i = 0; i < 11; i += 2)
      for (float& value : mixed.X.row(i)) value *= static_cast<float>(scale);
    check_waves(primitives(), mixed, 0, 0);
    if (HasFatalFailure()) return;
  }
}

/// Numbers at both ends of the range: sums on the way neither overflow nor vanish where the phase does not.
TEST_P(StructuredOnEveryBackend, ExtremeScalesAndRows) {
  for (const double exponent : {-290.0, -100.0, -35.0, 35.0, 100.0, 290.0}) {
    auto drawn = draw_hadamard_blocks(80, 50, 5);
    for (double& scale : drawn.scales) scale *= std::pow(10.0, -exponent);
    check_waves(primitives(), StructuredCase<double>(5, drawn, std::pow(10.0, exponent)), 0, 0);
    if (std::fabs(exponent) < 37) check_waves(primitives(), StructuredCase<float>(5, drawn, std::pow(10.0, exponent)), 0, 0);
    if (HasFatalFailure()) return;
  }
}

/// Phases beyond all digits: finite, and no larger than the amplitude; a row of zeros gives 1 and 0 exactly.
TEST_P(StructuredOnEveryBackend, PhasesBeyondAllDigitsStayBounded) {
  auto blocks = draw_hadamard_blocks(40, 2, 1);
  for (std::size_t j = 0; j < 40; ++j) blocks.scales[j] = std::pow(10.0, 5.0 * static_cast<double>(j)) * 1e-20;
  const backend::Amplitudes ones(std::vector<double>(40, 1.0), std::vector<double>(40, 0.0));
  const auto projection = primitives().make_structured_projection(blocks);
  const auto check = [&]<class T>(T small, T large) {
    const Matrix<T> X(3, 2, {0, 0, small, small, large, -large});
    Matrix<T> out(3, 80);
    primitives().of<T>().waves(*projection, ones, backend::rows_of(X.view()), backend::rows_of(out.view()), backend::Store::cached);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t f = 0; f < 80; ++f) {
        ASSERT_TRUE(std::fabs(out(i, f)) <= T(1.000001)) << i << " " << f << " " << out(i, f);
        if (i == 0) {
          ASSERT_EQ(out(i, f), f < 40 ? T{1} : T{0});
        }
      }
  };
  check(1e-30f, 1e30f);
  check(1e-30, 1e100);
}

/// Each output depends on its own row and wave only: rows one by one and fewer frequencies give the same bits.
template <class T>
void check_blocks(const backend::Primitives& primitives, std::size_t dim, double scale) {
  const std::size_t rows = 29, n = 300;
  const StructuredCase<T> given(rows, n, dim, scale);
  Matrix<T> expected(rows, 2 * n);
  primitives.of<T>().waves(*given.projection(primitives), given.waves(), backend::rows_of(given.X.view()),
                           backend::rows_of(expected.view()), backend::Store::cached);
  for (const std::size_t count : {std::size_t{1}, std::size_t{43}, std::size_t{130}, n}) {
    auto shorter = given.blocks;
    shorter.scales.resize(count);
    shorter.signs.resize(shorter.n_blocks() * 3 * shorter.padded_dim);
    const auto projection = primitives.make_structured_projection(shorter);
    const backend::Amplitudes waves({given.along.begin(), given.along.begin() + static_cast<std::ptrdiff_t>(count)},
                                    {given.across.begin(), given.across.begin() + static_cast<std::ptrdiff_t>(count)});
    for (const std::size_t row : {0, 7, 12, 28}) {
      std::vector<T> out(2 * count);
      primitives.of<T>().waves(*projection, waves, backend::Rows<const T>{given.X.row(row).data(), 1, dim}, {out.data(), 1, 2 * count},
                               backend::Store::cached);
      for (std::size_t j = 0; j < count; ++j) {
        ASSERT_EQ(out[j], expected(row, j));
        ASSERT_EQ(out[count + j], expected(row, n + j));
      }
    }
  }
}
TEST_P(StructuredOnEveryBackend, TheSameBitsInAnyBlock) {
  for (const std::size_t dim : {5, 60, 300})
    for (const double scale : {0.5, 1e4}) {
      check_blocks<double>(primitives(), dim, scale);
      check_blocks<float>(primitives(), dim, scale);
      if (HasFatalFailure()) return;
    }
}

TEST_P(StructuredOnEveryBackend, ProductsWithWaves) {
  for (const std::size_t rows : {0, 1, 9, 200})
    for (const std::size_t n : {1, 33, 200})
      for (const std::size_t dim : {1, 20, 300}) {
        const double scale = 1 / std::sqrt(static_cast<double>(dim));
        check_sums(primitives(), StructuredCase<double>(rows, n, dim, scale));
        check_sums(primitives(), StructuredCase<float>(rows, n, dim, scale));
        if (HasFatalFailure()) return;
      }
  check_sums(primitives(), StructuredCase<float>(50, 40, 3, 1e4));  // phases that are computed in double
}

TEST_P(StructuredOnEveryBackend, RefusesWhatIsNoStructure) {
  auto blocks = draw_hadamard_blocks(5, 3, 1);
  blocks.signs[3] = 0;
  EXPECT_THROW(primitives().make_structured_projection(blocks), std::invalid_argument);
  EXPECT_THROW(primitives().make_structured_projection({}), std::invalid_argument);
}

}  // namespace
}  // namespace askrff::test
