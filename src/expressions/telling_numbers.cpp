// Constants of the syntax and what two of them make; zeros by bisection, places next to 0 by golden sections.
#include "expressions/telling_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace askrff::expressions {
namespace {

constexpr std::size_t most_combined = 12, most_constants = 64, most_places = 64;
constexpr double golden_section = 0.6180339887498949;

using backend::Elementwise;

bool is_comparison(Elementwise operation) {
  switch (operation) {
    case Elementwise::minimum:
    case Elementwise::maximum:
    case Elementwise::less:
    case Elementwise::less_equal:
    case Elementwise::equal:
    case Elementwise::unequal:
      return true;
    default:
      return false;
  }
}

bool looks_at_zero(Elementwise operation) {
  switch (operation) {
    case Elementwise::absolute:
    case Elementwise::sign:
    case Elementwise::step:
    case Elementwise::select:
      return true;
    default:
      return false;
  }
}

/// Values of all nodes of a formula, one number at a time.
class NodeValues {
 public:
  NodeValues(const Syntax& syntax, const Meanings& meanings) : syntax_(syntax), meanings_(meanings), values_(syntax.nodes.size()) {
    for (const Node& node : syntax.nodes) {
      bool is_constant = node.kind != Node::Kind::name || meanings[node.name].kind == Meaning::Kind::constant;
      for (std::size_t a = 0; a < n_arguments(node); ++a) is_constant = is_constant && constant_[node.arguments[a]];
      constant_.push_back(is_constant);
    }
  }

  bool is_constant(std::size_t node) const { return constant_[node]; }
  double operator[](std::size_t node) const { return values_[node]; }
  /// All variables are x.
  void find_at(double x) {
    for (std::size_t n = 0; n < values_.size(); ++n) values_[n] = value_of(syntax_.nodes[n], x);
  }

 private:
  static std::size_t n_arguments(const Node& node) {
    return node.kind == Node::Kind::operation ? backend::n_operands(node.operation) : node.kind == Node::Kind::table ? 1 : 0;
  }
  double value_of(const Node& node, double x) const {
    const auto argument = [&](std::size_t a) { return a < n_arguments(node) ? values_[node.arguments[a]] : 0.0; };
    switch (node.kind) {
      case Node::Kind::number:
        return node.number;
      case Node::Kind::name:
        return meanings_[node.name].kind == Meaning::Kind::constant ? meanings_[node.name].constant : x;
      case Node::Kind::table:
        return meanings_[node.name].table->value(argument(0));
      case Node::Kind::operation:
        break;
    }
    return backend::elementwise_value(node.operation, argument(0), argument(1), argument(2));
  }

  const Syntax& syntax_;
  const Meanings& meanings_;
  std::vector<bool> constant_;
  std::vector<double> values_;
};

/// What decides, where it is 0, which piece of the formula holds: a node, or the difference of two.
struct Decision {
  std::size_t node = 0, minus = 0;
  bool is_difference = false;
  double value(const NodeValues& values) const { return is_difference ? values[node] - values[minus] : values[node]; }
};

std::vector<Decision> decisions_of(const Syntax& syntax, const NodeValues& values) {
  std::vector<Decision> decisions;
  for (const Node& node : syntax.nodes) {
    if (node.kind != Node::Kind::operation) continue;
    const Decision decision{node.arguments[0], node.arguments[1], is_comparison(node.operation)};
    if (!decision.is_difference && !looks_at_zero(node.operation)) continue;
    if (!values.is_constant(decision.node) || (decision.is_difference && !values.is_constant(decision.minus)))
      decisions.push_back(decision);
  }
  return decisions;
}

/// A zero between two numbers at which signs differ.
template <class F>
double bisected(const F& f, double from, double to) {
  const bool sign = f(from) < 0;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (from + to);
    ((f(middle) < 0) == sign ? from : to) = middle;
  }
  return 0.5 * (from + to);
}

