// Active sets: arguments are freed one by one where the slope at 0 is upwards, and held again where they would become negative.
#include "causal/bounded_quadratic.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace askrff {

BoundedQuadratic::BoundedQuadratic(const double* A, const double* x, std::size_t n)
    : matrix_(n, n), scales_(n), start_(n), at_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(n))) {
  for (std::size_t i = 0; i < n; ++i) scales_[i] = A[i * n + i] > 0 ? 1 / std::sqrt(A[i * n + i]) : 0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) matrix_(i, j) = matrix_(j, i) = A[i * n + j] * scales_[i] * scales_[j] + (i == j ? 1e-9 : 0.0);
  for (std::size_t i = 0; i < n; ++i) start_[i] = scales_[i] > 0 ? x[i] / scales_[i] : x[i];
}

Eigen::VectorXd BoundedQuadratic::solve_free(const Eigen::VectorXd& right) const {
  const auto n = static_cast<Eigen::Index>(free_.size());
  Eigen::VectorXd solution = Eigen::VectorXd::Zero(right.size()), part(n);
  if (n == 0) return solution;
  Eigen::MatrixXd block(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    part[i] = right[free_[i]];
    for (Eigen::Index j = 0; j <= i; ++j) block(i, j) = matrix_(free_[i], free_[j]);
  }
  Eigen::LLT<Eigen::MatrixXd>(block).solveInPlace(part);
  for (Eigen::Index i = 0; i < n; ++i) solution[free_[i]] = part[i];
  return solution;
}

/// Towards the best of the free arguments; those that reach 0 first are held, until none does.
void BoundedQuadratic::step_to_feasible(const Eigen::VectorXd& c, const StopToken& stop) {
  while (true) {
    stop.check();
    const Eigen::VectorXd best = solve_free(c);
    double length = 1;
    for (const Eigen::Index i : free_)
      if (!(best[i] > 0)) length = std::min(length, at_[i] / std::max(at_[i] - best[i], std::numeric_limits<double>::min()));
    for (const Eigen::Index i : free_) at_[i] += length * (best[i] - at_[i]);
    const auto ends_at_zero = [&](Eigen::Index i) { return !(best[i] > 0) && !(at_[i] > 1e-15 * (at_[i] - best[i])); };
    const std::size_t n_before = free_.size();
    for (const Eigen::Index i : free_)
      if (ends_at_zero(i)) at_[i] = 0;
    std::erase_if(free_, ends_at_zero);
    if (length == 1 || free_.size() == n_before) return;
  }
}

Eigen::VectorXd BoundedQuadratic::solve(const Eigen::VectorXd& g, const StopToken& stop) {
  const Eigen::Index n = start_.size();
  free_.clear();
  at_.setZero();
  for (Eigen::Index i = 0; i < n; ++i)
    if (scales_[i] > 0 && start_[i] > 0) {
      free_.push_back(i);
      at_[i] = start_[i];
    }
  const Eigen::VectorXd c = g.cwiseProduct(scales_) + matrix_ * at_;
  step_to_feasible(c, stop);
  std::vector<bool> is_stuck(static_cast<std::size_t>(n), false);  // held again at once, by rounding
  for (Eigen::Index freed = 0; freed < 5 * n; ++freed) {
    const Eigen::VectorXd slopes = c - matrix_ * at_;
    Eigen::Index steepest = -1;
    double most = 1e-13 * c.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < n; ++i)
      if (scales_[i] > 0 && slopes[i] > most && !is_stuck[static_cast<std::size_t>(i)] && std::ranges::find(free_, i) == free_.end()) {
        steepest = i;
        most = slopes[i];
      }
    if (steepest < 0) break;
    free_.push_back(steepest);
    step_to_feasible(c, stop);
    if (at_[steepest] == 0)
      is_stuck[static_cast<std::size_t>(steepest)] = true;
    else
      is_stuck.assign(is_stuck.size(), false);
  }
  Eigen::VectorXd step(n);
  for (Eigen::Index i = 0; i < n; ++i) step[i] = scales_[i] > 0 ? (at_[i] - start_[i]) * scales_[i] : -start_[i];
  return step;
}

Eigen::VectorXd BoundedQuadratic::follow(const Eigen::VectorXd& b) const {
  return solve_free(b.cwiseProduct(scales_)).cwiseProduct(scales_);
}

}  // namespace askrff
