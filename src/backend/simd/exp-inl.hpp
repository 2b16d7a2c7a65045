// The exponential of doubles over their whole range. Compiled once per target.
#if defined(ASKRFF_BACKEND_SIMD_EXP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_EXP_INL
#undef ASKRFF_BACKEND_SIMD_EXP_INL
#else
#define ASKRFF_BACKEND_SIMD_EXP_INL
#endif

#include <hwy/highway.h>

#include "backend/simd/pack-inl.hpp"
#include "backend/simd/sincos-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// e^r = 1 + r + r²P(r) for |r| ≤ ln(2)/2, minimax in the relative error, highest power first; error of the polynomial itself 7.2e-19.
inline constexpr double exp_polynomial[] = {0x1.1e3d43692e65bp-29,
                                            0x1.af6bda6f28ff8p-26,
                                            0x1.27e5b42a79924p-22,
                                            0x1.71ddf02861fe1p-19,
                                            0x1.a01a0136a407ap-16,
                                            0x1.a01a01b37b3f5p-13,
                                            0x1.6c16c16c3042ap-10,
                                            0x1.111111110ec65p-7,
                                            0x1.5555555555503p-5,
                                            0x1.555555555555bp-3,
                                            0.5};

// x·2^k for whole k from -1077 to 1024, rounded once: also into the denormals and to infinity.
#if HWY_TARGET <= HWY_AVX3
HWY_INLINE hn::Vec512<double> TimesPowerOfTwo(hn::ScalableTag<double>, hn::Vec512<double> x, hn::Vec512<double> k) {
  return hn::Vec512<double>{_mm512_scalef_pd(x.raw, k.raw)};
}
#else
// Two factors, because one of them may be no normal number. Adding 1.5·2^52 + 1023 rounds to a whole number and leaves the biased exponent
// in the lowest bits: no conversion to integers, which not every target has for 64 bits.
template <class D, class V>
HWY_INLINE V TimesPowerOfTwo(D d, V x, V k) {
  const V biased = Set(d, 0x1.8p52 + 1023);
  const V first = MulAdd(k, Set(d, 0.5), biased);
  const V second = Add(Sub(k, Sub(first, biased)), biased);
  return Mul(Mul(x, ShiftedToExponent(d, first)), ShiftedToExponent(d, second));
}
#endif
template <std::size_t n>
HWY_INLINE Pack<n> TimesPowerOfTwo(PackTag<n>, const Pack<n>& x, const Pack<n>& k) {
  Pack<n> result;
  ASKRFF_FOR_PARTS(TimesPowerOfTwo(Tag<double>(), x.part[p], k.part[p]));
}

// ln(2) in two parts, the first of 42 bits, so that its product with a whole number is exact.
inline constexpr double over_ln_2 = 0x1.71547652b82fep+0, ln_2_high = 0x1.62e42fefa38p-1, ln_2_low = 0x1.ef35793c7673p-45;

// e^x for every x. Error at most 0.9 ulp (tests/backend/exponentials_test.cpp), of the smallest denormal if the result is one; e^0 = 1,
// 0 below -745.14, infinity above 709.79, NaN for NaN. Highway's own has an error of 1.01 ulp, wraps around far above 709 and turns NaN
// into 0.
template <class D, class V>
HWY_INLINE V Exponential(D d, const V& x) {
  const V clamped = Min(Max(x, Set(d, -746.0)), Set(d, 710.0));  // k·ln(2) stays exact, and -∞ + ∞ away
  const V to_whole = Set(d, 0x1.8p52);
  const V k = Sub(MulAdd(clamped, Set(d, over_ln_2), to_whole), to_whole);
  // The difference is exact. The second part of ln(2) enters r, and the sum at its end, where it does not round the larger part.
  const V high = NegMulAdd(k, Set(d, ln_2_high), clamped);
  const V low = Mul(k, Set(d, -ln_2_low));
  const V r = Add(high, low);
  const V rest = MulAdd(Mul(r, r), Horner(d, r, exp_polynomial), low);
  const V value = TimesPowerOfTwo(d, Add(Set(d, 1.0), Add(high, rest)), k);
  return IfThenElse(Eq(x, x), value, x);
}

// e^x - 1 for |x| ≤ 700. Error at most 2 ulp (tests/backend/elementwise_test.cpp): e^r - 1 is small beside 2^k - 1 unless k is 0, where it
// is the result.
template <class D, class V>
HWY_INLINE V ExponentialM1(D d, const V& x) {
  const V to_whole = Set(d, 0x1.8p52), one = Set(d, 1.0);
  const V k = Sub(MulAdd(x, Set(d, over_ln_2), to_whole), to_whole);
  const V high = NegMulAdd(k, Set(d, ln_2_high), x);
  const V low = Mul(k, Set(d, -ln_2_low));
  const V r = Add(high, low);
  const V rest = MulAdd(Mul(r, r), Horner(d, r, exp_polynomial), low);
  const V power = TimesPowerOfTwo(d, one, k);
  return MulAdd(power, Add(high, rest), Sub(power, one));
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
