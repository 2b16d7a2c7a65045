// From syntax to program: values are numbered, so that equal parts are one; constants are folded; registers are given away and taken back.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <limits>
#include <optional>
#include <tuple>

#include "askrff/errors.hpp"
#include "expressions/program.hpp"

namespace askrff::expressions {

using backend::Elementwise;

/// Numbers values; every value depends on those before it only.
class Compiler {
 public:
  Compiler(const Syntax& syntax, const Meanings& meanings) : meanings_(meanings) {
    std::vector<Id> ids;
    for (const Node& node : syntax.nodes) {
      column_ = node.column;
      ids.push_back(of_node(node, ids));
    }
    roots_ = {ids.back()};
  }

  /// The formula as exp(u)·f: in place of its value u + one more input and f times another.
  void split(Program& program) {
    const std::vector<std::size_t> uses = counted_uses();
    std::vector<Id> parts = roots_, exponents, factors;
    while (!parts.empty()) {
      const Id id = parts.back();
      parts.pop_back();
      const auto arguments = values_[id].arguments;
      if (uses[id] > 1 && !is_operation(id, Elementwise::exponential)) {  // taken apart at each use, powers of powers had no end
        factors.push_back(id);
      } else if (is_operation(id, Elementwise::multiply)) {
        parts.insert(parts.end(), {arguments[1], arguments[0]});
      } else if (is_operation(id, Elementwise::negate)) {
        parts.push_back(arguments[0]);
        factors.push_back(constant(-1));
      } else if (is_operation(id, Elementwise::divide) && is_operation(arguments[1], Elementwise::exponential)) {
        parts.push_back(arguments[0]);
        exponents.push_back(negated(values_[arguments[1]].arguments[0]));
      } else if (is_operation(id, Elementwise::exponential)) {
        exponents.push_back(arguments[0]);
      } else {
        factors.push_back(id);
      }
    }
    const std::uint32_t n_inputs = counted_inputs();
    Id sum_of = add({.kind = Value::Kind::input, .place = n_inputs}), product_of = constant(1);
    for (const Id each : exponents) sum_of = sum(std::min(sum_of, each), std::max(sum_of, each));
    for (const Id each : factors) product_of = product(product_of, each);
    program.exponents_ = !exponents.empty();
    program.factors_ = !is_constant(product_of, 1);
    roots_.clear();
    if (program.exponents_) roots_.push_back(sum_of);
    if (program.factors_) roots_.push_back(product(add({.kind = Value::Kind::input, .place = n_inputs + 1}), product_of));
  }

  void write(Program& program) {
    fuse();
    const std::vector<std::size_t> uses = counted_uses();
    for (Id id = 0; id < values_.size(); ++id)
      if (uses[id] > 0 && is_constant(id) && !std::isfinite(values_[id].constant))
        refuse_at(values_[id].column, fmt::format("the constant is {}, expected a finite number", std::fabs(values_[id].constant)));
    program.tables_ = tables_;
    Plan plan(values_.size());
    order(plan, uses);
    std::vector<Program::Source> sources(values_.size());
    std::vector<std::uint32_t> free;
    for (std::size_t place = 0; place < plan.order.size(); ++place) write_value(program, place, plan, sources, free);
    for (std::size_t k = 0; k < roots_.size(); ++k)
      program.copied_.push_back(plan.is_written(roots_[k]) ? std::nullopt : std::optional(sources[roots_[k]]));
  }

 private:
  using Id = std::uint32_t;

  struct Value {
    enum class Kind { constant, input, operation, table };
    Kind kind = Kind::constant;
    Elementwise operation = {};
    std::uint32_t place = 0;  ///< of an input or a table
    std::array<Id, 3> arguments = {};
    double constant = 0;
    std::size_t column = 0;
    bool is_root_of_input = false;
  };
  using Key = std::tuple<Value::Kind, Elementwise, std::uint32_t, std::array<Id, 3>, std::uint64_t>;

