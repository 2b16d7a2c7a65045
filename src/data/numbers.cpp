// Numbers written as text.
#include "data/numbers.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>

#include "askrff/numbers.hpp"

namespace askrff::data {
namespace {

/// Whether a well-formed decimal number outside the range of double is below it (1e-400) rather than above (1e400): by the decimal
/// position of its first non-zero digit plus its exponent.
bool is_tiny(std::string_view text) {
  const std::size_t exponent_at = std::min(text.find_first_of("eE"), text.size());
  const std::string_view digits = text.substr(0, exponent_at);
  const auto point = static_cast<std::ptrdiff_t>(std::min(digits.find('.'), digits.size()));
  const auto first = static_cast<std::ptrdiff_t>(std::min(digits.find_first_of("123456789"), digits.size()));
  if (exponent_at == text.size()) return first > point;
  std::string_view exponent = text.substr(exponent_at + 1);
  const bool negative = exponent.starts_with('-');
  if (negative || exponent.starts_with('+')) exponent.remove_prefix(1);
  std::ptrdiff_t power = 0;
  const auto parsed = std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);
  if (parsed.ec != std::errc()) return negative;  // an exponent beyond 2^63: no number of digits makes up for it
  return point - first + (negative ? -power : power) < 0;
}

}  // namespace

ParsedNumber parse_number(std::string_view text) {
  if (text.starts_with('+')) {  // from_chars knows '-' only
    text.remove_prefix(1);
    if (text.starts_with('-')) return {};
  }
  ParsedNumber number;
  const auto parsed = number_from_chars(text.data(), text.data() + text.size(), number.value);
  if (parsed.ec == std::errc::invalid_argument || parsed.ptr != text.data() + text.size()) return {};
  if (parsed.ec == std::errc::result_out_of_range) {
    const bool tiny = is_tiny(text);
    return {0.0, tiny ? NumberStatus::ok : NumberStatus::too_large};
  }
  number.status = std::isfinite(number.value) ? NumberStatus::ok : NumberStatus::not_finite;
  return number;
}

std::string_view describe(NumberStatus status) {
  switch (status) {
    case NumberStatus::ok:
      return "is a number";
    case NumberStatus::not_a_number:
      return "is not a number";
    case NumberStatus::not_finite:
      return "is not finite";
    case NumberStatus::too_large:
      return "is too large for a double";
  }
  return "";
}

bool is_missing(std::string_view text) {
  if (text.size() > 4) return false;
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower.empty() || lower == "na" || lower == "n/a" || lower == "?" || lower == "nan" || lower == "null";
}

bool is_no_label(std::string_view text) {
  if (!text.empty() && text.back() >= '0' && text.back() <= '9') return false;  // as almost all labels end, and none of those
  return is_missing(text) || parse_number(text).status == NumberStatus::not_finite;
}

double shortest_decimal(float number) {
  constexpr float first_inexact = 0x1p24F;
  if (number == std::trunc(number) && std::abs(number) < first_inexact) return number;
  char text[32];
  double found = number;
  const char* const end = std::to_chars(text, text + sizeof text, number).ptr;
  number_from_chars(text, end, found);
  return found;
}

bool parse_count(std::string_view text, std::uint64_t& count) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
}

}  // namespace askrff::data
