// Structured frequencies against their definition, and what is refused.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "askrff/random.hpp"
#include "askrff/structure.hpp"

namespace askrff::test {
namespace {

HadamardBlocks random_blocks(std::size_t n, std::size_t dim, std::size_t padded) {
  HadamardBlocks blocks{dim, padded, {}, std::vector<double>(n)};
  RandomStream random(1, Purpose::evaluation_rows, 0);
  for (double& scale : blocks.scales) scale = random.normal();
  blocks.signs.resize(blocks.n_blocks() * 3 * padded);
  for (signed char& sign : blocks.signs) sign = random.coin() ? 1 : -1;
  return blocks;
}

/// Entry of the orthonormal Hadamard matrix.
long double hadamard(std::size_t i, std::size_t k, std::size_t size) {
  return (std::popcount(i & k) % 2 == 0 ? 1 : -1) / std::sqrt(static_cast<long double>(size));
}

/// Rows of H D₃ H D₂ H D₁ by plain matrix products.
TEST(HadamardBlocks, AreRowsOfTheProduct) {
  for (const auto& [n, dim, padded] :
       {std::tuple<std::size_t, std::size_t, std::size_t>{1, 1, 16}, {40, 3, 16}, {70, 20, 32}, {64, 64, 64}}) {
    const auto blocks = random_blocks(n, dim, padded);
    const auto dense = blocks.frequencies();
    ASSERT_EQ(dense.rows(), n);
    ASSERT_EQ(dense.cols(), dim);
    for (std::size_t j = 0; j < n; ++j) {
      const signed char* signs = blocks.signs.data() + j / padded * 3 * padded;
      for (std::size_t k = 0; k < dim; ++k) {
        long double entry = 0;
        for (std::size_t a = 0; a < padded; ++a)
          for (std::size_t b = 0; b < padded; ++b)
            entry += hadamard(j % padded, a, padded) * signs[2 * padded + a] * hadamard(a, b, padded) * signs[padded + b] *
                     hadamard(b, k, padded) * signs[k];
        EXPECT_NEAR(dense(j, k), static_cast<double>(entry * blocks.scales[j]), 0x1p-51 * std::fabs(dense(j, k)) + 1e-17);
      }
    }
  }
}

/// Rows of a block that is not cut are orthogonal, and as long as their scale.
TEST(HadamardBlocks, AreOrthogonalWithinABlock) {
  auto blocks = random_blocks(128, 64, 64);
  blocks.scales.assign(128, 1.0);
  const auto dense = blocks.frequencies();
  for (std::size_t i = 0; i < 128; ++i)
    for (std::size_t j = i / 64 * 64; j < i / 64 * 64 + 64; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 64; ++k) sum += dense(i, k) * dense(j, k);
      EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-14);
    }
}

TEST(HadamardBlocks, RefusesWrongSizesAndNumbers) {
  const auto good = random_blocks(20, 5, 16);
  EXPECT_NO_THROW(good.check());
  const auto refused = [&](auto&& spoil) {
    auto bad = good;
    spoil(bad);
    EXPECT_THROW(bad.check(), std::invalid_argument);
    EXPECT_THROW(bad.frequencies(), std::invalid_argument);
  };
  refused([](HadamardBlocks& b) { b = {}; });
  refused([](HadamardBlocks& b) { b.dim = 0; });
  refused([](HadamardBlocks& b) { b.dim = 17; });
  refused([](HadamardBlocks& b) { b.scales.clear(); });
  for (const std::size_t padded :
       {std::size_t{0}, std::size_t{8}, std::size_t{24}, std::size_t{64}, std::size_t{1} << 25, std::size_t{1} << 63})
    refused([=](HadamardBlocks& b) { b.padded_dim = padded; });
  refused([](HadamardBlocks& b) { b.signs.pop_back(); });
  refused([](HadamardBlocks& b) { b.signs[7] = 0; });
  refused([](HadamardBlocks& b) { b.signs[90] = 2; });
  refused([](HadamardBlocks& b) { b.scales[3] = std::numeric_limits<double>::infinity(); });
  refused([](HadamardBlocks& b) { b.scales[3] = std::nan(""); });
}

}  // namespace
}  // namespace askrff::test
