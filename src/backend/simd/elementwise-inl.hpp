// Functions of arrays, vector by vector: arithmetic, comparisons, elementary functions, the latter mostly Highway's. Compiled once per
// target. Where those are not made for a number, the C library is asked for it: errors are as backend/elementwise.hpp says everywhere.
#if defined(ASKRFF_BACKEND_SIMD_ELEMENTWISE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_ELEMENTWISE_INL
#undef ASKRFF_BACKEND_SIMD_ELEMENTWISE_INL
#else
#define ASKRFF_BACKEND_SIMD_ELEMENTWISE_INL
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>

#include "backend/elementwise.hpp"
#include "backend/simd/erf-inl.hpp"
#include "backend/simd/exp-inl.hpp"
#include "backend/simd/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// One vector of results.
template <std::size_t count, class Function>
HWY_INLINE Vector<double> Applied(const Function& function, const double* const* first, const std::size_t* mask, std::size_t i) {
  const Tag<double> d;
  const auto a = hn::LoadU(d, first[0] + (i & mask[0]));
  if constexpr (count == 1) {
    return function(d, a);
  } else {
    const auto b = hn::LoadU(d, first[1] + (i & mask[1]));
    if constexpr (count == 2)
      return function(d, a, b);
    else
      return function(d, a, b, hn::LoadU(d, first[2] + (i & mask[2])));
  }
}

// A constant operand is one vector that is read again and again: its mask keeps the index at 0.
template <std::size_t count, class Function>
HWY_INLINE void ForVectors(const Operand* operands, double* out, std::size_t n, const Function& function) {
  const Tag<double> d;
  constexpr std::size_t N = lanes<double>;
  HWY_ALIGN double buffer[count][N];
  const double* first[count];
  std::size_t mask[count];
  for (std::size_t o = 0; o < count; ++o) {
    mask[o] = operands[o].is_constant ? 0 : ~std::size_t{0};
    first[o] = operands[o].is_constant ? buffer[o] : operands[o].values;
    if (operands[o].is_constant) std::fill_n(buffer[o], N, *operands[o].values);
  }
  std::size_t i = 0;
  for (; i + N <= n; i += N) hn::StoreU(Applied<count>(function, first, mask, i), d, out + i);
  if (i == n) return;
  for (std::size_t o = 0; o < count; ++o) {
    if (operands[o].is_constant) continue;
    std::fill_n(std::copy(first[o] + i, first[o] + n, buffer[o]), N - (n - i), first[o][i]);
    first[o] = buffer[o];
  }
  HWY_ALIGN double results[N];
  hn::Store(Applied<count>(function, first, mask, 0), d, results);
  std::copy(results, results + (n - i), out + i);
}

template <std::size_t constants, std::size_t o>
HWY_INLINE Vector<double> Loaded(const double* const* first, const Vector<double>* constant, std::size_t i) {
  if constexpr ((constants >> o & 1) != 0)
    return constant[o];
  else
    return hn::LoadU(Tag<double>(), first[o] + i);
}

template <std::size_t constants, std::size_t count, class Function>
HWY_INLINE Vector<double> AppliedAt(const Function& function, const double* const* first, const Vector<double>* constant, std::size_t i) {
  const Tag<double> d;
  const auto a = Loaded<constants, 0>(first, constant, i);
  if constexpr (count == 1)
    return function(d, a);
  else if constexpr (count == 2)
    return function(d, a, Loaded<constants, 1>(first, constant, i));
  else
    return function(d, a, Loaded<constants, 1>(first, constant, i), Loaded<constants, 2>(first, constant, i));
}

// Four vectors at a time, constants in registers: what a function of one instruction needs to be as fast as memory. The rest as above.
template <std::size_t constants, std::size_t count, class Function>
HWY_INLINE void ForFourVectors(const Operand* operands, double* out, std::size_t n, const Function& function) {
  const Tag<double> d;
  constexpr std::size_t N = lanes<double>;
  const double* first[count];
  Vector<double> constant[count];
  for (std::size_t o = 0; o < count; ++o) {
    first[o] = operands[o].values;
    constant[o] = hn::Set(d, n > 0 ? *first[o] : 0.0);
  }
  std::size_t i = 0;
  for (; i + 4 * N <= n; i += 4 * N) {
    const auto r0 = AppliedAt<constants, count>(function, first, constant, i),
               r1 = AppliedAt<constants, count>(function, first, constant, i + N),
               r2 = AppliedAt<constants, count>(function, first, constant, i + 2 * N),
               r3 = AppliedAt<constants, count>(function, first, constant, i + 3 * N);
    hn::StoreU(r0, d, out + i);
    hn::StoreU(r1, d, out + i + N);
    hn::StoreU(r2, d, out + i + 2 * N);
    hn::StoreU(r3, d, out + i + 3 * N);
  }
  if (i == n) return;
  Operand rest[count];
  for (std::size_t o = 0; o < count; ++o) rest[o] = {operands[o].values + (operands[o].is_constant ? 0 : i), operands[o].is_constant};
  ForVectors<count>(rest, out + i, n - i, function);
}

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
ASKRFF_ELEMENTWISE_1(ExponentialOf, Exponential(d, a))
ASKRFF_ELEMENTWISE_1(ArcTangentOf, hn::Atan(d, a))
ASKRFF_ELEMENTWISE_1(ErfOf, Erf(d, a))
ASKRFF_ELEMENTWISE_1(ErfcOf, Erfc(d, a))
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

