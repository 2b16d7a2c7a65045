// erf and erfc of doubles over their whole range: Highway has neither, the C library takes them one by one. Compiled once per target.
#if defined(ASKRFF_BACKEND_SIMD_ERF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_ERF_INL
#undef ASKRFF_BACKEND_SIMD_ERF_INL
#else
#define ASKRFF_BACKEND_SIMD_ERF_INL
#endif

#include <hwy/highway.h>

#include <iterator>

#include <cstdint>

#include "backend/simd/exp-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// erf(x)/x of x², |x| ≤ 1, and the numerator and denominator of e^(x²) erfc(x) for 0 ≤ x ≤ 27.3, the latter without its leading 1
// (tools/fit-erf), highest power first. Relative errors: 1.6e-17 of the polynomial, 1.3e-16 of the quotient, whose coefficients are
// positive, so that nothing cancels.
inline constexpr double erf_polynomial[] = {0x1.05ffd737fb32ep-34, -0x1.389d4f2641625p-30, 0x1.f7b4bf3b13964p-27, -0x1.5f1ecb6f0764cp-23,
                                            0x1.b9df224ca4b97p-20, -0x1.f4d1e3183f7aep-17, 0x1.f9a321d5b8e1ep-14, -0x1.c02db3dac435fp-11,
                                            0x1.565bcd0dbaa38p-8,  -0x1.b82ce31284e00p-6,  0x1.ce2f21a042b30p-4,  -0x1.812746b0379e6p-2,
                                            0x1.20dd750429b6dp+0};
inline constexpr double erfc_numerator[] = {0x1.20dd750424110p-1,  0x1.5cc93f40d0ae2p+3,  0x1.9b0648b6e56d9p+6,  0x1.322f4c4dec8cep+9,
                                            0x1.3b9523945f813p+11, 0x1.d14cc2a89554ap+12, 0x1.eae439d72c54bp+13, 0x1.66e4baef0ac24p+14,
                                            0x1.4d5cc6dfd94a1p+14, 0x1.328d49e75f1c2p+13};
inline constexpr double erfc_denominator[] = {0x1.351a88f0383c6p+4,  0x1.6d42d24077a1ep+7,  0x1.11c398b0e6bb4p+10, 0x1.1d568e15e358bp+12,
                                              0x1.ad04c8e228fbdp+13, 0x1.d4990a4d165f2p+14, 0x1.6d8dd46cef327p+15, 0x1.84778461b0913p+15,
                                              0x1.fa50d87e2c9fcp+14, 0x1.328d49e75f1c2p+13};

// erfc(x) for x ≥ 0 or NaN, an exponential times the quotient. The square of the leading 26 bits of x is exact, and so is what is left of
// it by whole powers of two; the rest of x² is below 1.2e-5.
template <class D, class V>
HWY_INLINE V ErfcOfPositive(D d, const V& x) {
  const V last = Set(d, 27.3), a = IfThenElse(Lt(last, x), last, x), leading = UpperBits(d, a),
          rest = Mul(Sub(a, leading), Add(a, leading));
  const V square = NegMulAdd(leading, leading, Set(d, 0.0)), to_whole = Set(d, 0x1.8p52);
  const V k = Sub(MulAdd(square, Set(d, over_ln_2), to_whole), to_whole);
  const V r = Sub(NegMulAdd(k, Set(d, ln_2_low), NegMulAdd(k, Set(d, ln_2_high), square)), rest);
  const V one = Set(d, 1.0), exponential = MulAdd(MulAdd(Horner(d, r, exp_polynomial), r, one), r, one);
  const V numerator = Horner(d, a, erfc_numerator);
  V denominator = Add(a, Set(d, erfc_denominator[0]));
  for (std::size_t i = 1; i < std::size(erfc_denominator); ++i) denominator = MulAdd(denominator, a, Set(d, erfc_denominator[i]));
  return TimesPowerOfTwo(d, Div(Mul(exponential, numerator), denominator), k);
}

// NaN for NaN.
template <class D, class V>
HWY_INLINE V Erf(D d, const V& x) {
  const V a = Abs(x), one = Set(d, 1.0);
  const V small = Mul(x, Horner(d, Mul(x, x), erf_polynomial));
  const V large = CopySign(Sub(one, ErfcOfPositive(d, a)), x);
  return IfThenElse(Lt(a, one), small, large);
}

template <class D, class V>
HWY_INLINE V Erfc(D d, const V& x) {
  const V positive = ErfcOfPositive(d, Abs(x));
  return IfThenElse(Lt(x, Set(d, 0.0)), Sub(Set(d, 2.0), positive), positive);
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
