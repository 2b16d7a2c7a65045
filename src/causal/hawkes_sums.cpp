// The pass over events behind likelihood and fit. A state holds Σ x^p e^{-x}, x = b(t - t_j), p = 0, 1, 2, for each decay b and type.
#include "causal/hawkes_sums.hpp"

#include <algorithm>
#include <cmath>

#include "causal/chunks.hpp"

namespace askrff {
namespace {

/// log Π x by one logarithm for some hundred factors.
class LogProduct {
 public:
  void multiply(double x) {
    if (!is_middling(x)) {
      sum_ += std::log(x);
      return;
    }
    product_ *= x;
    if (is_middling(product_)) return;
    sum_ += std::log(product_);
    product_ = 1;
  }
  double value() const { return sum_ + std::log(product_); }

 private:
  static bool is_middling(double x) { return x > 1e-150 && x < 1e150; }
  double product_ = 1, sum_ = 0;
};

/// Σ x^p e^{-x} of all waves, for p below `orders`: one row of n_waves numbers for each p.
struct WaveStates {
  double* sums;
  std::size_t n_waves;
  double* power(std::size_t p) const { return sums + p * n_waves; }

  /// Goes on by x in the waves first … first + count - 1, decay = e^{-x}. What no longer counts becomes 0 before it is too small to be
  /// normal, which would take a hundred times as long.
  template <bool second>
  void advance(std::size_t first, std::size_t count, double x, double decay) const {
    double *s0 = power(0) + first, *s1 = power(1) + first;
    if constexpr (second) {
      double* const s2 = power(2) + first;
      for (std::size_t u = 0; u < count; ++u) s2[u] = s0[u] < 1e-290 ? 0 : decay * (s2[u] + x * (2 * s1[u] + x * s0[u]));
    }
    for (std::size_t u = 0; u < count; ++u) s1[u] = s0[u] < 1e-290 ? 0 : decay * (s1[u] + x * s0[u]);
    for (std::size_t u = 0; u < count; ++u) s0[u] = s0[u] < 1e-290 ? 0 : decay * s0[u];
  }
};

/// What a chunk of events adds.
struct EventSums {
  double log_sum = 0, decay_curvature = 0;
  std::vector<double> gradient, decay_gradient, curvature, decay_cross;
  std::vector<double> relative;  // waves by intensity of the event at hand
};

/// single: one type and one decay, which the compiler then knows; the same sums, the same bits.
template <bool second, bool single>
class EventPass {
 public:
  struct Scratch {
    std::vector<double> exponents, decays;  // of every event since the one before, its decays side by side
  };

  EventPass(const HawkesParameters& parameters, const HawkesEvents& events, std::size_t n_chunks)
      : n_state((second ? 3 : 2) * parameters.decays.size() * events.n_types()),
        parameters_(parameters),
        times_(events.times()),
        types_(events.types()),
        n_types_(events.n_types()),
        results_(n_chunks),
        excitations_(n_types_ * n_types_ * parameters.decays.size()) {
    for (std::size_t v = 0; v < n_types_; ++v)
      for (std::size_t k = 0; k < n_decays(); ++k)
        for (std::size_t u = 0; u < n_types_; ++u)
          excitations_[v * n_waves() + k * n_types_ + u] = parameters.branching[k](u, v) * parameters.decays[k];
  }

  void prepare(const Chunk& chunk, Scratch& scratch) const {
    scratch.exponents.resize(chunk.size() * n_decays());
    scratch.decays.resize(chunk.size() * n_decays());
    std::size_t at = 0;
    for (std::size_t i = chunk.first; i < chunk.last; ++i)
      for (const double rate : parameters_.decays) {
        scratch.exponents[at] = i == 0 ? 0 : decay_exponent(rate, times_[i] - times_[i - 1]);
        scratch.decays[at] = std::exp(-scratch.exponents[at]);
        ++at;
      }
  }

