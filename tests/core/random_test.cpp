// Random streams: the bits they promise. Laws are tested in distributions_test.cpp.
#include "askrff/random.hpp"

#include <gtest/gtest.h>

#include <Random123/philox.h>
#include <array>
#include <cmath>
#include <set>
#include <thread>
#include <vector>

namespace askrff::test {
namespace {

// The answers Random123 publishes for Philox4x32-10 (kat_vectors).
TEST(Philox, KnownAnswers) {
  struct Answer {
    std::array<std::uint32_t, 4> counter;
    std::array<std::uint32_t, 2> key;
    std::array<std::uint32_t, 4> words;
  };
  constexpr std::uint32_t ones = 0xffffffff;
  const Answer answers[] = {
      {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{ones, ones, ones, ones}, {ones, ones}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (const Answer& answer : answers) {
    const auto words = r123::Philox4x32()({{answer.counter[0], answer.counter[1], answer.counter[2], answer.counter[3]}},
                                          {{answer.key[0], answer.key[1]}});
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(words[i], answer.words[i]);
  }
  RandomStream zero(0, Purpose::real_positive, 0);
  EXPECT_EQ(zero.bits(), 0xe169c58d6627e8d5u);
  EXPECT_EQ(zero.bits(), 0x9b00dbd8bc57ac4cu);
}

// Key: seed. Counter: block, purpose, index. Anything that reads our streams elsewhere (another language, a GPU) relies on it.
TEST(RandomStream, CounterLayout) {
  const std::uint64_t seed = 0x0123456789abcdef, index = 0xfedcba9876543210;
  RandomStream stream(seed, Purpose::evaluation_rows, index);
  for (std::uint32_t block = 0; block < 5; ++block) {
    const auto words = r123::Philox4x32()({{block, 4u, 0x76543210u, 0xfedcba98u}}, {{0x89abcdefu, 0x01234567u}});
    EXPECT_EQ(stream.bits(), std::uint64_t{words[1]} << 32 | words[0]);
    EXPECT_EQ(stream.bits(), std::uint64_t{words[3]} << 32 | words[2]);
  }
}

// The bit-reproducibility contract: these numbers may never change. Each distribution starts a fresh stream.
struct Frozen {
  std::uint64_t seed;
  Purpose purpose;
  std::uint64_t index;
  std::array<std::uint64_t, 5> bits;
  double uniform, normal, second_normal, exponential, gamma_half, gamma_2_5, gamma_30, chi_squared_3;
};
constexpr Frozen frozen[] = {
    {0u,
     Purpose::real_positive,
     0u,
     {0xe169c58d6627e8d5u, 0x9b00dbd8bc57ac4cu, 0x5cb200dbf8e4cca4u, 0x097eff67b1a574ebu, 0x51c732a604faa329u},
     0x1.c2d38b1acc4fdp-1,
     -0x1.973628c131c08p-2,
     -0x1.3dd84ff91e70dp-2,
     0x1.0497ab7861bcap-3,
     0x1.1c1f7bd1e9542p-10,
     0x1.a1e8071ee1627p+0,
     0x1.b8d8f8fc5bdeep+4,
     0x1.934c8d4f2134cp+0},
    {0x1u,
     Purpose::imaginary_positive,
     0x7u,
     {0xf6aa91f9ab24e3c3u, 0x0c849fb45edfc9e1u, 0x9fbe3fb083d7f16cu, 0x191ca8af3b5dee00u, 0xbcabf645057207feu},
     0x1.ed5523f35649dp-1,
     0x1.0a04feb5a8bacp-2,
     0x1.519e136ea4ec6p-4,
     0x1.30427a76ca828p-5,
     0x1.cf9ce7fb1b82fp-7,
     0x1.49372eae5448ep+1,
     0x1.f1ab065f26adcp+4,
     0x1.7869bc498bee8p+1},
    {0x123456789abcdefu,
     Purpose::builtin_data,
     0x100000002u,
     {0xbca2ef0c8fea1fc4u, 0xf628779ea159d71au, 0xe98abe09292b53dau, 0xa914201cb9b3d2fdu, 0x7b1517adbfec6725u},
     0x1.7945de191fd43p-1,
     0x1.84804d437dc55p-1,
     -0x1.7edb4e5d563d5p-3,
     0x1.38af2f0ee5cf2p-2,
     0x1.e9d2194508e46p-1,
     0x1.be455ac617d33p+1,
     0x1.0ff4b021f38ddp+5,
     0x1.18b95f12b5731p+2},
};

TEST(RandomStream, FrozenNumbers) {
  for (const Frozen& f : frozen) {
    const auto fresh = [&] { return RandomStream(f.seed, f.purpose, f.index); };
    RandomStream bits = fresh(), normals = fresh();
    for (const std::uint64_t expected : f.bits) EXPECT_EQ(bits.bits(), expected);
    EXPECT_EQ(fresh().uniform(), f.uniform);
    EXPECT_EQ(normals.normal(), f.normal);
    EXPECT_EQ(normals.normal(), f.second_normal);
    EXPECT_EQ(fresh().exponential(), f.exponential);
    EXPECT_EQ(fresh().gamma(0.5), f.gamma_half);
    EXPECT_EQ(fresh().gamma(2.5), f.gamma_2_5);
    EXPECT_EQ(fresh().gamma(30), f.gamma_30);
    EXPECT_EQ(fresh().chi_squared(3), f.chi_squared_3);
    EXPECT_EQ(fresh().coin(), f.bits[0] >> 63 == 1);
  }
}

TEST(RandomStream, DerivedSeedsAndRowsAreFrozen) {
  EXPECT_EQ(derive_seed(42, 0), 0x67e7daa9c590608cu);
  EXPECT_EQ(derive_seed(42, 1), 0xa1a624b3415b3d86u);
  EXPECT_EQ(derive_seed(42, 2), 0xa9c6aa5d527c0306u);
  EXPECT_EQ(choose_rows(1000, 6, 42, Purpose::subset_rows), (std::vector<std::size_t>{374, 808, 247, 860, 708, 701}));
}

std::vector<double> numbers_of(std::uint64_t index) {
  RandomStream random(9, Purpose::real_negative, index);
  return {random.uniform(),    random.normal(), random.gamma(0.7), random.normal(), static_cast<double>(random.below(1000)),
          random.exponential()};
}

TEST(RandomStream, OrderOfCreationAndThreadsDoNotMatter) {
  constexpr std::size_t n = 64;
  std::vector<std::vector<double>> forward(n), backward(n), threaded(n);
  for (std::size_t i = 0; i < n; ++i) forward[i] = numbers_of(i);
  for (std::size_t i = n; i-- > 0;) backward[i] = numbers_of(i);
  std::vector<std::thread> threads;
  for (std::size_t first = 0; first < 4; ++first)
    threads.emplace_back([&threaded, first] {
      for (std::size_t i = first; i < n; i += 4) threaded[i] = numbers_of(i);
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(forward, backward);
  EXPECT_EQ(forward, threaded);
  // Two streams read in turns are the same as one after the other.
  RandomStream a(9, Purpose::real_negative, 0), b(9, Purpose::real_negative, 1);
  const double a0 = a.uniform(), b0 = b.uniform();
  EXPECT_EQ(a0, forward[0][0]);
  EXPECT_EQ(b0, forward[1][0]);
  EXPECT_EQ(a.normal(), forward[0][1]);
}

TEST(RandomStream, SeedPurposeAndIndexAllCount) {
  std::set<std::uint64_t> seen;
  for (const std::uint64_t seed : {0u, 1u, 2u})
    for (std::uint32_t purpose = 0; purpose < 8; ++purpose)
      for (const std::uint64_t index : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32})
        for (int i = 0; i < 4; ++i)
          seen.insert(RandomStream(seed + (static_cast<std::uint64_t>(i) << 32), static_cast<Purpose>(purpose), index).bits());
  EXPECT_EQ(seen.size(), 3u * 8u * 3u * 4u);
}

TEST(DeriveSeed, DistinctAndUnlikeTheSeed) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    seeds.insert(seed);
    for (std::uint64_t index = 0; index < 500; ++index) seeds.insert(derive_seed(seed, index));
  }
  EXPECT_EQ(seeds.size(), 20u * 501u);
}

TEST(RandomStream, RefusesWhatHasNoMeaning) {
  RandomStream random(1, Purpose::real_positive, 0);
  EXPECT_THROW(random.below(0), std::invalid_argument);
  for (const double shape : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(random.gamma(shape), std::invalid_argument) << shape;
    EXPECT_THROW(random.chi_squared(shape), std::invalid_argument) << shape;
  }
}

}  // namespace
}  // namespace askrff::test
