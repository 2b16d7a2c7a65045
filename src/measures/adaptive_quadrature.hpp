// Globally adaptive Gauss-Kronrod quadrature: always bisects the interval with the largest error estimate. Boost's own adaptive driver
// bisects depth first to a local tolerance, which never ends where rounding noise is above it; this one stops at a number of intervals.
#pragma once

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <queue>
#include <span>

namespace askrff::measures {

struct QuadratureResult {
  double value, error;  ///< error: sum of the estimates of all intervals
};

/// ∫ f from the first to the last of the increasing `breakpoints` (where f may have kinks) to error ≤ max(relative·|value|, absolute), or
/// with max_intervals intervals, whichever comes first.
template <class Function>
QuadratureResult adaptive_quadrature(const Function& f, std::span<const double> breakpoints, double relative, double absolute,
                                     int max_intervals) {
  struct Interval {
    double from, to, value, error;
    bool operator<(const Interval& other) const { return error < other.error; }
  };
  using Rule = boost::math::quadrature::gauss_kronrod<double, 15>;
  const auto measure = [&](double a, double b) {
    Interval interval{a, b, 0, 0};
    interval.value = Rule::integrate(f, a, b, 0, 0.0, &interval.error);
    // |Kronrod - Gauss| is the error of the far coarser Gauss rule; below rounding it says nothing.
    interval.error = std::fmax(0.0, interval.error - 4e-16 * std::fabs(interval.value));
    return interval;
  };
  std::priority_queue<Interval> intervals;
  QuadratureResult total{0, 0};
  for (std::size_t i = 1; i < breakpoints.size(); ++i) {
    const Interval interval = measure(breakpoints[i - 1], breakpoints[i]);
    total.value += interval.value;
    total.error += interval.error;
    intervals.push(interval);
  }
  for (int n = 1; n < max_intervals && total.error > std::fmax(relative * std::fabs(total.value), absolute); ++n) {
    const Interval worst = intervals.top();
    const double middle = 0.5 * (worst.from + worst.to);
    if (!(worst.from < middle && middle < worst.to)) break;
    intervals.pop();
    const Interval left = measure(worst.from, middle), right = measure(middle, worst.to);
    total.value += left.value + right.value - worst.value;
    total.error += left.error + right.error - worst.error;
    intervals.push(left);
    intervals.push(right);
  }
  return total;
}

}  // namespace askrff::measures