  Id add(Value value) {
    value.column = column_;
    const Key key{value.kind, value.operation, value.place, value.arguments, std::bit_cast<std::uint64_t>(value.constant)};
    const auto [found, is_new] = known_.try_emplace(key, static_cast<Id>(values_.size()));
    if (is_new) values_.push_back(value);
    return found->second;
  }
  Id constant(double value) { return add({.kind = Value::Kind::constant, .constant = value}); }
  Id plain(Elementwise function, Id a, Id b = 0, Id c = 0) {
    return add({.kind = Value::Kind::operation, .operation = function, .arguments = {a, b, c}});
  }
  bool is_constant(Id id) const { return values_[id].kind == Value::Kind::constant; }
  bool is_constant(Id id, double value) const { return is_constant(id) && values_[id].constant == value; }
  bool is_operation(Id id, Elementwise function) const {
    return values_[id].kind == Value::Kind::operation && values_[id].operation == function;
  }
  std::span<const Id> arguments_of(Id id) const {
    const Value& value = values_[id];
    if (value.kind == Value::Kind::table) return std::span(value.arguments).first(1);
    if (value.kind != Value::Kind::operation) return {};
    return std::span(value.arguments).first(backend::n_operands(value.operation));
  }

  Id of_node(const Node& node, const std::vector<Id>& ids) {
    switch (node.kind) {
      case Node::Kind::number:
        return constant(node.number);
      case Node::Kind::name:
        return of_name(meanings_[node.name]);
      case Node::Kind::table:
        return of_table(meanings_[node.name].table, ids[node.arguments[0]]);
      case Node::Kind::operation:
        break;
    }
    return apply(node.operation, ids[node.arguments[0]], ids[node.arguments[1]], ids[node.arguments[2]]);
  }
  Id of_name(const Meaning& meaning) {
    if (meaning.kind == Meaning::Kind::constant) return constant(meaning.constant);
    const auto place = static_cast<std::uint32_t>(meaning.input);
    const Id input = add({.kind = Value::Kind::input, .place = place});
    if (meaning.kind == Meaning::Kind::input) return input;
    if (meaning.kind == Meaning::Kind::difference_of_inputs)
      return plain(Elementwise::subtract, input, add({.kind = Value::Kind::input, .place = place + 1}));
    const Id root = plain(Elementwise::square_root, input);
    values_[root].is_root_of_input = true;
    return root;
  }
  std::uint32_t counted_inputs() const {
    std::uint32_t n = 0;
    for (const Value& value : values_)
      if (value.kind == Value::Kind::input) n = std::max(n, value.place + 1);
    return n;
  }
  Id of_table(const std::shared_ptr<const Table>& table, Id argument) {
    if (is_constant(argument)) return constant(table->value(values_[argument].constant));
    const auto place = std::ranges::find(tables_, table) - tables_.begin();
    if (place == static_cast<std::ptrdiff_t>(tables_.size())) tables_.push_back(table);
    return add({.kind = Value::Kind::table, .place = static_cast<std::uint32_t>(place), .arguments = {argument}});
  }

  Id apply(Elementwise function, Id a, Id b = 0, Id c = 0) {
    const std::size_t count = backend::n_operands(function);
    if (is_constant(a) && (count < 2 || is_constant(b)) && (count < 3 || is_constant(c)))
      return constant(backend::elementwise_value(function, values_[a].constant, values_[b].constant, values_[c].constant));
    switch (function) {
      case Elementwise::negate:
        return negated(a);
      case Elementwise::add:
        return sum(std::min(a, b), std::max(a, b));
      case Elementwise::subtract:
        return difference(a, b);
      case Elementwise::multiply:
        return product(a, b);
      case Elementwise::divide:
        return quotient(a, b);
      case Elementwise::power:
        return power(a, b);
      case Elementwise::select:
        return is_constant(a) ? (values_[a].constant != 0 ? b : c) : plain(function, a, b, c);
      case Elementwise::absolute:
        return values_[a].is_root_of_input ? a : plain(function, a);
      default:
        return plain(function, a, count > 1 ? b : 0);
    }
  }

