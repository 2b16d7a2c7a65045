// Names of an expression: variables, constants of the language, parameters and tables.
#include "kernels/expression_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "askrff/errors.hpp"

namespace askrff::kernels {
namespace {

using expressions::Name;
using expressions::refuse_at;

constexpr ExpressionWord all_variables[] = {
    {"x", "a coordinate of δ; k is the product over all of them"},
    {"x1, x2, …", "single coordinates of δ"},
    {"r", "‖δ‖"},
    {"t", "a·δ, a the parameter a"},
    {"d", "the dimension"},
    {"pi, e", "3.14159…, 2.71828…"},
};

// So that a formula takes no memory or time out of proportion: its symmetry is looked at on rows that have the last coordinate it names.
constexpr std::size_t max_coordinate = std::size_t{1} << 16;

constexpr std::string_view single_names[] = {"x", "r", "t", "d", "pi", "e"};

struct NamedFormula {
  Route route;
  std::string_view formula;
};

NamedFormula split_name(std::string_view name) {
  constexpr std::string_view plain = "expr:", routed = "expr(route=", end = "):";
  NamedFormula result{Route::automatic, name};
  if (name.starts_with(plain)) {
    result.formula.remove_prefix(plain.size());
  } else {
    const std::size_t close = name.find(end);
    if (!name.starts_with(routed) || close == std::string_view::npos)
      throw InvalidArgument("expression",
                            fmt::format("got '{}', expected expr: or expr(route=WORD): before the formula", printable(name, 40)));
    result.route = value_of<Route>("expression: route", name.substr(routed.size(), close - routed.size()));
    result.formula.remove_prefix(close + end.size());
  }
  result.formula.remove_prefix(std::min(result.formula.find_first_not_of(" \t\r\n"), result.formula.size()));
  return result;
}

void add_parameter(ExpressionForm& form, const Name& name) {
  form.parameters.push_back({.name = name.text,
                             .meaning = name.is_table ? "table of the expression, x0, f0, x1, f1, …" : "parameter of the expression",
                             .default_value = 0.0,
                             .unit = ParameterUnit::none,
                             .is_required = true,
                             .is_table = name.is_table});
}

void add_coordinate(ExpressionForm& form, std::size_t place) {
  if (std::ranges::find(form.coordinates, place - 1) == form.coordinates.end()) form.coordinates.push_back(place - 1);
}

void read_name(ExpressionForm& form, const Name& name) {
  const bool is_reserved = std::ranges::find(single_names, name.text) != std::end(single_names);
  const std::size_t coordinate = coordinate_of(name.text);
  if (name.is_table && (is_reserved || coordinate != 0))
    refuse_at(name.column,
              fmt::format("{} is no function, expected an operator behind it; products are written with *", printable(name.text, 40)));
  if (name.text == "x0") refuse_at(name.column, "got x0, expected x1 for the first coordinate");
  if (coordinate > max_coordinate)
    refuse_at(name.column, fmt::format("got {}, expected a coordinate up to x{}", printable(name.text, 40), max_coordinate));
  if (coordinate != 0)
    add_coordinate(form, coordinate);
  else if (!is_reserved)
    add_parameter(form, name);
  form.is_product = form.is_product || name.text == "x";
  form.uses_radius = form.uses_radius || name.text == "r";
  form.uses_projection = form.uses_projection || name.text == "t";
  form.uses_dim = form.uses_dim || name.text == "d";
}

/// The first name that fits.
template <class Fits>
const Name& first_name(const ExpressionForm& form, const Fits& fits) {
  return *std::ranges::find_if(form.syntax.names, fits);
}

[[noreturn]] void refuse_constant(const ExpressionForm& form) {
  const auto is_parameter = [](const Name& n) { return !n.is_table && std::ranges::find(single_names, n.text) == std::end(single_names); };
  const bool has_parameter = std::ranges::any_of(form.syntax.names, is_parameter);
  const Name* unknown = has_parameter ? &first_name(form, is_parameter) : nullptr;
  refuse_at(unknown ? unknown->column : 1,
            fmt::format("there is no variable, expected x, x1, x2, …, r or t{}: a constant is no kernel that features could approximate",
                        unknown ? fmt::format(" ({} is a parameter)", unknown->text) : ""));
}

void check_variables(const ExpressionForm& form) {
  const bool has_others = form.uses_radius || form.uses_projection || !form.coordinates.empty();
  if (form.is_product && has_others) {
    const Name& other = first_name(form, [](const Name& n) { return n.text == "r" || n.text == "t" || coordinate_of(n.text) != 0; });
    refuse_at(
        other.column,
        fmt::format("got {0} beside x, expected x alone, of which k is the product over all coordinates, or {0} without x", other.text));
  }
  if (!form.is_product && !has_others) refuse_constant(form);
  if (!form.uses_projection) return;
  const auto is_direction = [](const Name& n) { return n.text == "a"; };
  if (std::ranges::any_of(form.syntax.names, is_direction))
    refuse_at(first_name(form, is_direction).column, "got a beside t = a·δ, whose direction it is; expected another name");
}

}  // namespace

std::size_t coordinate_of(std::string_view name) {
  if (name.size() < 2 || name[0] != 'x' || name[1] == '0') return 0;
  std::size_t place = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), place);
  if (end != name.data() + name.size()) return 0;
  return error == std::errc{} ? place : std::numeric_limits<std::size_t>::max();  // more digits than that are a coordinate, too
}

ExpressionForm expression_form(std::string_view name) {
  const NamedFormula named = split_name(name);
  ExpressionForm form{.route = named.route, .syntax = expressions::parse(named.formula)};
  for (const Name& each : form.syntax.names) read_name(form, each);
  std::ranges::sort(form.coordinates);
  check_variables(form);
  for (ParameterInfo& parameter : form.parameters) parameter.per_coordinate = form.is_product && !parameter.is_table;
  if (form.uses_projection)
    form.parameters.push_back({.name = "a",
                               .meaning = "direction of t = a·δ",
                               .default_value = 0.0,
                               .per_coordinate = true,
                               .unit = ParameterUnit::none,
                               .is_required = true});
  return form;
}

}  // namespace askrff::kernels

namespace askrff {

std::span<const ExpressionWord> expression_variables() { return kernels::all_variables; }

std::span<const ExpressionWord> expression_functions() {
  static const std::vector<ExpressionWord> words = [] {
    std::vector<ExpressionWord> all;
    for (const expressions::Function& function : expressions::functions()) all.push_back({function.name, function.meaning});
    return all;
  }();
  return words;
}

}  // namespace askrff
