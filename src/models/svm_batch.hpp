// Binary problems over shared features, solved side by side: folds, classes, or both. One pass over the design serves them all.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "askrff/linear.hpp"

namespace askrff::models {

inline constexpr std::uint32_t no_fold = UINT32_MAX;

/// More than this features in float cannot tell apart.
template <class T>
constexpr double max_c_of = std::is_same_v<T, float> ? 1e4 : max_c;

/// Throws InvalidArgument for a C that features of this type cannot tell apart, or options out of range.
void check_largest_c(double c, bool is_float);
void check_svm_limits(double tolerance, std::size_t max_iterations);

/// What a careful step may still promise when rounding keeps it from lowering the objective: more than that is a failure.
template <class T>
constexpr double rounding_tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-7;

/// What else to change where a fit of rows with weights fails.
inline const char* about_weights(bool has_weights) { return has_weights ? ", or weights of rows and classes nearer to each other" : ""; }

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
