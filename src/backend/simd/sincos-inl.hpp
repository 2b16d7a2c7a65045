// Sine and cosine of a phase in turns: one reduction, one pair of polynomials, no branches. Compiled once per target.
#if defined(ASKRFF_BACKEND_SIMD_SINCOS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_SINCOS_INL
#undef ASKRFF_BACKEND_SIMD_SINCOS_INL
#else
#define ASKRFF_BACKEND_SIMD_SINCOS_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// sin πr = r·P(r²) and cos πr = Q(r²) for |r| ≤ 1/2, minimax (tools/fit-sincos), highest power first. Errors of the polynomials themselves:
// float 7.6e-9 and 1.1e-9, double 3.6e-18 and 5.2e-18.
template <class T>
struct HalfTurn;
template <>
struct HalfTurn<float> {
  static constexpr float sine[] = {0x1.3911b2p-4f, -0x1.31fbeep-1f, 0x1.466504p+1f, -0x1.4abba2p+2f, 0x1.921fb4p+1f};
  static constexpr float cosine[] = {-0x1.889ed8p-6f, 0x1.e0a1dcp-3f, -0x1.55cd26p+0f, 0x1.03c1d4p+2f, -0x1.3bd3ccp+2f, 1.0f};
};
template <>
struct HalfTurn<double> {
  static constexpr double sine[] = {0x1.8cdf7c262dc19p-21, -0x1.6eef7f47600adp-16, 0x1.e8ef98d5088c5p-12,
                                    -0x1.e3073fd8bac12p-8, 0x1.507834676b909p-4,   -0x1.32d2cce5dff95p-1,
                                    0x1.466bc67759f0ap+1,  -0x1.4abbce625be38p+2,  0x1.921fb54442d18p+1};
  static constexpr double cosine[] = {0x1.1650ae29d7472p-18, -0x1.b693422b989b8p-14, 0x1.f9d24804af98ep-10,
                                      -0x1.a6d1efa74360cp-6, 0x1.e1f50680e17dep-3,   -0x1.55d3c7e3bf6c1p+0,
                                      0x1.03c1f081b599ap+2,  -0x1.3bd3cc9be45dcp+2,  1.0};
};

// Of a vector or of a pack (pack-inl.hpp).
template <class D, class V, class T, std::size_t n>
HWY_INLINE V Horner(D d, const V& x, const T (&coefficients)[n]) {
  V sum = Set(d, coefficients[0]);
#pragma GCC unroll 16
  for (std::size_t i = 1; i < n; ++i) sum = MulAdd(sum, x, Set(d, coefficients[i]));
  return sum;
}

// u - round(u), in [-1/2, 1/2]; exact.
#if HWY_TARGET <= HWY_AVX3
// One instruction where Highway would need two: 1 of 16 operations of a wave.
HWY_INLINE hn::Vec512<float> Reduced(hn::Vec512<float> turns) { return hn::Vec512<float>{_mm512_reduce_ps(turns.raw, 8)}; }
HWY_INLINE hn::Vec512<double> Reduced(hn::Vec512<double> turns) { return hn::Vec512<double>{_mm512_reduce_pd(turns.raw, 8)}; }
#else
template <class V>
HWY_INLINE V Reduced(V turns) {
  return hn::Sub(turns, hn::Round(turns));
}
#endif

template <class V>
struct SineCosine {
  V sine, cosine;
};

// sin and cos of half the phase, u - round(u) turns: the angle itself follows by doubling, cos = 1 - 2 sin² and sin = 2 sin·cos of the
// half, which spares the quadrants and their signs, 2 of 18 operations. Absolute error after doubling, largest near half a turn: 5.6e-7
// (float) and 9.5e-16 (double) with fused multiply-add, 6.7e-7 and 1.3e-15 without; a phase of a few turns carries as much by itself.
// Measured over all floats from 1/8 to 1/2 turn and a dense set below in tests/backend/sweep_test.cpp.
template <class D, class V>
HWY_INLINE SineCosine<V> HalfAngle(D d, V turns) {
  using T = hn::TFromD<D>;
  const V r = Reduced(turns);
  const V square = hn::Mul(r, r);
  return {hn::Mul(r, Horner(d, square, HalfTurn<T>::sine)), Horner(d, square, HalfTurn<T>::cosine)};
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
