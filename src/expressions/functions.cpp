// The functions of the language: the only list, which parser, help texts and documentation are made from.
#include <algorithm>
#include <iterator>

#include "expressions/syntax.hpp"

namespace askrff::expressions {
namespace {

using backend::Elementwise;

constexpr double over_ln_2 = 1.4426950408889634, over_ln_10 = 0.4342944819032518;
constexpr std::size_t many = 16;

constexpr Function all_functions[] = {
    {"exp", 1, 1, Elementwise::exponential, 1, "e^u"},
    {"expm1", 1, 1, Elementwise::exponential_m1, 1, "e^u - 1, exact for small u"},
    {"log", 1, 1, Elementwise::logarithm, 1, "natural logarithm"},
    {"log1p", 1, 1, Elementwise::logarithm_p1, 1, "log(1 + u), exact for small u"},
    {"log2", 1, 1, Elementwise::logarithm, over_ln_2, "logarithm to base 2"},
    {"log10", 1, 1, Elementwise::logarithm, over_ln_10, "logarithm to base 10"},
    {"sqrt", 1, 1, Elementwise::square_root, 1, "square root"},
    {"pow", 2, 2, Elementwise::power, 1, "u^v"},
    {"abs", 1, 1, Elementwise::absolute, 1, "|u|"},
    {"sign", 1, 1, Elementwise::sign, 1, "-1, 0 or 1"},
    {"step", 1, 1, Elementwise::step, 1, "0 below 0, else 1"},
    {"floor", 1, 1, Elementwise::round_down, 1, "the next whole number below"},
    {"ceil", 1, 1, Elementwise::round_up, 1, "the next whole number above"},
    {"min", 2, many, Elementwise::minimum, 1, "the smallest of 2 to 16 values"},
    {"max", 2, many, Elementwise::maximum, 1, "the largest of 2 to 16 values"},
    {"sin", 1, 1, Elementwise::sine, 1, "sine, of radians as all of them"},
    {"cos", 1, 1, Elementwise::cosine, 1, "cosine"},
    {"tan", 1, 1, Elementwise::tangent, 1, "tangent"},
    {"asin", 1, 1, Elementwise::arc_sine, 1, "inverse sine"},
    {"acos", 1, 1, Elementwise::arc_cosine, 1, "inverse cosine"},
    {"atan", 1, 1, Elementwise::arc_tangent, 1, "inverse tangent"},
    {"atan2", 2, 2, Elementwise::arc_tangent_2, 1, "angle of the point (v, u)"},
    {"sinh", 1, 1, Elementwise::hyperbolic_sine, 1, "hyperbolic sine"},
    {"cosh", 1, 1, Elementwise::hyperbolic_cosine, 1, "hyperbolic cosine"},
    {"tanh", 1, 1, Elementwise::hyperbolic_tangent, 1, "hyperbolic tangent"},
    {"erf", 1, 1, Elementwise::error_function, 1, "error function"},
    {"erfc", 1, 1, Elementwise::error_function_c, 1, "1 - erf(u), exact where it is small"},
    {"gamma", 1, 1, Elementwise::gamma, 1, "gamma function"},
    {"lgamma", 1, 1, Elementwise::log_gamma, 1, "log|gamma(u)|"},
    {"if", 3, 3, Elementwise::select, 1, "if(c, u, v): u where c is not 0, else v; also c ? u : v"},
};

}  // namespace

std::span<const Function> functions() { return all_functions; }

const Function* find_function(std::string_view name) {
  const auto* found = std::ranges::find(all_functions, name, &Function::name);
  return found == std::end(all_functions) ? nullptr : found;
}

}  // namespace askrff::expressions
