// Linear models on features: the design they are fitted on (the features of the training rows and a constant column, stored if there is
// room, made again in every pass if not), classes and folds, and the support vector machine with squared hinge loss. Models see features,
// never kernels; ridge regression is in ridge.hpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/features.hpp"
#include "askrff/labels.hpp"
#include "askrff/views.hpp"
#include "askrff/words.hpp"

namespace askrff {

/// outputs = Φ(x)·weights + bias; one output for two classes (positive: the second class) or one target, one per class for more.
struct LinearModel {
  Matrix<double> weights;    ///< n_features × n_outputs
  std::vector<double> bias;  ///< one per output; all 0 where the model was fitted without

  std::size_t n_features() const { return weights.rows(); }
  std::size_t n_outputs() const { return weights.cols(); }
};

/// From outputs to probabilities. Two classes: 1/(1 + exp(-scale·f - offset)) for the second, Platt's sigmoid. More: exp(scale·f_k) over
/// the sum of all, which leaves the largest the largest; the offset is 0.
struct OutputScale {
  double scale = 1;  ///< at least 0
  double offset = 0;

  /// probabilities: one per class.
  void apply(std::span<const double> outputs, std::span<double> probabilities) const;
};

/// The most likely scale for outputs (rows × outputs) of rows that took no part in the fits they come from, and their classes. Rows count
/// by their weights, of which there may be none: all 1. Targets are drawn a little towards each other, as Platt's, so that outputs that
/// are all right do not make probabilities of 0 and 1. Throws std::invalid_argument for sizes that differ or no rows.
OutputScale fit_output_scale(MatrixView<const double> outputs, std::span<const std::uint32_t> classes,
                             std::span<const double> weights = {});

/// The class of a row by its outputs: the second of two if the one output is > 0; of more, that of the largest, the first of equal ones.
std::size_t class_of_outputs(std::span<const double> outputs);

struct DesignOptions {
  bool bias = true;              ///< a last column of ones
  std::uint64_t max_stored = 0;  ///< bytes; larger designs are not stored. 0: 4 GiB, or a quarter of the machine's memory if that is less
  Execution execution = {};
};

/// rows × n_columns numbers of type T (float or double). Immutable. Results are the same bits for any number of threads, stored or not.
template <class T>
class Design {
 public:
  /// Keeps a view: X must outlive it. Throws std::invalid_argument for X with other columns than the features want, numbers that are not
  /// finite or overflow, or no rows.
  Design(Features features, const RowsView<T>& X, const DesignOptions& options = {});
  /// A temporary matrix would be gone before the first pass.
  Design(Features features, Matrix<T>&& X, const DesignOptions& options = {}) = delete;
  Design(Features features, SparseMatrix<T>&& X, const DesignOptions& options = {}) = delete;
  template <std::same_as<RowsMatrix<T>> Temporary>
  Design(Features features, Temporary&& X, const DesignOptions& options = {}) = delete;
  Design(Design&&) noexcept;
  Design& operator=(Design&&) noexcept;
  ~Design();

  std::size_t rows() const;
  std::size_t n_features() const;
  std::size_t n_columns() const;  ///< n_features(), and one more with a bias
  bool has_bias() const { return n_columns() > n_features(); }
  bool is_stored() const;

  /// outputs.row(p) = Φ·weights.row(p) for all p: weights is n_problems × n_columns, outputs n_problems × rows.
  void times(MatrixView<const double> weights, MatrixView<double> outputs, const Execution& execution = {}) const;
  /// sums.row(p) = Φᵀ·values.row(p): values is n_problems × rows, sums n_problems × n_columns.
  void transposed_times(MatrixView<const double> values, MatrixView<double> sums, const Execution& execution = {}) const;

  /// Whether what follows may be called from several threads: not if rows are made anew by a kernel that may not (Kernel::thread_safe).
  bool thread_safe() const;
  /// The rest is for solvers, which add and take away rows as these become active, on threads of their own; rows must be below rows().
  ///
  /// Over the given rows, adds Σ_i signs[i] φφᵀ to rows first … first + gram.rows() - 1 of a matrix, its part from the diagonal on, and,
  /// unless sum is empty, Σ_i factors[i] φ to sum (n_columns numbers).
  void add_outer_products(std::span<const std::uint32_t> rows, std::span<const T> signs, std::size_t first, MatrixView<double> gram,
                          std::span<const T> factors = {}, std::span<double> sum = {}, const StopToken& stop = {}) const;
  /// φ of one row.
  void copy_row(std::size_t row, std::span<double> out) const;

 private:
  class Store;
  std::unique_ptr<Store> store_;
};

extern template class Design<float>;
extern template class Design<double>;

/// The class of every row, as numbers from 0 to names.size() - 1.
struct ClassLabels {
  std::vector<std::string> names;      ///< as the user wrote them; numbers in their order, everything else in that of its bytes
  std::vector<std::uint32_t> of_rows;  ///< one per row

  std::size_t n_classes() const { return names.size(); }
  /// Finds the classes among the labels of all rows: those with the same label_key, under the name that comes first.
  static ClassLabels of(std::span<const std::string> labels);
};

/// Deals rows out to folds as they come: of n_folds consecutive rows of a class each goes to another fold, in an order that (seed, class,
/// number of the group) decides. So every fold has its share of every class, whatever the order of the rows, and nobody need know how many
/// there are.
class FoldDealer {
 public:
  /// Throws std::invalid_argument for fewer than 2 folds.
  FoldDealer(std::size_t n_folds, std::uint64_t seed);
  /// The fold of the next row, which is of this class, from 0 to n_folds - 1.
  std::uint32_t next(std::uint32_t of_class = 0);
  /// As n_rows calls of next(of_class), in no time: to go on where another dealer ended.
  void skip(std::uint64_t n_rows, std::uint32_t of_class = 0);

