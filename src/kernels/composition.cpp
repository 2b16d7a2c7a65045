// A parser by recursive descent whose values are numbers or sums of weighted kernels.
#include "kernels/composition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/numbers.hpp"
#include "kernels/expression_form.hpp"

namespace askrff::kernels {
namespace {

constexpr std::string_view shifted_name = "shifted:";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// How many characters of the text's beginning are a name: the longest of the registry that is not cut inside a word; 0 if there is none.
std::size_t length_of_name(std::string_view text) {
  const std::size_t before = text.starts_with(shifted_name) ? shifted_name.size() : 0;
  std::size_t longest = 0;
  for (const KernelInfo& info : kernel_registry()) {
    const std::string_view rest = text.substr(before);
    if (info.wraps_another || !rest.starts_with(info.name)) continue;
    const std::size_t end = before + info.name.size();
    if (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) continue;
    longest = std::max(longest, end);
  }
  return longest;
}

struct Term {
  double weight;
  std::unique_ptr<Kernel> kernel;
};

/// A number, or Σ weight·kernel.
struct Value {
  double number = 0;
  std::vector<Term> terms = {};

  static Value of(std::unique_ptr<Kernel> kernel) {
    Value value;
    value.terms.push_back({1, std::move(kernel)});
    return value;
  }
  bool is_number() const { return terms.empty(); }
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::unique_ptr<Kernel> whole() {
    constexpr std::size_t most_characters = 10'000;
    if (text_.size() > most_characters)
      throw InvalidArgument(fmt::format("a kernel of {} characters, expected at most {}", text_.size(), most_characters));
    Value value = sum();
    skip_spaces();
    if (at_ < text_.size()) refuse(fmt::format("'{}'", text_[at_]), "+, -, * or the end");
    if (value.is_number()) refuse_at(0, fmt::format("the number {}", value.number), "a kernel");
    return kernel_of(std::move(value));
  }

 private:
  [[noreturn]] void refuse_at(std::size_t place, const std::string& got, const std::string& wanted) const {
    std::string shown(text_.substr(0, 200));
    for (char& c : shown)
      if (static_cast<unsigned char>(c) < 32) c = ' ';
    throw InvalidArgument(
        fmt::format("kernel '{}{}': at character {}, got {}, expected {}", shown, text_.size() > 200 ? "…" : "", place + 1, got, wanted));
  }
  [[noreturn]] void refuse(const std::string& got, const std::string& wanted) const { refuse_at(at_, got, wanted); }

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  bool takes(char c) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void want(char c) {
    if (!takes(c)) refuse(here(), fmt::format("'{}'", c));
  }
  std::string here() const { return at_ < text_.size() ? fmt::format("'{}'", text_.substr(at_, 1)) : "the end"; }

  Value sum() {
    Value total = product();
    for (;;) {
      skip_spaces();
      const std::size_t place = at_;
      const bool minus = takes('-');
      if (!minus && !takes('+')) return total;
      Value next = product();
      if (minus) next = times(Value{-1}, std::move(next), place);
      if (total.is_number() != next.is_number())
        refuse_at(place, "a kernel plus a number", "kernels on both sides: a constant has no features of its own");
      total.number += next.number;
      for (Term& term : next.terms) total.terms.push_back(std::move(term));
    }
  }

  Value product() {
    Value total = factor();
    for (;;) {
      skip_spaces();
      const std::size_t place = at_;
      if (!takes('*')) return total;
      total = times(std::move(total), factor(), place);
    }
  }

  Value times(Value a, Value b, std::size_t place) const {
    if (a.is_number() && b.is_number()) return {a.number * b.number};
    if (!a.is_number() && !b.is_number()) return Value::of(product_of({kernel_of(std::move(a)), kernel_of(std::move(b))}));
    Value& kernels = a.is_number() ? b : a;
    const double number = a.is_number() ? a.number : b.number;
    for (Term& term : kernels.terms) {
      term.weight *= number;
      if (!(std::fabs(term.weight) >= 1e-150 && std::fabs(term.weight) <= 1e150))
        refuse_at(place, fmt::format("a weight of {}", term.weight), "a number whose size is between 1e-150 and 1e150");
    }
    return std::move(kernels);
  }
  /// One kernel as it is: a sum of it alone would know less of its measure.
  static std::unique_ptr<Kernel> kernel_of(Value value) {
    if (value.terms.size() == 1 && value.terms[0].weight == 1) return std::move(value.terms[0].kernel);
    std::vector<WeightedKernel> terms;
    for (Term& term : value.terms) terms.push_back({term.weight, std::move(term.kernel)});
    return sum_of(std::move(terms));
  }

