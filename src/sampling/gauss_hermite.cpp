// The polynomials p_k orthonormal under the normal law, p_{k+1} = (x p_k - √k p_{k-1})/√(k+1); nodes are the zeros of p_n, each between two
// of p_{n-1}, weights 1/Σ_{k<n} p_k².
#include "sampling/gauss_hermite.hpp"

#include <cmath>

#include "core/portable_math.hpp"

namespace askrff::sampling {
namespace {

struct Value {
  double last, slope, square_sum;  // p_n(x), its derivative √n p_{n-1}(x), and Σ_{k<n} p_k(x)²
};

Value evaluate(std::size_t n, double x) {
  double before = 0, current = 1, squares = 0;
  for (std::size_t k = 0; k < n; ++k) {
    squares += current * current;
    const double next = (x * current - std::sqrt(static_cast<double>(k)) * before) / std::sqrt(static_cast<double>(k + 1));
    before = current;
    current = next;
  }
  return {current, std::sqrt(static_cast<double>(n)) * before, squares};
}

// Newton's method that falls back on bisection.
double zero_between(std::size_t n, double low, double high) {
  const bool rising = evaluate(n, low).last < 0;
  double x = 0.5 * (low + high);
  for (int step = 0; step < 100; ++step) {
    const Value at = evaluate(n, x);
    ((at.last < 0) == rising ? low : high) = x;
    double next = x - at.last / at.slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::fabs(next - x) <= 1e-16 * std::fabs(x)) return next;
    x = next;
  }
  return x;
}

/// The zeros of p_n from those of p_{n-1}.
std::vector<double> next_zeros(const std::vector<double>& zeros) {
  const std::size_t n = zeros.size() + 1;
  const double end = 2 * std::sqrt(static_cast<double>(n)) + 1;  // beyond the largest one
  std::vector<double> next(n);                                   // the middle one of an odd number stays 0
  for (std::size_t i = 0; 2 * i + 1 < n; ++i) {
    next[i] = zero_between(n, i == 0 ? -end : zeros[i - 1], zeros[i]);
    next[n - 1 - i] = -next[i];
  }
  return next;
}

HermiteRule with_weights(const std::vector<double>& zeros) {
  HermiteRule rule{zeros, std::vector<double>(zeros.size())};
  for (std::size_t i = 0; i < zeros.size(); ++i) rule.weights[i] = 1 / evaluate(zeros.size(), zeros[i]).square_sum;
  return rule;
}

}  // namespace

const HermiteRule& HermiteLadder::rule(std::size_t n) {
  while (rules_.size() < n) rules_.push_back(with_weights(next_zeros(rules_.empty() ? std::vector<double>() : rules_.back().nodes)));
  return rules_[n - 1];
}

double HermiteRule::error(double reach) const {
  // Nodes lie about π/√n apart: a wave of 2√n is indistinguishable from a constant, wherever a grid of waves may look.
  if (reach > 2 * std::sqrt(static_cast<double>(nodes.size()))) return 1;
  constexpr int grid = 12;
  double squares = 0;
  for (int step = 1; step <= grid; ++step) {
    const double tau = reach * step / grid;
    double sum = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) sum += weights[i] * portable::sincos(tau * nodes[i]).cos;
    const double error = sum - portable::exp(-0.5 * tau * tau);
    squares += error * error;
  }
  return std::sqrt(squares / grid);
}

std::optional<std::size_t> HermiteLadder::nodes_for(double reach, double tolerance) {
  std::vector<double>& known = errors_[reach];
  for (std::size_t n = 1; n <= max_nodes; ++n) {
    if (known.size() < n) known.push_back(rule(n).error(reach));
    if (known[n - 1] <= tolerance) return n;
  }
  return std::nullopt;
}

HermiteRule folded(const HermiteRule& rule) {
  HermiteRule half;
  const std::size_t n = rule.nodes.size();
  for (std::size_t i = n / 2; i < n; ++i) {
    half.nodes.push_back(rule.nodes[i]);
    half.weights.push_back(rule.weights[i] * (2 * i + 1 == n ? 1 : 2));
  }
  return half;
}

}  // namespace askrff::sampling
