// Elementary functions from +, -, *, / and sqrt of IEEE doubles only. Used by every sampler: libm rounds differently from machine to
// machine (its fused variants are chosen at run time), and a drawn frequency must be the same bits everywhere. Build with
// -ffp-contract=off.
#pragma once

#include <cfloat>

namespace askrff::portable {

static_assert(FLT_EVAL_METHOD == 0, "portable results need plain IEEE double arithmetic");

struct SinCos {
  double sin, cos;
};

/// Natural logarithm; relative error below 4e-16 (absolute near 1); x > 0 and finite.
double log(double x);

/// e^x; relative error below 4e-16; 0 below -745, infinite above 709.78.
double exp(double x);

/// sin and cos of x radians; absolute error below 3e-16 for |x| ≤ 2^28. Beyond, x is first reduced by the double nearest to 2π: still
/// deterministic, but no more exact than the rounding x itself carries. NaN for infinities and NaN.
SinCos sincos(double x);

/// arc tangent; relative error below 1e-15; any x, ±π/2 for infinities, NaN for NaN.
double atan(double x);

/// Dawson's integral e^{-x²} ∫₀ˣ e^{t²} dt; relative error below 2e-15; any finite x.
double dawson(double x);

/// sin and cos of 2π·turns; absolute error below 3e-16; 0 ≤ turns ≤ 1.
SinCos sincos_turns(double turns);

}  // namespace askrff::portable
