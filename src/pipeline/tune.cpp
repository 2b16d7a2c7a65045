// Kernel parameters tried at multiples of their values, by cross-validation on a sample of the rows; the map of the best is kept.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "askrff/choose.hpp"
#include "askrff/errors.hpp"
#include "askrff/random.hpp"
#include "pipeline/fit.hpp"
#include "pipeline/make_map.hpp"

namespace askrff::pipeline {
namespace {

constexpr double tried_factors[] = {0.25, 0.5, 1, 2, 4};
constexpr std::size_t max_tuning_rows = 4000, max_tuned = 3;

CoordinateParameter times(const CoordinateParameter& parameter, double factor, std::size_t dim) {
  if (parameter.is_over_dim()) return CoordinateParameter::over_dim(factor * parameter.scalar());
  if (!parameter.is_vector()) return factor * parameter.scalar();
  std::vector<double> values = parameter.expand(dim, "train", "parameter");
  for (double& value : values) value *= factor;
  return values;
}

/// All combinations of the factors for the tuned parameters, the middle one first: among equals the values given win.
std::vector<std::vector<double>> combinations(std::size_t n_parameters) {
  std::vector<std::vector<double>> all = {{}};
  for (std::size_t k = 0; k < n_parameters; ++k) {
    std::vector<std::vector<double>> longer;
    for (const auto& start : all)
      for (const double factor : tried_factors) {
        longer.push_back(start);
        longer.back().push_back(factor);
      }
    all = std::move(longer);
  }
  std::stable_partition(all.begin(), all.end(),
                        [](const auto& each) { return std::ranges::all_of(each, [](double factor) { return factor == 1; }); });
  return all;
}

/// The part of the sample that is tried, scaled. Of every class there are rows for all folds, if the data have so many: those of the
/// reserve where the sample has too few.
struct TuningRows {
  Matrix<double> X;
  RowBlock labels;

  TuningRows(const Survey& survey, const Targets& targets, const RowStream& stream, std::size_t n_folds, std::uint64_t seed) {
    const SampledRows &sample = survey.sample, &reserve = survey.reserve;
    std::vector<std::span<const double>> rows;
    std::unordered_map<std::string, std::size_t> n_of_class;
    std::unordered_set<std::uint64_t> taken;
    const auto take = [&](const SampledRows& from, std::size_t i) {
      rows.push_back(from.X.row(i));
      const std::size_t n_numbers = stream.n_targets();
      if (!from.labels.labels.empty())
        labels.labels.push_back(from.labels.labels[i]);
      else
        labels.label_numbers.insert(labels.label_numbers.end(),
                                    from.labels.label_numbers.begin() + static_cast<std::ptrdiff_t>(i * n_numbers),
                                    from.labels.label_numbers.begin() + static_cast<std::ptrdiff_t>((i + 1) * n_numbers));
      taken.insert(from.numbers[i]);
      if (targets.task == Task::classification) ++n_of_class[label_key(BlockLabels(from.labels).text(i))];
    };
    for (const std::size_t i : choose_rows(sample.X.rows(), std::min(max_tuning_rows, sample.X.rows()), seed, Purpose::sampled_rows))
      take(sample, i);
    for (std::size_t i = 0; i < reserve.X.rows() && targets.task == Task::classification; ++i)
      if (!taken.contains(reserve.numbers[i]) && n_of_class[label_key(BlockLabels(reserve.labels).text(i))] < n_folds) take(reserve, i);
    X = Matrix<double>(rows.size(), sample.X.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(rows[i], X.row(i).begin());
    labels.X = X;
  }
};

/// Those rows as a stream of their own.
class TuningStream final : public RowStream {
 public:
  TuningStream(TuningRows& rows, const RowStream& origin) : rows_(rows), origin_(origin) {}
  const std::string& name() const override { return origin_.name(); }
  std::size_t n_columns() const override { return rows_.X.cols(); }
  const std::vector<std::string>& column_names() const override { return origin_.column_names(); }
  bool has_labels() const override { return true; }
  const std::vector<std::string>& class_names() const override { return origin_.class_names(); }
  std::size_t n_targets() const override { return origin_.n_targets(); }
  bool can_rewind() const override { return true; }
  void rewind() override { is_read_ = false; }

