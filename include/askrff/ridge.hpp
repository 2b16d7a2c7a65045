// Ridge regression on features, min ½‖w‖² + C Σ s (y - w·φ - b)² with weights s of rows: one pass over rows that may come block by block;
// the path over C, its cross-validation and the model follow from sums whose size does not depend on the number of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "askrff/linear.hpp"
#include "askrff/execution.hpp"
#include "askrff/features.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// Sums over the rows of one fold, each times the weight of its row. Targets are counted from `RidgeSums::origin`, so that large ones lose
/// no digits.
struct FoldSums {
  Matrix<double> gram;                            ///< ΦᵀΦ
  Matrix<double> moments;                         ///< ΦᵀY, n_features × n_targets
  std::vector<double> feature_sums;               ///< Φᵀ1
  std::vector<double> target_sums, target_norms;  ///< Σy, Σy²
  std::uint64_t n_rows = 0;
  double weight = 0;  ///< of all rows together; n_rows where all weights are 1
};

struct RidgeSums {
  std::vector<FoldSums> folds;
  std::vector<double> origin;  ///< one per target: that of the first row
  /// One per feature, counted from likewise: the first row where the features are the columns themselves (ColumnFeatures), else 0.
  std::vector<double> feature_origin;
  double epsilon = 0;  ///< of the type the sums were made in

  std::size_t n_features() const { return folds[0].gram.rows(); }
  std::size_t n_targets() const { return origin.size(); }
  std::uint64_t n_rows() const;
};

/// Some of all rows there are, by their numbers: first … end - 1.
struct RowRange {
  std::uint64_t first = 0, end = 0;
  bool operator==(const RowRange&) const = default;
};

/// Sums to twice the digits of a double, high + low: in which order they came about shows beyond the 100th bit, and so practically never
/// in what they are rounded to.
struct WideSums {
  std::vector<double> high, low;
};

/// Rows that are a part of all, when the sums of all parts are to be those of one go: where it begins, and what is counted from. For a
/// part the origins are those of the very first row of all, which the other parts do not see.
struct RidgePart {
  std::uint64_t first_row = 0;
  std::vector<double> origin = {};          ///< one per target; empty: the first row that is added
  std::vector<double> feature_origin = {};  ///< of ColumnFeatures, one per column; empty: likewise
};

/// All that an accumulator holds, to go on elsewhere. Groups of rows that are complete are sums; the others wait as rows, so that parts
/// that meet in the middle of a group can complete it.
struct RidgeState {
  struct Fold {
    WideSums gram;     ///< ΦᵀΦ from the diagonal on, row after row
    WideSums moments;  ///< Φᵀ[Y, 1], row after row
    WideSums targets;  ///< Σ1, Σy of every target, Σy² of every target; all times the weights of rows
    std::uint64_t n_rows = 0;
  };
  struct Rows {
    std::uint64_t first = 0;  ///< number of the first of them
    Matrix<double> X, Y;
    std::vector<std::uint32_t> folds;
    std::vector<double> weights;
  };
  std::vector<RowRange> counted;  ///< which rows: in order, with gaps between them
  std::vector<Fold> folds;
  std::vector<Rows> waiting;                   ///< in order
  std::vector<double> origin, feature_origin;  ///< empty before they are known; feature_origin also where features are not columns
  double epsilon = 0;                          ///< of the type of the features
};

/// Takes the rows. The sums depend on the rows, their order and their folds, not on how they were cut into calls or parts nor on the
/// number of threads, to the bit. Memory: n_folds · n_features² doubles and some blocks. T: float or double, the type of the features.
template <class T>
class RidgeAccumulator {
 public:
  /// Rows of a group: sums over those of one fold, some hundred to some thousand, are added to twice a double's digits.
  static std::size_t group_rows(std::size_t n_folds, std::size_t n_features, std::size_t dim);

  /// n_folds = 1: no cross-validation. Throws std::invalid_argument for no targets or folds, origins of another size or that are not
  /// finite.
  RidgeAccumulator(Features features, std::size_t n_targets, std::size_t n_folds = 1, const Execution& execution = {}, RidgePart part = {});
  /// Goes on from where an accumulator of the same features in the same type was, in this program or in another. Throws
  /// std::invalid_argument for a state of other features or another type, numbers that are not finite or counts that contradict each other.
  RidgeAccumulator(Features features, RidgeState state, const Execution& execution = {});
  RidgeAccumulator(RidgeAccumulator&&) noexcept;
  RidgeAccumulator& operator=(RidgeAccumulator&&) noexcept;
  ~RidgeAccumulator();

