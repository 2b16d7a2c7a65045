// The common case of numbers in text, inlined into the readers' loops; everything else goes to parse_number.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace askrff::data {

inline constexpr std::size_t bytes_after_text = 8;  ///< readable bytes that fast_number needs after its text

inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

/// Whether the 8 bytes at p are digits; then their value (little-endian machines; others take the digits one by one).
inline bool eight_digits(const char* p, std::uint64_t& value) {
  if constexpr (std::endian::native != std::endian::little) return false;
  std::uint64_t bytes;
  std::memcpy(&bytes, p, sizeof bytes);
  const std::uint64_t above_zero = bytes - 0x3030303030303030u;
  if (((above_zero | (bytes + 0x4646464646464646u)) & 0x8080808080808080u) != 0) return false;
  const std::uint64_t pairs = above_zero * 10 + (above_zero >> 8);  // in every second byte
  constexpr std::uint64_t mask = 0x000000FF000000FFu;
  value = ((pairs & mask) * 0x000F424000000064u + ((pairs >> 16) & mask) * 0x0000271000000001u) >> 32;
  return true;
}

/// Digits from p on, appended to `mantissa`; where they end. Beyond 19 of them the mantissa is meaningless.
inline const char* take_digits(const char* p, std::uint64_t& mantissa) {
  for (std::uint64_t eight; eight_digits(p, eight); p += 8) mantissa = mantissa * 100'000'000 + eight;
  for (; is_digit(*p); ++p) mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
  return p;
}

/// The number at p, where it is short enough to be exact: with a mantissa of at most 2^53 and a power of ten of at most 22 both are
/// doubles, and one multiplication or division rounds as from_chars does (Clinger 1990). Returns its end, or nullptr: not a number, or not
/// a short one. A character that is no digit and `bytes_after_text` readable bytes must follow the text.
inline const char* fast_number(const char* p, double& value) {
  static constexpr std::array<double, 23> powers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const bool negative = *p == '-';
  if (negative || *p == '+') ++p;
  std::uint64_t mantissa = 0;
  const char* const digits = p;
  p = take_digits(p, mantissa);
  std::ptrdiff_t n_digits = p - digits, exponent = 0;
  if (*p == '.') {
    const char* const fraction = ++p;
    p = take_digits(p, mantissa);
    exponent = fraction - p;
    n_digits -= exponent;
  }
  if (n_digits == 0 || n_digits > 19 || mantissa > std::uint64_t{1} << 53) return nullptr;
  if ((*p | 0x20) == 'e') {
    const bool down = p[1] == '-';
    p += down || p[1] == '+' ? 2 : 1;
    std::ptrdiff_t power = 0;
    const char* const begin = p;
    for (; is_digit(*p) && p - begin < 5; ++p) power = power * 10 + (*p - '0');
    if (p == begin || is_digit(*p)) return nullptr;
    exponent += down ? -power : power;
  }
  if (exponent < -22 || exponent > 22) return nullptr;
  const double whole = static_cast<double>(mantissa);
  const double result =
      exponent < 0 ? whole / powers[static_cast<std::size_t>(-exponent)] : whole * powers[static_cast<std::size_t>(exponent)];
  value = negative ? -result : result;
  return p;
}

}  // namespace askrff::data
