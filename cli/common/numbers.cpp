// Parsing of numbers and lists with from_chars: no locale, no octal, nothing left over.
#include "numbers.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <system_error>

#include "askrff/numbers.hpp"

namespace askrff::cli {
namespace {

[[noreturn]] void refuse(std::string_view option, std::string_view text, std::string_view expected) {
  throw std::invalid_argument(fmt::format("{}: got \"{}\", expected {}", option, text, expected));
}

}  // namespace

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> items;
  for (std::size_t comma; (comma = text.find(',')) != std::string_view::npos; text.remove_prefix(comma + 1))
    items.emplace_back(text.substr(0, comma));
  items.emplace_back(text);
  return items;
}

double parse_number(std::string_view option, std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = number_from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value)) refuse(option, text, "a finite number");
  return value;
}

std::vector<double> parse_numbers(std::string_view option, std::string_view text) {
  std::vector<double> values;
  for (const std::string& item : split_at_commas(text)) values.push_back(parse_number(option, item));
  return values;
}

std::uint64_t parse_count(std::string_view option, std::string_view text, std::uint64_t min, std::uint64_t max) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < min || value > max)
    refuse(option, text,
           max == std::numeric_limits<std::uint64_t>::max() ? fmt::format("a whole number from {}", min)
                                                            : fmt::format("a whole number from {} to {}", min, max));
  return value;
}

std::uint64_t parse_bytes(std::string_view option, std::string_view text) {
  constexpr std::string_view units = "KMG";
  const std::size_t unit = text.empty() ? std::string_view::npos : units.find(text.back());
  const unsigned shift = unit == std::string_view::npos ? 0 : 10 * (static_cast<unsigned>(unit) + 1);
  const std::string_view digits = shift == 0 ? text : text.substr(0, text.size() - 1);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || value > std::numeric_limits<std::uint64_t>::max() >> shift)
    refuse(option, text, "a number of bytes such as 500000000, 500M or 2G");
  return value << shift;
}

std::size_t FrequencyCount::per_part(std::size_t dim, const char* option) const {
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0, max_memory = 16.0;
  const double count = static_cast<double>(factor) * (times_dim ? static_cast<double>(dim) : 1.0);
  const double needed = 3.0 * count * static_cast<double>(dim) * sizeof(double) / gibibyte;
  if (!(needed <= max_memory))
    throw std::invalid_argument(fmt::format("{}: {} in {} dimensions need {:.3g} GiB for three parts, expected at most {} GiB", option,
                                            text(), dim, needed, max_memory));
  return static_cast<std::size_t>(factor * (times_dim ? dim : 1));
}

std::string FrequencyCount::text() const { return fmt::format("{}{}", factor, times_dim ? "d" : ""); }

FrequencyCount parse_frequency(std::string_view option, std::string_view text) {
  FrequencyCount count;
  std::string_view digits = text;
  count.times_dim = digits.ends_with('d');
  if (count.times_dim) digits.remove_suffix(1);
  if (count.times_dim && digits.empty()) digits = "1";  // "d" is "1d"
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count.factor);
  if (error != std::errc{} || end != digits.data() + digits.size() || count.factor == 0)
    refuse(option, text, "a number of frequencies ≥ 1 such as 512, or 4d for four times the dimension");
  return count;
}

std::vector<FrequencyCount> parse_frequencies(std::string_view option, std::string_view text) {
  std::vector<FrequencyCount> counts;
  for (const std::string& item : split_at_commas(text)) counts.push_back(parse_frequency(option, item));
  return counts;
}

}  // namespace askrff::cli
