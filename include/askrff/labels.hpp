// When two labels as they were written are the same class: the one rule for files, summaries, trainers and predictions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace askrff {

/// The number a label is, all of it ("1", "+1", "-0.5e3"); nothing if it is none or not finite.
std::optional<double> label_number(std::string_view label);

/// Labels with the same key are the same class: "1", "+1" and "1.0" are. Whole numbers from 2^53 on, of which several share a double, are
/// the same only if they are written the same, but for a plus sign; so are labels that are no numbers.
std::string label_key(std::string_view label);
/// The key of a number that was never text.
std::string label_key(double number);

/// The order of classes: numbers by size, then everything else by its bytes.
bool label_comes_before(std::string_view a, std::string_view b);

/// Which class a label is, by the names of a model. Remembers what it was asked, so that few labels need a key.
class ClassLookup {
 public:
  explicit ClassLookup(const std::vector<std::string>& classes);
  std::optional<std::uint32_t> find(const std::string& label);
  std::optional<std::uint32_t> find(double label);

 private:
  template <class Label>
  std::optional<std::uint32_t> find(std::unordered_map<Label, std::optional<std::uint32_t>>& known, const Label& label);
  std::unordered_map<std::string, std::uint32_t> by_key_;
  std::unordered_map<std::string, std::optional<std::uint32_t>> by_text_;
  std::unordered_map<double, std::optional<std::uint32_t>> by_number_;
};

}  // namespace askrff