// The results of those numbers that a function is not made for.
inline void Repair(Elementwise function, const double* is_good, const double* a, const double* b, double* results) {
  for (std::size_t l = 0; l < lanes<double>; ++l)
    if (is_good[l] == 0) results[l] = elementwise_value(function, a[l], b[l]);
}

template <class D, class V, class M>
HWY_INLINE V Repaired(D d, Elementwise function, M good, V results, V a, V b) {
  HWY_ALIGN double marks[lanes<double>], values[lanes<double>], first[lanes<double>], second[lanes<double>];
  hn::Store(hn::IfThenElseZero(good, hn::Set(d, 1.0)), d, marks);
  hn::Store(results, d, values);
  hn::Store(a, d, first);
  hn::Store(b, d, second);
  Repair(function, marks, first, second, values);
  return hn::Load(d, values);
}

// A function that is made for some numbers. Function: `which`, Holds(d, a), Value(d, a) for those, `harmless`, one of them.
template <class Function>
struct Guarded {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    const auto good = Function::Holds(d, a);
    const V results = Function::Value(d, hn::IfThenElse(good, a, hn::Set(d, Function::harmless)));
    if (HWY_LIKELY(hn::AllTrue(d, good))) return results;
    return Repaired(d, Function::which, good, results, a, a);
  }
};

#define ASKRFF_GUARDED(NAME, WHICH, HOLDS, HARMLESS, VALUE)   \
  struct NAME {                                               \
    static constexpr Elementwise which = Elementwise::WHICH;  \
    static constexpr double harmless = HARMLESS;              \
    template <class D, class V>                               \
    static HWY_INLINE auto Holds([[maybe_unused]] D d, V a) { \
      return HOLDS;                                           \
    }                                                         \
    template <class D, class V>                               \
    static HWY_INLINE V Value(D d, V a) {                     \
      return VALUE;                                           \
    }                                                         \
  };
ASKRFF_GUARDED(Expm1Of, exponential_m1, hn::Lt(hn::Abs(a), hn::Set(d, 700.0)), 0.0, ExponentialM1(d, a))
ASKRFF_GUARDED(LogOf, logarithm, hn::And(hn::Gt(a, hn::Zero(d)), hn::Le(a, hn::Set(d, 0x1.fffffffffffffp+1023))), 1.0, hn::Log(d, a))
ASKRFF_GUARDED(Log1pOf, logarithm_p1, hn::And(hn::Gt(a, hn::Set(d, -1.0)), hn::Le(a, hn::Set(d, 0x1.fffffffffffffp+1023))), 0.0,
               hn::Log1p(d, a))
// Highway's reduction loses nothing up to 39000.
ASKRFF_GUARDED(SineOf, sine, hn::Lt(hn::Abs(a), hn::Set(d, 30000.0)), 0.0, hn::Sin(d, a))
ASKRFF_GUARDED(CosineOf, cosine, hn::Lt(hn::Abs(a), hn::Set(d, 30000.0)), 0.0, hn::Cos(d, a))
ASKRFF_GUARDED(TangentOf, tangent, hn::Lt(hn::Abs(a), hn::Set(d, 30000.0)), 0.0, hn::Div(hn::Sin(d, a), hn::Cos(d, a)))
ASKRFF_GUARDED(ArcSineOf, arc_sine, hn::Le(hn::Abs(a), hn::Set(d, 1.0)), 0.0, hn::Asin(d, a))
ASKRFF_GUARDED(ArcCosineOf, arc_cosine, hn::Le(hn::Abs(a), hn::Set(d, 1.0)), 0.0, hn::Acos(d, a))
#undef ASKRFF_GUARDED

struct SinhOf {
  static constexpr Elementwise which = Elementwise::hyperbolic_sine;
  static constexpr double harmless = 0.0;
  template <class D, class V>
  static HWY_INLINE auto Holds(D d, V a) {
    return hn::Lt(hn::Abs(a), hn::Set(d, 700.0));
  }
  template <class D, class V>
  static HWY_INLINE V Value(D d, V a) {
    const V y = ExponentialM1(d, hn::Abs(a));
    const V twice = hn::Add(y, hn::Div(y, hn::Add(y, hn::Set(d, 1.0))));
    return hn::CopySign(hn::Mul(hn::Set(d, 0.5), twice), a);
  }
};

// Beyond 20 it is 1 to the last bit.
struct TanhOf {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    const V twice = hn::Min(hn::Add(hn::Abs(a), hn::Abs(a)), hn::Set(d, 40.0)), y = ExponentialM1(d, twice);
    return hn::IfThenElse(hn::Eq(a, a), hn::CopySign(hn::Div(y, hn::Add(y, hn::Set(d, 2.0))), a), a);
  }
};

