// Draws of structured frequencies: bits, prefixes, law, refusals; and atoms made of them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "askrff/atoms.hpp"
#include "askrff/sampling.hpp"

namespace askrff::test {
namespace {

/// The bit contract.
TEST(DrawHadamardBlocks, FrozenBits) {
  const auto blocks = draw_hadamard_blocks(40, 3, 42);
  EXPECT_EQ(blocks.padded_dim, 16u);
  EXPECT_EQ(blocks.n_blocks(), 3u);
  std::uint64_t first = 0, last = 0;
  for (std::size_t i = 0; i < 48; ++i) {
    first |= std::uint64_t{blocks.signs[i] > 0} << i;
    last |= std::uint64_t{blocks.signs[96 + i] > 0} << i;
  }
  EXPECT_EQ(first, 0xc95109323013u);
  EXPECT_EQ(last, 0x3a905d8419a7u);
  EXPECT_EQ(blocks.scales[5], 0x1.110eabc4377abp+2);
  EXPECT_EQ(blocks.scales[39], 0x1.2230dbfd1d699p+2);
  EXPECT_EQ(blocks.frequencies()(5, 0), -0x1.555256b545596p+0);
  EXPECT_EQ(blocks.frequencies()(39, 2), -0x1.2230dbfd1d699p-1);
}

TEST(DrawHadamardBlocks, ALongerDrawStartsWithTheShorter) {
  for (const std::size_t dim : {1, 17, 100}) {
    const auto longer = draw_hadamard_blocks(300, dim, 9);
    for (const std::size_t n : {1, 16, 33, 128, 299}) {
      const auto shorter = draw_hadamard_blocks(n, dim, 9);
      EXPECT_EQ(shorter.padded_dim, longer.padded_dim);
      EXPECT_TRUE(std::equal(shorter.signs.begin(), shorter.signs.end(), longer.signs.begin()));
      EXPECT_TRUE(std::equal(shorter.scales.begin(), shorter.scales.end(), longer.scales.begin()));
    }
  }
  EXPECT_NE(draw_hadamard_blocks(20, 3, 1).signs, draw_hadamard_blocks(20, 3, 2).signs);
  EXPECT_EQ(draw_hadamard_blocks(5, 512, 1).padded_dim, 512u);
  EXPECT_EQ(draw_hadamard_blocks(5, 513, 1).padded_dim, 1024u);
}

/// Second moments of 2^17 frequencies against the identity: entries of the mean of ωωᵀ have a standard deviation of at most √2/√n, blocks
/// being independent and their rows at worst as good as independent ones. 6 of them: 2e-9 per entry, 55 entries.
TEST(DrawHadamardBlocks, CovarianceIsTheIdentity) {
  constexpr std::size_t n = 1 << 17, dim = 10;
  const auto omega = draw_hadamard_blocks(n, dim, 3).frequencies();
  for (std::size_t a = 0; a < dim; ++a)
    for (std::size_t b = a; b < dim; ++b) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += omega(j, a) * omega(j, b);
      EXPECT_NEAR(sum / n, a == b ? 1 : 0, 6 * std::sqrt(2.0 / n)) << a << " " << b;
    }
}

/// Mean squares, fourth powers and products of squares of the coordinates of directions, as stated. Averages over 2^16 independent blocks
/// have standard deviations of 7.6e-6 (fourth powers) and 3.4e-6 (products); 6.5 of them: false alarm 8e-11. The sphere's fourth power,
/// 1/96, is 13 away.
TEST(DrawHadamardBlocks, MomentsOfDirections) {
  constexpr std::size_t dim = 16, n = dim << 16;
  auto blocks = draw_hadamard_blocks(n, dim, 11);
  blocks.scales.assign(n, 1.0);
  const auto directions = blocks.frequencies();
  double squares = 0, fourths = 0, mixed = 0;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k < dim; ++k) {
      const double square = directions(j, k) * directions(j, k);
      squares += square;
      fourths += square * square;
      mixed += square * directions(j, (k + 1) % dim) * directions(j, (k + 1) % dim);
    }
  constexpr double P = dim, count = n * P;
  EXPECT_NEAR(squares / count, 1 / P, 1e-12);
  EXPECT_NEAR(fourths / count, 3 / (P * P) - 6 / (P * P * P) + 4 / (P * P * P * P), 5e-5);
  EXPECT_NEAR(mixed / count, 1 / (P * P) - 2 / (P * P * P) + 4 / (P * P * P * P), 2.2e-5);
}

TEST(DrawHadamardBlocks, RefusesImpossibleSizes) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const auto& [n, dim] : {std::pair<std::size_t, std::size_t>{0, 3},
                               {3, 0},
                               {0, 0},
                               {most, 1},
                               {1, most},
                               {most, most},
                               {1, (std::size_t{1} << 24) + 1},
                               {most / 3, 16},
                               {std::size_t{1} << 31, 2}})
    EXPECT_THROW(draw_hadamard_blocks(n, dim, 1), std::invalid_argument) << n << " " << dim;
}

TEST(StructuredAtoms, KeepTheirStructureAndTheirDenseFrequencies) {
  const auto blocks = draw_hadamard_blocks(40, 5, 1);
  const SpectralAtoms atoms(blocks, std::vector<std::complex<double>>(40, {0.5, 0.25}));
  const auto dense = blocks.frequencies();
  ASSERT_NE(atoms.structure(), nullptr);
  EXPECT_EQ(atoms.structure()->signs, blocks.signs);
  for (std::size_t j = 0; j < 40; ++j)
    for (std::size_t k = 0; k < 5; ++k) ASSERT_EQ(atoms.frequencies()(j, k), dense(j, k));
  const SpectralAtoms copy = atoms;
  EXPECT_EQ(copy.structure(), atoms.structure());
  EXPECT_EQ(SpectralAtoms(dense, std::vector<std::complex<double>>(40, 1.0)).structure(), nullptr);
  EXPECT_THROW(SpectralAtoms(blocks, std::vector<std::complex<double>>(39, 1.0)), std::invalid_argument);
  EXPECT_THROW(SpectralAtoms(HadamardBlocks{}, {}), std::invalid_argument);
}

}  // namespace
}  // namespace askrff::test
