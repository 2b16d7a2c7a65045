// normals() gives the bits of as many calls of normal(), whatever was drawn before and after.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "askrff/random.hpp"

namespace askrff::test {
namespace {

using Bits = std::vector<std::uint64_t>;

void one_by_one(RandomStream& random, std::size_t count, Bits& drawn) {
  for (std::size_t i = 0; i < count; ++i) drawn.push_back(std::bit_cast<std::uint64_t>(random.normal()));
}

void at_once(RandomStream& random, std::size_t count, Bits& drawn) {
  constexpr double untouched = 77;
  std::vector<double> numbers(count + 2, untouched);
  random.normals(std::span(numbers).subspan(1, count));
  EXPECT_EQ(numbers.front(), untouched);
  EXPECT_EQ(numbers.back(), untouched);
  for (std::size_t i = 1; i <= count; ++i) drawn.push_back(std::bit_cast<std::uint64_t>(numbers[i]));
}

// What a stream gives next depends on a spare normal number, a spare word and the position: all of them show here.
void append_state(RandomStream random, Bits& drawn) {
  one_by_one(random, 3, drawn);
  for (int i = 0; i < 3; ++i) drawn.push_back(random.bits());
}

TEST(Normals, EveryLengthAfterEveryState) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (int words_before = 0; words_before < 3; ++words_before)
      for (int normals_before = 0; normals_before < 3; ++normals_before)
        for (std::size_t length = 0; length <= 70; ++length) {
          RandomStream start(seed * 0x9e3779b97f4a7c15u, Purpose::imaginary_positive, seed + length);
          for (int i = 0; i < words_before; ++i) start.bits();
          for (int i = 0; i < normals_before; ++i) start.normal();
          RandomStream slow = start, fast = start;
          Bits expected, actual;
          one_by_one(slow, length, expected);
          append_state(slow, expected);
          at_once(fast, length, actual);
          append_state(fast, actual);
          ASSERT_EQ(actual, expected) << "seed " << seed << ", length " << length << " after " << words_before << " words and "
                                      << normals_before << " normal numbers";
        }
}

TEST(Normals, MixedWithEverythingElse) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomStream plan(seed, Purpose::evaluation_rows, 0), slow(seed, Purpose::real_negative, 3), fast = slow;
    Bits expected, actual;
    for (int step = 0; step < 60; ++step) {
      const auto both = [&](auto draw) {
        expected.push_back(std::bit_cast<std::uint64_t>(draw(slow)));
        actual.push_back(std::bit_cast<std::uint64_t>(draw(fast)));
      };
      switch (plan.below(8)) {
        case 0:
          both([](RandomStream& random) { return random.normal(); });
          break;
        case 1:
          both([](RandomStream& random) { return random.uniform(); });
          break;
        case 2:
          both([](RandomStream& random) { return random.bits(); });
          break;
        case 3:
          both([](RandomStream& random) { return random.gamma(0.7); });
          break;
        default:
          const std::size_t length = plan.below(step % 10 == 0 ? 300 : 40);
          one_by_one(slow, length, expected);
          at_once(fast, length, actual);
      }
    }
    append_state(slow, expected);
    append_state(fast, actual);
    ASSERT_EQ(actual, expected) << "seed " << seed;
  }
}

TEST(Normals, ManyNumbers) {
  constexpr std::size_t count = 1'000'001;
  RandomStream slow(5, Purpose::reference_frequencies, 1), fast = slow;
  Bits expected, actual;
  one_by_one(slow, count, expected);
  append_state(slow, expected);
  at_once(fast, count, actual);
  append_state(fast, actual);
  EXPECT_TRUE(actual == expected);
}

}  // namespace
}  // namespace askrff::test
