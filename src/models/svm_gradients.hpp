// Newton steps from the gradients themselves, by conjugate gradients for some problems at once.
#pragma once

#include "models/svm_hessians.hpp"

namespace askrff::models {

/// How far to go, for one problem.
struct GradientTarget {
  double relative = 1e-2;  ///< stop when ‖gradient left‖² is below this share of the first one
  double enough = 0;       ///< nothing to do if the first one, as the Hessian measures it, promises at most so much
};

struct GradientResult {
  bool is_complete = false;  ///< reached its target
  bool is_step = false;      ///< there was something to do
};

/// (I/2C + Φ_AᵀΦ_A) d = Φ_Aᵀ(y - Φw) - w/2C, rows weighted. Row k of weights and outputs becomes w + d and Φ(w + d) of problems[k]. With
/// Hessians, which must have been prepared, they precondition, and few iterations do. Each iteration is two passes over the design for the
/// problems that want it.
template <class T>
std::vector<GradientResult> gradient_steps(const Design<T>& design, const BatchState& state, std::span<const std::size_t> problems,
                                           double c, const Hessians<T>* hessians, std::span<const GradientTarget> targets,
                                           MatrixView<double> weights, MatrixView<double> outputs, const Execution& execution);

}  // namespace askrff::models
