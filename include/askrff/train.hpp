// train(): from labelled rows, in memory or a stream, to a model; and RidgeTrainer, which takes rows in any number of calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "askrff/linear.hpp"
#include "askrff/execution.hpp"
#include "askrff/map.hpp"
#include "askrff/model.hpp"
#include "askrff/ridge.hpp"
#include "askrff/rows.hpp"
#include "askrff/words.hpp"

namespace askrff {

enum class Trainer { svm, ridge };

inline constexpr Word<Trainer> trainer_words[] = {
    {Trainer::svm, "svm",
     "L2-regularised squared hinge, the objective of LIBLINEAR -s 2; keeps rows in memory up to a limit, of more every step is a pass over "
     "them"},
    {Trainer::ridge, "ridge", "least squares, for numbers or classes; goes through the rows twice and never holds them"}};
constexpr std::span<const Word<Trainer>> words_of(Trainer) { return trainer_words; }

/// Rows up to so many bytes, 8 for each of their numbers, svm keeps in memory.
inline constexpr std::uint64_t default_row_bytes = std::uint64_t{1} << 30;

/// What a row counts, and a class; rows of weight 0 are left out. Both together fit float32, whatever the features are computed in.
inline constexpr double min_weight = 1e-15, max_weight = 1e15;

/// What rows of a class count more than others; times the weight of the row itself.
struct ClassWeights {
  bool balanced = false;  ///< every class as much as any other: Σ weights / (classes · Σ of the class)
  std::vector<std::pair<std::string, double>> by_label = {};  ///< from min_weight to max_weight; of classes not named 1

  bool empty() const { return !balanced && by_label.empty(); }
};

struct TrainOptions {
  KernelChoice kernel = "gaussian";
  /// How the features are made. Its seed, precision and execution are those below. Its tolerance is one of the model, not of the kernel:
  /// SizeSearch; but with the sampler grid it is one of the kernel.
  MapOptions features = {.scale = Scaling::minmax};
  std::optional<Map> map = {};          ///< ready features instead of `kernel` and `features`; it brings its scaling
  std::vector<std::string> tuned = {};  ///< kernel parameters to be tried at multiples of their value: see Tuning; at most 3
  Trainer trainer = Trainer::svm;
  std::optional<Task> task = {};  ///< ridge; unset: classification for two different labels or labels that are no numbers
  /// Weights of the loss against ½‖w‖²; of several the best in cross-validation. Empty: as default_c_grid() says.
  std::vector<double> c = {};
  ClassWeights class_weights = {};
  bool probabilities = true;  ///< of classes, where there are folds to find them by: Model::output_scale
  std::size_t n_folds = 5;
  bool bias = true;
  bool leave_one_out = false;  ///< ridge: also the exact leave-one-out error, in one more pass
  Precision precision = Precision::float64;
  /// svm: rows that take more bytes than this, 8 for each of their numbers, are not kept: every step is a pass over the stream, for which
  /// features are made anew. A stream that cannot be rewound is kept, but solved alike: the limit, not the kind of stream, decides.
  std::uint64_t max_row_bytes = default_row_bytes;
  std::uint64_t seed = 0;
  Execution execution = {};
};

/// One point of the grid of tuned parameters.
struct TuningPoint {
  std::vector<std::pair<std::string, CoordinateParameter>> values;  ///< of the tuned parameters
  std::vector<double> factors;                                      ///< of the values given
  std::optional<double> c, score;                                   ///< the best C there, and its mean score; unset if it was refused
  std::string refused;                                              ///< why it could not be tried; empty if it was
};

/// All combinations of 1/4, 1/2, 1, 2 and 4 times every tuned parameter and then, while the best is at an end of what was tried, twice as
/// far there, up to 1024 times and down to a 1024th.
struct Tuning {
  std::vector<TuningPoint> points;
  std::size_t best = 0;
  Score measure = Score::accuracy;
  std::vector<std::size_t> open = {};  ///< which tuned parameters are best at an end beyond which nothing could be tried
};

/// One number of features that was tried.
struct SizeTrial {
  std::size_t n_features = 0;
  double c = 0, score = 0;  ///< the best C there, and its mean score
  double seconds = 0;       ///< since the search began
};

/// What a tolerance of models finds: numbers of features, doubled from 64 until two doublings in a row gain less than half the tolerance,
/// tried by cross-validation on at most 4000 rows, up to half as many features as those. The smallest is taken that is no worse than the
/// best by more than the tolerance: in accuracy (0.01: one row in a hundred more is wrong), or relative in root mean squared error.
struct SizeSearch {
  enum class End { gain, limit, time };

