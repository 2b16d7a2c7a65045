// Exact sums: carrying and comparing, many terms at once, and the one rounding at the end.
#include "core/exact_sum.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <iterator>
#include <utility>

namespace askrff {
namespace {

using boost::multiprecision::cpp_int;
__extension__ typedef __int128 Signed128;  // of GCC and Clang; the products of a loop over all data need the machine's own
__extension__ typedef unsigned __int128 Unsigned128;

constexpr int unit_exponent = -2148;

/// ±magnitude·2^exponent.
struct Scaled {
  cpp_int magnitude;
  int exponent = 0;
  bool is_negative = false;
};

Scaled scaled_integer(const ExactSum& sum) {
  const ExactSum::Words words = sum.words();
  Scaled scaled{0, unit_exponent + 64 * static_cast<int>(words.first), words.is_negative};
  if (!words.words.empty()) boost::multiprecision::import_bits(scaled.magnitude, words.words.begin(), words.words.end(), 64, false);
  return scaled;
}

int n_bits(const cpp_int& x) { return x.is_zero() ? 0 : static_cast<int>(boost::multiprecision::msb(x)) + 1; }

/// The double nearest to (magnitude + a)·2^exponent, where 0 < a < 1 if there is `more`, else a = 0. With more, magnitude has 55 bits at
/// least.
double nearest_double(const cpp_int& magnitude, int exponent, bool more) {
  constexpr int precision = 53, smallest_exponent = -1074;
  if (magnitude.is_zero()) return 0;
  const int last = std::max(exponent + n_bits(magnitude) - precision, smallest_exponent);
  if (last <= exponent) return std::ldexp(magnitude.convert_to<double>(), exponent);
  const auto n_dropped = static_cast<unsigned>(last - exponent);
  auto kept = static_cast<std::uint64_t>(magnitude >> n_dropped);
  const bool is_half = boost::multiprecision::bit_test(magnitude, n_dropped - 1);
  const bool above_half = is_half && (more || boost::multiprecision::lsb(magnitude) < n_dropped - 1);
  if (above_half || (is_half && kept % 2 == 1)) ++kept;
  return std::ldexp(static_cast<double>(kept), last);
}

/// x·2^shift, rounded down; `more` becomes true if that lost anything.
cpp_int shifted(const cpp_int& x, int shift, bool& more) {
  if (shift >= 0) return x << static_cast<unsigned>(shift);
  if (static_cast<int>(boost::multiprecision::lsb(x)) < -shift) more = true;
  return x >> static_cast<unsigned>(-shift);
}

/// n·squares - sum² and its even exponent.
Scaled n_squared_variances(const ExactSum& sum, const ExactSum& squares, std::uint64_t n) {
  const Scaled s = scaled_integer(sum), q = scaled_integer(squares);
  const int exponent = 2 * std::min(s.exponent, q.exponent / 2);  // both are multiples of 4
  const cpp_int of_squares = q.magnitude * n << static_cast<unsigned>(q.exponent - exponent);
  const cpp_int of_sum = s.magnitude * s.magnitude << static_cast<unsigned>(2 * s.exponent - exponent);
  return {of_squares - of_sum, exponent, q.is_negative};
}

std::vector<std::int64_t> opposite(std::vector<std::int64_t> digits) {
  for (std::int64_t& digit : digits) digit = -digit;
  return digits;
}

double largest_size(std::span<const double> x) {
  double found[4] = {};  // so that none waits for another
  std::size_t i = 0;
  for (; i + 4 <= x.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k) found[k] = std::max(found[k], std::abs(x[i + k]));
  for (; i < x.size(); ++i) found[0] = std::max(found[0], std::abs(x[i]));
  return std::max(std::max(found[0], found[1]), std::max(found[2], found[3]));
}

/// Carries what does not fit into 32 bits to the next digit, so that all but the last are 0 … 2^32 - 1.
void carry_up(std::vector<std::int64_t>& digits) {
  constexpr std::int64_t base = std::int64_t{1} << 32;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const bool is_last = i + 1 == digits.size();
    if (is_last && digits[i] >= -base / 2 && digits[i] < base / 2) break;
    if (is_last) digits.push_back(0);
    const std::int64_t carried = digits[i] >> 32;
    digits[i] -= carried * base;
    digits[i + 1] += carried;
  }
}

}  // namespace

std::int64_t* ExactSum::make_room(unsigned first, std::size_t count) {
  if (digits_.empty()) first_ = first;
  const std::size_t begin = std::min<std::size_t>(first_, first), end = std::max(first_ + digits_.size(), first + count);
  std::vector<std::int64_t> wider(end - begin);
  std::copy(digits_.begin(), digits_.end(), wider.begin() + static_cast<std::ptrdiff_t>(first_ - begin));
  digits_ = std::move(wider);
  first_ = static_cast<std::uint32_t>(begin);
  return digits_.data() + (first - begin);
}

void ExactSum::carry() {
  carry_up(digits_);
  n_terms_ = 0;
}

void ExactSum::add_product(double x, double y) {
  const Parts a(x), b(y);
  if (a.mantissa == 0 || b.mantissa == 0) return;
  const Unsigned128 product = Unsigned128{a.mantissa} * b.mantissa;
  add_words(std::array{static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64)}, a.position + b.position,
            a.is_negative != b.is_negative);
}

