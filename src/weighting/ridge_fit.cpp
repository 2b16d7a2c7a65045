// How one parity of a calibration is solved.
#include "weighting/ridge_fit.hpp"

#include <cmath>
#include <limits>

#include "core/vectors.hpp"

namespace askrff::weighting {

double ParityProblem::held_out_squares(std::span<const double> x) const {
  const auto values = waves.times(parity, held_out.differences, x);
  const auto wanted = target(held_out);
  double sum = 0;
  for (std::size_t p = 0; p < values.size(); ++p) sum += held_out.weights[p] * (values[p] - wanted[p]) * (values[p] - wanted[p]);
  return sum;
}

namespace {

/// y - A·x on the pairs of the fit.
std::vector<double> residual(const ParityProblem& problem, std::span<const double> x) {
  auto left = problem.waves.times(problem.parity, problem.fit.differences, x);
  const auto wanted = problem.target(problem.fit);
  for (std::size_t p = 0; p < left.size(); ++p) left[p] = wanted[p] - left[p];
  return left;
}

ParityFit prior_of(const ParityProblem& problem) {
  return {{problem.prior.begin(), problem.prior.end()}, 0.0, problem.held_out_squares(problem.prior)};
}

/// Keeps the better of two fits; counts how often in a row there was no gain.
class Best {
 public:
  explicit Best(ParityFit first) : fit(std::move(first)) {}

  void offer(std::vector<double> weights, double ridge, double squares) {
    if (squares < fit.held_out_squares) {
      fit = {std::move(weights), ridge, squares};
      losses = 0;
    } else {
      ++losses;
    }
  }

  ParityFit fit;
  int losses = 0;
};

}  // namespace

ParityFit fit_directly(const ParityProblem& problem, const NormalSystem& system, const Execution& execution) {
  Best best(prior_of(problem));
  const double unit = system.mean_eigenvalue();
  if (!(unit > 0) || !std::isfinite(unit)) return std::move(best.fit);  // no pair says anything about this parity
  // gram·(x - prior) = right - gram·prior
  std::vector<double> right(system.right);
  for (std::size_t i = 0; i < right.size(); ++i) right[i] -= dot(system.gram.row(i), problem.prior);
  bool gained = false;
  for (double ridge = 10; ridge > 1e-13; ridge /= 10) {
    auto x = system.solve(ridge * unit, right, execution);
    if (x.empty()) break;
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += problem.prior[j];
    const double squares = problem.held_out_squares(x), before = best.fit.held_out_squares;
    best.offer(std::move(x), ridge, squares);
    gained = gained || best.fit.held_out_squares < before;
    if (best.losses >= (gained ? 2 : 6)) break;  // a large ridge may not move the prior at all: that is no loss yet
  }
  return std::move(best.fit);
}

ParityFit fit_by_conjugate_gradients(const ParityProblem& problem) {
  constexpr int max_steps = 200, steps_per_look = 2, losses_allowed = 2;
  Best best(prior_of(problem));
  const auto weigh = [&](std::vector<double> v) {
    for (std::size_t p = 0; p < v.size(); ++p) v[p] *= problem.fit.weights[p];
    return v;
  };
  const auto gradient_of = [&](const std::vector<double>& left) {
    return problem.waves.transposed_times(problem.parity, problem.fit.differences, weigh(left));
  };
  std::vector<double> x(problem.prior.begin(), problem.prior.end()), left = residual(problem, x);
  std::vector<double> gradient = gradient_of(left), direction = gradient;
  double square = squared_norm(gradient);
  for (int step = 1; step <= max_steps && square > 0; ++step) {
    const auto moved = problem.waves.times(problem.parity, problem.fit.differences, direction);
    const double curvature = dot(weigh(moved), moved);
    if (!(curvature > 0)) break;
    const double length = square / curvature;
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += length * direction[j];
    for (std::size_t p = 0; p < left.size(); ++p) left[p] -= length * moved[p];
    gradient = gradient_of(left);
    const double next_square = squared_norm(gradient), keep = next_square / square;
    square = next_square;
    for (std::size_t j = 0; j < direction.size(); ++j) direction[j] = gradient[j] + keep * direction[j];
    if (step % steps_per_look != 0) continue;
    best.offer(x, 1.0 / step, problem.held_out_squares(x));
    if (best.losses >= losses_allowed) break;
  }
  return std::move(best.fit);
}

}  // namespace askrff::weighting