  Id negated(Id a) {
    if (is_constant(a)) return constant(-values_[a].constant);
    if (is_operation(a, Elementwise::negate)) return values_[a].arguments[0];
    if (is_operation(a, Elementwise::multiply) && is_constant(values_[a].arguments[1]))
      return product(values_[a].arguments[0], constant(-values_[values_[a].arguments[1]].constant));
    return plain(Elementwise::negate, a);
  }
  Id sum(Id a, Id b) {
    if (is_constant(a, 0)) return b;
    if (is_constant(b, 0)) return a;
    return plain(Elementwise::add, a, b);
  }
  /// As a sum where that is the same: sums take products in.
  Id difference(Id a, Id b) {
    const bool is_scaled = is_operation(b, Elementwise::multiply) && is_constant(values_[b].arguments[1]);
    if (!is_constant(b) && !is_scaled) return plain(Elementwise::subtract, a, b);
    const Id opposite = negated(b);
    return sum(std::min(a, opposite), std::max(a, opposite));
  }
  static bool is_harmless(double factor) { return std::fabs(factor) > 1e-150 && std::fabs(factor) < 1e150; }
  /// A constant stands behind; two of them become one unless that could leave the doubles.
  Id product(Id a, Id b) {
    if (is_constant(a)) std::swap(a, b);
    if (!is_constant(b)) {
      if (a == b && values_[a].is_root_of_input) return values_[a].arguments[0];
      return plain(Elementwise::multiply, std::min(a, b), std::max(a, b));
    }
    const double factor = values_[b].constant;
    if (factor == 1) return a;
    if (is_operation(a, Elementwise::negate)) return product(values_[a].arguments[0], constant(-factor));
    if (is_operation(a, Elementwise::multiply) && is_constant(values_[a].arguments[1])) {
      const double before = values_[values_[a].arguments[1]].constant;
      if (is_harmless(before) && is_harmless(factor) && is_harmless(before * factor))
        return product(values_[a].arguments[0], constant(before * factor));
    }
    return factor == -1 ? plain(Elementwise::negate, a) : plain(Elementwise::multiply, a, b);
  }
  Id quotient(Id a, Id b) {
    if (is_constant(b, 0)) return product(a, constant(std::numeric_limits<double>::infinity()));  // refused where it is used
    if (is_constant(b) && is_harmless(values_[b].constant)) return product(a, constant(1 / values_[b].constant));
    return plain(Elementwise::divide, a, b);
  }
  /// a^n by squares; n ≥ 1.
  Id whole_power(Id a, unsigned n) {
    if (n == 1) return a;
    const Id half = whole_power(a, n / 2), square = product(half, half);
    return n % 2 == 0 ? square : product(square, a);
  }
  Id power(Id a, Id b) {
    constexpr double largest_product = 16;
    if (is_constant(a) && values_[a].constant > 0)
      return apply(Elementwise::exponential, product(b, constant(std::log(values_[a].constant))));
    if (!is_constant(b)) return plain(Elementwise::power, a, b);
    const double exponent = values_[b].constant;
    if (exponent == 0) return constant(1);
    if (exponent == 0.5) return plain(Elementwise::square_root, a);
    if (exponent != std::floor(exponent) || std::fabs(exponent) > largest_product) return plain(Elementwise::power, a, b);
    const Id positive = whole_power(a, static_cast<unsigned>(std::fabs(exponent)));
    return exponent > 0 ? positive : quotient(constant(1), positive);
  }

  /// By values that lead to an output, and by outputs.
  std::vector<std::size_t> counted_uses() const {
    std::vector<std::size_t> uses(values_.size(), 0);
    for (const Id root : roots_) ++uses[root];
    for (Id id = static_cast<Id>(values_.size()); id-- > 0;)
      if (uses[id] > 0)
        for (const Id argument : arguments_of(id)) ++uses[argument];
    return uses;
  }

