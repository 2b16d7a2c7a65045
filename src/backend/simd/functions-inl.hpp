// Elementary functions of strips of vectors. Where one is not made for a number, the C library is asked for it: errors are as
// backend/elementwise.hpp says everywhere. Compiled once per target.
#if defined(ASKRFF_BACKEND_SIMD_FUNCTIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_FUNCTIONS_INL
#undef ASKRFF_BACKEND_SIMD_FUNCTIONS_INL
#else
#define ASKRFF_BACKEND_SIMD_FUNCTIONS_INL
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cstddef>

#include "backend/elementwise.hpp"
#include "backend/simd/erf-inl.hpp"
#include "backend/simd/exp-inl.hpp"
#include "backend/simd/pack-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The results of those numbers that a function is not made for.
template <class M>
HWY_INLINE void Repair(Elementwise function, M good, Vector<double> a, Vector<double> b, Vector<double>& results) {
  const Tag<double> d;
  HWY_ALIGN double marks[lanes<double>], values[lanes<double>], first[lanes<double>], second[lanes<double>];
  hn::Store(hn::IfThenElseZero(good, hn::Set(d, 1.0)), d, marks);
  hn::Store(results, d, values);
  hn::Store(a, d, first);
  hn::Store(b, d, second);
  for (std::size_t l = 0; l < lanes<double>; ++l)
    if (marks[l] == 0) values[l] = elementwise_value(function, first[l], second[l]);
  results = hn::Load(d, values);
}
template <std::size_t n>
HWY_INLINE void Repair(Elementwise function, PackMask<n> good, Pack<n> a, Pack<n> b, Pack<n>& results) {
  for (std::size_t p = 0; p < n; ++p) Repair(function, good.part[p], a.part[p], b.part[p], results.part[p]);
}

// A function that is made for some numbers. Function: `which`, Holds(d, a), Value(d, a) for those, `harmless`, one of them.
template <class Function>
struct Guarded {
  template <class D, class V>
  HWY_INLINE V operator()(D d, const V& a) const {
    const auto good = Function::Holds(d, a);
    V results = Function::Value(d, IfThenElse(good, a, Set(d, Function::harmless)));
    if (HWY_UNLIKELY(!AllTrue(d, good))) Repair(Function::which, good, a, a, results);
    return results;
  }
};

#define ASKRFF_GUARDED(NAME, WHICH, HOLDS, HARMLESS, VALUE)          \
  struct NAME {                                                      \
    static constexpr Elementwise which = Elementwise::WHICH;         \
    static constexpr double harmless = HARMLESS;                     \
    template <class D, class V>                                      \
    static HWY_INLINE auto Holds([[maybe_unused]] D d, const V& a) { \
      return HOLDS;                                                  \
    }                                                                \
    template <class D, class V>                                      \
    static HWY_INLINE V Value(D d, const V& a) {                     \
      return VALUE;                                                  \
    }                                                                \
  };
ASKRFF_GUARDED(Expm1Of, exponential_m1, Lt(Abs(a), Set(d, 700.0)), 0.0, ExponentialM1(d, a))
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
  static HWY_INLINE auto Holds(D d, const V& a) {
    return Lt(Abs(a), Set(d, 700.0));
  }
  template <class D, class V>
  static HWY_INLINE V Value(D d, const V& a) {
    const V y = ExponentialM1(d, Abs(a));
    const V twice = Add(y, Div(y, Add(y, Set(d, 1.0))));
    return CopySign(Mul(Set(d, 0.5), twice), a);
  }
};

// tanh r = r·N(r²)/D(r²) for |r| ≤ ln(2)/4, relative error 9.8e-18 (tools/fit-erf), highest power first; D without its leading 1.
inline constexpr double tanh_numerator[] = {0x1.10f13706c1ecep-4, 0x1.c0166ae645fb3p+2, 0x1.f8273bc6ae2dcp+5};
inline constexpr double tanh_denominator[] = {0x1.c01fc2935ae9ap+4, 0x1.f8273bc6ae2dcp+5};

// With a = |x| = k·ln(2)/2 + r and p = 2^k, tanh a = ((p - 1) D + (p + 1) r N) / ((p + 1) D + (p - 1) r N): nothing cancels. Beyond 20 it
// is 1 to the last bit. NaN for NaN.
struct TanhOf {
  template <class D, class V>
  HWY_INLINE V operator()(D d, const V& x) const {
    const V limit = Set(d, 20.0), beyond = Abs(x), a = IfThenElse(Lt(limit, beyond), limit, beyond);
    const V biased = Set(d, 0x1.8p52 + 1023), sum = MulAdd(a, Set(d, 2 * over_ln_2), biased), k = Sub(sum, biased);
    const V r = NegMulAdd(k, Set(d, ln_2_low / 2), NegMulAdd(k, Set(d, ln_2_high / 2), a)), square = Mul(r, r);
    const V odd = Mul(r, Horner(d, square, tanh_numerator));
    const V even = MulAdd(Add(square, Set(d, tanh_denominator[0])), square, Set(d, tanh_denominator[1]));
    const V power = ShiftedToExponent(d, sum), one = Set(d, 1.0), less = Sub(power, one), more = Add(power, one);
    return CopySign(Div(MulAdd(less, even, Mul(more, odd)), MulAdd(more, even, Mul(less, odd))), x);
  }
};

struct CoshOf {
  static constexpr Elementwise which = Elementwise::hyperbolic_cosine;
  static constexpr double harmless = 0.0;
  template <class D, class V>
  static HWY_INLINE auto Holds([[maybe_unused]] D d, const V& a) {
    return Lt(Abs(a), Set(d, 700.0));
  }
  template <class D, class V>
  static HWY_INLINE V Value(D d, const V& a) {
    const V e = Exponential(d, Abs(a));
    return Mul(Set(d, 0.5), Add(e, Div(Set(d, 1.0), e)));
  }
};

