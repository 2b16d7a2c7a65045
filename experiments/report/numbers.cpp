// Rounds and groups.
#include "experiments/report/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace askrff::experiments {
namespace {

constexpr std::string_view minus = "−";
constexpr int max_decimals = 12;

std::string with_true_minus(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, minus);
  return text;
}

/// Position of the first digit after rounding: 0 for 9.4, 1 for 9.99 with two digits. `value` is not zero.
int exponent_of(double value, int digits) {
  const std::string text = fmt::format("{:.{}e}", value, std::max(0, digits - 1));
  return std::stoi(text.substr(text.find('e') + 1));
}

bool needs_power(int exponent) { return exponent < -3 || exponent > 5; }

std::string power_of_ten(int exponent) {
  static constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "10⁻" : "10";
  for (const char digit : std::to_string(std::abs(exponent))) text += digits[digit - '0'];
  return text;
}

std::string plain(double value, int decimals) {
  return with_true_minus(fmt::format("{:.{}f}", value, std::clamp(decimals, 0, max_decimals)));
}

}  // namespace

std::string rounded(double value, int digits) {
  if (!std::isfinite(value)) return no_number;
  if (value == 0) return "0";
  const int exponent = exponent_of(value, digits);
  if (!needs_power(exponent)) return plain(value, digits - 1 - exponent);
  return plain(value * std::pow(10.0, -exponent), digits - 1) + "·" + power_of_ten(exponent);
}

std::string fixed(double value, int decimals) { return std::isfinite(value) ? plain(value, decimals) : no_number; }

std::string signed_fixed(double value, int decimals) {
  return std::isfinite(value) ? with_true_minus(fmt::format("{:+.{}f}", value, decimals)) : no_number;
}

std::string fixed(const Spread& spread, int decimals) {
  if (!std::isfinite(spread.mean) || !std::isfinite(spread.deviation)) return fixed(spread.mean, decimals);
  return fmt::format("{} ± {}", plain(spread.mean, decimals), plain(spread.deviation, decimals));
}

std::string rounded(const Spread& spread) {
  if (!std::isfinite(spread.mean)) return no_number;
  if (!std::isfinite(spread.deviation)) return rounded(spread.mean);
  if (spread.deviation == 0) return rounded(spread.mean, 4) + " ± 0";
  const int exponent = exponent_of(std::max(std::abs(spread.mean), spread.deviation), 3);
  const int power = needs_power(exponent) ? exponent : 0;
  const double scale = std::pow(10.0, -power);
  const int decimals = 1 - exponent_of(spread.deviation * scale, 2);
  const std::string text = fmt::format("{} ± {}", plain(spread.mean * scale, decimals), plain(spread.deviation * scale, decimals));
  return power == 0 ? text : fmt::format("({})·{}", text, power_of_ten(power));
}

std::string grouped(std::size_t count) {
  const std::string digits = std::to_string(count);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0 && digits.size() > 4) text += "\u202f";
    text += digits[i];
  }
  return text;
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return no_number;
  if (seconds == 0) return "0 s";
  if (seconds < 1e-3) return rounded(seconds * 1e6, 2) + " µs";
  if (seconds < 0.1) return rounded(seconds * 1e3, 2) + " ms";
  if (seconds < 99.5) return rounded(seconds, seconds < 9.95 ? 2 : 3) + " s";
  const auto whole = static_cast<std::size_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", grouped(whole / 3600), whole % 3600 / 60);
}

}  // namespace askrff::experiments
