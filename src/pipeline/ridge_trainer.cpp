// Ridge regression on rows that come in any number of calls: scaled, dealt to folds, summed; models solved from the sums; sums as bytes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include "askrff/errors.hpp"
#include "askrff/grid_ridge.hpp"
#include "askrff/train.hpp"
#include "core/checks.hpp"
#include "features/plan.hpp"
#include "pipeline/check.hpp"
#include "pipeline/grid_reach.hpp"
#include "pipeline/scaled_rows.hpp"
#include "pipeline/training_record.hpp"

namespace askrff {
namespace {

using Sums = std::variant<RidgeAccumulator<float>, RidgeAccumulator<double>, GridRidge>;

template <class Kind>
inline constexpr bool is_grid = std::is_same_v<std::remove_cvref_t<Kind>, GridRidge>;

void check(const RidgeTrainerOptions& options) {
  if (options.classes.size() == 1) throw InvalidArgument("RidgeTrainer", "one class, expected none (for regression) or at least two");
  if (options.classes.empty() && options.n_targets == 0) throw InvalidArgument("RidgeTrainer", "no targets, expected at least one");
}

/// Of which rows are counted; regression has one for all.
std::size_t n_classes(const RidgeTrainerOptions& options) { return std::max<std::size_t>(1, options.classes.size()); }

std::size_t n_outputs(const RidgeTrainerOptions& options) {
  return options.classes.empty() ? options.n_targets : options.classes.size() == 2 ? 1 : options.classes.size();
}

/// Frequencies are a grid, and nobody wants the products of features.
bool sums_on_grid(const Map& map, const RidgeTrainerOptions& options) { return !options.all_products && pipeline::is_on_grid(map); }

[[noreturn]] void refuse_parts() {
  throw InvalidArgument("RidgeTrainer", "its sums are on a grid of frequencies, which are not made in parts; expected all_products");
}

Sums new_sums(const Map& map, const RidgeTrainerOptions& options, const RidgePart& part) {
  if (sums_on_grid(map, options)) return GridRidge(*map.atoms(), n_outputs(options), options.n_folds, options.execution);
  const Features features = map.features(options.execution.backend);
  if (options.precision == Precision::float32)
    return RidgeAccumulator<float>(features, n_outputs(options), options.n_folds, options.execution, part);
  return RidgeAccumulator<double>(features, n_outputs(options), options.n_folds, options.execution, part);
}

Sums sums_from(const Map& map, const RidgeTrainerOptions& options, RidgeState state) {
  const Features features = map.features(options.execution.backend);
  if (options.precision == Precision::float32) return RidgeAccumulator<float>(features, std::move(state), options.execution);
  return RidgeAccumulator<double>(features, std::move(state), options.execution);
}

}  // namespace

struct RidgeTrainer::State {
  Map map;
  RidgeTrainerOptions options;
  Sums sums;
  std::optional<FoldDealer> dealer;     // with more than one fold
  std::vector<std::uint64_t> n_before;  // rows of every class, or of all, before the first of these
  std::vector<std::uint64_t> n_dealt;   // of these
  std::uint64_t n_rows = 0;
  bool is_whole = true;

  State(Map of_map, RidgeTrainerOptions how, Sums start, std::vector<std::uint64_t> before)
      : map(std::move(of_map)), options(std::move(how)), sums(std::move(start)), n_before(std::move(before)) {
    n_dealt.assign(n_classes(options), 0);
    go_on_dealing();
  }

  /// From where the rows so far end.
  void go_on_dealing() {
    if (options.n_folds < 2) return;
    dealer.emplace(options.n_folds, options.seed);
    for (std::size_t k = 0; k < n_dealt.size(); ++k) dealer->skip(n_before[k] + n_dealt[k], static_cast<std::uint32_t>(k));
  }

