// Total masses of the Jordan parts: exact, by quadrature, and the types the subset fit returns.
#pragma once

#include <cstddef>

#include "askrff/execution.hpp"
#include "askrff/measure.hpp"

namespace askrff {

struct Masses {
  double real_positive = 0, real_negative = 0, imaginary_positive = 0;
  double total = 0;            ///< ‖μ‖ = real_positive + real_negative + 2 imaginary_positive, the paper's total mass
  double total_variation = 0;  ///< ∫|μ|; NaN where it is not known

  double of(Part part) const;
  double& of(Part part);
};

/// Exact masses. Throws std::invalid_argument if the measure does not know them or one is infinite.
Masses exact_masses(const ComplexMeasure& measure);

struct QuadratureOptions {
  /// Relative to the total; 0: 1e-11 in one dimension, 1e-8 in two, 1e-4 in three.
  double tolerance = 0;
  std::size_t max_evaluations = 300'000'000;
  StopToken stop = {};  ///< the quadrature runs on the calling thread
};

/// Masses by adaptive Gauss-Kronrod quadrature of the density, at most 3 dimensions (std::invalid_argument beyond).
/// Throws NumericalError if the tolerance is not reached, as for a kernel without finite total mass (one with a jump, say).
Masses quadrature_masses(const ComplexMeasure& measure, const QuadratureOptions& options = {});

/// Exact one-dimensional Gaussian expectations behind the ridge kernels, t ~ N(0, s²), s ≥ 0.
/// Absolute error below 1e-15 for s ≤ 1000; cos_negative, its logarithm, sin_positive and the second moments also have relative error
/// below 1e-13 for every s > 0.
struct RidgeExpectations {
  double cos_positive = 1;                ///< P = E max(cos t, 0)
  double cos_negative = 0;                ///< Q = E max(-cos t, 0)
  double log_cos_negative = 0;            ///< log Q, finite where Q underflows
  double sin_positive = 0;                ///< S = E max(sin t, 0)
  double cos_positive_second_moment = 0;  ///< E z² max(cos t, 0) / P, z = t/s
  double cos_negative_second_moment = 0;  ///< E z² max(-cos t, 0) / Q
  double sin_positive_second_moment = 0;  ///< E z² max(sin t, 0) / S
};
RidgeExpectations ridge_expectations(double s);

}  // namespace askrff
