// The clock, the order of measurements, and what is made of them.
#include "timing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace askrff::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// A side and how many of its calls make one sample.
struct Repeated {
  const Sample& sample;
  std::size_t calls = 1;

  double operator()() const {
    double total = 0;
    for (std::size_t i = 0; i < calls; ++i) total += sample();
    return total / static_cast<double>(calls);
  }
};

Repeated warmed_up(const Sample& sample, double sample_seconds) {
  sample();
  const double once = std::max(sample(), 1e-7);
  return {sample, static_cast<std::size_t>(std::clamp(std::ceil(sample_seconds / once), 1.0, 1000.0))};
}

}  // namespace

Sample timed(std::function<void()> call, std::function<void()> prepare) {
  return [call = std::move(call), prepare = std::move(prepare)] {
    if (prepare) prepare();
    const auto start = Clock::now();
    call();
    return seconds_since(start);
  };
}

Pairs alternate(const Sample& ours, const Sample& theirs, const Effort& effort) {
  const Repeated a = warmed_up(ours, effort.sample_seconds), b = warmed_up(theirs, effort.sample_seconds);
  Pairs pairs;
  const auto start = Clock::now();
  for (std::size_t i = 0; i < effort.repeats; ++i) {
    if (i >= effort.min_repeats && seconds_since(start) > effort.budget_seconds) break;
    pairs.ours.push_back(a());
    pairs.theirs.push_back(b());
  }
  return pairs;
}

Pairs alternate_slowly(const Sample& ours, const Sample& theirs, std::size_t repeats) {
  Pairs pairs;
  for (std::size_t i = 0; i < repeats; ++i) {
    pairs.ours.push_back(ours());
    pairs.theirs.push_back(theirs());
  }
  return pairs;
}

Spread spread_of(std::vector<double> values) {
  if (values.empty()) throw std::logic_error("spread_of: no values");
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
  };
  return {quantile(0.25), quantile(0.5), quantile(0.75)};
}

double best_seconds(const Sample& sample, std::size_t calls) {
  sample();
  double best = sample();
  for (std::size_t i = 1; i < calls; ++i) best = std::min(best, sample());
  return best;
}

}  // namespace askrff::bench
