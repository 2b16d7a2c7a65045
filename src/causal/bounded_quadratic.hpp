// The largest value of a concave quadratic function among non-negative arguments.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "askrff/execution.hpp"

namespace askrff {

/// q(d) = g·d - ½ d·A d over x + d ≥ 0, for a positive semidefinite A (lower triangle, row-major) and x ≥ 0, by active sets, begun at the
/// arguments that are above 0. Arguments without curvature (A_ii = 0) end at 0.
class BoundedQuadratic {
 public:
  BoundedQuadratic(const double* A, const double* x, std::size_t n);

  /// The best d for this g. Factors a matrix of n rows for every argument that is freed or held. Throws Stopped.
  Eigen::VectorXd solve(const Eigen::VectorXd& g, const StopToken& stop = {});
  /// A⁻¹ b among the arguments that are above 0 at x + d of the latest solve; 0 for the others.
  Eigen::VectorXd follow(const Eigen::VectorXd& b) const;

 private:
  Eigen::VectorXd solve_free(const Eigen::VectorXd& right) const;
  void step_to_feasible(const Eigen::VectorXd& c, const StopToken& stop);

  Eigen::MatrixXd matrix_;  // scaled to a diagonal of 1, and raised by next to nothing so that it can be factored
  Eigen::VectorXd scales_, start_, at_;
  std::vector<Eigen::Index> free_;
};

}  // namespace askrff
