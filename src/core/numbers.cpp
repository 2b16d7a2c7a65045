// Numbers in text.
#include "askrff/numbers.hpp"

#include <cerrno>
#include <cmath>
#include <string>
#include <string_view>
#include <system_error>

#include "core/platform.hpp"

namespace askrff {
namespace {

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }
char in_lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool starts_with_word(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (in_lower_case(text[i]) != word[i]) return false;
  return true;
}

std::size_t n_digits(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_decimal_digit(text[n])) ++n;
  return n;
}

/// How many characters of the text, which has no sign, are digits with a point and an exponent; 0 if there is no digit.
std::size_t length_of_decimal(std::string_view text) {
  std::size_t end = n_digits(text), digits = end;
  if (end < text.size() && text[end] == '.') {
    const std::size_t fraction = n_digits(text.substr(end + 1));
    digits += fraction;
    end += digits > 0 ? fraction + 1 : 0;
  }
  if (digits == 0 || end == text.size() || in_lower_case(text[end]) != 'e') return digits == 0 ? 0 : end;
  const std::size_t sign = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+') ? 1 : 0;
  const std::size_t exponent = n_digits(text.substr(end + 1 + sign));
  return exponent == 0 ? end : end + 1 + sign + exponent;
}

/// "inf", "infinity", "nan", "nan(…)" in letters of either case.
std::size_t length_of_word(std::string_view text) {
  if (starts_with_word(text, "infinity")) return 8;
  if (starts_with_word(text, "inf")) return 3;
  if (!starts_with_word(text, "nan")) return 0;
  if (text.size() == 3 || text[3] != '(') return 3;
  std::size_t end = 4;
  while (end < text.size() &&
         (is_decimal_digit(text[end]) || text[end] == '_' || (in_lower_case(text[end]) >= 'a' && in_lower_case(text[end]) <= 'z')))
    ++end;
  return end < text.size() && text[end] == ')' ? end + 1 : 3;
}

}  // namespace

namespace detail {

std::from_chars_result number_by_strtod(const char* first, const char* last, double& value) {
  const std::string_view text(first, static_cast<std::size_t>(last - first));
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const std::size_t word = length_of_word(text.substr(sign)), length = word > 0 ? word : length_of_decimal(text.substr(sign));
  if (length == 0) return {first, std::errc::invalid_argument};
  const std::string copy(text.substr(0, sign + length));  // strtod wants a zero at the end
  const char* const end = first + copy.size();
  const int errno_before = errno;
  errno = 0;
  const double found = platform::strtod_of_c_locale(copy.c_str());
  const bool out_of_range = errno == ERANGE && (found == 0 || std::isinf(found));  // numbers below the smallest normal one are numbers
  errno = errno_before;
  if (out_of_range) return {end, std::errc::result_out_of_range};
  value = found;
  return {end, std::errc{}};
}

}  // namespace detail

std::from_chars_result number_from_chars(const char* first, const char* last, double& value) {
#if defined(__cpp_lib_to_chars)
  return std::from_chars(first, last, value);
#else
  return detail::number_by_strtod(first, last, value);
#endif
}

}  // namespace askrff