  /// A sum takes a product in that nobody else wants.
  void fuse() {
    const std::vector<std::size_t> uses = counted_uses();
    for (Id id = 0; id < values_.size(); ++id) {
      if (uses[id] == 0 || !is_operation(id, Elementwise::add)) continue;
      Value& value = values_[id];
      auto [a, b, unused] = value.arguments;
      if (!is_operation(a, Elementwise::multiply) || uses[a] > 1) std::swap(a, b);
      if (!is_operation(a, Elementwise::multiply) || uses[a] > 1) continue;
      value.operation = Elementwise::multiply_add;
      value.arguments = {values_[a].arguments[0], values_[a].arguments[1], b};
    }
  }

  /// What is carried out, in which order.
  struct Plan {
    explicit Plan(std::size_t n) : last_use(n, 0), goes_on(n, false), is_repeated(n, false), output(n, nowhere) {}
    static constexpr std::size_t nowhere = ~std::size_t{0};
    bool is_written(Id id) const { return output[id] != nowhere; }

    std::vector<Id> order;              ///< every value behind its arguments
    std::vector<std::size_t> last_use;  ///< place in the order of the last that takes it
    std::vector<bool> goes_on;          ///< the operation behind it carries it
    std::vector<bool> is_repeated;      ///< a difference that is carried by whoever wants it, and made each time
    std::vector<std::size_t> output;    ///< written by its operation, which nobody else wants
  };

  bool is_leaf(Id id) const { return values_[id].kind == Value::Kind::constant || values_[id].kind == Value::Kind::input; }
  /// As one operand, or as the first two.
  bool may_carry(Id by, Id id) const {
    const auto arguments = arguments_of(by);
    const auto count = std::ranges::count(arguments, id);
    return values_[by].kind == Value::Kind::operation && (count == 1 || (count == 2 && arguments[0] == id && arguments[1] == id));
  }
  bool is_difference_of_inputs(Id id) const {
    return is_operation(id, Elementwise::subtract) &&
           std::ranges::all_of(arguments_of(id), [&](Id each) { return values_[each].kind == Value::Kind::input; });
  }

  /// Depth first, so that an operation mostly stands right behind the last of its arguments.
  void order(Plan& plan, const std::vector<std::size_t>& uses) const {
    std::vector<bool> is_done(values_.size(), false);
    for (const Id root : roots_)
      for (std::vector<Id> open = {root}; !open.empty();) {
        const Id id = open.back();
        const std::size_t n_open = open.size();
        const auto arguments = arguments_of(id);
        for (std::size_t o = arguments.size(); o-- > 0 && !is_done[id];)
          if (!is_done[arguments[o]]) open.push_back(arguments[o]);
        if (open.size() > n_open) continue;
        open.pop_back();
        if (is_done[id]) continue;
        is_done[id] = true;
        plan.order.push_back(id);
      }
    for (std::size_t place = 0; place < plan.order.size(); ++place)
      for (const Id argument : arguments_of(plan.order[place])) plan.last_use[argument] = place;
    for (std::size_t k = 0; k < roots_.size(); ++k) {
      plan.last_use[roots_[k]] = plan.order.size();
      if (uses[roots_[k]] == 1 && !is_leaf(roots_[k])) plan.output[roots_[k]] = k;
    }
    make_chains(plan, uses);
  }

