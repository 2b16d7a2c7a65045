// Events that cause events: Hawkes processes of one or several types with exponential kernels, by ordered passes over the events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// Events observed from time 0 to the horizon, in the order of time. 12 bytes for each.
class HawkesEvents {
 public:
  /// Times in any order, from 0 to the horizon; types: one for each, or none if all are of type 0. n_types: 0 stands for one more than the
  /// largest type. Throws std::invalid_argument for other times, types or sizes, and for a horizon that is not from 1e-300 to 1e300.
  HawkesEvents(std::vector<double> times, std::vector<std::uint32_t> types, double horizon, std::size_t n_types = 0);

  std::size_t size() const { return times_.size(); }
  std::size_t n_types() const { return n_types_; }
  double horizon() const { return horizon_; }
  std::span<const double> times() const { return times_; }         ///< ascending; those that are equal as they were given
  std::span<const std::uint32_t> types() const { return types_; }  ///< of the times

 private:
  std::vector<double> times_;
  std::vector<std::uint32_t> types_;
  double horizon_;
  std::size_t n_types_;
};

/// The intensity of type v at time t is baseline[v] + Σ_k Σ_j branching[k](type_j, v)·decays[k]·e^{-decays[k](t - t_j)} over all events
/// strictly before t: an event of type u causes branching[k](u,v) events of type v on average, after a time of mean 1/decays[k].
struct HawkesParameters {
  std::vector<double> baseline;           ///< one for each type, ≥ 0
  std::vector<Matrix<double>> branching;  ///< one for each decay, types × types, ≥ 0
  std::vector<double> decays;             ///< > 0, at least one

  std::size_t n_types() const { return baseline.size(); }
  /// Throws std::invalid_argument if sizes do not fit together or a number is out of range.
  void check() const;
  /// The largest absolute eigenvalue of the sum of the branching matrices: below 1 every event has finitely many descendants, and their
  /// mean number, itself included, is 1/(1 - ratio) for one type.
  double branching_ratio() const;
};

/// Intensities of all types, times × types, each just before its time; times in any order, also beyond the horizon. Throws
/// std::invalid_argument for parameters as check() does or of another number of types than the events, and for times that are not from 0 to
/// 1e300. Memory: events × types numbers.
Matrix<double> hawkes_intensity(const HawkesParameters& parameters, const HawkesEvents& events, std::span<const double> times,
                                const Execution& execution = {});

struct HawkesLikelihood {
  double value = 0;           ///< Σ_i log λ(t_i) - ∫λ; -infinity if an event has intensity 0
  HawkesParameters gradient;  ///< in all parameters; NaN where the value is infinite
};

/// One pass over the events, O(events · types · decays). Relative errors of intensities as those of CausalOperator. Same bits for any
/// number of threads. Throws std::invalid_argument as hawkes_intensity, NumericalError if a sum is too large for a double.
HawkesLikelihood hawkes_log_likelihood(const HawkesParameters& parameters, const HawkesEvents& events, const Execution& execution = {});

struct HawkesFitOptions {
  /// Empty: one decay for all pairs of types, found with the rest. Else these, kept as they are, each with a branching matrix.
  std::vector<double> decays;
};

struct HawkesFit {
  HawkesParameters parameters;
  /// By the observed information. NaN: of numbers at 0, where none is defined, of decays that were given or are at their limit (a hundredth
  /// of 1/horizon, a hundred by the shortest time between events), and of those the events say nothing about.
  HawkesParameters standard_errors;
  double log_likelihood = 0;
  std::size_t n_steps = 0;
};

/// Maximum likelihood by Newton's method, numbers kept at 0 or above. For given decays the likelihood is concave and this is its maximum;
/// where the decay is found, the search begins at the best of a range of decays. Takes some tens of passes, each
/// O(events · (1 + types·decays)²). Progress: stage "maximum likelihood". Throws std::invalid_argument for no events, decays out of range
/// or more than 2000 parameters of a type, NumericalError if after 200 steps another promises more than 1e-5 of log-likelihood.
HawkesFit fit_hawkes(const HawkesEvents& events, const HawkesFitOptions& options = {}, const Execution& execution = {});

inline constexpr std::size_t default_max_events = 10'000'000;

/// Events from time 0, with nothing before it, to the horizon: every event draws its direct children. The same bits everywhere for a seed.
/// Throws std::invalid_argument for parameters as check() does and a branching ratio of 1 or more, NumericalError if there are more than
/// max_events.
HawkesEvents simulate_hawkes(const HawkesParameters& parameters, double horizon, std::uint64_t seed,
                             std::size_t max_events = default_max_events, const Execution& execution = {});

}  // namespace askrff
