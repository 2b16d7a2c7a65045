// Labels as numbers, and their keys.
#include "askrff/labels.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

#include "askrff/numbers.hpp"
namespace askrff {
namespace {

std::string_view without_plus(std::string_view text) {
  if (text.starts_with('+') && !text.substr(1).starts_with('-')) text.remove_prefix(1);  // from_chars knows '-' only
  return text;
}

std::string shortest(double number) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, number).ptr};
}

}  // namespace

std::optional<double> label_number(std::string_view label) {
  const std::string_view text = without_plus(label);
  double value = 0;
  const auto [end, error] = number_from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value == 0 ? 0 : value;  // -0 is 0
}

std::string label_key(std::string_view label) {
  constexpr double first_shared = 0x1p53;  // a double of this size or more may stand for several whole numbers
  const auto number = label_number(label);
  if (!number) return std::string(label);
  return std::abs(*number) < first_shared ? shortest(*number) : std::string(without_plus(label));
}

std::string label_key(double number) { return shortest(number == 0 ? 0 : number); }

bool label_comes_before(std::string_view a, std::string_view b) {
  const auto x = label_number(a), y = label_number(b);
  if (x.has_value() != y.has_value()) return x.has_value();
  return x && *x != *y ? *x < *y : a < b;
}

ClassLookup::ClassLookup(const std::vector<std::string>& classes) {
  for (std::uint32_t k = 0; k < classes.size(); ++k) by_key_.emplace(label_key(classes[k]), k);
}

std::optional<std::uint32_t> ClassLookup::find(const std::string& label) { return find(by_text_, label); }
std::optional<std::uint32_t> ClassLookup::find(double label) { return find(by_number_, label); }

template <class Label>
std::optional<std::uint32_t> ClassLookup::find(std::unordered_map<Label, std::optional<std::uint32_t>>& known, const Label& label) {
  if (const auto before = known.find(label); before != known.end()) return before->second;
  const auto same = by_key_.find(label_key(label));
  const auto found = same == by_key_.end() ? std::nullopt : std::optional(same->second);
  constexpr std::size_t max_remembered = 100'000;  // labels may be different on every row
  if (known.size() < max_remembered) known.emplace(label, found);
  return found;
}

}  // namespace askrff