 private:
  struct Dealt {
    std::uint64_t n_rows = 0;
    std::vector<std::uint32_t> order;  // of the folds in the group of the last row; empty where it is not known yet
  };
  std::size_t n_folds_;
  std::uint64_t seed_;
  std::unordered_map<std::uint32_t, Dealt> dealt_;  // one per class that has come
};

/// Throws std::invalid_argument for fewer than 2 folds, more folds than rows, or a class with fewer rows than folds, which would be absent
/// from some fold. `names` may be empty: the rows have no classes.
void check_folds(std::size_t n_folds, std::span<const std::uint64_t> class_sizes, std::span<const std::string> names);

/// The fold of every row. Throws as check_folds.
std::vector<std::uint32_t> stratified_folds(const ClassLabels& labels, std::size_t n_folds, std::uint64_t seed);

/// 2^-5, 2^-4, …, 2^5, as in the paper. Where no values of C are given these are tried and, if the best is the largest or the smallest,
/// two more at a time beyond it, each by a factor of 4, until two in a row bring nothing more (gains()) or the limits of C are reached.
/// Upwards also where every value has the same accuracy, below 1, on every fold: until something differs, as for very small features.
std::vector<double> default_c_grid();

/// What a model is scored by.
enum class Score { accuracy, squared_error };

inline constexpr Word<Score> score_words[] = {{Score::accuracy, "accuracy", "share of rows that get their own class"},
                                              {Score::squared_error, "mean squared error", "averaged over targets"}};
constexpr std::span<const Word<Score>> words_of(Score) { return score_words; }

/// Whether score a is better than b: a larger accuracy, a smaller error; what is not finite is worse than anything finite.
bool is_better(Score score, double a, double b);
/// Whether it is better by more than is worth another fit: 1e-4 of accuracy, a thousandth of the error.
bool gains(Score score, double a, double b);

/// What the folds said of each value of C.
struct CrossValidation {
  std::vector<double> c;            ///< in increasing order
  Matrix<double> scores;            ///< values of C × folds
  Score measure = Score::accuracy;  ///< what the scores are
  Matrix<double> objectives;        ///< values of C × folds, of the fits (summed over outputs); empty where there is none
  bool is_open = false;  ///< the best is at an end of all that was, or could be, tried, or all are alike: a better one may lie beyond

  double mean(std::size_t i) const;
  double deviation(std::size_t i) const;  ///< standard deviation over folds
  /// The best mean by is_better; among equal ones the smallest C, which regularises most.
  std::size_t best() const;
};

/// Beyond these a model is all regularisation or none, and sums overflow.
inline constexpr double min_c = 1e-30, max_c = 1e8;
/// Sorted and without repetitions. Throws std::invalid_argument unless there is a value and all lie between those.
std::vector<double> checked_c_grid(std::vector<double> c);

struct SvmOptions {
  double tolerance = 1e-9;           ///< stop when a step promises less than this share of the objective; in (0,1)
  std::size_t max_iterations = 200;  ///< Newton steps for one value of C; more is a NumericalError
  std::size_t direct_limit = 4096;   ///< up to so many columns the Hessian is formed and factored, beyond conjugate gradients run
  std::uint64_t max_memory = std::uint64_t{2} << 30;  ///< of the solver beside the design: problems are taken in batches (one at least)
  std::span<const double> row_weights = {};           ///< of every row's loss, at least 0; empty: all 1. They must outlive the call
  Execution execution = {};                           ///< progress: of "cross-validation" or "fit"
};

struct SvmFit {
  LinearModel model;
  std::vector<double> objectives;  ///< one per output
  std::size_t n_iterations = 0;    ///< of the slowest output
};

/// Minimises ½‖w‖² + C Σ s max(0, 1 - y w·φ)², the objective of LIBLINEAR's -s 2 with weights s of rows, for each output: Newton's method,
/// all problems (folds, classes) at once over shared features, by steps that are exact while no row changes sides.
/// One model for two classes (positive: the second), one against the rest for each of more. The bias, if the design has one, is a weight
/// like any other, as in LIBLINEAR (-B 1). Same bits for any number of threads and any max_memory. Throws std::invalid_argument for sizes
/// that differ, fewer than two classes, a class without rows (or all of weight 0), C out of range; NumericalError if there is no
/// convergence.
template <class T>
SvmFit fit_svm(const Design<T>& design, const ClassLabels& labels, double c, const SvmOptions& options = {});

/// Fits for every value of C and every fold held out, each warm started from the smaller C; scores are accuracies on the fold, rows
/// counted by their weights. c: the values to be tried; empty: as default_c_grid() says.
template <class T>
CrossValidation cross_validate_svm(const Design<T>& design, const ClassLabels& labels, std::span<const std::uint32_t> folds,
                                   std::vector<double> c, const SvmOptions& options = {});

/// What fits on the other folds say of the rows of every fold: rows × outputs.
template <class T>
Matrix<double> held_out_outputs(const Design<T>& design, const ClassLabels& labels, std::span<const std::uint32_t> folds, double c,
                                const SvmOptions& options = {});

/// ½‖w‖² + C Σ max(0, 1 - y w·φ)² over all rows for one output of `model`, in double by direct summation; the bias counts as a weight. y is
/// +1 for rows of class `positive`.
template <class T>
double svm_objective(const Design<T>& design, const ClassLabels& labels, std::size_t positive, const LinearModel& model, std::size_t output,
                     double c);

}  // namespace askrff
