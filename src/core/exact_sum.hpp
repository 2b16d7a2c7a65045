// Sums of doubles and of their products without rounding, so that neither order nor parts can change a bit of them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace askrff {

/// A whole multiple of 2^-2148, the square of the smallest double, and so large as any number of terms makes it. It is held in digits of 32
/// bits, each in a signed word of 64 that takes many terms before anything is carried; only digits between the smallest and the largest
/// that were needed are stored: 5 or 6 words for ordinary sums, 7 or 8 for squares, some 140 at most.
class ExactSum {
 public:
  /// x must be finite; a few nanoseconds.
  void add(double x) {
    const Parts parts(x);
    if (parts.mantissa != 0) add_words(std::array{parts.mantissa}, parts.position + one_factor, parts.is_negative);
  }
  /// Adds x·y, also where that is too large or too small for a double. Both must be finite.
  void add_product(double x, double y);
  void add(const ExactSum& other);
  /// Adds ±(words[0] + 2^64 words[1] + …)·2^exponent, exponent ≥ -2148.
  template <std::size_t n>
  void add_integer(const std::array<std::uint64_t, n>& words, int exponent, bool is_negative = false) {
    add_words(words, static_cast<unsigned>(exponent + 2 * one_factor), is_negative);
  }

  /// The nearest double, of two the even one; infinite where it is too large for one.
  double value() const;

  /// The sum as ±Σ words[i]·2^(64(first + i)) in units of 2^-2148. Equal sums have equal words: none is zero at either end, and 0 has none,
  /// its `first` is 0 and it is not negative.
  struct Words {
    bool is_negative = false;
    std::size_t first = 0;
    std::vector<std::uint64_t> words;
    bool operator==(const Words&) const = default;
  };
  Words words() const;
  /// first + words.size() is no more; there is room for 2^64 products of the largest doubles.
  static constexpr std::size_t max_words = 68;
  /// Nothing if these are not words that words() could give.
  static std::optional<ExactSum> from(const Words& words);

  bool operator==(const ExactSum& other) const { return words() == other.words(); }

 private:
  static constexpr unsigned one_factor = 1074;  // a double is a multiple of 2^-1074
  static constexpr std::uint64_t low_half = 0xFFFFFFFF;

  /// x = ±mantissa·2^(position - 1074).
  struct Parts {
    std::uint64_t mantissa;
    unsigned position;
    bool is_negative;
    explicit Parts(double x) {
      const auto bits = std::bit_cast<std::uint64_t>(x);
      const std::uint64_t exponent = bits >> 52 & 0x7FF, is_normal = exponent != 0;
      mantissa = (bits & 0xF'FFFF'FFFF'FFFF) | is_normal << 52;
      position = static_cast<unsigned>(exponent - is_normal);
      is_negative = bits >> 63 != 0;
    }
  };

  /// The one place where something is added: words shifted to `position`, digit by digit, nothing carried.
  template <std::size_t n>
  void add_words(const std::array<std::uint64_t, n>& words, unsigned position, bool is_negative) {
    const unsigned shift = position % 32;
    std::int64_t* const digits = room_for(position / 32, 2 * n + 1);
    const std::uint64_t sign = is_negative ? ~std::uint64_t{0} : 0;
    const auto put = [&](std::size_t i, std::uint64_t digit) { digits[i] += static_cast<std::int64_t>((digit ^ sign) - sign); };
    std::uint64_t below = 0;  // what the word before pushes into this one
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t word = words[i] << shift | below;
      put(2 * i, word & low_half);
      put(2 * i + 1, word >> 32);
      below = words[i] >> 1 >> (63 - shift);
    }
    put(2 * n, below);
    if (++n_terms_ == max_terms) carry();
  }

  /// The place of digit `first`; it and the next ones, `count` in all, are stored.
  std::int64_t* room_for(unsigned first, std::size_t count) {
    const std::size_t at = first - first_;  // far too large if below first_
    if (at + count > digits_.size()) return make_room(first, count);
    return digits_.data() + at;
  }
  std::int64_t* make_room(unsigned first, std::size_t count);
  void carry();

  // Every term changes a word by less than 2^32, and at most 2^32 is in it after a carry: 2^30 terms would do as well.
  static constexpr std::uint32_t max_terms = 1 << 20;

  std::vector<std::int64_t> digits_;
  std::uint32_t first_ = 0, n_terms_ = 0;  // what digits_[0] is; terms since the last carry
};

/// Adds every x to `sum` and its square to `squares`: the same as add() and add_product(), but quick for numbers of similar size. All must
/// be finite.
void add_with_squares(std::span<const double> x, ExactSum& sum, ExactSum& squares);

/// sum/n as the nearest double; n ≥ 1.
double exact_mean(const ExactSum& sum, std::uint64_t n);

/// The standard deviation of n ≥ 1 numbers, √(n·squares - sum²)/n as the nearest double; 0 where no numbers have such sums.
double exact_deviation(const ExactSum& sum, const ExactSum& squares, std::uint64_t n);

}  // namespace askrff
