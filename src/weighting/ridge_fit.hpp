// One parity of a calibration: weights x near a prior with A·x ≈ y, as strongly regularised as pairs held out of the fit like best.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "weighting/pair_sample.hpp"
#include "weighting/wave_matrix.hpp"

namespace askrff::weighting {

/// Of the prior's weight, where weights may not be negative: at zero a feature would be lost to whoever trains a model on the features. It
/// costs the kernel a fiftieth of the prior's error at most.
inline constexpr double least_share = 0.02;

/// The pairs of one parity: all that a fit reads.
struct ParityProblem {
  const WaveMatrix& waves;
  const PairSample& pairs;
  Parity parity;
  std::span<const double> prior;
  bool non_negative;  ///< no weight may be below least_share of the prior's, which are ≥ 0

  std::span<const double> target() const { return parity == Parity::even ? pairs.even : pairs.odd; }
  /// Σ w_p ((A·x)_p - y_p)².
  double squares(std::span<const double> x) const;
  /// Σ|x| exceeds 20 times that of the prior, or of k: |k̂| can be as large as that where there is no data, and rounding is amplified.
  bool is_too_large(std::span<const double> x) const;
};

/// Weights from strong to weak regularisation, one after another. `ridge` names each: of a direct solution it is relative to the mean
/// eigenvalue of AᵀA, of an iteration one over the number of steps.
class RegularisedFits {
 public:
  virtual ~RegularisedFits() = default;
  /// The next weights, and their ridge; no weights: there are no more.
  virtual std::vector<double> next(double& ridge) = 0;
  /// The weights of one ridge that next() gave, from the pairs of this problem. Empty if they cannot be found.
  virtual std::vector<double> at(double ridge) = 0;
  /// Fits that may pass without a gain before the last one found is taken: after a gain, and before there was any.
  virtual int losses_allowed(bool gained) const = 0;
};

/// Ridge least squares by Cholesky factors of the system, ridges from large to small. Both are kept as references.
std::unique_ptr<RegularisedFits> direct_fits(const ParityProblem& problem, const NormalSystem& system, const Execution& execution);

/// Steps from the prior on the same problem without a matrix: of conjugate gradients, or of projected gradients where weights must be ≥ 0.
std::unique_ptr<RegularisedFits> iterated_fits(const ParityProblem& problem);

/// A fit of one parity, and the sum of its squared errors on the pairs held out.
struct ParityFit {
  std::vector<double> weights;
  double ridge = 0;  ///< 0: the prior was best and is kept
  double held_out_squares = 0;
};

/// The best of the fits, or the prior, by the pairs held out.
ParityFit best_fit(RegularisedFits& fits, const ParityProblem& held_out);

}  // namespace askrff::weighting
