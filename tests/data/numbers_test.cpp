// The one parser of numbers in text.
#include "data/numbers.hpp"

#include <gtest/gtest.h>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "askrff/random.hpp"
#include "data/fast_number.hpp"

namespace askrff::data {
namespace {

TEST(Numbers, Accepted) {
  const std::pair<const char*, double> cases[] = {
      {"0", 0.0},   {"-0", 0.0},      {"1", 1.0},      {"+1", 1.0},        {"-1.5", -1.5},
      {".5", 0.5},  {"5.", 5.0},      {"1e3", 1000.0}, {"1E+3", 1000.0},   {"-.25e-1", -0.025},
      {"0.1", 0.1}, {"1e308", 1e308}, {"007", 7.0},    {"5e-324", 5e-324}, {"0e99999999999999999999", 0.0}};
  for (const auto& [text, value] : cases) {
    const ParsedNumber number = parse_number(text);
    EXPECT_EQ(number.status, NumberStatus::ok) << text;
    EXPECT_EQ(number.value, value) << text;
  }
}

TEST(Numbers, TooSmallIsZeroTooLargeIsRefused) {
  for (const char* text : {"1e-400", "-1e-400", "0.0001e-323", "1000e-99999999999999999999", "1234567e-340"}) {
    EXPECT_EQ(parse_number(text).status, NumberStatus::ok) << text;
    EXPECT_EQ(parse_number(text).value, 0.0) << text;
  }
  EXPECT_EQ(parse_number("0." + std::string(400, '0') + "1").status, NumberStatus::ok);
  for (const char* text : {"1e309", "-1e309", "1e99999999999999999999", "0.001e400", "+2e308"})
    EXPECT_EQ(parse_number(text).status, NumberStatus::too_large) << text;
  EXPECT_EQ(parse_number(std::string(400, '9')).status, NumberStatus::too_large);
}

TEST(Numbers, NotFinite) {
  for (const char* text : {"nan", "NaN", "-nan", "inf", "-inf", "Infinity", "+inf"})
    EXPECT_EQ(parse_number(text).status, NumberStatus::not_finite) << text;
}

TEST(Numbers, NotANumber) {
  for (const char* text : {"", "+", "-", "+-1", "--1", "abc", "1a", "1 ", " 1", "0x10", "1e", "1,5", "1.2.3", ".", "e5", "1_000"})
    EXPECT_EQ(parse_number(text).status, NumberStatus::not_a_number) << text;
  EXPECT_EQ(parse_number(std::string_view("1\0", 2)).status, NumberStatus::not_a_number);
}

/// What fast_number makes of a text with a line end behind it; whether it takes all of it.
bool fast(const std::string& text, double& value) {
  const std::string padded = text + "\n" + std::string(bytes_after_text, '\0');
  const char* const end = fast_number(padded.data(), value);
  return end == padded.data() + text.size();
}

TEST(Numbers, TheFastWayGivesTheBitsOfTheSlowOne) {
  const char digits[] = "0123456789";
  std::size_t n_fast = 0;
  for (std::uint64_t k = 0; k < 400000; ++k) {
    RandomStream random(11, Purpose::builtin_data, k);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random.uniform() * static_cast<double>(n)); };
    std::string text = below(3) == 0 ? "-" : below(8) == 0 ? "+" : "";
    const std::size_t n_digits = below(21), point = below(24);
    for (std::size_t i = 0; i < n_digits; ++i) {
      if (i == point) text += '.';
      text += digits[below(3) == 0 ? 0 : below(10)];
    }
    if (below(3) == 0)
      text += (below(2) == 0 ? "e" : "E") + std::string(below(2) == 0 ? "-" : below(2) == 0 ? "+" : "") + std::to_string(below(30));
    double value = 0;
    if (!fast(text, value)) continue;
    ++n_fast;
    const ParsedNumber slow = parse_number(text);
    ASSERT_EQ(slow.status, NumberStatus::ok) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(slow.value)) << text;
  }
  EXPECT_GT(n_fast, 200000u);
}

TEST(Numbers, TheFastWayLeavesTheRest) {
  double value = 0;
  for (const char* text : {"",
                           "+",
                           "-",
                           ".",
                           "-.",
                           "e5",
                           "1e",
                           "1e+",
                           "+-1",
                           "abc",
                           "nan",
                           "inf",
                           "0x10",
                           "1 ",
                           "1e23",
                           "9007199254740993",
                           "12345678901234567890",
                           "1e-23",
                           "1e99999",
                           "1.2.3"})
    EXPECT_FALSE(fast(text, value)) << text;
  for (const char* text : {"0", "-0", "5.", ".5", "1e22", "9007199254740992", "12345678", "123456789.12345", "0.00000000000000001"})
    EXPECT_TRUE(fast(text, value)) << text;
  EXPECT_TRUE(fast("-0", value) && std::signbit(value));
}

TEST(Numbers, Counts) {
  std::uint64_t count = 0;
  EXPECT_TRUE(parse_count("18446744073709551615", count));
  EXPECT_EQ(count, std::numeric_limits<std::uint64_t>::max());
  for (const char* text : {"", "-1", "+1", "1.0", "18446744073709551616", " 1", "1x"}) EXPECT_FALSE(parse_count(text, count)) << text;
}

}  // namespace
}  // namespace askrff::data
