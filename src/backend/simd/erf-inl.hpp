// erf and erfc of doubles over their whole range: Highway has neither, the C library takes them one by one. Compiled once per target.
#if defined(ASKRFF_BACKEND_SIMD_ERF_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_ERF_INL
#undef ASKRFF_BACKEND_SIMD_ERF_INL
#else
#define ASKRFF_BACKEND_SIMD_ERF_INL
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "backend/simd/exp-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// erf(x)/x of x², |x| ≤ 1, and (1 + 2x) e^(x²) erfc(x) of (x - 4)/(x + 4), 0 ≤ x ≤ 27.3 (tools/fit-erf), highest power first. Relative
// errors of the polynomials themselves: 1.6e-17 and 5.2e-17.
inline constexpr double erf_polynomial[] = {0x1.05ffd737fb32ep-34, -0x1.389d4f2641625p-30, 0x1.f7b4bf3b13964p-27, -0x1.5f1ecb6f0764cp-23,
                                            0x1.b9df224ca4b97p-20, -0x1.f4d1e3183f7aep-17, 0x1.f9a321d5b8e1ep-14, -0x1.c02db3dac435fp-11,
                                            0x1.565bcd0dbaa38p-8,  -0x1.b82ce31284e00p-6,  0x1.ce2f21a042b30p-4,  -0x1.812746b0379e6p-2,
                                            0x1.20dd750429b6dp+0};
inline constexpr double erfc_polynomial[] = {
    0x1.4f136313eb796p-32,  0x1.27a1725e2c9e8p-29,  0x1.d503b0f2464e1p-30,  -0x1.1f3f36b5645a5p-26, -0x1.4a48809d1a414p-26,
    0x1.e6f0743b8e902p-24,  0x1.4b989efd167c7p-24,  -0x1.bc69aa9ce0790p-21, 0x1.39040b4e73deep-22,  0x1.7f3e064003881p-18,
    -0x1.788257cc93775p-17, -0x1.995b04c881240p-16, 0x1.3be0316a8b48ap-13,  -0x1.a1df1929fde2bp-13, -0x1.8d4a994fb1a84p-11,
    0x1.49c672782cfecp-8,   -0x1.09623885a9636p-6,  0x1.3079edf6aa43bp-5,   -0x1.0fb06dfe468c1p-4,  0x1.7fee004e1157dp-4,
    -0x1.9ddb23c3e9273p-4,  0x1.16ecefcfa53f4p-4,   0x1.f7f5df66fd7eap-7,   -0x1.1df1ad154a28fp-3,  0x1.3ba5916e9fd7fp+0};

// erfc(x) for x ≥ 0. The square of the leading 26 bits of x is exact; what is left of x² is below 1.1e-5, where four terms of the
// exponential have an error of 1e-21.
template <class D, class V>
HWY_INLINE V ErfcOfPositive(D d, V x) {
  const hn::RebindToUnsigned<D> bits;
  const V one = hn::Set(d, 1.0);
  const V a = hn::Min(x, hn::Set(d, 27.3));
  const V leading = hn::And(a, hn::BitCast(d, hn::Set(bits, ~((std::uint64_t{1} << 27) - 1))));
  const V rest = hn::Mul(hn::Sub(a, leading), hn::Add(a, leading));
  const V series = hn::NegMulAdd(rest, hn::NegMulAdd(rest, hn::NegMulAdd(rest, hn::Set(d, 1.0 / 6), hn::Set(d, 0.5)), one), one);
  const V exponential = hn::Mul(Exponential(d, hn::Neg(hn::Mul(leading, leading))), series);
  const V u = hn::Div(hn::Sub(a, hn::Set(d, 4.0)), hn::Add(a, hn::Set(d, 4.0)));
  return hn::Mul(exponential, hn::Div(Horner(d, u, erfc_polynomial), hn::MulAdd(a, hn::Set(d, 2.0), one)));
}

// NaN for NaN.
template <class D, class V>
HWY_INLINE V Erf(D d, V x) {
  const V a = hn::Abs(x), one = hn::Set(d, 1.0);
  const V small = hn::Mul(x, Horner(d, hn::Mul(x, x), erf_polynomial));
  const V large = hn::CopySign(hn::Sub(one, ErfcOfPositive(d, a)), x);
  return hn::IfThenElse(hn::Eq(x, x), hn::IfThenElse(hn::Lt(a, one), small, large), x);
}

template <class D, class V>
HWY_INLINE V Erfc(D d, V x) {
  const V positive = ErfcOfPositive(d, hn::Abs(x));
  const V value = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Sub(hn::Set(d, 2.0), positive), positive);
  return hn::IfThenElse(hn::Eq(x, x), value, x);
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