  RidgeFit solved(const RidgeOptions& how, const RidgeExtras& wanted) const {
    if (const GridRidge* on_grid = grid()) {
      if (wanted.leave_one_out)
        throw InvalidArgument("RidgeTrainer", "leave-one-out is asked for, which sums on a grid do not give; expected all_products");
      RidgeFit fit = on_grid->solve(how);
      if (wanted.models_of_folds && options.n_folds > 1) *wanted.models_of_folds = on_grid->solve_folds(fit, how.execution);
      return fit;
    }
    const RidgeSums sums_of_products = moments();
    RidgeFit fit = solve_ridge(sums_of_products, how);
    if (wanted.leave_one_out) wanted.leave_one_out->emplace(sums_of_products, fit, how.execution);
    if (wanted.models_of_folds && options.n_folds > 1) *wanted.models_of_folds = solve_ridge_folds(sums_of_products, fit, how.execution);
    return fit;
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

  const GridRidge* grid() const { return std::get_if<GridRidge>(&sums); }

  /// The map of models: a grid reaches from all rows so far, not only from those it was made for.
  Map map_of_rows() const {
    if (!grid() || grid()->n_rows() == 0 || !map.content().range) return map;
    return map.with([&](MapContent& content) {
      for (std::size_t k = 0; k < content.range->lowest.size(); ++k) {
        content.range->lowest[k] = std::min(content.range->lowest[k], grid()->state().lowest[k]);
        content.range->highest[k] = std::max(content.range->highest[k], grid()->state().highest[k]);
      }
    });
  }

  /// Calls use(accumulator) where sums are not on a grid.
  template <class Use>
  auto with_products(const Use& use) const {
    if (const auto* of_floats = std::get_if<RidgeAccumulator<float>>(&sums)) return use(*of_floats);
    if (const auto* of_doubles = std::get_if<RidgeAccumulator<double>>(&sums)) return use(*of_doubles);
    refuse_parts();
  }
  RidgeSums moments() const {
    return with_products([](const auto& of_type) { return of_type.moments(); });
  }
  RidgeState state() const {
    return with_products([](const auto& of_type) { return of_type.state(); });
  }

  /// ±1 of the second of two classes, or of each class against the rest.
  Matrix<double> signs_of(std::span<const std::uint32_t> classes) const {
    Matrix<double> signs(classes.size(), n_outputs(options));
    for (std::size_t i = 0; i < classes.size(); ++i)
      for (std::size_t k = 0; k < signs.cols(); ++k) signs(i, k) = classes[i] == (signs.cols() == 1 ? 1 : k) ? 1 : -1;
    return signs;
  }

  /// Deals rows to folds and has them added: add(folds). classes: of the rows, or empty for regression.
  template <class Add>
  void add_dealt(std::size_t count, std::span<const std::uint32_t> classes, const Add& add) {
    std::vector<std::uint32_t> folds(dealer ? count : 0);
    std::vector<std::uint64_t> n_of_class(n_dealt.size());
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t of_class = classes.empty() ? 0 : classes[i];
      if (dealer) folds[i] = dealer->next(of_class);
      ++n_of_class[of_class];
    }
    add(folds);
    for (std::size_t k = 0; k < n_dealt.size(); ++k) n_dealt[k] += n_of_class[k];
    n_rows += count;
  }

  /// targets(first, count): those of some rows.
  template <class U, class TargetsOf>
  void add(const RowsView<U>& X, std::span<const std::uint32_t> classes, std::span<const double> weights, const TargetsOf& targets) {
    require_whole();
    require_weights(X.rows(), weights);
    require_row_columns(X, map.dim(), "RidgeTrainer::add", "X", "the map was made for");
    require_finite_rows(X, "RidgeTrainer::add", "X");
    std::visit([&](auto& of_type) { add_blocks(of_type, X, classes, weights, targets); }, sums);
  }

  /// All rows are looked at, scaled, before any is added: those of one block once, those of more twice, since only one block is held.
  template <class T, class U, class TargetsOf>
  void add_blocks(RidgeAccumulator<T>& of_type, const RowsView<U>& X, std::span<const std::uint32_t> classes,
                  std::span<const double> weights, const TargetsOf& targets) {
    const std::size_t block_rows = pipeline::rows_scaled_at_once<U>(map, X, 8192);
    const Features features = map.features(options.execution.backend);
    pipeline::RoundedRows<T, U> storage;
    RowsView<T> block;
    const auto for_blocks = [&](const auto& visit_block) {
      for (std::size_t first = 0; first < X.rows(); first += block_rows) {
        const std::size_t count = std::min(block_rows, X.rows() - first);
        if (block.empty() || X.rows() > block_rows) block = storage.scaled(map, X.middle_rows(first, count));
        visit_block(first, count);
      }
    };
    for_blocks([&](std::size_t, std::size_t) { block.visit([&](const auto& rows) { features.plan().check(rows, options.execution); }); });
    is_whole = false;  // until all are in
    for_blocks([&](std::size_t first, std::size_t count) {
      add_dealt(count, classes.empty() ? classes : classes.subspan(first, count), [&](std::span<const std::uint32_t> folds) {
        of_type.add(block, targets(first, count), folds, weights.empty() ? weights : weights.subspan(first, count));
      });
    });
    is_whole = true;
  }