/// Where |f| is least between two numbers.
template <class F>
double least_size(const F& f, double from, double to) {
  for (int step = 0; step < 60; ++step) {
    const double width = golden_section * (to - from), left = to - width, right = from + width;
    (std::fabs(f(left)) < std::fabs(f(right)) ? to : from) = std::fabs(f(left)) < std::fabs(f(right)) ? right : left;
  }
  return 0.5 * (from + to);
}

class Numbers {
 public:
  Numbers(const Syntax& syntax, const Meanings& meanings) : values_(syntax, meanings) {
    values_.find_at(1);
    for (std::size_t n = 0; n < syntax.nodes.size() && numbers_.size() < most_constants; ++n)
      if (values_.is_constant(n)) add(values_[n]);
    combine();
    std::size_t n_variables = 0;
    bool is_distance = false;
    for (const Meaning& meaning : meanings) {
      n_variables += meaning.kind != Meaning::Kind::constant && meaning.kind != Meaning::Kind::table;
      is_distance = is_distance || meaning.kind == Meaning::Kind::root_of_input;
    }
    if (n_variables == 1) add_places(decisions_of(syntax, values_), is_distance);
  }

  std::vector<double> result() && { return std::move(numbers_); }

 private:
  void add(double number) {
    const double size = std::fabs(number);
    if (size > 1e-140 && size < 1e140 && std::ranges::find(numbers_, size) == numbers_.end()) numbers_.push_back(size);
  }

  void combine() {
    const std::vector<double> first(numbers_.begin(),
                                    numbers_.begin() + static_cast<std::ptrdiff_t>(std::min(most_combined, numbers_.size())));
    for (std::size_t i = 0; i < first.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        for (const double number :
             {first[i] + first[j], first[i] - first[j], first[i] * first[j], first[i] / first[j], first[j] / first[i]})
          add(number);
  }

  void add_places(const std::vector<Decision>& decisions, bool is_distance) {
    std::vector<double> at = sizes_all_over();
    at.insert(at.end(), numbers_.begin(), numbers_.end());
    if (!is_distance)
      for (std::size_t i = at.size(); i-- > 0;) at.push_back(-at[i]);
    at.push_back(0);
    std::ranges::sort(at);
    std::vector<double> values(at.size() * decisions.size());
    for (std::size_t i = 0; i < at.size() && !decisions.empty(); ++i) {
      values_.find_at(at[i]);
      for (std::size_t d = 0; d < decisions.size(); ++d) values[d * at.size() + i] = decisions[d].value(values_);
    }
    const std::size_t most = numbers_.size() + most_places;
    for (std::size_t d = 0; d < decisions.size(); ++d) {
      const auto value = [&](double x) {
        values_.find_at(x);
        return decisions[d].value(values_);
      };
      const std::span<const double> v = std::span<const double>(values).subspan(d * at.size(), at.size());
      for (std::size_t i = 0; i + 1 < at.size() && numbers_.size() < most; ++i) {
        if ((v[i] < 0 && v[i + 1] > 0) || (v[i] > 0 && v[i + 1] < 0)) add(bisected(value, at[i], at[i + 1]));
        const bool is_least = i > 0 && std::fabs(v[i]) < std::fabs(v[i - 1]) && std::fabs(v[i]) < std::fabs(v[i + 1]);
        if (is_least && v[i] != 0) add(least_size(value, at[i - 1], at[i + 1]));
      }
    }
  }

  NodeValues values_;
  std::vector<double> numbers_;
};

}  // namespace

std::vector<double> telling_numbers(const Syntax& syntax, const Meanings& meanings) { return Numbers(syntax, meanings).result(); }

std::vector<double> sizes_all_over() {
  std::vector<double> sizes;
  for (int k = -160; k <= 160; ++k) sizes.push_back(std::exp2(0.25 * (k + golden_section * k - std::floor(golden_section * k))));
  std::ranges::sort(sizes);
  return sizes;
}

}  // namespace askrff::expressions