  std::vector<SizeTrial> trials;
  std::size_t taken = 0, best = 0;
  Score measure = Score::accuracy;
  End ended_by = End::gain;
};

/// What training found besides the model.
struct TrainingReport {
  std::uint64_t n_rows = 0;
  std::vector<std::uint64_t> class_sizes;  ///< rows of each class; for regression one number, all rows
  std::optional<Tuning> tuning;
  std::optional<SizeSearch> sizes;               ///< where there was a tolerance
  CrossValidation validation;                    ///< empty if there was one C
  std::vector<double> objectives;                ///< svm: one per output
  std::size_t n_iterations = 0;                  ///< svm: of the slowest output
  std::size_t n_passes = 0;                      ///< svm: over rows that were not kept, all steps together; 0: they were
  std::optional<double> accuracy;                ///< svm: on the training rows
  std::optional<double> rmse;                    ///< ridge: on the training rows, of the ±1 targets for classes
  double rmse_resolution = 0;                    ///< ridge: errors below this are rounding
  std::vector<double> training_errors;           ///< ridge: mean squared errors for every C
  std::optional<double> loo_accuracy, loo_rmse;  ///< ridge: exact leave-one-out, where it was asked for
  std::vector<std::string> warnings;             ///< a sentence each: of a C or a tuned parameter that is best at an end of what was tried
};

struct TrainedModel : Model {
  TrainingReport report;
};

/// Surveys the rows (labels, scaling, a sample for the map), makes the map, tunes what is to be tuned, fits. Weights of rows (RowBlock)
/// count in fits and scores; rows of weight 0 are left out of everything, other weights do not change the map. The same rows, options and
/// seed give the same model, to the byte of its file, from any kind of stream, for any number of threads. Memory: svm holds the rows once
/// and their features if they are not too large (DesignOptions), or some blocks and Hessians of n_features² / 2 doubles where rows are more
/// than max_row_bytes; ridge n_folds · n_features² doubles and some blocks, but a stream that
/// cannot be rewound is read into memory. Throws DataError for rows and labels no model can be made of, InvalidArgument for options out of
/// range, NumericalError, Stopped.
TrainedModel train(RowStream& rows, const TrainOptions& options = {});
inline TrainedModel train(RowStream&& rows, const TrainOptions& options = {}) { return train(rows, options); }

class RidgeTrainer;
/// The same; ridge also gives the sums it made, for more rows to be added. They keep options.execution.
TrainedModel train(RowStream& rows, const TrainOptions& options, std::optional<RidgeTrainer>& sums);

struct RidgeTrainerOptions {
  std::vector<std::string> classes = {};  ///< of the outputs; empty: regression
  std::size_t n_targets = 1;              ///< of regression
  std::size_t n_folds = 1;                ///< 1: no cross-validation, one C
  bool bias = true;
  Precision precision = Precision::float64;
  /// Sums of all products of features, also where their frequencies are a grid. Sums on the grid (GridRidge) take less time and memory and
  /// are made in double, but not in parts, and leave-one-out does not follow from them.
  bool all_products = false;
  std::uint64_t seed = 0;
  Execution execution = {};
};

/// What else is wanted of a solution, each if it is not null.
struct RidgeExtras {
  std::optional<LeaveOneOut>* leave_one_out = nullptr;  ///< not of sums on a grid
  std::vector<LinearModel>* models_of_folds = nullptr;  ///< as solve_ridge_folds; none without folds
};

/// Ridge regression on a map's features for rows that come in any number of calls; models may be solved for in between. Models are those
/// of all rows so far, not approximations to them. Rows may also be summed in parts, on other threads, in other programs, on other
/// machines: merged, in any order, they are the sums of one go to the bit (WideSums); sums on a grid are not. Not to be used by several
/// threads at once.
class RidgeTrainer {
 public:
  /// Throws InvalidArgument for one class, no targets, folds out of range.
  RidgeTrainer(Map map, RidgeTrainerOptions options);
  RidgeTrainer(RidgeTrainer&&) noexcept;
  RidgeTrainer& operator=(RidgeTrainer&&) noexcept;
  ~RidgeTrainer();

  const Map& map() const;
  const RidgeTrainerOptions& options() const;
  /// How further calls are carried out.
  void set_execution(const Execution& execution);
  std::uint64_t n_rows() const;
  /// False after a call that ended halfway (it was stopped): its rows are counted in part, and all further calls are refused.
  bool is_whole() const;

  /// Raw rows, dense or sparse, and the class of each, or their targets, rows × n_targets; weights: what every row counts, above 0, or none
  /// for all 1. T: float or double. Throws InvalidArgument for wrong sizes, classes out of range or numbers that are not finite or do not
  /// fit the precision; nothing is added then.
  template <class T>
  void add(const RowsView<T>& X, std::span<const std::uint32_t> classes, std::span<const double> weights = {});
  template <class T>
  void add(const RowsView<T>& X, MatrixView<const double> Y, std::span<const double> weights = {});

  /// The sums are those of a grid.
  bool is_on_grid() const;

  /// The model of the best C by the folds; c empty: as default_c_grid() says. Throws as solve_ridge, and InvalidArgument for leave-one-out
  /// of sums on a grid.
  TrainedModel solve(const std::vector<double>& c, const Execution& execution = {}, const RidgeExtras& wanted = {});
  /// The posterior variance of an output at raw rows for noise of variance 1 and a prior of w with the variance 2C: posterior_variances of
  /// GridRidge; out of a grid's reach those of prior and bias alone. Throws InvalidArgument for rows of wrong width or not finite, C out of
  /// range, no rows added; NumericalError; Stopped.
  std::vector<double> posterior_variances(const RowsView<double>& X, double c, const Execution& execution = {});

  /// A trainer without rows for another part of the rows. n_before: how many rows of every class (of all, for regression) come before it.
  /// This trainer must have seen the very first row, or be such a trainer itself: it is from there that all parts count. Throws
  /// InvalidArgument for sums on a grid.
  RidgeTrainer part(std::vector<std::uint64_t> n_before) const;
  /// Adds the rows of another part, in any order. Rows that are counted already count once. Throws InvalidArgument for another map, other
  /// options or origins, and if some of the other's rows are counted already and some are not; nothing is added then.
  void merge(const RidgeTrainer& other);
  /// Which rows are in, by their numbers: one range, unless parts are missing.
  const std::vector<RowRange>& counted() const;

  /// Map, sums and folds: all that it takes to go on. docs/model-files.md. As those of Map.
  std::string to_bytes() const;
  static RidgeTrainer from_bytes(std::string bytes, const Execution& execution = {}, const std::string& name = "from_bytes",
                                 std::shared_ptr<const Kernel> kernel = nullptr);

 private:
  struct State;
  explicit RidgeTrainer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace askrff