struct CoshOf {
  static constexpr Elementwise which = Elementwise::hyperbolic_cosine;
  static constexpr double harmless = 0.0;
  template <class D, class V>
  static HWY_INLINE auto Holds([[maybe_unused]] D d, V a) {
    return hn::Lt(hn::Abs(a), hn::Set(d, 700.0));
  }
  template <class D, class V>
  static HWY_INLINE V Value(D d, V a) {
    const V e = Exponential(d, hn::Abs(a));
    return hn::Mul(hn::Set(d, 0.5), hn::Add(e, hn::Div(hn::Set(d, 1.0), e)));
  }
};

// e^(b log a) for normal a > 0 where that is a normal number.
struct PowerOf {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const auto positive = hn::And(hn::Ge(a, hn::Set(d, 0x1p-1022)), hn::Le(a, hn::Set(d, 0x1.fffffffffffffp+1023)));
    const V exponent = hn::Mul(b, hn::Log(d, hn::IfThenElse(positive, a, hn::Set(d, 1.0))));
    const auto good = hn::And(positive, hn::Lt(hn::Abs(exponent), hn::Set(d, 700.0)));
    const V results = Exponential(d, exponent);
    if (HWY_LIKELY(hn::AllTrue(d, good))) return results;
    return Repaired(d, Elementwise::power, good, results, a, b);
  }
};

using ElementLoop = void (*)(Elementwise, const Operand*, double*, std::size_t);

template <std::size_t count, class Function>
void Loop(Elementwise, const Operand* operands, double* out, std::size_t n) {
  ForVectors<count>(operands, out, n, Function());
}

// Of a function that costs next to nothing. Programs have a constant behind a number, or behind two; whatever else may come is not hurried.
template <std::size_t count, class Function>
void QuickLoop(Elementwise, const Operand* operands, double* out, std::size_t n) {
  std::size_t constants = 0;
  for (std::size_t o = 0; o < count; ++o) constants |= std::size_t{operands[o].is_constant} << o;
  if (constants == 0) return ForFourVectors<0, count>(operands, out, n, Function());
  if constexpr (count > 1) {
    if (constants == 1) return ForFourVectors<1, count>(operands, out, n, Function());
    if (constants == 2) return ForFourVectors<2, count>(operands, out, n, Function());
  }
  if constexpr (count > 2) {
    if (constants == 4) return ForFourVectors<4, count>(operands, out, n, Function());
    if (constants == 6) return ForFourVectors<6, count>(operands, out, n, Function());
  }
  ForVectors<count>(operands, out, n, Function());
}

inline void OneByOne(Elementwise function, const Operand* operands, double* out, std::size_t n) {
  const Operand &a = operands[0], &b = operands[n_operands(function) - 1];
  for (std::size_t i = 0; i < n; ++i)
    out[i] = elementwise_value(function, a.values[a.is_constant ? 0 : i], b.values[b.is_constant ? 0 : i]);
}

// In the order of Elementwise.
inline constexpr ElementLoop element_loops[n_elementwise] = {QuickLoop<1, NegateOf>,
                                                             QuickLoop<1, AbsoluteOf>,
                                                             QuickLoop<1, SquareRootOf>,
                                                             Loop<1, SignOf>,
                                                             Loop<1, StepOf>,
                                                             Loop<1, FloorOf>,
                                                             Loop<1, CeilOf>,
                                                             Loop<1, ExponentialOf>,
                                                             Loop<1, Guarded<Expm1Of>>,
                                                             Loop<1, Guarded<LogOf>>,
                                                             Loop<1, Guarded<Log1pOf>>,
                                                             Loop<1, Guarded<SineOf>>,
                                                             Loop<1, Guarded<CosineOf>>,
                                                             Loop<1, Guarded<TangentOf>>,
                                                             Loop<1, Guarded<ArcSineOf>>,
                                                             Loop<1, Guarded<ArcCosineOf>>,
                                                             Loop<1, ArcTangentOf>,
                                                             Loop<1, Guarded<SinhOf>>,
                                                             Loop<1, Guarded<CoshOf>>,
                                                             Loop<1, TanhOf>,
                                                             Loop<1, ErfOf>,
                                                             Loop<1, ErfcOf>,
                                                             OneByOne,
                                                             OneByOne,
                                                             QuickLoop<2, SumOf>,
                                                             QuickLoop<2, DifferenceOf>,
                                                             QuickLoop<2, ProductOf>,
                                                             QuickLoop<2, QuotientOf>,
                                                             Loop<2, PowerOf>,
                                                             OneByOne,
                                                             QuickLoop<2, MinimumOf>,
                                                             QuickLoop<2, MaximumOf>,
                                                             QuickLoop<2, LessOf>,
                                                             Loop<2, LessEqualOf>,
                                                             Loop<2, EqualOf>,
                                                             Loop<2, UnequalOf>,
                                                             Loop<2, BothOf>,
                                                             Loop<2, EitherOf>,
                                                             QuickLoop<3, SelectOf>,
                                                             QuickLoop<3, MultiplyAddOf>};

void ForElements(Elementwise function, const Operand* operands, double* out, std::size_t n) {
  element_loops[static_cast<std::size_t>(function)](function, operands, out, n);
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
