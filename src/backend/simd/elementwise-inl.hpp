// Chains of functions of arrays: a strip of vectors stays in registers from one cheap function to the next. Compiled once per target.
#if defined(ASKRFF_BACKEND_SIMD_ELEMENTWISE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_ELEMENTWISE_INL
#undef ASKRFF_BACKEND_SIMD_ELEMENTWISE_INL
#else
#define ASKRFF_BACKEND_SIMD_ELEMENTWISE_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "backend/elementwise.hpp"
#include "backend/simd/functions-inl.hpp"
#include "backend/simd/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The plain ones. Each is a type, because the attributes of a target do not reach into lambdas.
#define ASKRFF_ELEMENTWISE_1(NAME, EXPRESSION)                 \
  struct NAME {                                                \
    template <class D, class V>                                \
    HWY_INLINE V operator()([[maybe_unused]] D d, V a) const { \
      return EXPRESSION;                                       \
    }                                                          \
  };
#define ASKRFF_ELEMENTWISE_2(NAME, EXPRESSION)                      \
  struct NAME {                                                     \
    template <class D, class V>                                     \
    HWY_INLINE V operator()([[maybe_unused]] D d, V a, V b) const { \
      return EXPRESSION;                                            \
    }                                                               \
  };
ASKRFF_ELEMENTWISE_1(NegateOf, hn::Neg(a))
ASKRFF_ELEMENTWISE_1(AbsoluteOf, hn::Abs(a))
ASKRFF_ELEMENTWISE_1(SquareRootOf, hn::Sqrt(a))
ASKRFF_ELEMENTWISE_1(SignOf,
                     hn::IfThenElse(hn::Gt(a, hn::Zero(d)), hn::Set(d, 1.0), hn::IfThenElse(hn::Lt(a, hn::Zero(d)), hn::Set(d, -1.0), a)))
ASKRFF_ELEMENTWISE_1(StepOf, hn::IfThenElse(hn::Lt(a, hn::Zero(d)), hn::Zero(d), hn::IfThenElse(hn::Eq(a, a), hn::Set(d, 1.0), a)))
ASKRFF_ELEMENTWISE_1(FloorOf, hn::Floor(a))
ASKRFF_ELEMENTWISE_1(CeilOf, hn::Ceil(a))
ASKRFF_ELEMENTWISE_2(SumOf, hn::Add(a, b))
ASKRFF_ELEMENTWISE_2(DifferenceOf, hn::Sub(a, b))
ASKRFF_ELEMENTWISE_2(ProductOf, hn::Mul(a, b))
ASKRFF_ELEMENTWISE_2(QuotientOf, hn::Div(a, b))
ASKRFF_ELEMENTWISE_2(MinimumOf, hn::IfThenElse(hn::Lt(a, b), a, b))
ASKRFF_ELEMENTWISE_2(MaximumOf, hn::IfThenElse(hn::Gt(a, b), a, b))
ASKRFF_ELEMENTWISE_2(LessOf, hn::IfThenElseZero(hn::Lt(a, b), hn::Set(d, 1.0)))
ASKRFF_ELEMENTWISE_2(LessEqualOf, hn::IfThenElseZero(hn::Le(a, b), hn::Set(d, 1.0)))
ASKRFF_ELEMENTWISE_2(EqualOf, hn::IfThenElseZero(hn::Eq(a, b), hn::Set(d, 1.0)))
// Equality is asked for: not every target takes NaN for unequal.
ASKRFF_ELEMENTWISE_2(UnequalOf, hn::IfThenZeroElse(hn::Eq(a, b), hn::Set(d, 1.0)))
ASKRFF_ELEMENTWISE_2(BothOf, hn::IfThenZeroElse(hn::Or(hn::Eq(a, hn::Zero(d)), hn::Eq(b, hn::Zero(d))), hn::Set(d, 1.0)))
ASKRFF_ELEMENTWISE_2(EitherOf, hn::IfThenZeroElse(hn::And(hn::Eq(a, hn::Zero(d)), hn::Eq(b, hn::Zero(d))), hn::Set(d, 1.0)))
#undef ASKRFF_ELEMENTWISE_1
#undef ASKRFF_ELEMENTWISE_2

struct SelectOf {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b, V c) const {
    return hn::IfThenElse(hn::Eq(a, hn::Zero(d)), c, b);
  }
};

struct MultiplyAddOf {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b, V c) const {
    return hn::MulAdd(a, b, c);
  }
};

// An operand of a step: numbers, or one vector of a constant, at which the mask keeps the index.
struct Source {
  const double* first;
  std::size_t mask;  ///< of an index
};

