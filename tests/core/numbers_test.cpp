// Numbers in text: by strtod as by std::from_chars.
#include "askrff/numbers.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "askrff/random.hpp"

namespace askrff {
namespace {

struct Read {
  double value;
  std::ptrdiff_t length;
  std::errc error;
};

template <class Reader>
Read read(Reader reader, const std::string& text) {
  double value = -77;
  const auto [end, error] = reader(text.data(), text.data() + text.size(), value);
  return {value, end - text.data(), error};
}

void expect_same(const std::string& text) {
  const auto standard = [](const char* first, const char* last, double& value) { return number_from_chars(first, last, value); };
  const Read expected = read(standard, text), got = read(detail::number_by_strtod, text);
  EXPECT_EQ(got.length, expected.length) << "'" << text << "'";
  EXPECT_EQ(got.error, expected.error) << "'" << text << "'";
  if (std::isnan(expected.value))
    EXPECT_TRUE(std::isnan(got.value)) << "'" << text << "'";
  else
    EXPECT_EQ(std::bit_cast<std::uint64_t>(got.value), std::bit_cast<std::uint64_t>(expected.value)) << "'" << text << "'";
}

TEST(Numbers, StrtodReadsWhatFromCharsReads) {
  // One text a word; what a reader must not take stands behind a number.
  constexpr std::string_view texts =
      "0 -0 1 -1.5 .5 5. -.5e3 1e 1e+ 1e- 1e5x 1.5.5 1,5 - +1 . -. .e5 e5 0x10 1e-5 1E+05 --1 -+1 1-1 1e1e1 inf -INF infinity Infinit "
      "infinityx nan -nan nan( nan(abc) nan(a-c) NaN(1_a) 1e400 -1e400 1e-400 4.9e-324 2e-324 2.2250738585072014e-308 "
      "1.7976931348623157e308 1.7976931348623159e308 9007199254740993 0.1000000000000000055511151231257827021181583404541015625 "
      "123456789012345678901234567890 ";
  expect_same("");
  expect_same(" 1");
  for (std::size_t begin = 0, end; (end = texts.find(' ', begin)) != std::string_view::npos; begin = end + 1)
    expect_same(std::string(texts.substr(begin, end - begin)));
}

TEST(Numbers, StrtodRoundsAsFromCharsOnAnyBits) {
  RandomStream random(7, Purpose::real_positive, 0);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t bits = random.bits();
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, std::bit_cast<double>(bits), std::chars_format::scientific, i % 19).ptr;
    expect_same({text, end});
  }
}

TEST(Numbers, NoLocaleChangesThem) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"})
    if (std::setlocale(LC_ALL, locale)) {
      expect_same("1.5");
      expect_same("1,5");
    }
  std::setlocale(LC_ALL, before.c_str());
}

}  // namespace
}  // namespace askrff
