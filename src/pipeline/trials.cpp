// Rows drawn from the survey's sample, as a stream that trainers can read.
#include "pipeline/trials.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "askrff/random.hpp"
#include "pipeline/fit.hpp"

namespace askrff::pipeline {
namespace {

constexpr std::size_t max_trial_rows = 4000;

/// The rows of both, which are of one kind.
RowsMatrix<double> joined(const RowsMatrix<double>& first, const RowsMatrix<double>& second) {
  if (first.is_sparse()) {
    SparseMatrix<double> all = first.sparse();
    all.add_rows(second.sparse());
    return all;
  }
  Matrix<double> all(first.rows() + second.rows(), first.cols());
  std::copy_n(second.dense().data(), second.rows() * first.cols(),
              std::copy_n(first.dense().data(), first.rows() * first.cols(), all.data()));
  return all;
}

/// The part of the sample that is tried, scaled. Of every class there are rows for all folds, if the data have so many: those of the
/// reserve where the sample has too few.
struct TrialRows {
  RowsMatrix<double> X;
  RowBlock labels;

  TrialRows(const Survey& survey, const Targets& targets, const RowStream& stream, std::size_t n_folds, std::uint64_t seed) {
    const SampledRows &sample = survey.sample, &reserve = survey.reserve;
    std::vector<std::size_t> of_sample, of_reserve;
    std::unordered_map<std::string, std::size_t> n_of_class;
    std::unordered_set<std::uint64_t> taken;
    const auto take = [&](const SampledRows& from, std::size_t i, std::vector<std::size_t>& rows) {
      rows.push_back(i);
      const std::size_t n_numbers = stream.n_targets();
      if (!from.labels.labels.empty())
        labels.labels.push_back(from.labels.labels[i]);
      else
        labels.label_numbers.insert(labels.label_numbers.end(),
                                    from.labels.label_numbers.begin() + static_cast<std::ptrdiff_t>(i * n_numbers),
                                    from.labels.label_numbers.begin() + static_cast<std::ptrdiff_t>((i + 1) * n_numbers));
      if (!from.labels.weights.empty()) labels.weights.push_back(from.labels.weights[i]);
      taken.insert(from.numbers[i]);
      if (targets.task == Task::classification) ++n_of_class[label_key(BlockLabels(from.labels).text(i))];
    };
    for (const std::size_t i : choose_rows(sample.X.rows(), std::min(max_trial_rows, sample.X.rows()), seed, Purpose::sampled_rows))
      take(sample, i, of_sample);
    for (std::size_t i = 0; i < reserve.X.rows() && targets.task == Task::classification; ++i)
      if (!taken.contains(reserve.numbers[i]) && n_of_class[label_key(BlockLabels(reserve.labels).text(i))] < n_folds)
        take(reserve, i, of_reserve);
    X = joined(RowsMatrix<double>::taken_from(sample.X, of_sample), RowsMatrix<double>::taken_from(reserve.X, of_reserve));
    labels.X = X;
  }
};

/// Those rows as a stream of their own.
class TrialStream final : public RowStream {
 public:
  TrialStream(TrialRows& rows, const RowStream& origin) : rows_(rows), origin_(origin) {}
  const std::string& name() const override { return origin_.name(); }
  std::size_t n_columns() const override { return rows_.X.cols(); }
  const std::vector<std::string>& column_names() const override { return origin_.column_names(); }
  bool has_labels() const override { return true; }
  const std::vector<std::string>& class_names() const override { return origin_.class_names(); }
  std::size_t n_targets() const override { return origin_.n_targets(); }
  bool can_rewind() const override { return true; }
  bool is_sparse() const override { return rows_.X.is_sparse(); }
  void rewind() override { is_read_ = false; }

 private:
  void read_block(RowBlock& block, std::size_t) override {
    if (!std::exchange(is_read_, true)) block = rows_.labels;
  }
  TrialRows& rows_;
  const RowStream& origin_;
  bool is_read_ = false;
};

/// The targets of those rows: their classes may be fewer, what these count is the same.
Targets targets_of(const TrialRows& rows, const Targets& all, const RowStream& stream) {
  LabelSurvey survey(stream);
  survey.add(rows.labels);
  Targets here = survey.targets(all.task);
  ClassLookup lookup(all.classes);
  for (std::size_t k = 0; k < here.classes.size() && !all.class_weights.empty(); ++k)
    here.class_weights.push_back(all.class_weights[*lookup.find(here.classes[k])]);
  return here;
}

}  // namespace

struct Trials::State {
  TrainOptions options;
  TrialRows rows;
  TrialStream stream;
  Targets targets;
  ColumnRange box;  // of all scaled rows

  State(const TrainOptions& how, const Survey& survey, const Targets& all, const RowStream& origin)
      : options(how),
        rows(survey, all, origin, how.n_folds, how.seed),
        stream(rows, origin),
        targets(targets_of(rows, all, stream)),
        box(survey.box) {
    options.leave_one_out = options.probabilities = false;
  }
};

Trials::Trials(const TrainOptions& options, const Survey& survey, const Targets& targets, const RowStream& stream)
    : state_(std::make_unique<State>(options, survey, targets, stream)) {}
Trials::~Trials() = default;

std::size_t Trials::n_rows() const { return state_->rows.X.rows(); }

CrossValidation Trials::validate(const Map& map) {
  State& state = *state_;
  if (state.options.trainer == Trainer::ridge) {
    TrainingRows passes(state.stream, 0, state.options.execution);
    return fit_ridge_model(state.options, map, passes, state.targets, state.options.n_folds, !can_sum_on_grid(map, state.box))
        .report.validation;
  }
  LabelCoder coder(state.stream, state.targets);
  coder.read(state.rows.labels);
  return validate_svm(
      state.options, map, state.rows.X,
      {{state.targets.classes, {coder.classes().begin(), coder.classes().end()}}, {coder.weights().begin(), coder.weights().end()}});
}

MapOptions map_options_of(const TrainOptions& options) {
  MapOptions how = options.features;
  how.seed = options.seed;
  how.execution = options.execution;
  how.precision = options.precision;
  if (how.has_grid_tolerance()) return how;
  const auto& own = options.kernel.own.kernel;
  const bool has_frequencies = !own || own->shift_invariant();
  if (how.tolerance && how.estimator == Estimator::automatic && has_frequencies) how.estimator = Estimator::fourier;
  if (how.tolerance && how.estimator != Estimator::best) how.time_limit.reset();  // one is of the search for the size
  how.tolerance.reset();
  return how;
}

}  // namespace askrff::pipeline
