// Ridge regression on rows that come in any number of calls: scaled, dealt to folds, summed; models solved from the sums; sums as bytes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "askrff/errors.hpp"
#include "askrff/train.hpp"
#include "core/checks.hpp"
#include "features/plan.hpp"
#include "pipeline/check.hpp"
#include "pipeline/training_record.hpp"

namespace askrff {
namespace {

using Sums = std::variant<RidgeAccumulator<float>, RidgeAccumulator<double>>;

void check(const RidgeTrainerOptions& options) {
  if (options.classes.size() == 1) throw InvalidArgument("RidgeTrainer", "one class, expected none (for regression) or at least two");
  if (options.classes.empty() && options.n_targets == 0) throw InvalidArgument("RidgeTrainer", "no targets, expected at least one");
}

std::size_t n_outputs(const RidgeTrainerOptions& options) {
  return options.classes.empty() ? options.n_targets : options.classes.size() == 2 ? 1 : options.classes.size();
}

Sums new_sums(const Map& map, const RidgeTrainerOptions& options) {
  const Features features = map.features(options.execution.backend);
  if (options.precision == Precision::float32)
    return RidgeAccumulator<float>(features, n_outputs(options), options.n_folds, options.execution);
  return RidgeAccumulator<double>(features, n_outputs(options), options.n_folds, options.execution);
}

Sums sums_from(const Map& map, const RidgeTrainerOptions& options, RidgeSums start) {
  const Features features = map.features(options.execution.backend);
  if (options.precision == Precision::float32) return RidgeAccumulator<float>(features, std::move(start), options.execution);
  return RidgeAccumulator<double>(features, std::move(start), options.execution);
}

}  // namespace

struct RidgeTrainer::State {
  Map map;
  RidgeTrainerOptions options;
  Sums sums;
  std::optional<FoldDealer> dealer;    // with more than one fold
  std::vector<std::uint64_t> n_dealt;  // rows of every class, or of all
  std::uint64_t n_rows = 0;
  bool is_whole = true;

  State(Map of_map, RidgeTrainerOptions how, Sums start) : map(std::move(of_map)), options(std::move(how)), sums(std::move(start)) {
    n_dealt.assign(std::max<std::size_t>(1, options.classes.size()), 0);
    if (options.n_folds > 1) dealer.emplace(options.n_folds, options.seed);
  }

  void require_whole() const {
    if (!is_whole) throw InvalidArgument("RidgeTrainer", "an earlier call ended halfway, its rows are counted in part; begin anew");
  }

  /// All of them before any row is added.
  void require_weights(std::size_t n_wanted, std::span<const double> weights) const {
    if (!weights.empty() && weights.size() != n_wanted)
      throw InvalidArgument("RidgeTrainer::add", fmt::format("{} weights for {} rows, expected one per row", weights.size(), n_wanted));
    constexpr double least = min_weight * min_weight, most = max_weight * max_weight;  // of a row times that of its class
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (!(weights[i] >= least && weights[i] <= most))
        throw InvalidArgument("RidgeTrainer::add",
                              fmt::format("row {} has the weight {}, expected a number from {:g} to {:g}", i, weights[i], least, most));
  }

  RidgeSums moments() {
    return std::visit([](auto& of_type) { return of_type.moments(); }, sums);
  }

  void skip(std::span<const std::uint64_t> n_of_class) {
    for (std::size_t k = 0; k < n_of_class.size(); ++k) {
      if (dealer) dealer->skip(n_of_class[k], static_cast<std::uint32_t>(k));
      n_dealt[k] += n_of_class[k];
    }
  }

  /// ±1 of the second of two classes, or of each class against the rest.
  Matrix<double> signs_of(std::span<const std::uint32_t> classes) const {
    Matrix<double> signs(classes.size(), n_outputs(options));
    for (std::size_t i = 0; i < classes.size(); ++i)
      for (std::size_t k = 0; k < signs.cols(); ++k) signs(i, k) = classes[i] == (signs.cols() == 1 ? 1 : k) ? 1 : -1;
    return signs;
  }

  /// Adds scaled rows. classes: of the rows, or empty for regression.
  template <class T>
  void add_block(RidgeAccumulator<T>& of_type, MatrixView<const T> X, MatrixView<const double> Y, std::span<const std::uint32_t> classes,
                 std::span<const double> weights) {
    std::vector<std::uint32_t> folds(dealer ? X.rows() : 0);
    std::vector<std::uint64_t> n_of_class(n_dealt.size());
    for (std::size_t i = 0; i < X.rows(); ++i) {
      const std::uint32_t of_class = classes.empty() ? 0 : classes[i];
      if (dealer) folds[i] = dealer->next(of_class);
      ++n_of_class[of_class];
    }
    of_type.add(X, Y, folds, weights);
    for (std::size_t k = 0; k < n_dealt.size(); ++k) n_dealt[k] += n_of_class[k];
    n_rows += X.rows();
  }

