// Newton's method for the log-likelihood of a Hawkes process: types by themselves, bordered by the decay that they share.
#pragma once

#include <cstddef>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/hawkes.hpp"
#include "causal/hawkes_sums.hpp"

namespace askrff {

/// θ of all types, as HawkesSums has it, and the logarithm of the decay: a point, a step or standard errors.
struct HawkesPoint {
  std::vector<double> theta;
  double log_decay = 0;
};

/// Whether log_decay is a variable, and between which ends.
struct DecayRange {
  bool is_free = false;
  double lowest = 0, highest = 0;
};

class HawkesNewton {
 public:
  /// decays: those of the process; if the range is free there is one, which the points' own takes the place of.
  HawkesNewton(const HawkesEvents& events, std::vector<double> decays, const DecayRange& range, const Execution& execution);

  /// Climbs from `start` to where a further step promises next to nothing. Throws NumericalError after max_steps, unless they are to be
  /// enough.
  void climb(HawkesPoint start, std::size_t max_steps, bool must_end);

  const HawkesPoint& point() const { return point_; }
  double value() const { return sums_.value; }
  std::size_t n_steps() const { return n_steps_; }
  HawkesParameters parameters_at(const HawkesPoint& point) const;
  /// NaN where a number is at its limit or nothing is known of it.
  HawkesPoint standard_errors() const;

 private:
  struct Step {
    HawkesPoint by;
    double slope = 0;  // of the log-likelihood along it: twice what it would gain, if that were quadratic
  };
  bool is_decay_held() const;
  Step newton_step(bool with_decay) const;
  Step decay_step() const;
  Step best_step() const;
  bool advance(const Step& step);
  bool try_step(const Step& step, double length);
  HawkesSums sums_at(const HawkesPoint& point) const;

  const HawkesEvents& events_;
  std::vector<double> decays_;
  DecayRange range_;
  const Execution& execution_;
  HawkesPoint point_;
  HawkesSums sums_;
  double reach_ = 1;  // of a step in the logarithm of the decay; twice as far after one that was cut and did well
  std::size_t n_steps_ = 0;
};

}  // namespace askrff
