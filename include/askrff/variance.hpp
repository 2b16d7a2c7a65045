// Exact variances of the estimators: what decides between them before anything is drawn.
#pragma once

#include <span>

#include "askrff/measure.hpp"

namespace askrff {

/// Variances at one difference δ; a part drawn M times contributes `of(part)/M`, N polar draws `polar/N`. NaN where not known.
struct EstimatorVariance {
  double real_positive = 0, real_negative = 0, imaginary_positive = 0;
  double polar = 0;
};
EstimatorVariance estimator_variance(const ComplexMeasure& measure, std::span<const double> delta);

}  // namespace askrff
