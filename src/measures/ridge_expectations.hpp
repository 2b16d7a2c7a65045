// E max(±cos t, 0) and E max(sin t, 0) for t ~ N(0, s²) in extended precision: the masses of the ridge kernels in any dimension.
#pragma once

namespace askrff::measures {

/// As the public RidgeExpectations, before rounding. Moments are E z² f(t)/E f(t), z = t/s.
struct ExtendedRidgeExpectations {
  long double cos_positive, cos_negative, log_cos_negative, sin_positive;
  long double cos_positive_second_moment, cos_negative_second_moment, sin_positive_second_moment;
};

/// s ≥ 0, finite. Relative error below 1e-16 in every field (cos_negative may underflow where its logarithm does not).
ExtendedRidgeExpectations extended_ridge_expectations(long double s);

}  // namespace askrff::measures
