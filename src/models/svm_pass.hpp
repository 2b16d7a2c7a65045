// One pass of the SVM over rows that keep nothing between passes: what it is to compute, the sums it gives, and the pass itself. Sums of
// parts of the rows are added; who solves with them is svm_passes.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/features.hpp"
#include "askrff/views.hpp"
#include "models/svm_batch.hpp"

namespace askrff::models {

/// The problems of classes and folds in their order: for each output (one for two classes, each class against the rest for more) first that
/// of all rows, then one for each fold held out.
struct SvmProblems {
  std::uint64_t n_classes = 0, n_folds = 0;  ///< no folds: 0

  std::size_t n_outputs() const { return n_classes == 2 ? 1 : n_classes; }
  std::size_t size() const { return n_outputs() * (n_folds + 1); }
  std::size_t all_rows(std::size_t output) const { return output * (n_folds + 1); }
  std::size_t held_out(std::size_t output, std::size_t fold) const { return all_rows(output) + 1 + fold; }
  std::size_t output_of(std::size_t problem) const { return problem / (n_folds + 1); }
  bool is_of_all_rows(std::size_t problem) const { return problem % (n_folds + 1) == 0; }
  BinaryProblem operator[](std::size_t problem) const;
};

/// What one pass computes. Losses and pulls for every point; what else is wanted is not empty.
struct SvmPassTask {
  SvmProblems problems = {};
  bool has_bias = true;
  Matrix<double> weights = {};             ///< points × columns
  std::vector<std::uint64_t> of = {};      ///< the problem of each point
  std::vector<std::uint64_t> full = {};    ///< points whose Hessians are wanted
  std::vector<std::uint64_t> change = {};  ///< points of which the change of the Hessian is wanted, since that at the same row of `since`
  Matrix<double> since = {};               ///< as many rows as `change` has entries × columns
  std::uint64_t n_grams = 0;               ///< ΦᵀSΦ: 1: of all rows; n_folds: of the rows of each fold; 0: not wanted
  Matrix<double> score = {};               ///< weights of all problems by which rows are scored, problems × columns; empty: they are not

  std::size_t n_columns() const { return weights.cols(); }
};

/// Sums over rows. With output o, target y, row weight s: the objective of a point is ½‖w‖² + C·loss, its gradient w - 2C·pull, its Hessian
/// I + 2C·hessian. Symmetric matrices are rows of n·(n + 1)/2 numbers: from the diagonal on, row by row.
struct SvmPassSums {
  std::uint64_t n_rows = 0;
  Matrix<double> row_weights;  ///< Σ s, folds (one if there are none) × classes
  std::vector<double> losses;  ///< Σ s max(0, 1 - y o)², one per point
  Matrix<double> pulls;        ///< Σ s max(0, 1 - y o) y φ, points × columns
  Matrix<double> full;         ///< Σ s φφᵀ over rows with y o < 1, a row for each of the task's `full`
  Matrix<double> change;       ///< what rows that changed sides add and take away, a row for each of the task's `change`
  Matrix<double> grams;        ///< a row for each
  /// Σ s of the rows that get their own class: of each fold, by the problems that hold it out; last of all rows, by those of all rows.
  std::vector<double> right;

  /// Throws InvalidArgument unless they are sums of the same task.
  void add(const SvmPassSums& other);
};

inline std::size_t triangle_size(std::size_t n) { return n * (n + 1) / 2; }

/// The sums over rows of one part, in memory for one block of rows. Rows are cut into blocks from the first row on, wherever calls are
/// cut, and sums are the same bits for any calls and number of threads. T: of the features.
template <class T>
class SvmPass {
 public:
  /// Throws InvalidArgument for a task that contradicts itself or the features.
  SvmPass(Features features, const SvmPassTask& task, const Execution& execution = {});
  SvmPass(SvmPass&&) noexcept;
  SvmPass& operator=(SvmPass&&) noexcept;
  ~SvmPass();

  /// X: rows as the features want them; folds: empty if there are none; weights: above 0, empty: all 1. Throws InvalidArgument for sizes
  /// that differ, numbers that are not finite, classes and folds there are none of; nothing has been added then.
  void add(const RowsView<T>& X, std::span<const std::uint32_t> classes, std::span<const std::uint32_t> folds,
           std::span<const double> weights = {});
  /// Sums over all rows added, of which there may be none. Ends the pass.
  SvmPassSums finish();

 private:
  class Sums;
  std::unique_ptr<Sums> sums_;
};

extern template class SvmPass<float>;
extern template class SvmPass<double>;

}  // namespace askrff::models