  void make_chains(Plan& plan, const std::vector<std::size_t>& uses) const {
    for (const Id id : plan.order) plan.is_repeated[id] = is_difference_of_inputs(id) && uses[id] > 1 && !std::ranges::count(roots_, id);
    for (const Id id : plan.order) {  // where something else is carried, or nothing can be, it has to lie ready
      const auto arguments = arguments_of(id);
      for (const Id argument : arguments)
        if (!may_carry(id, argument) || std::ranges::any_of(arguments, [&](Id each) { return !is_leaf(each) && each != argument; }))
          plan.is_repeated[argument] = false;
    }
    std::size_t length = 0;  // of the chain so far
    std::optional<Id> before;
    for (const Id id : plan.order) {
      if (is_leaf(id) || plan.is_repeated[id]) continue;
      const auto arguments = arguments_of(id);
      const bool goes_on = before && length < backend::max_steps && values_[*before].kind == Value::Kind::operation &&
                           may_carry(id, *before) && uses[*before] == static_cast<std::size_t>(std::ranges::count(arguments, *before));
      if (goes_on) plan.goes_on[*before] = true;
      const bool repeats = std::ranges::any_of(arguments, [&](Id each) { return plan.is_repeated[each]; });
      length = goes_on ? length + 1 : repeats ? 2 : 1;
      before = id;
    }
  }

  void write_value(Program& program, std::size_t place, const Plan& plan, std::vector<Program::Source>& sources,
                   std::vector<std::uint32_t>& free) const {
    using Kind = Program::Source::Kind;
    const Id id = plan.order[place];
    const Value& value = values_[id];
    if (value.kind == Value::Kind::constant) {
      program.constants_.push_back(value.constant);
      sources[id] = {Kind::constant, static_cast<std::uint32_t>(program.constants_.size() - 1)};
    } else if (value.kind == Value::Kind::input) {
      sources[id] = {Kind::input, value.place};
    } else if (plan.is_repeated[id]) {
      sources[id] = {Kind::carried, 0};
    } else {
      sources[id] = write_instruction(program, place, plan, sources, free);
    }
  }

  Program::Source write_instruction(Program& program, std::size_t place, const Plan& plan, const std::vector<Program::Source>& sources,
                                    std::vector<std::uint32_t>& free) const {
    using Kind = Program::Source::Kind;
    const Id id = plan.order[place];
    const auto arguments = arguments_of(id);
    const auto repeated = std::ranges::find_if(arguments, [&](Id each) { return plan.is_repeated[each]; });
    if (repeated != arguments.end()) program.instructions_.push_back(instruction_of(*repeated, sources, true));
    Program::Instruction instruction = instruction_of(id, sources, plan.goes_on[id]);
    for (auto argument = arguments.begin(); argument != arguments.end(); ++argument)
      if (sources[*argument].kind == Kind::reg && plan.last_use[*argument] == place &&
          std::find(arguments.begin(), argument, *argument) == argument)
        free.push_back(sources[*argument].place);
    if (plan.goes_on[id] || plan.is_written(id)) {
      instruction.is_output = plan.is_written(id);
      instruction.target = instruction.is_output ? static_cast<std::uint32_t>(plan.output[id]) : 0;
      program.instructions_.push_back(instruction);
      return {Kind::carried, 0};
    }
    if (free.empty()) free.push_back(static_cast<std::uint32_t>(program.n_registers_++));
    instruction.target = free.back();
    free.pop_back();
    program.instructions_.push_back(instruction);
    return {Kind::reg, instruction.target};
  }

  Program::Instruction instruction_of(Id id, const std::vector<Program::Source>& sources, bool goes_on) const {
    const Value& value = values_[id];
    Program::Instruction instruction{
        .is_table = value.kind == Value::Kind::table, .goes_on = goes_on, .function = value.operation, .table = value.place};
    std::ranges::transform(arguments_of(id), instruction.sources, [&](Id argument) { return sources[argument]; });
    return instruction;
  }

  const Meanings& meanings_;
  std::vector<Value> values_;
  std::map<Key, Id> known_;
  std::vector<std::shared_ptr<const Table>> tables_;
  std::size_t column_ = 1;
  std::vector<Id> roots_;  ///< the outputs
};

Program::Program(const Syntax& syntax, const Meanings& meanings) { Compiler(syntax, meanings).write(*this); }

Program Program::factor(const Syntax& syntax, const Meanings& meanings) {
  Program program;
  Compiler compiler(syntax, meanings);
  compiler.split(program);
  compiler.write(program);
  return program;
}

}  // namespace askrff::expressions