  void leave(const Chunk& chunk, const Scratch& scratch, double* left) const {
    const WaveStates states{left, n_waves()};
    for (std::size_t k = 0; k < n_decays(); ++k) {
      double since = 1;
      for (std::size_t i = chunk.last; i-- > chunk.first && since > 1e-290;) {
        const double x = decay_exponent(parameters_.decays[k], times_[chunk.last - 1] - times_[i]);
        const std::size_t wave = k * n_types() + type_of(i);
        states.power(0)[wave] += since;
        states.power(1)[wave] += x * since;
        if constexpr (second) states.power(2)[wave] += x * x * since;
        since *= scratch.decays[(i - chunk.first) * n_decays() + k];
      }
    }
  }

  void carry(const Chunk& chunk, const double* left, double* state) const {
    const double span = chunk.first == 0 ? 0 : times_[chunk.last - 1] - times_[chunk.first - 1];
    for (std::size_t k = 0; k < n_decays(); ++k) {
      const double x = decay_exponent(parameters_.decays[k], span);
      WaveStates{state, n_waves()}.template advance<second>(k * n_types(), n_types(), x, std::exp(-x));
    }
    for (std::size_t i = 0; i < n_state; ++i) state[i] += left[i];
  }

  void walk(std::size_t c, const Chunk& chunk, const Scratch& scratch, double* state) {
    const WaveStates states{state, n_waves()};
    EventSums& sums = results_[c];
    start(sums);
    LogProduct intensities;
    for (std::size_t i = chunk.first; i < chunk.last;) {
      const std::size_t at = (i - chunk.first) * n_decays();
      for (std::size_t k = 0; k < n_decays(); ++k)
        states.template advance<second>(k * n_types(), n_types(), scratch.exponents[at + k], scratch.decays[at + k]);
      std::size_t end = i;  // events of the same time do not see each other
      for (; end < chunk.last && times_[end] == times_[i]; ++end) intensities.multiply(add_event(sums, type_of(end), states));
      for (; i < end; ++i)
        for (std::size_t k = 0; k < n_decays(); ++k) states.power(0)[k * n_types() + type_of(i)] += 1;
    }
    sums.log_sum = intensities.value();
  }

  const std::vector<EventSums>& results() const { return results_; }
  void start(EventSums& sums) const {
    sums.gradient.resize(n_types() * (1 + n_waves()));
    sums.decay_gradient.resize(n_decays());
    if constexpr (!second) return;
    sums.curvature.resize(n_types() * (1 + n_waves()) * (1 + n_waves()));
    sums.decay_cross.resize(n_types() * (1 + n_waves()));
    sums.relative.resize(n_waves());
  }

  const std::size_t n_state;

 private:
  std::size_t n_decays() const { return single ? 1 : parameters_.decays.size(); }
  std::size_t n_types() const { return single ? 1 : n_types_; }
  std::size_t n_waves() const { return n_types() * n_decays(); }
  std::size_t type_of(std::size_t i) const { return single ? 0 : types_[i]; }

  /// Returns the intensity of type v.
  double add_event(EventSums& sums, std::size_t v, const WaveStates& states) const {
    const double *s0 = states.power(0), *s1 = states.power(1), *excitation = excitations_.data() + v * n_waves();
    double intensity = parameters_.baseline[v];
    for (std::size_t q = 0; q < n_waves(); ++q) intensity += excitation[q] * s0[q];
    const double inverse = 1 / intensity;
    double* const gradient = sums.gradient.data() + v * (1 + n_waves());
    gradient[0] += inverse;
    double slope = 0;  // of the intensity in log b
    for (std::size_t k = 0; k < n_decays(); ++k) {
      slope = 0;
      for (std::size_t q = k * n_types(); q < (k + 1) * n_types(); ++q) {
        // In this order: b/λ may be too large for a double, (1/λ)² too small.
        const double relative = s0[q] * parameters_.decays[k] * inverse;
        gradient[1 + q] += relative;
        if constexpr (second) sums.relative[q] = relative;
        slope += excitation[q] * (s0[q] - s1[q]);
      }
      sums.decay_gradient[k] += slope * inverse;
    }
    if constexpr (second) add_second(sums, v, states, inverse, slope * inverse);
    return intensity;
  }