  /// targets(first, count): those of some rows.
  template <class U, class TargetsOf>
  void add(MatrixView<const U> X, std::span<const std::uint32_t> classes, std::span<const double> weights, const TargetsOf& targets) {
    require_whole();
    require_weights(X.rows(), weights);
    require_columns(X, map.dim(), "RidgeTrainer::add", "X", "the map was made for");
    require_finite(X, "RidgeTrainer::add", "X");
    std::visit([&](auto& of_type) { add_blocks(of_type, X, classes, weights, targets); }, sums);
  }

  /// All rows are looked at, scaled, before any is added: those of one block once, those of more twice, since only one block is held.
  template <class T, class U, class TargetsOf>
  void add_blocks(RidgeAccumulator<T>& of_type, MatrixView<const U> X, std::span<const std::uint32_t> classes,
                  std::span<const double> weights, const TargetsOf& targets) {
    constexpr std::size_t block_rows = 8192;
    const Features features = map.features(options.execution.backend);
    Matrix<T> storage;
    MatrixView<const T> block;
    const auto for_blocks = [&](const auto& visit_block) {
      for (std::size_t first = 0; first < X.rows(); first += block_rows) {
        const std::size_t count = std::min(block_rows, X.rows() - first);
        if (block.empty() || X.rows() > block_rows) block = map.scaled<T, U>(X.middle_rows(first, count), storage);
        visit_block(first, count);
      }
    };
    for_blocks([&](std::size_t, std::size_t) { features.plan().check(block, options.execution); });
    is_whole = false;  // until all are in
    for_blocks([&](std::size_t first, std::size_t count) {
      add_block<T>(of_type, block, targets(first, count), classes.empty() ? classes : classes.subspan(first, count),
                   weights.empty() ? weights : weights.subspan(first, count));
    });
    is_whole = true;
  }
};

RidgeTrainer::RidgeTrainer(Map map, RidgeTrainerOptions options) {
  check(options);
  Sums sums = new_sums(map, options);
  state_ = std::make_unique<State>(std::move(map), std::move(options), std::move(sums));
}
RidgeTrainer::RidgeTrainer(std::unique_ptr<State> state) : state_(std::move(state)) {}
RidgeTrainer::RidgeTrainer(RidgeTrainer&&) noexcept = default;
RidgeTrainer& RidgeTrainer::operator=(RidgeTrainer&&) noexcept = default;
RidgeTrainer::~RidgeTrainer() = default;

const Map& RidgeTrainer::map() const { return state_->map; }
const RidgeTrainerOptions& RidgeTrainer::options() const { return state_->options; }
void RidgeTrainer::set_execution(const Execution& execution) {
  state_->options.execution = execution;
  std::visit([&](auto& of_type) { of_type.set_execution(execution); }, state_->sums);
}
std::uint64_t RidgeTrainer::n_rows() const { return state_->n_rows; }
bool RidgeTrainer::is_whole() const { return state_->is_whole; }

template <class T>
void RidgeTrainer::add(MatrixView<const T> X, std::span<const std::uint32_t> classes, std::span<const double> weights) {
  const std::size_t n_classes = state_->options.classes.size();
  if (n_classes == 0) throw InvalidArgument("RidgeTrainer::add", "got classes, expected targets: this is regression");
  if (classes.size() != X.rows())
    throw InvalidArgument("RidgeTrainer::add", fmt::format("{} classes for {} rows, expected one per row", classes.size(), X.rows()));
  for (std::size_t i = 0; i < classes.size(); ++i)
    if (classes[i] >= n_classes)
      throw InvalidArgument("RidgeTrainer::add", fmt::format("row {} is of class {}, expected 0 to {}", i, classes[i], n_classes - 1));
  Matrix<double> signs;
  state_->add(X, classes, weights, [&](std::size_t first, std::size_t count) -> MatrixView<const double> {
    signs = state_->signs_of(classes.subspan(first, count));
    return signs;
  });
}

template <class T>
void RidgeTrainer::add(MatrixView<const T> X, MatrixView<const double> Y, std::span<const double> weights) {
  const RidgeTrainerOptions& options = state_->options;
  if (!options.classes.empty()) throw InvalidArgument("RidgeTrainer::add", "got targets, expected classes: this is classification");
  require_shape(Y, X.rows(), options.n_targets, "RidgeTrainer::add", "Y");
  // They are counted from the first one: twice the largest must fit.
  const double limit =
      options.precision == Precision::float32 ? std::numeric_limits<float>::max() / 2.0 : std::numeric_limits<double>::max() / 2;
  for (std::size_t i = 0; i < Y.rows(); ++i)
    for (const double y : Y.row(i))
      if (!(std::abs(y) <= limit))
        throw InvalidArgument("RidgeTrainer::add", fmt::format("Y holds {} in row {}, expected finite numbers up to {:.3g}", y, i, limit));
  state_->add(X, {}, weights, [&](std::size_t first, std::size_t count) { return Y.middle_rows(first, count); });
}

template void RidgeTrainer::add(MatrixView<const float>, std::span<const std::uint32_t>, std::span<const double>);
template void RidgeTrainer::add(MatrixView<const double>, std::span<const std::uint32_t>, std::span<const double>);
template void RidgeTrainer::add(MatrixView<const float>, MatrixView<const double>, std::span<const double>);
template void RidgeTrainer::add(MatrixView<const double>, MatrixView<const double>, std::span<const double>);

TrainedModel RidgeTrainer::solve(const std::vector<double>& c, const Execution& execution,
                                 const std::function<void(const RidgeSums&, const RidgeFit&)>& also) {
  state_->require_whole();
  const RidgeTrainerOptions& options = state_->options;
  const RidgeSums moments = state_->moments();
  RidgeFit fit = solve_ridge(moments, {.c = c, .bias = options.bias, .execution = execution});
  if (also) also(moments, fit);
  TrainedModel model{{.map = state_->map, .linear = std::move(fit.model)}, {}};
  model.task = options.classes.empty() ? Task::regression : Task::classification;
  model.classes = options.classes;
  model.precision = options.precision;
  TrainingReport& report = model.report;
  report.n_rows = state_->n_rows;
  report.class_sizes = state_->n_dealt;
  report.rmse = std::sqrt(fit.training_error);
  report.rmse_resolution = std::sqrt(fit.resolution);
  report.training_errors = std::move(fit.training_errors);
  report.validation = std::move(fit.validation);
  pipeline::warn_of_c(report, c.empty());
  model.training = pipeline::training_record(Trainer::ridge, options.seed, fit.c, report);
  return model;
}

void RidgeTrainer::merge(RidgeTrainer& other) {
  state_->require_whole();
  other.state_->require_whole();
  const RidgeTrainerOptions &ours = options(), &theirs = other.options();
  if (ours.classes != theirs.classes || ours.n_targets != theirs.n_targets || ours.n_folds != theirs.n_folds || ours.bias != theirs.bias ||
      ours.precision != theirs.precision || ours.seed != theirs.seed || map().to_bytes() != other.map().to_bytes())
    throw InvalidArgument("RidgeTrainer::merge", "the other trainer has another map or other options, expected the same");
  state_->sums = sums_from(map(), ours, state_->moments() + other.state_->moments());
  state_->skip(other.state_->n_dealt);
  state_->n_rows += other.n_rows();
}

std::string RidgeTrainer::to_bytes() {
  state_->require_whole();
  return pipeline::bytes_of_trainer({map(), options(), state_->moments(), state_->n_dealt});
}

RidgeTrainer RidgeTrainer::from_bytes(std::string bytes, const Execution& execution, const std::string& name,
                                      std::shared_ptr<const Kernel> kernel) {
  try {
    pipeline::StoredTrainer stored = pipeline::trainer_in(std::move(bytes), name, kernel);
    check(stored.options);
    // Before memory is taken for sums of the size the map asks for.
    if (stored.sums.n_targets() != n_outputs(stored.options) || stored.sums.n_features() != stored.map.n_features())
      throw DataError(name, fmt::format("sums of {} features and {} targets, expected {} and {}", stored.sums.n_features(),
                                        stored.sums.n_targets(), stored.map.n_features(), n_outputs(stored.options)));
    stored.options.execution = execution;
    Sums sums = sums_from(stored.map, stored.options, std::move(stored.sums));
    auto state = std::make_unique<State>(std::move(stored.map), std::move(stored.options), std::move(sums));
    state->skip(stored.n_dealt);
    for (const std::uint64_t n : stored.n_dealt) state->n_rows += n;
    return RidgeTrainer(std::move(state));
  } catch (const DataError&) {
    throw;
  } catch (const std::invalid_argument& error) {
    throw DataError(name, error.what());
  }
}

}  // namespace askrff