  /// The grid looks at all of its rows before it adds any.
  template <class U, class TargetsOf>
  void add_blocks(GridRidge& on_grid, const RowsView<U>& X, std::span<const std::uint32_t> classes, std::span<const double> weights,
                  const TargetsOf& targets) {
    pipeline::RoundedRows<double, U> storage;
    Matrix<double> written_out;
    const MatrixView<const double> rows = pipeline::dense_rows(storage.scaled(map, X), written_out);
    is_whole = false;
    try {
      add_dealt(rows.rows(), classes,
                [&](std::span<const std::uint32_t> folds) { on_grid.add(rows, targets(0, rows.rows()), folds, weights); });
    } catch (const InvalidArgument&) {
      is_whole = true;
      go_on_dealing();
      throw;
    }
    is_whole = true;
  }
};

RidgeTrainer::RidgeTrainer(Map map, RidgeTrainerOptions options) {
  check(options);
  Sums sums = new_sums(map, options, {});
  std::vector<std::uint64_t> none_before(n_classes(options));
  state_ = std::make_unique<State>(std::move(map), std::move(options), std::move(sums), std::move(none_before));
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
void RidgeTrainer::add(const RowsView<T>& X, std::span<const std::uint32_t> classes, std::span<const double> weights) {
  const std::size_t n_of_them = state_->options.classes.size();
  if (n_of_them == 0) throw InvalidArgument("RidgeTrainer::add", "got classes, expected targets: this is regression");
  if (classes.size() != X.rows())
    throw InvalidArgument("RidgeTrainer::add", fmt::format("{} classes for {} rows, expected one per row", classes.size(), X.rows()));
  for (std::size_t i = 0; i < classes.size(); ++i)
    if (classes[i] >= n_of_them)
      throw InvalidArgument("RidgeTrainer::add", fmt::format("row {} is of class {}, expected 0 to {}", i, classes[i], n_of_them - 1));
  Matrix<double> signs;
  state_->add(X, classes, weights, [&](std::size_t first, std::size_t count) -> MatrixView<const double> {
    signs = state_->signs_of(classes.subspan(first, count));
    return signs;
  });
}

template <class T>
void RidgeTrainer::add(const RowsView<T>& X, MatrixView<const double> Y, std::span<const double> weights) {
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

template void RidgeTrainer::add(const RowsView<float>&, std::span<const std::uint32_t>, std::span<const double>);
template void RidgeTrainer::add(const RowsView<double>&, std::span<const std::uint32_t>, std::span<const double>);
template void RidgeTrainer::add(const RowsView<float>&, MatrixView<const double>, std::span<const double>);
template void RidgeTrainer::add(const RowsView<double>&, MatrixView<const double>, std::span<const double>);

TrainedModel RidgeTrainer::solve(const std::vector<double>& c, const Execution& execution, const RidgeExtras& wanted) {
  state_->require_whole();
  const RidgeTrainerOptions& options = state_->options;
  RidgeFit fit = state_->solved({.c = c, .bias = options.bias, .execution = execution}, wanted);
  TrainedModel model{{.map = state_->map_of_rows(), .linear = std::move(fit.model)}, {}};
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

std::vector<double> RidgeTrainer::posterior_variances(const RowsView<double>& X, double c, const Execution& execution) {
  state_->require_whole();
  require_row_columns(X, map().dim(), "RidgeTrainer::posterior_variances", "X", "the map was made for");
  require_finite_rows(X, "RidgeTrainer::posterior_variances", "X", execution.stop);
  checked_c_grid({c});
  const bool bias = options().bias;
  pipeline::RoundedRows<double> storage;
  const RowsView<double> rows = storage.scaled(map(), X);
  Matrix<double> written_out;
  if (const GridRidge* grid = state_->grid()) {
    const MatrixView<const double> points = pipeline::dense_rows(rows, written_out);
    std::vector<double> variances = grid->posterior_variances(points, c, bias, execution);
    const pipeline::GridReach reach(state_->map_of_rows());
    double total_weight = 0;
    for (const GridRidgeState::Fold& fold : grid->state().folds) total_weight += fold.weight;
    const double prior = 2 * c * map().atoms()->weight_sum() + (bias ? 1 / total_weight : 0);
    for (std::size_t i = 0; i < variances.size(); ++i)
      if (!reach.includes(points.row(i))) variances[i] = prior;  // no row says anything of it
    return variances;
  }
  const PosteriorVariance variance(state_->moments(), c, bias, execution);
  const Features features = map().features(execution.backend);
  std::vector<double> out;
  constexpr std::size_t rows_at_once = 1024;
  for (std::size_t first = 0; first < rows.rows(); first += rows_at_once) {
    const RowsView<double> some = rows.middle_rows(first, std::min(rows_at_once, rows.rows() - first));
    Matrix<double> values(some.rows(), features.n_features());
    some.visit([&](const auto& of_kind) { features.transform(of_kind, values.view(), execution); });
    const std::vector<double> found = variance.of(std::move(values));
    out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

bool RidgeTrainer::is_on_grid() const { return state_->grid() != nullptr; }

RidgeTrainer RidgeTrainer::part(std::vector<std::uint64_t> n_before) const {
  const RidgeTrainerOptions& how = options();
  if (n_before.size() != n_classes(how))
    throw InvalidArgument("RidgeTrainer::part",
                          fmt::format("counts of {} classes before the part, expected {}", n_before.size(), n_classes(how)));
  RidgeState state = state_->state();
  if (state.origin.empty()) throw InvalidArgument("RidgeTrainer::part", "the first row is not known, from which all parts count");
  RidgePart part{0, std::move(state.origin), std::move(state.feature_origin)};
  for (const std::uint64_t n : n_before) part.first_row += n;
  return RidgeTrainer(std::make_unique<State>(map(), how, new_sums(map(), how, part), std::move(n_before)));
}

const std::vector<RowRange>& RidgeTrainer::counted() const {
  if (const auto* of_floats = std::get_if<RidgeAccumulator<float>>(&state_->sums)) return of_floats->counted();
  if (const auto* of_doubles = std::get_if<RidgeAccumulator<double>>(&state_->sums)) return of_doubles->counted();
  refuse_parts();
}

void RidgeTrainer::merge(const RidgeTrainer& other) {
  state_->require_whole();
  other.state_->require_whole();
  if (is_on_grid() || other.is_on_grid()) refuse_parts();
  const RidgeTrainerOptions &ours = options(), &theirs = other.options();
  if (ours.classes != theirs.classes || ours.n_targets != theirs.n_targets || ours.n_folds != theirs.n_folds || ours.bias != theirs.bias ||
      ours.precision != theirs.precision || ours.seed != theirs.seed || map().to_bytes() != other.map().to_bytes())
    throw InvalidArgument("RidgeTrainer::merge", "the other trainer has another map or other options, expected the same");
  const std::vector<RowRange> before = counted();
  state_->is_whole = false;  // until all are in; what is refused changes nothing
  try {
    std::visit(
        [&](auto& of_type) {
          if constexpr (!is_grid<decltype(of_type)>)
            of_type.merge(std::get<std::remove_reference_t<decltype(of_type)>>(other.state_->sums));
        },
        state_->sums);
  } catch (const InvalidArgument&) {
    state_->is_whole = true;
    throw;
  }
  state_->is_whole = true;
  if (counted() == before) return;
  if (before.empty() || other.counted().front().first < before.front().first) state_->n_before = other.state_->n_before;
  for (std::size_t k = 0; k < state_->n_dealt.size(); ++k) state_->n_dealt[k] += other.state_->n_dealt[k];
  state_->n_rows += other.n_rows();
  state_->go_on_dealing();
}

std::string RidgeTrainer::to_bytes() const {
  state_->require_whole();
  pipeline::StoredTrainer stored{map(), options(), {}, {}, state_->n_before, state_->n_dealt};
  if (const GridRidge* grid = state_->grid())
    stored.on_grid = grid->state();
  else
    stored.sums = state_->state();
  return pipeline::bytes_of_trainer(stored);
}

RidgeTrainer RidgeTrainer::from_bytes(std::string bytes, const Execution& execution, const std::string& name,
                                      std::shared_ptr<const Kernel> kernel) {
  try {
    pipeline::StoredTrainer stored = pipeline::trainer_in(std::move(bytes), name, kernel);
    check(stored.options);
    stored.options.execution = execution;
    Sums sums = stored.on_grid ? GridRidge(*stored.map.atoms(), std::move(*stored.on_grid), execution)
                : stored.sums.counted.empty()
                    ? new_sums(stored.map, stored.options, {stored.first_row(), stored.sums.origin, stored.sums.feature_origin})
                    : sums_from(stored.map, stored.options, std::move(stored.sums));
    const std::vector<std::uint64_t> n_dealt = std::move(stored.n_dealt);
    auto state = std::make_unique<State>(std::move(stored.map), std::move(stored.options), std::move(sums), std::move(stored.n_before));
    state->n_dealt = n_dealt;
    for (const std::uint64_t n : n_dealt) state->n_rows += n;
    state->go_on_dealing();
    return RidgeTrainer(std::move(state));
  } catch (const DataError&) {
    throw;
  } catch (const std::invalid_argument& error) {
    throw DataError(name, error.what());
  }
}

}  // namespace askrff