  void add_second(EventSums& sums, std::size_t v, const WaveStates& states, double inverse, double relative_slope) const {
    const std::size_t n = 1 + n_waves();
    const double *s0 = states.power(0), *s1 = states.power(1), *s2 = states.power(2);
    double* const curvature = sums.curvature.data() + v * n * n;
    double* const cross = sums.decay_cross.data() + v * n;
    const double* const relative = sums.relative.data();
    curvature[0] += inverse * inverse;
    for (std::size_t q = 0; q < n_waves(); ++q) {
      double* const row = curvature + (1 + q) * n;
      row[0] += relative[q] * inverse;
      for (std::size_t r = 0; r <= q; ++r) row[1 + r] += relative[q] * relative[r];
    }
    if (n_decays() > 1) return;
    cross[0] += relative_slope * inverse;
    double bend = 0;
    for (std::size_t q = 0; q < n_waves(); ++q) {
      cross[1 + q] += relative[q] * relative_slope - (s0[q] - s1[q]) * parameters_.decays[0] * inverse;
      bend += excitations_[v * n_waves() + q] * (s0[q] - 3 * s1[q] + s2[q]);
    }
    sums.decay_curvature += relative_slope * relative_slope - bend * inverse;
  }

  const HawkesParameters& parameters_;
  std::span<const double> times_;
  std::span<const std::uint32_t> types_;
  std::size_t n_types_;
  std::vector<EventSums> results_;
  std::vector<double> excitations_;  // branching times decay: types v × waves
};

/// What is expected until the horizon: 1 - e^{-x}, x e^{-x}, (x - x²) e^{-x}, x = b(T - t_j), summed over the events of each wave.
struct Expected {
  std::vector<long double> counts, slopes, bends;
};

Expected expected_sums(const HawkesParameters& parameters, const HawkesEvents& events, const StopToken& stop) {
  const std::size_t n_types = events.n_types(), n_waves = n_types * parameters.decays.size();
  Expected sums{std::vector<long double>(n_waves), std::vector<long double>(n_waves), std::vector<long double>(n_waves)};
  std::vector<std::size_t> n_events(n_types);
  for (const std::uint32_t type : events.types()) ++n_events[type];
  for (std::size_t k = 0; k < parameters.decays.size(); ++k) {
    std::vector<std::size_t> n_whole = n_events;  // those that e^{-x} no longer counts for
    for (std::size_t i = events.size(); i-- > 0;) {
      if (i % 65536 == 0) stop.check();
      const double x = parameters.decays[k] * (events.horizon() - events.times()[i]);
      if (x > 50) break;
      const double decay = std::exp(-x);
      const std::size_t type = events.types()[i], wave = k * n_types + type;
      --n_whole[type];
      sums.counts[wave] -= std::expm1(-x);
      sums.slopes[wave] += x * decay;
      sums.bends[wave] += (x - x * x) * decay;
    }
    for (std::size_t u = 0; u < n_types; ++u) sums.counts[k * n_types + u] += static_cast<long double>(n_whole[u]);
  }
  return sums;
}

/// Sums of the chunks, in their order; a correction keeps what additions lose.
class Total {
 public:
  void add(double x) {
    const double sum = sum_ + x;
    lost_ += std::fabs(sum_) >= std::fabs(x) ? (sum_ - sum) + x : (x - sum) + sum_;
    sum_ = sum;
  }
  double value() const { return std::isfinite(sum_) ? sum_ + lost_ : sum_; }