// The vectors of an operand that a strip takes.
struct Operands {
  const double* first;
  std::size_t next;

  HWY_INLINE Operands(const Source& source, std::size_t i) : first(source.first + (i & source.mask)), next(lanes<double> & source.mask) {}
  HWY_INLINE Vector<double> operator[](std::size_t p) const { return hn::LoadU(Tag<double>(), first + p * next); }
};

// A step with its operands. The first one of a chain has its first operand loaded beforehand and carries that.
struct Prepared {
  Elementwise function;
  unsigned carried;
  StripFunction strip_function;
  Source sources[3];
};

using Strip = Pack<strip_vectors>;

#define ASKRFF_FOR_STRIP _Pragma("GCC unroll 8") for (std::size_t p = 0; p < strip_vectors; ++p)

template <class Function>
HWY_INLINE void One(Strip& strip) {
  ASKRFF_FOR_STRIP strip.part[p] = Function()(Tag<double>(), strip.part[p]);
}

// A constant behind what is carried stays in a register.
template <class Function>
HWY_INLINE void Two(const Prepared& step, std::size_t i, Strip& strip) {
  const Tag<double> d;
  const Function function;
  const Operands a(step.sources[0], i), b(step.sources[1], i);
  if (step.carried == 1 && b.next == 0) {
    const Vector<double> constant = b[0];
    ASKRFF_FOR_STRIP strip.part[p] = function(d, strip.part[p], constant);
  } else if (step.carried == 1) {
    ASKRFF_FOR_STRIP strip.part[p] = function(d, strip.part[p], hn::LoadU(d, b.first + p * lanes<double>));
  } else if (step.carried == 2) {
    ASKRFF_FOR_STRIP strip.part[p] = function(d, a[p], strip.part[p]);
  } else {
    ASKRFF_FOR_STRIP strip.part[p] = function(d, strip.part[p], strip.part[p]);
  }
}

template <class Function>
HWY_INLINE void Three(const Prepared& step, std::size_t i, Strip& strip) {
  const Tag<double> d;
  const Function function;
  const Operands a(step.sources[0], i), b(step.sources[1], i), c(step.sources[2], i);
  if (step.carried == 1 && b.next == 0) {
    const Vector<double> constant = b[0];
    ASKRFF_FOR_STRIP strip.part[p] = function(d, strip.part[p], constant, c[p]);
  } else if (step.carried == 1) {
    ASKRFF_FOR_STRIP strip.part[p] = function(d, strip.part[p], b[p], c[p]);
  } else if (step.carried == 2) {
    ASKRFF_FOR_STRIP strip.part[p] = function(d, a[p], strip.part[p], c[p]);
  } else if (step.carried == 3) {
    ASKRFF_FOR_STRIP strip.part[p] = function(d, strip.part[p], strip.part[p], c[p]);
  } else {
    ASKRFF_FOR_STRIP strip.part[p] = function(d, a[p], b[p], strip.part[p]);
  }
}

// By way of memory; of two operands one may be carried, or both.
HWY_INLINE void Called(const Prepared& step, std::size_t i, Strip& strip) {
  Vector<double> a[strip_vectors], b[strip_vectors];
  ASKRFF_FOR_STRIP a[p] = strip.part[p];
  if (n_operands(step.function) == 2) {
    const Operands first(step.sources[0], i), second(step.sources[1], i);
    ASKRFF_FOR_STRIP b[p] = step.carried == 1 ? second[p] : a[p];
    if (step.carried == 2) ASKRFF_FOR_STRIP a[p] = first[p];
  }
  step.strip_function(a, b);
  ASKRFF_FOR_STRIP strip.part[p] = a[p];
}

#define ASKRFF_STEP_1(NAME, FUNCTION) \
  case Elementwise::NAME:             \
    One<FUNCTION>(strip);             \
    break;
#define ASKRFF_STEP_2(NAME, FUNCTION) \
  case Elementwise::NAME:             \
    Two<FUNCTION>(step, i, strip);    \
    break;
#define ASKRFF_STEP_3(NAME, FUNCTION) \
  case Elementwise::NAME:             \
    Three<FUNCTION>(step, i, strip);  \
    break;
