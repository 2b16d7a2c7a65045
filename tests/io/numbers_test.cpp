// The one parser of numbers in text.
#include "io/numbers.hpp"

#include <gtest/gtest.h>
#include <cmath>
#include <limits>

namespace askrff::io {
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

TEST(Numbers, Counts) {
  std::uint64_t count = 0;
  EXPECT_TRUE(parse_count("18446744073709551615", count));
  EXPECT_EQ(count, std::numeric_limits<std::uint64_t>::max());
  for (const char* text : {"", "-1", "+1", "1.0", "18446744073709551616", " 1", "1x"}) EXPECT_FALSE(parse_count(text, count)) << text;
}

}  // namespace
}  // namespace askrff::io