void ExactSum::add(const ExactSum& other) {
  const Words theirs = other.words();
  for (std::size_t i = 0; i < theirs.words.size(); ++i)
    add_words(std::array{theirs.words[i]}, static_cast<unsigned>(64 * (theirs.first + i)), theirs.is_negative);
}

ExactSum::Words ExactSum::words() const {
  std::vector<std::int64_t> digits = digits_;
  carry_up(digits);
  const bool is_negative = !digits.empty() && digits.back() < 0;
  if (is_negative) carry_up(digits = opposite(std::move(digits)));
  const auto is_set = [](std::int64_t digit) { return digit != 0; };
  const auto lowest = std::find_if(digits.begin(), digits.end(), is_set);
  if (lowest == digits.end()) return {};
  const auto end = std::find_if(digits.rbegin(), digits.rend(), is_set).base();
  const std::size_t first = (first_ + static_cast<std::size_t>(lowest - digits.begin())) / 2;
  Words found{is_negative, first, {}};
  for (auto digit = lowest; digit != end; ++digit) {
    const std::size_t place = first_ + static_cast<std::size_t>(digit - digits.begin());
    found.words.resize(place / 2 - first + 1);
    found.words.back() |= static_cast<std::uint64_t>(*digit) << 32 * (place % 2);
  }
  return found;
}

std::optional<ExactSum> ExactSum::from(const Words& words) {
  if (words.words.size() > max_words || words.first > max_words - words.words.size()) return std::nullopt;
  ExactSum sum;
  for (std::size_t i = 0; i < words.words.size(); ++i)
    sum.add_words(std::array{words.words[i]}, static_cast<unsigned>(64 * (words.first + i)), words.is_negative);
  if (sum.words() != words) return std::nullopt;
  return sum;
}

double ExactSum::value() const { return exact_mean(*this, 1); }

/// Numbers become whole ones of at most 63 bits, in a unit that suits the largest. Those with bits below the unit are added one by one.
void add_with_squares(std::span<const double> x, ExactSum& sum, ExactSum& squares) {
  const double largest = largest_size(x);
  if (largest == 0) return;
  constexpr int min_exponent = -960;  // below it 1/unit is no double
  const int exponent = std::max(std::ilogb(largest), min_exponent) - 62;
  const double unit = std::ldexp(1.0, exponent), per_unit = std::ldexp(1.0, -exponent);
  Signed128 total = 0;
  Unsigned128 low = 0;  // of the sum of squares, which has 128 bits and more
  std::uint64_t high = 0;
  for (const double value : x) {
    const auto whole = static_cast<std::int64_t>(value * per_unit);
    if (static_cast<double>(whole) * unit != value) {
      sum.add(value);
      squares.add_product(value, value);
      continue;
    }
    total += whole;
    const auto square = static_cast<Unsigned128>(Signed128{whole} * whole);
    low += square;
    high += low < square;
  }
  const bool is_negative = total < 0;
  const auto magnitude = static_cast<Unsigned128>(is_negative ? -total : total);
  const auto word = [](Unsigned128 both, int i) { return static_cast<std::uint64_t>(both >> (64 * i)); };
  if (magnitude != 0) sum.add_integer(std::array{word(magnitude, 0), word(magnitude, 1)}, exponent, is_negative);
  if (low != 0 || high != 0) squares.add_integer(std::array{word(low, 0), word(low, 1), high}, 2 * exponent);
}

double exact_mean(const ExactSum& sum, std::uint64_t n) {
  const Scaled scaled = scaled_integer(sum);
  if (scaled.magnitude.is_zero()) return 0;
  constexpr int enough_bits = 64 + 60;  // of what is divided by n: 60 are left
  const int shift = std::max(0, enough_bits - n_bits(scaled.magnitude));
  cpp_int quotient, rest;
  divide_qr(cpp_int(scaled.magnitude << static_cast<unsigned>(shift)), cpp_int(n), quotient, rest);
  const double magnitude = nearest_double(quotient, scaled.exponent - shift, !rest.is_zero());
  return scaled.is_negative ? -magnitude : magnitude;
}

double exact_deviation(const ExactSum& sum, const ExactSum& squares, std::uint64_t n) {
  const Scaled scaled = n_squared_variances(sum, squares, n);
  if (scaled.is_negative || scaled.magnitude <= 0) return 0;
  constexpr int enough_bits = 2 * (64 + 60);  // of what is divided by n² and rooted: 60 are left
  const int half_shift = (enough_bits + 1 - n_bits(scaled.magnitude)) / 2;
  bool more = false;
  const cpp_int divided = shifted(scaled.magnitude, 2 * half_shift, more);
  cpp_int quotient, rest, root, root_rest;
  divide_qr(divided, cpp_int(cpp_int(n) * n), quotient, rest);
  root = sqrt(quotient, root_rest);
  more = more || !rest.is_zero() || !root_rest.is_zero();
  return nearest_double(root, scaled.exponent / 2 - half_shift, more);
}

}  // namespace askrff
