// The linear support vector machine with squared hinge loss: min ½‖w‖² + C Σ max(0, 1 - y w·φ)², the objective of LIBLINEAR's -s 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "askrff/cross_validation.hpp"
#include "askrff/linear.hpp"
#include "askrff/execution.hpp"

namespace askrff {

struct SvmOptions {
  double tolerance = 1e-9;           ///< stop when a step promises less than this share of the objective; in (0,1)
  std::size_t max_iterations = 200;  ///< Newton steps for one value of C; more is a NumericalError
  std::size_t direct_limit = 4096;   ///< up to so many columns the Hessian is formed and factored, beyond conjugate gradients run
  std::uint64_t max_memory = std::uint64_t{2} << 30;  ///< of the solver beside the design: problems are taken in batches (one at least)
  Execution execution = {};                           ///< progress: of "cross-validation" or "fit"
};

struct SvmFit {
  LinearModel model;
  std::vector<double> objectives;  ///< one per output
  std::size_t n_iterations = 0;    ///< of the slowest output
};

/// Newton's method, all problems (folds, classes) at once over shared features, by steps that are exact while no row changes sides.
/// One model for two classes (positive: the second), one against the rest for each of more. The bias, if the design has one, is a weight
/// like any other, as in LIBLINEAR (-B 1). Same bits for any number of threads and any max_memory. Throws std::invalid_argument for sizes
/// that differ, fewer than two classes, a class without rows, C that is not positive and finite; NumericalError if there is no convergence.
template <class T>
SvmFit fit_svm(const Design<T>& design, const ClassLabels& labels, double c, const SvmOptions& options = {});

/// Fits for every value of C and every fold held out, each warm started from the smaller C; scores are accuracies on the fold.
template <class T>
CrossValidation cross_validate_svm(const Design<T>& design, const ClassLabels& labels, std::span<const std::uint32_t> folds,
                                   std::vector<double> c, const SvmOptions& options = {});

/// ½‖w‖² + C Σ max(0, 1 - y w·φ)² over all rows for one output of `model`, in double by direct summation; the bias counts as a weight. y is
/// +1 for rows of class `positive`.
template <class T>
double svm_objective(const Design<T>& design, const ClassLabels& labels, std::size_t positive, const LinearModel& model, std::size_t output,
                     double c);

}  // namespace askrff
