// Binary problems over shared features, solved side by side: folds, classes, or both. One pass over the design serves them all.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "askrff/linear.hpp"

namespace askrff::models {

inline constexpr std::uint32_t no_fold = UINT32_MAX;

/// Rows of class `positive` (+1) against all others (-1), without those of fold `held_out`.
struct BinaryProblem {
  std::uint32_t positive = 1;
  std::uint32_t held_out = no_fold;
};

/// What all problems share. `folds` and `weights` (then all are 1) may be empty.
struct LabelledRows {
  std::span<const std::uint32_t> classes, folds;
  std::span<const double> weights;
};

/// Where every problem stands: row p of each matrix is problem p's.
struct BatchState {
  Matrix<double> weights;                         ///< w, problems × columns
  Matrix<double> outputs;                         ///< Φw for all rows, those held out too
  std::vector<double> row_weights;                ///< of the losses, the same for all problems
  std::vector<std::vector<std::int8_t>> targets;  ///< +1, -1, or 0 for rows held out and rows of weight 0
  std::vector<std::vector<std::uint8_t>> active;  ///< 1 where the loss is not zero: y·output < 1
};

template <class T>
class Hessians;

/// Newton's method. With Hessians a step is first quick, the minimum as the sums of the active rows give it; when that promises nothing any
/// more, steps are careful, from the gradient itself, so that the errors of those sums (which are large where features are float or nearly
/// dependent) do not end up in the result.
template <class T>
class SvmBatch {
 public:
  SvmBatch(const Design<T>& design, const LabelledRows& rows, std::span<const BinaryProblem> problems, const SvmOptions& options);
  ~SvmBatch();

  /// Begins from these weights, problems × columns, instead of 0.
  void start_from(MatrixView<const double> weights);
  /// Minimises all objectives for this C, from where they stand. Returns the number of steps of the slowest. Throws NumericalError if one
  /// of them cannot be brought as close to its minimum as it should be.
  std::size_t solve(double c);
  const BatchState& state() const { return state_; }
  double objective(std::size_t problem) const { return objectives_[problem]; }

  /// Bytes one problem takes.
  static std::uint64_t bytes_per_problem(const Design<T>& design, const SvmOptions& options);

 private:
  enum class Mode { quick, careful, finished };
  /// A proposed step: row `place` of the proposals, and whether it solves its linear equations.
  struct Proposal {
    std::size_t problem = 0, place = 0;
    bool is_complete = true, is_step = true;
  };

  std::vector<Proposal> propose(double c);
  std::vector<Proposal> propose_quick(std::span<const std::size_t> problems);
  std::vector<Proposal> propose_careful(std::span<const std::size_t> problems, std::size_t first_place, double c);
  void refresh_outputs(std::span<const std::size_t> problems);
  void advance(const Proposal& proposal, double c);
  bool sides_changed(std::size_t problem);
  Mode after_step(const Proposal& proposal, double promise, double before, bool is_exact, double c);
  double tolerance() const { return options_.tolerance; }
  /// What else to change where a fit fails.
  const char* about_weights() const { return options_.row_weights.empty() ? "" : ", or weights of rows and classes nearer to each other"; }

  const Design<T>& design_;
  const SvmOptions& options_;
  BatchState state_;
  std::vector<double> objectives_;
  std::vector<Mode> modes_;
  std::vector<int> n_idle_;  // careful steps in a row that gained next to nothing
  Matrix<double> next_weights_, next_outputs_;
  std::unique_ptr<Hessians<T>> hessians_;  // null: too many columns
};

}  // namespace askrff::models