 private:
  void read_block(RowBlock& block, std::size_t) override {
    if (!std::exchange(is_read_, true)) block = rows_.labels;
  }
  TuningRows& rows_;
  const RowStream& origin_;
  bool is_read_ = false;
};

/// The targets of the tuning rows: their classes may be fewer.
Targets targets_of(const TuningRows& rows, const Targets& all, const RowStream& stream) {
  LabelSurvey survey(stream);
  survey.add(rows.labels);
  return survey.targets(all.task);
}

CrossValidation validate(TrainOptions options, const Map& map, TuningRows& rows, TuningStream& stream, const Targets& targets) {
  options.leave_one_out = false;
  if (options.trainer == Trainer::ridge) {
    TrainingRows passes(stream, false, options.execution);
    return fit_ridge_model(options, map, passes, targets, options.n_folds).report.validation;
  }
  LabelCoder coder(stream, targets);
  coder.read(rows.labels);
  return validate_svm(options, map, rows.X, {targets.classes, {coder.classes().begin(), coder.classes().end()}});
}

const CoordinateParameter& value_of(const NamedKernel& kernel, const std::string& name) {
  return std::ranges::find_if(kernel.parameters, [&](const auto& parameter) { return parameter.first == name; })->second;
}

void check_tuned(const TrainOptions& options, const NamedKernel& start, std::size_t dim) {
  if (start.name.empty()) throw InvalidArgument("train", "a kernel of one's own has no parameters to tune");
  if (options.tuned.size() > max_tuned)
    throw InvalidArgument("train", fmt::format("{} parameters to be tuned, expected at most {}", options.tuned.size(), max_tuned));
  for (const std::string& name : options.tuned) {
    if (std::ranges::none_of(start.parameters, [&](const auto& parameter) { return parameter.first == name; })) {
      std::string expected;
      for (const auto& parameter : start.parameters) expected += (expected.empty() ? "" : ", ") + parameter.first;
      throw InvalidArgument("train", fmt::format("kernel {} has no parameter '{}' to be tuned, expected {}", start.name, name, expected));
    }
    if (std::ranges::count(options.tuned, name) > 1) throw InvalidArgument("train", fmt::format("'{}' is to be tuned twice", name));
    const std::vector<double> values = value_of(start, name).expand(dim, start.name, name);
    if (std::ranges::all_of(values, [](double value) { return value == 0; }))
      throw InvalidArgument("train", fmt::format("{} is 0, and so are its multiples; expected another value to tune from", name));
  }
}

/// A point of the grid that has not been tried yet; `values` gets its values.
TuningPoint point_at(const TrainOptions& options, const NamedKernel& start, const std::vector<double>& of_each, std::size_t dim,
                     ParameterValues& values) {
  TuningPoint point;
  point.factors = of_each;
  for (std::size_t k = 0; k < of_each.size(); ++k) {
    const CoordinateParameter value = times(value_of(start, options.tuned[k]), of_each[k], dim);
    values.insert_or_assign(options.tuned[k], value);
    point.values.emplace_back(options.tuned[k], value);
  }
  return point;
}

/// Tries all of them; the map of the best.
Map tuned_map(const TrainOptions& options, const MapOptions& how, const Survey& survey, const Targets& targets, const RowStream& stream,
              Tuning& tuning) {
  const std::size_t dim = survey.sample.X.cols();
  TuningRows rows(survey, targets, stream, options.n_folds, options.seed);
  TuningStream row_stream(rows, stream);
  const Targets here = targets_of(rows, targets, row_stream);
  const NamedKernel start = fitted_kernel(options.kernel, survey.sample.X, options.seed, options.execution.stop);
  check_tuned(options, start, dim);
  ParameterValues start_values;
  for (const auto& [name, value] : start.parameters) start_values.insert_or_assign(name, value);
  std::optional<Map> best;
  std::vector<Candidate> tried;
  const auto grid = combinations(options.tuned.size());
  for (std::size_t i = 0; i < grid.size(); ++i) {
    ParameterValues values = start_values;
    TuningPoint point = point_at(options, start, grid[i], dim, values);
    try {
      Map map = model_side(make_map_of_scaled({start.name, values}, survey.sample.X, {}, how, tried));
      const CrossValidation validation = validate(options, map, rows, row_stream, here);
      point.c = validation.c[validation.best()];
      point.score = validation.mean(validation.best());
      tuning.measure = validation.measure;
      if (!best || is_better(tuning.measure, *point.score, *tuning.points[tuning.best].score)) {
        best = std::move(map);
        tuning.best = i;
      }
    } catch (const NumericalError& error) {
      point.refused = error.message();
    } catch (const InvalidArgument& error) {
      point.refused = error.message();
    }
    tuning.points.push_back(std::move(point));
    if (options.execution.progress) options.execution.progress({"tune", static_cast<double>(i + 1) / static_cast<double>(grid.size())});
  }
  if (!best) throw InvalidArgument("train", fmt::format("nothing could be tuned: {}", tuning.points[0].refused));
  return *best;
}

}  // namespace

Map model_side(Map map) {
  if (!map.has_side(FeatureSide::classifier)) return map;
  return map.with([](MapContent& content) { content.side = FeatureSide::classifier; });
}

Map fitted_map(const TrainOptions& options, const Survey& survey, const Targets& targets, const RowStream& stream,
               std::optional<Tuning>& tuning) {
  MapOptions how = options.features;
  how.seed = options.seed;
  how.execution = options.execution;
  std::vector<Candidate> tried;
  const bool is_linear = options.kernel.name == linear_kernel;
  if (is_linear && !options.tuned.empty()) throw InvalidArgument("train", "a linear model has no kernel to tune");
  const Map map = options.tuned.empty() ? model_side(make_map_of_scaled(options.kernel, survey.sample.X, {}, how, tried))
                                        : tuned_map(options, how, survey, targets, stream, tuning.emplace());
  return map.with([&](MapContent& content) {
    content.scaler = survey.scaler;
    content.column_names = stream.column_names();
  });
}

}  // namespace askrff::pipeline
