// One parity of a calibration: weights x near a prior with A·x ≈ y, as strongly regularised as pairs held out of the fit like best.
#pragma once

#include <span>
#include <vector>

#include "weighting/pair_sample.hpp"
#include "weighting/wave_matrix.hpp"

namespace askrff::weighting {

/// A fit of one parity, and the sum of its squared errors on the pairs held out.
struct ParityFit {
  std::vector<double> weights;
  double ridge = 0;  ///< relative to the mean eigenvalue of AᵀA; 0: the prior was best and is kept
  double held_out_squares = 0;
};

/// The pairs of one parity: all that a fit reads.
struct ParityProblem {
  const WaveMatrix& waves;
  const PairSample &fit, &held_out;
  Parity parity;
  std::span<const double> prior;

  std::span<const double> target(const PairSample& pairs) const { return parity == Parity::even ? pairs.even : pairs.odd; }
  /// Σ w_p ((A·x)_p - y_p)² on the pairs held out.
  double held_out_squares(std::span<const double> x) const;
};

/// Ridge least squares by Cholesky, ridges from large to small until the pairs held out lose twice in a row.
ParityFit fit_directly(const ParityProblem& problem, const NormalSystem& system, const Execution& execution);

/// Conjugate gradients on the same problem without a matrix, from the prior; the number of steps takes the place of the ridge.
ParityFit fit_by_conjugate_gradients(const ParityProblem& problem);

}  // namespace askrff::weighting