 private:
  double sum_ = 0, lost_ = 0;
};

std::vector<double> total_of(const std::vector<EventSums>& results, std::vector<double> EventSums::*member, const StopToken& stop) {
  std::vector<double> total(results.empty() ? 0 : (results.front().*member).size());
  for (std::size_t i = 0; i < total.size(); ++i) {
    if (i % 65536 == 0) stop.check();
    Total sum;
    for (const EventSums& result : results) sum.add((result.*member)[i]);
    total[i] = sum.value();
  }
  return total;
}

double total_of(const std::vector<EventSums>& results, double EventSums::*member) {
  Total sum;
  for (const EventSums& result : results) sum.add(result.*member);
  return sum.value();
}

HawkesSums joined(const std::vector<EventSums>& results, std::size_t n_waves, const StopToken& stop) {
  HawkesSums sums;
  sums.n_waves = n_waves;
  sums.value = total_of(results, &EventSums::log_sum);
  sums.gradient = total_of(results, &EventSums::gradient, stop);
  sums.decay_gradient = total_of(results, &EventSums::decay_gradient, stop);
  sums.curvature = total_of(results, &EventSums::curvature, stop);
  sums.decay_cross = total_of(results, &EventSums::decay_cross, stop);
  sums.decay_curvature = total_of(results, &EventSums::decay_curvature);
  return sums;
}

void subtract_expected(HawkesSums& sums, const HawkesParameters& parameters, const HawkesEvents& events, bool second,
                       const StopToken& stop) {
  const std::size_t n_types = events.n_types(), n = sums.n_theta();
  const Expected expected = expected_sums(parameters, events, stop);
  long double total = 0;
  for (std::size_t v = 0; v < n_types; ++v) {
    total += static_cast<long double>(parameters.baseline[v]) * events.horizon();
    sums.gradient[v * n] -= events.horizon();
    for (std::size_t q = 0; q < sums.n_waves; ++q) {
      const long double branching = parameters.branching[q / n_types](q % n_types, v);
      total += branching * expected.counts[q];
      sums.gradient[v * n + 1 + q] -= static_cast<double>(expected.counts[q]);
      sums.decay_gradient[q / n_types] -= static_cast<double>(branching * expected.slopes[q]);
      if (!second) continue;
      sums.decay_cross[v * n + 1 + q] += static_cast<double>(expected.slopes[q]);
      sums.decay_curvature += static_cast<double>(branching * expected.bends[q]);
    }
  }
  sums.value = static_cast<double>(sums.value - total);
}

template <bool second, bool single>
HawkesSums sums_of(const HawkesParameters& parameters, const HawkesEvents& events, const Execution& execution) {
  const double n = 1 + static_cast<double>(events.n_types() * parameters.decays.size()), n_types = static_cast<double>(events.n_types());
  // Every chunk has sums of its own; those of second derivatives take at most 64 MiB together, unless four are more.
  const double size = n_types * (second ? n * n : n);
  const auto most = static_cast<std::size_t>(std::clamp(8388608 / size, 4.0, 64.0));
  const Chunks chunks(events.size(), most, [&](std::size_t i) { return events.times()[i] != events.times()[i - 1]; });
  EventPass<second, single> pass(parameters, events, std::max<std::size_t>(1, chunks.count()));
  for (std::size_t c = chunks.count(); c < 1; ++c) pass.walk(c, {0, 0}, {}, nullptr);  // no events: sums that are 0
  walk_chunks(pass, chunks, team_for(static_cast<double>(events.size()) * (10 + (second ? n * n : 4 * n)), execution));
  HawkesSums sums = joined(pass.results(), events.n_types() * parameters.decays.size(), execution.stop);
  subtract_expected(sums, parameters, events, second, execution.stop);
  return sums;
}

}  // namespace

HawkesSums hawkes_sums(const HawkesParameters& parameters, const HawkesEvents& events, Derivatives order, const Execution& execution) {
  const bool second = order == Derivatives::second, single = parameters.n_types() == 1 && parameters.decays.size() == 1;
  const auto sums = second ? single ? sums_of<true, true> : sums_of<true, false> : single ? sums_of<false, true> : sums_of<false, false>;
  return sums(parameters, events, execution);
}

}  // namespace askrff