  Value factor() {
    constexpr int most_levels = 50;
    skip_spaces();
    const std::size_t place = at_;
    if (++level_ > most_levels) refuse("one parenthesis or sign more", fmt::format("at most {} levels", most_levels));
    Value value;
    if (takes('-')) {
      value = times(Value{-1}, factor(), place);
    } else if (takes('(')) {
      value = sum();
      want(')');
    } else if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) {
      value.number = number();
    } else {
      value = Value::of(named());
    }
    --level_;
    return value;
  }

  double number() {
    skip_spaces();
    const std::size_t place = at_;
    const char* const begin = text_.data() + at_;
    const char* const end = text_.data() + text_.size();
    double value = 0;
    const auto [stop, error] = number_from_chars(begin, end, value);
    if (error != std::errc{} || !std::isfinite(value)) refuse_at(place, here(), "a finite number");
    at_ += static_cast<std::size_t>(stop - begin);
    return value;
  }

  std::unique_ptr<Kernel> named() {
    constexpr int most_kernels = 100;
    const std::size_t place = at_, length = length_of_name(text_.substr(at_));
    if (const auto rest = text_.substr(at_); rest.starts_with("expr:") || rest.starts_with("expr("))
      refuse(word(), "the name of a kernel: a formula stands alone, so write the whole sum or product as one");
    if (length == 0) refuse(word(), "a number, '(' or the name of a kernel (askrff kernels lists them), or expr: and a formula");
    if (++n_kernels_ > most_kernels) refuse("one kernel more", fmt::format("at most {}", most_kernels));
    const std::string_view name = text_.substr(at_, length);
    at_ += length;
    ParameterValues values;
    if (takes('(') && !takes(')')) {
      do parameter(values);
      while (takes(','));
      want(')');
    }
    try {
      return make_kernel(name, values);
    } catch (const InvalidArgument& error) {
      throw InvalidArgument(fmt::format("kernel '{}' at character {}: {}", name, place + 1, error.what()));
    }
  }

  /// What stands here, for a message.
  std::string word() const {
    std::size_t end = at_;
    while (end < text_.size() && end < at_ + 40 &&
           (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '-' || text_[end] == ':'))
      ++end;
    return end > at_ ? fmt::format("'{}'", text_.substr(at_, end - at_)) : here();
  }

  void parameter(ParameterValues& values) {
    skip_spaces();
    const std::size_t place = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    if (at_ == place) refuse(here(), "the name of a parameter");
    const std::string name(text_.substr(place, at_ - place));
    want('=');
    if (!values.emplace(name, parameter_value()).second) refuse_at(place, fmt::format("'{}' twice", name), "every parameter once");
  }

  CoordinateParameter parameter_value() {
    if (takes('[')) {
      std::vector<double> numbers;
      do numbers.push_back(number());
      while (takes(','));
      want(']');
      return CoordinateParameter(std::move(numbers));
    }
    const double value = number();
    if (!takes('/')) return CoordinateParameter(value);
    want('d');
    return CoordinateParameter::over_dim(value);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int level_ = 0, n_kernels_ = 0;
};

}  // namespace

bool is_composition(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  if (is_expression(text)) return false;
  if (text.starts_with('-') || text.find_first_of("()+*") != std::string_view::npos) return true;
  const std::size_t length = length_of_name(text);
  if (length == 0) return false;
  text.remove_prefix(length);
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  return text.starts_with('-');
}

std::unique_ptr<Kernel> kernel_of_text(std::string_view text) { return Parser(text).whole(); }

}  // namespace askrff::kernels
