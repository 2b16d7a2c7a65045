// What an expression says about its kernel: which variables it has, so which structure, and which of its names are parameters.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "askrff/function_form.hpp"
#include "askrff/kernels.hpp"
#include "expressions/syntax.hpp"

namespace askrff::kernels {

/// "expr: FORMULA", or "expr(route=WORD): FORMULA", which says how its measure is found. The route stands in the name, so that whatever
/// keeps or shows the name keeps and shows it.
inline bool is_expression(std::string_view name) { return name.starts_with("expr:") || name.starts_with("expr("); }

struct ExpressionForm {
  Route route = Route::automatic;
  expressions::Syntax syntax = {};
  /// In x: a product over coordinates. Otherwise a function of some of r, t and single coordinates.
  bool is_product = false, uses_radius = false, uses_projection = false, uses_dim = false;
  std::vector<std::size_t> coordinates = {};   ///< from 0, increasing, each once
  std::vector<ParameterInfo> parameters = {};  ///< in the order of the text; the direction `a` of t, if t is used, at the end
};

/// Of a name that is_expression. Throws InvalidArgument: for a formula with the column, counted in FORMULA from 1.
ExpressionForm expression_form(std::string_view name);

/// The place of the coordinate that a name stands for, from 1 ("x1"); 0 if it stands for none.
std::size_t coordinate_of(std::string_view name);

}  // namespace askrff::kernels
