// A Hawkes process as a family tree: immigrants by the baseline, and of every event its children.
#include "askrff/errors.hpp"
#include "askrff/hawkes.hpp"
#include "askrff/random.hpp"

#include <fmt/format.h>

namespace askrff {
namespace {

class FamilyTree {
 public:
  FamilyTree(const HawkesParameters& parameters, double horizon, std::uint64_t seed, std::size_t max_events)
      : parameters_(parameters), horizon_(horizon), seed_(seed), max_events_(max_events) {}

  void draw_immigrants(std::size_t type, const StopToken& stop) {
    const double rate = parameters_.baseline[type];
    if (rate == 0) return;
    RandomStream random(seed_, Purpose::hawkes_events, type);
    for (double time = random.exponential() / rate; time <= horizon_; time += random.exponential() / rate) {
      if (times.size() % 65536 == 0) stop.check();
      add(time, type);
    }
  }

  /// There may be many more of them than of those before the horizon.
  void draw_children(std::size_t parent, const StopToken& stop) {
    RandomStream random(seed_, Purpose::hawkes_events, parameters_.n_types() + parent);
    for (std::size_t k = 0; k < parameters_.decays.size(); ++k)
      for (std::size_t v = 0; v < parameters_.n_types(); ++v) {
        const double mean = parameters_.branching[k](types[parent], v);
        for (double sum = random.exponential(); sum < mean; sum += random.exponential()) {
          if (++n_drawn_ % 65536 == 0) stop.check();
          const double time = times[parent] + random.exponential() / parameters_.decays[k];
          if (time <= horizon_) add(time, v);
        }
      }
  }

  std::vector<double> times;
  std::vector<std::uint32_t> types;

 private:
  void add(double time, std::size_t type) {
    if (times.size() >= max_events_)
      throw NumericalError(
          "simulate_hawkes",
          fmt::format("there are more than {} events before the horizon, {}; expected fewer, or a larger limit", max_events_, horizon_));
    times.push_back(time);
    types.push_back(static_cast<std::uint32_t>(type));
  }

  const HawkesParameters& parameters_;
  double horizon_;
  std::uint64_t seed_;
  std::size_t max_events_, n_drawn_ = 0;
};

}  // namespace

HawkesEvents simulate_hawkes(const HawkesParameters& parameters, double horizon, std::uint64_t seed, std::size_t max_events,
                             const Execution& execution) {
  const double ratio = parameters.branching_ratio();
  if (!(ratio < 1))
    throw InvalidArgument("simulate_hawkes", fmt::format("the branching ratio is {}, expected less than 1: events would never end", ratio));
  if (!(horizon >= 1e-300 && horizon <= 1e300))
    throw InvalidArgument("simulate_hawkes", fmt::format("the horizon is {}, expected a number from 1e-300 to 1e300", horizon));
  FamilyTree tree(parameters, horizon, seed, max_events);
  for (std::size_t type = 0; type < parameters.n_types(); ++type) tree.draw_immigrants(type, execution.stop);
  for (std::size_t parent = 0; parent < tree.times.size(); ++parent) {
    if (parent % 65536 == 0) execution.stop.check();
    tree.draw_children(parent, execution.stop);
  }
  return {std::move(tree.times), std::move(tree.types), horizon, parameters.n_types()};
}

}  // namespace askrff
