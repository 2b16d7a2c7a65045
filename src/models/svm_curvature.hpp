// What is known of the Hessians of problems that are solved by passes: sums of outer products at some earlier weights, brought up to date
// by the rows that changed sides since, and what later steps have told. Gives directions of descent.
#pragma once

#include <array>
#include <deque>
#include <span>
#include <vector>

#include "models/svm_pass.hpp"

namespace askrff::models {

struct SvmCurvatureOptions {
  std::size_t direct_limit = 4096;  ///< no matrices beyond so many columns
  /// Numbers of all matrices together up to which every problem has its own; beyond, folds share that of all rows.
  std::size_t own_limit = std::size_t{1} << 24;
  double epsilon = 0;  ///< of the features' type
  Execution execution = {};
};

/// Quasi-Newton directions (limited-memory BFGS) that start from (I + 2C·hessian)⁻¹, exact where the matrix is the problem's own and of the
/// weights it stands at, and correct it by the steps since. Without matrices they start from a multiple of the identity.
class SvmCurvature {
 public:
  SvmCurvature(const SvmProblems& problems, std::size_t n_columns, const SvmCurvatureOptions& options);

  bool has_matrices() const { return !matrices_.empty(); }
  bool is_shared() const { return is_shared_; }
  /// Whether there is a matrix of just this problem, not one that it shares.
  bool has_own(std::size_t problem) const;
  /// The Gram matrices the first pass is asked for.
  std::size_t n_grams() const;
  /// Takes the sums of a pass with those, for weights of 0, where every row is active.
  void begin(const SvmPassSums& sums);
  /// Has the pass bring the problem's own matrix to this point of its task.
  void ask(std::size_t problem, std::size_t point, SvmPassTask& task) const;
  /// Takes what was asked for at this point of the task; false if that was nothing.
  bool take(std::size_t point, const SvmPassTask& task, const SvmPassSums& sums);

  /// A step of this problem and by how much the pull fell along it.
  void add_step(std::size_t problem, std::vector<double> step, std::vector<double> pull);
  void forget_steps(std::size_t problem) { steps_[problem].clear(); }
  /// The matrix will be asked for as a whole: sums that were added to and taken from a long time are rough.
  void distrust(std::size_t problem);

  /// Factors for this C whatever has changed.
  void prepare(std::span<const std::size_t> problems, double c);
  /// out: minus the inverse of the Hessian, as far as it is known, times the gradient. After prepare.
  void descend(std::size_t problem, double c, std::span<const double> gradient, std::span<double> out) const;

 private:
  struct Factor {
    double c = 0;  // 0: none, or not of the matrix as it is
    Matrix<double> lower;
  };
  /// One for a problem of all rows; a second factor of (1 - 1/n_folds) times the matrix for the folds that share it.
  struct HessianMatrix {
    std::vector<double> triangle, since;  // the weights it is of
    bool is_rough = false;
    std::array<Factor, 2> factors;
  };
  struct Step {
    std::vector<double> step, pull;
  };

  std::size_t matrix_of(std::size_t problem) const { return is_shared_ ? problems_.output_of(problem) : problem; }
  std::size_t factor_of(std::size_t problem) const { return is_shared_ && !problems_.is_of_all_rows(problem) ? 1 : 0; }
  void factor(HessianMatrix& matrix, std::size_t which, double c, const Execution& execution) const;
  void start(std::size_t problem, double c, std::span<double> values) const;

  SvmProblems problems_;
  std::size_t n_columns_;
  SvmCurvatureOptions options_;
  bool is_shared_;
  double total_weight_ = 0;  // of all rows
  std::vector<HessianMatrix> matrices_;
  std::vector<std::deque<Step>> steps_;  // of each problem, the newest first
};

}  // namespace askrff::models