// e^(b log a) for normal a > 0 where that is a normal number.
struct PowerOf {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const auto positive = hn::And(hn::Ge(a, hn::Set(d, 0x1p-1022)), hn::Le(a, hn::Set(d, 0x1.fffffffffffffp+1023)));
    const V exponent = hn::Mul(b, hn::Log(d, hn::IfThenElse(positive, a, hn::Set(d, 1.0))));
    const auto good = hn::And(positive, hn::Lt(hn::Abs(exponent), hn::Set(d, 700.0)));
    V results = Exponential(d, exponent);
    if (HWY_UNLIKELY(!hn::AllTrue(d, good))) Repair(Elementwise::power, good, a, b, results);
    return results;
  }
};

// Functions of one number that are written for packs.
struct ExponentialOf {
  template <class D, class V>
  HWY_INLINE V operator()(D d, const V& a) const {
    return Exponential(d, a);
  }
};
struct ErfOf {
  template <class D, class V>
  HWY_INLINE V operator()(D d, const V& a) const {
    return Erf(d, a);
  }
};
struct ErfcOf {
  template <class D, class V>
  HWY_INLINE V operator()(D d, const V& a) const {
    return Erfc(d, a);
  }
};
struct ArcTangentOf {
  template <class D, class V>
  HWY_INLINE V operator()(D d, const V& a) const {
    return hn::Atan(d, a);
  }
};

// Vectors of numbers that go through a chain side_by_side.
inline constexpr std::size_t strip_vectors = 8;

// The function of all vectors of a strip: a becomes the result; b is the second operand if there is one.
using StripFunction = void (*)(Vector<double>* a, const Vector<double>* b);

// As many at a time as the registers hold beside the constants.
#if HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON
inline constexpr std::size_t side_by_side = 4;
#else
inline constexpr std::size_t side_by_side = 2;
#endif

template <class Function>
HWY_NOINLINE void ByPacks(Vector<double>* a, const Vector<double>*) {
  for (std::size_t v = 0; v < strip_vectors; v += side_by_side) {
    Pack<side_by_side> numbers;
#pragma GCC unroll 4
    for (std::size_t p = 0; p < side_by_side; ++p) numbers.part[p] = a[v + p];
    const Pack<side_by_side> results = Function()(PackTag<side_by_side>(), numbers);
#pragma GCC unroll 4
    for (std::size_t p = 0; p < side_by_side; ++p) a[v + p] = results.part[p];
  }
}
template <class Function>
HWY_NOINLINE void ByVectors(Vector<double>* a, const Vector<double>*) {
  for (std::size_t v = 0; v < strip_vectors; ++v) a[v] = Function()(Tag<double>(), a[v]);
}
template <class Function>
HWY_NOINLINE void ByPairs(Vector<double>* a, const Vector<double>* b) {
  for (std::size_t v = 0; v < strip_vectors; ++v) a[v] = Function()(Tag<double>(), a[v], b[v]);
}
template <Elementwise function>
HWY_NOINLINE void OneByOne(Vector<double>* a, const Vector<double>* b) {
  const Tag<double> d;
  HWY_ALIGN double first[lanes<double>], second[lanes<double>];
  for (std::size_t v = 0; v < strip_vectors; ++v) {
    hn::Store(a[v], d, first);
    hn::Store(b[v], d, second);
    for (std::size_t l = 0; l < lanes<double>; ++l) first[l] = elementwise_value(function, first[l], second[l]);
    a[v] = hn::Load(d, first);
  }
}

// Null for what costs next to nothing: chains do that themselves.
constexpr StripFunction FunctionOf(Elementwise function) {
  switch (function) {
    case Elementwise::exponential:
      return ByPacks<ExponentialOf>;
    case Elementwise::exponential_m1:
      return ByPacks<Guarded<Expm1Of>>;
    case Elementwise::logarithm:
      return ByVectors<Guarded<LogOf>>;
    case Elementwise::logarithm_p1:
      return ByVectors<Guarded<Log1pOf>>;
    case Elementwise::sine:
      return ByVectors<Guarded<SineOf>>;
    case Elementwise::cosine:
      return ByVectors<Guarded<CosineOf>>;
    case Elementwise::tangent:
      return ByVectors<Guarded<TangentOf>>;
    case Elementwise::arc_sine:
      return ByVectors<Guarded<ArcSineOf>>;
    case Elementwise::arc_cosine:
      return ByVectors<Guarded<ArcCosineOf>>;
    case Elementwise::arc_tangent:
      return ByVectors<ArcTangentOf>;
    case Elementwise::hyperbolic_sine:
      return ByPacks<Guarded<SinhOf>>;
    case Elementwise::hyperbolic_cosine:
      return ByPacks<Guarded<CoshOf>>;
    case Elementwise::hyperbolic_tangent:
      return ByPacks<TanhOf>;
    case Elementwise::error_function:
      return ByPacks<ErfOf>;
    case Elementwise::error_function_c:
      return ByPacks<ErfcOf>;
    case Elementwise::gamma:
      return OneByOne<Elementwise::gamma>;
    case Elementwise::log_gamma:
      return OneByOne<Elementwise::log_gamma>;
    case Elementwise::power:
      return ByPairs<PowerOf>;
    case Elementwise::arc_tangent_2:
      return OneByOne<Elementwise::arc_tangent_2>;
    default:
      return nullptr;
  }
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
