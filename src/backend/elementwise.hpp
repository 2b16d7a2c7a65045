// Functions of numbers, taken of arrays one number after another: what user's expressions are made of. Part of the table of primitives
// (backend.hpp).
#pragma once

#include <cstddef>

namespace askrff::backend {

/// A comparison is 1 where it holds, else 0; a condition holds where it is not 0. An ulp is 2^-52 of the result; errors are those of the
/// simd backend, tested in tests/backend/elementwise_test.cpp; of the reference they are those of the C library. What the comment says
/// nothing of is rounded once. Results that are no normal numbers may have lost their last digits.
enum class Elementwise {
  negate,
  absolute,
  square_root,
  sign,  ///< -1, 0 or 1
  step,  ///< 0 below 0, else 1
  round_down,
  round_up,
  exponential,         ///< 1 ulp
  exponential_m1,      ///< e^a - 1; 5 ulp
  logarithm,           ///< 2 ulp
  logarithm_p1,        ///< log(1 + a); 4 ulp
  sine,                ///< 3 ulp, or 2^-52 where that is more (near multiples of π)
  cosine,              ///< the same
  tangent,             ///< 6 ulp, of 1 + a²/10^3 where that is more
  arc_sine,            ///< 3 ulp
  arc_cosine,          ///< 3 ulp
  arc_tangent,         ///< 3 ulp
  hyperbolic_sine,     ///< 6 ulp
  hyperbolic_cosine,   ///< 3 ulp
  hyperbolic_tangent,  ///< 5 ulp
  error_function,      ///< 2 ulp
  error_function_c,    ///< 1 - erf(a), to 8 ulp wherever it is a normal number
  gamma,               ///< one by one, of the C library: 16 ulp
  log_gamma,           ///< log|Γ(a)|, the same: 16 ulp of 1 + |log|Γ(a)||
  add,
  subtract,
  multiply,
  divide,
  power,          ///< a^b, 5 (1 + |b log a|) ulp
  arc_tangent_2,  ///< atan2(a, b), one by one: 1 ulp
  minimum,        ///< a < b ? a : b
  maximum,
  less,
  less_equal,
  equal,
  unequal,
  both,
  either,
  select,        ///< a ? b : c
  multiply_add,  ///< a b + c, rounded once or twice
};
inline constexpr std::size_t n_elementwise = static_cast<std::size_t>(Elementwise::multiply_add) + 1;

constexpr std::size_t n_operands(Elementwise function) { return function < Elementwise::add ? 1 : function < Elementwise::select ? 2 : 3; }

/// n numbers, or one that stands for n.
struct Operand {
  const double* values = nullptr;
  bool is_constant = false;
};

/// One function of a chain. An operand that is carried is the result of the step before and not looked at: at most one, or the first two.
struct Step {
  Elementwise function = {};
  unsigned carried = 0;  ///< a bit for each operand, the lowest for the first
  Operand operands[3] = {};
};
/// Of one call: a chain that is longer is two.
inline constexpr std::size_t max_steps = 16;

/// The function of one number (two, three), by the C library: the reference, and what the simd backend asks where its own does not reach.
double elementwise_value(Elementwise function, double a, double b = 0, double c = 0);

}  // namespace askrff::backend
