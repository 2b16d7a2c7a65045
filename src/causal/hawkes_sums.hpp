// The log-likelihood of a Hawkes process with its first and second derivatives: sums over events, in one ordered pass.
#pragma once

#include <cstddef>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/hawkes.hpp"

namespace askrff {

/// Of one type v the intensity is θ·z with θ = (baseline, branching), z = (1, waves): a wave is b Σ_j e^{-b(t - t_j)} over the events of
/// one type u, for one decay b. `n_waves` of them, that of decay k and type u at k·n_types + u. Decays are differentiated by logarithm.
struct HawkesSums {
  double value = 0;
  std::size_t n_waves = 0;
  std::vector<double> gradient;        ///< in θ, types × (1 + n_waves)
  std::vector<double> decay_gradient;  ///< in log b, one for each decay
  // Second derivatives, if they were asked for. Types do not mix, but for the decay that they share.
  std::vector<double> curvature;    ///< minus that in θ, types × (1 + n_waves) × (1 + n_waves), lower triangles; never negative
  std::vector<double> decay_cross;  ///< minus that in θ and log b, types × (1 + n_waves); of a single decay
  double decay_curvature = 0;       ///< minus that in log b

  std::size_t n_theta() const { return 1 + n_waves; }
};

enum class Derivatives { first, second };

/// parameters must have been checked and have the types of the events; second derivatives: with a single decay those in it as well. Value
/// and derivatives may be infinite or NaN.
HawkesSums hawkes_sums(const HawkesParameters& parameters, const HawkesEvents& events, Derivatives order, const Execution& execution);

}  // namespace askrff
