// Numbers as they are written on the command line: all of the text or an error that names the option.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace askrff::cli {

/// No data and no kernel parameter of this program is wider: a vector of this length is 80 MB.
inline constexpr std::uint64_t max_dim = 10'000'000;

/// The texts between commas; a list has at least one, possibly empty.
std::vector<std::string> split_at_commas(std::string_view text);

/// The functions below throw std::invalid_argument "OPTION: "TEXT" is not …, expected …".

/// A finite number: "2", "-0.25", "1e-3".
double parse_number(std::string_view option, std::string_view text);

/// Finite numbers with commas between them.
std::vector<double> parse_numbers(std::string_view option, std::string_view text);

/// A whole number from `min` to `max`, in digits.
std::uint64_t parse_count(std::string_view option, std::string_view text, std::uint64_t min = 1,
                          std::uint64_t max = std::numeric_limits<std::uint64_t>::max());

/// A whole number, or one with K, M or G after it: times 2^10, 2^20, 2^30.
std::uint64_t parse_bytes(std::string_view option, std::string_view text);

/// A number of frequencies per part, absolute ("512") or in multiples of the dimension ("4d").
struct FrequencyCount {
  std::uint64_t factor = 1;
  bool times_dim = false;

  /// Throws std::invalid_argument if the frequencies of three parts would need more than 16 GiB.
  std::size_t per_part(std::size_t dim, const char* option = "--frequencies") const;
  std::string text() const;
};

/// "16,64,4d": in the order given, duplicates kept.
std::vector<FrequencyCount> parse_frequencies(std::string_view option, std::string_view text);

/// "512" or "4d".
FrequencyCount parse_frequency(std::string_view option, std::string_view text);

}  // namespace askrff::cli