  /// X: rows × dim, dense or sparse, which makes no difference to the bits; Y: rows × n_targets; folds: one per row, or none if there is
  /// one fold; weights: one per row, above 0, or none for all 1. Their numbers go on from the last row. Throws std::invalid_argument for
  /// wrong sizes or numbers that are not finite or fit T, or if parts are missing before these rows; nothing is added then. If it is
  /// stopped, or a user's kernel fails, some rows are in and some are not: every further call then throws std::invalid_argument.
  void add(const RowsView<T>& X, MatrixView<const double> Y, std::span<const std::uint32_t> folds = {},
           std::span<const double> weights = {});
  /// Adds the rows of another part. Rows that are counted already count once: if all of the other's are, nothing is added. Throws
  /// std::invalid_argument for sums of other features, targets or folds or counted from another origin, and if only some of its rows are
  /// counted already; nothing is added then.
  void merge(const RidgeAccumulator& other);
  /// The rows so far: one range, unless parts are missing.
  const std::vector<RowRange>& counted() const;
  /// The sums over all rows added.
  RidgeSums moments() const;
  RidgeState state() const;
  /// How further calls are carried out.
  void set_execution(const Execution& execution);

 private:
  class Accumulator;
  std::unique_ptr<Accumulator> accumulator_;
};

extern template class RidgeAccumulator<float>;
extern template class RidgeAccumulator<double>;

struct RidgeOptions {
  std::vector<double> c = {};  ///< the values to be tried; empty: as default_c_grid() says
  bool bias = true;            ///< not regularised: it takes up the mean
  Execution execution = {};
};

struct RidgeFit {
  LinearModel model;                    ///< for the best C, on all rows
  bool bias = true;                     ///< as it was asked for
  double c = 0;                         ///< that one
  CrossValidation validation;           ///< mean squared errors (averaged over targets); empty for one fold
  double training_error = 0;            ///< mean squared error of that model on all rows
  std::vector<double> training_errors;  ///< of every C of the grid, in increasing order: the whole path; NaN where it could not be solved
  double resolution = 0;                ///< mean squared errors below this are rounding of the sums they are computed from
};

/// Solves for every C on all folds but one (total less fold), takes the C that is best on the folds left out, and solves on all rows; with
/// one fold there must be one C. Cost: n_folds · n_C · n_features³/3. A C too large for the precision of the sums counts as the worst.
/// Its progress is that of "cross-validation", or of "fit" with one fold.
/// Throws std::invalid_argument for moments without rows, an empty fold, C out of range; NumericalError if no C can be solved for, or
/// numbers overflow.
RidgeFit solve_ridge(const RidgeSums& moments, const RidgeOptions& options = {});

/// The models for the C of `fit` on all folds but one, for every fold: what a row is told by them it had no part in. Throws as solve_ridge.
std::vector<LinearModel> solve_ridge_folds(const RidgeSums& moments, const RidgeFit& fit, const Execution& execution = {});

/// Leave-one-out outputs of a model that solve_ridge gave, without refitting: what the model would say of each row had it not seen that
/// row. Exact up to rounding, which a row feels the more the more of its output is its own doing. Cost per row: 2·n_features².
class LeaveOneOut {
 public:
  LeaveOneOut(const RidgeSums& moments, const RidgeFit& fit, const Execution& execution = {});
  /// features: rows × n_features, of rows the moments were made of; Y their targets; weights theirs, or none for all 1. Returns rows ×
  /// n_targets. Throws std::invalid_argument for wrong sizes, NumericalError if a row decides its output alone, up to what rounding can
  /// tell.
  Matrix<double> outputs(MatrixView<const double> features, MatrixView<const double> Y, std::span<const double> weights = {}) const;

 private:
  Matrix<double> inverse_;      // of the centred Gram matrix plus its ridge
  std::vector<double> center_;  // mean features, or zeros
  double least_rest_ = 0;       // of a row's output that is not its own doing, for rounding to leave it alone
  double share_ = 0;            // of the mean in a row's leverage: 1/(weight of all rows), or 0
  LinearModel model_;
  Execution execution_;
};

/// Variances of outputs that sums tell: of w·φ + b, for noise of variance 1 and a prior of w with the variance 2C.
class PosteriorVariance {
 public:
  PosteriorVariance(const RidgeSums& moments, double c, bool bias = true, const Execution& execution = {});
  /// φᵀ(ΦᵀSΦ + I/2C)⁻¹φ of centred features, and 1/Σs if there is a bias. features: rows × n_features.
  std::vector<double> of(Matrix<double> features) const;

 private:
  Matrix<double> factor_;
  std::vector<double> center_;
  double of_bias_ = 0;
  Execution execution_;
};

}  // namespace askrff