HWY_INLINE void Advance(const Prepared& step, std::size_t i, Strip& strip) {
  switch (step.function) {
    ASKRFF_STEP_1(negate, NegateOf)
    ASKRFF_STEP_1(absolute, AbsoluteOf)
    ASKRFF_STEP_1(square_root, SquareRootOf)
    ASKRFF_STEP_1(sign, SignOf)
    ASKRFF_STEP_1(step, StepOf)
    ASKRFF_STEP_1(round_down, FloorOf)
    ASKRFF_STEP_1(round_up, CeilOf)
    ASKRFF_STEP_2(add, SumOf)
    ASKRFF_STEP_2(subtract, DifferenceOf)
    ASKRFF_STEP_2(multiply, ProductOf)
    ASKRFF_STEP_2(divide, QuotientOf)
    ASKRFF_STEP_2(minimum, MinimumOf)
    ASKRFF_STEP_2(maximum, MaximumOf)
    ASKRFF_STEP_2(less, LessOf)
    ASKRFF_STEP_2(less_equal, LessEqualOf)
    ASKRFF_STEP_2(equal, EqualOf)
    ASKRFF_STEP_2(unequal, UnequalOf)
    ASKRFF_STEP_2(both, BothOf)
    ASKRFF_STEP_2(either, EitherOf)
    ASKRFF_STEP_3(select, SelectOf)
    ASKRFF_STEP_3(multiply_add, MultiplyAddOf)
    default:
      Called(step, i, strip);
  }
}
#undef ASKRFF_STEP_1
#undef ASKRFF_STEP_2
#undef ASKRFF_STEP_3

HWY_NOINLINE void RunStrips(Prepared* steps, std::size_t n_steps, double* out, std::size_t n) {
  constexpr std::size_t N = lanes<double>;
  for (std::size_t i = 0; i < n; i += strip_vectors * N) {
    Strip strip;
    const Operands start(steps[0].sources[0], i);
    ASKRFF_FOR_STRIP strip.part[p] = start[p];
    for (std::size_t s = 0; s < n_steps; ++s) Advance(steps[s], i, strip);
    ASKRFF_FOR_STRIP hn::StoreU(strip.part[p], Tag<double>(), out + i + p * N);
  }
}
#undef ASKRFF_FOR_STRIP

// What is left behind the last whole strip, as one that is filled up.
inline void RunRest(Prepared* prepared, std::size_t n_steps, double* out, std::size_t first, std::size_t n) {
  constexpr std::size_t width = strip_vectors * lanes<double>;
  HWY_ALIGN double operands[2 * max_steps + 1][width], results[width];
  std::size_t n_copied = 0;
  for (std::size_t s = 0; s < n_steps; ++s)
    for (std::size_t o = 0; o < n_operands(prepared[s].function); ++o) {
      Source& source = prepared[s].sources[o];
      if (source.mask == 0) continue;
      double* const copy = operands[n_copied++];
      std::fill(std::copy(source.first + first, source.first + n, copy), copy + width, source.first[first]);
      source.first = copy;
    }
  RunStrips(prepared, n_steps, results, width);
  std::copy_n(results, n - first, out + first);
}

// Operands that are carried are never looked at, but read as addresses.
HWY_INLINE void Prepare(const Step& step, double (*constants)[lanes<double>], std::size_t& n_constants, Prepared& prepared) {
  const bool commutes =
      step.function == Elementwise::add || step.function == Elementwise::multiply || step.function == Elementwise::multiply_add;
  const bool is_swapped = commutes && step.carried == 2;
  prepared.function = step.function;
  prepared.carried = step.carried == 0 || is_swapped ? 1 : step.carried;
  prepared.strip_function = FunctionOf(step.function);
  for (std::size_t o = 0; o < n_operands(step.function); ++o) {
    const Operand& operand = step.operands[o];
    Source& source = prepared.sources[is_swapped && o < 2 ? 1 - o : o];
    const bool is_read = (step.carried >> o & 1) == 0;
    source.first = is_read && !operand.is_constant ? operand.values : constants[n_constants];
    source.mask = is_read && !operand.is_constant ? ~std::size_t{0} : 0;
    if (is_read && operand.is_constant) hn::StoreU(hn::Set(Tag<double>(), *operand.values), Tag<double>(), constants[n_constants++]);
  }
}

void ForElements(const Step* steps, std::size_t n_steps, double* out, std::size_t n) {
  if (n == 0) return;
  constexpr std::size_t N = lanes<double>, width = strip_vectors * N;
  HWY_ALIGN double constants[2 * max_steps + 2][N];
  std::size_t n_constants = 0;
  Prepared prepared[max_steps];
  for (std::size_t s = 0; s < n_steps; ++s) Prepare(steps[s], constants, n_constants, prepared[s]);
  const std::size_t whole = n / width * width;
  RunStrips(prepared, n_steps, out, whole);
  if (whole < n) RunRest(prepared, n_steps, out, whole, n);
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
