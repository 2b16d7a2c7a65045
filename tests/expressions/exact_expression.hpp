// An expression in long double, node by node, with a bound for the error of a program that computes it in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "expressions/syntax.hpp"

namespace askrff::test {

inline long double exact_function(backend::Elementwise function, long double a, long double b, long double c) {
  using E = backend::Elementwise;
  switch (function) {
    case E::negate:
      return -a;
    case E::absolute:
      return std::fabs(a);
    case E::square_root:
      return std::sqrt(a);
    case E::sign:
      return a > 0 ? 1 : a < 0 ? -1 : a;
    case E::step:
      return std::isnan(a) ? a : a < 0 ? 0 : 1;
    case E::round_down:
      return std::floor(a);
    case E::round_up:
      return std::ceil(a);
    case E::exponential:
      return std::exp(a);
    case E::exponential_m1:
      return std::expm1(a);
    case E::logarithm:
      return std::log(a);
    case E::logarithm_p1:
      return std::log1p(a);
    case E::sine:
      return std::sin(a);
    case E::cosine:
      return std::cos(a);
    case E::tangent:
      return std::tan(a);
    case E::arc_sine:
      return std::asin(a);
    case E::arc_cosine:
      return std::acos(a);
    case E::arc_tangent:
      return std::atan(a);
    case E::hyperbolic_sine:
      return std::sinh(a);
    case E::hyperbolic_cosine:
      return std::cosh(a);
    case E::hyperbolic_tangent:
      return std::tanh(a);
    case E::error_function:
      return std::erf(a);
    case E::error_function_c:
      return std::erfc(a);
    case E::gamma:
      return std::tgamma(a);
    case E::log_gamma:
      return std::lgamma(a);
    case E::add:
      return a + b;
    case E::subtract:
      return a - b;
    case E::multiply:
      return a * b;
    case E::divide:
      return a / b;
    case E::power:
      return std::pow(a, b);
    case E::arc_tangent_2:
      return std::atan2(a, b);
    case E::minimum:
      return a < b ? a : b;
    case E::maximum:
      return a > b ? a : b;
    case E::less:
      return a < b ? 1 : 0;
    case E::less_equal:
      return a <= b ? 1 : 0;
    case E::equal:
      return a == b ? 1 : 0;
    case E::unequal:
      return a != b ? 1 : 0;
    case E::both:
      return a != 0 && b != 0 ? 1 : 0;
    case E::either:
      return a != 0 || b != 0 ? 1 : 0;
    case E::select:
      return a != 0 ? b : c;
    case E::multiply_add:
      return a * b + c;
  }
  return std::nan("");
}

struct Exact {
  long double value, error;
};

/// values: one for each name. A function adds 16·2^-52 of its value, a power as much times 1 + |b log a|, and the errors of its arguments
/// do what they do; where that may be a jump the bound is as large as the jump.
inline Exact exact_value(const expressions::Syntax& syntax, const std::vector<double>& values) {
  using expressions::Node;
  std::vector<Exact> nodes;
  for (const Node& node : syntax.nodes) {
    if (node.kind == Node::Kind::number) {
      nodes.push_back({node.number, 0});
    } else if (node.kind == Node::Kind::name) {
      nodes.push_back({values[node.name], 0});
    } else {
      const Exact arguments[3] = {nodes[node.arguments[0]], nodes[node.arguments[1]], nodes[node.arguments[2]]};
      long double v[3] = {arguments[0].value, arguments[1].value, arguments[2].value};
      const long double value = exact_function(node.operation, v[0], v[1], v[2]);
      long double error = 16 * 0x1p-52L * std::fabs(value);
      if (node.operation == backend::Elementwise::power) error *= 1 + std::fabs(v[1] * std::log(std::fabs(v[0])));
      if (node.operation == backend::Elementwise::power && v[1] == 0) error = 0;
      for (std::size_t o = 0; o < backend::n_operands(node.operation); ++o)
        for (const long double sign : {-1.0L, 1.0L}) {
          v[o] = arguments[o].value + sign * arguments[o].error;
          error += std::fabs(exact_function(node.operation, v[0], v[1], v[2]) - value);
          v[o] = arguments[o].value;
        }
      // Beyond the doubles their arithmetic is another.
      if (std::fabs(value) > 1e300L || (value != 0 && std::fabs(value) < 1e-300L)) error = std::numeric_limits<long double>::infinity();
      nodes.push_back({value, error});
    }
  }
  return nodes.back();
}

}  // namespace askrff::test
