// Kernel parameters tried at multiples of their values, by cross-validation on a sample of the rows; the map of the best is kept.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "askrff/choose.hpp"
#include "askrff/errors.hpp"
#include "pipeline/fit.hpp"
#include "pipeline/make_map.hpp"
#include "pipeline/sizes.hpp"
#include "pipeline/trials.hpp"

namespace askrff::pipeline {
namespace {

constexpr double tried_factors[] = {0.25, 0.5, 1, 2, 4};
constexpr std::size_t max_tuned = 3;

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

/// Tries points and keeps the map of the best.
class TuningSearch {
 public:
  TuningSearch(const TrainOptions& options, const MapOptions& how, const Survey& survey, const Targets& targets, const RowStream& stream,
               Tuning& tuning)
      : options_(options),
        how_(how),
        sample_(survey.sample.X),
        trials_(options, survey, targets, stream),
        start_(fitted_kernel(options.kernel, sample_, options.seed, options.execution.stop)),
        tuning_(tuning) {
    check_tuned(options, start_, sample_.cols());
  }

  /// All combinations, then beyond their ends.
  Map best() {
    const auto grid = combinations(options_.tuned.size());
    for (std::size_t i = 0; i < grid.size(); ++i) {
      try_point(grid[i]);
      report(static_cast<double>(i + 1) / static_cast<double>(grid.size()));
    }
    if (!best_) throw InvalidArgument("train", fmt::format("nothing could be tuned: {}", tuning_.points[0].refused));
    while (go_on()) report(1);
    return *best_;
  }

 private:
  void report(double done) const {
    if (options_.execution.progress) options_.execution.progress({"tune", done});
  }

  /// Whether it is better than the best so far by more than is worth trying on.
  bool try_point(const std::vector<double>& factors) {
    ParameterValues values;
    for (const auto& [name, value] : start_.parameters) values.insert_or_assign(name, value);
    TuningPoint point = point_at(options_, start_, factors, sample_.cols(), values);
    bool has_gained = false;
    try {
      std::vector<Candidate> tried;
      Map map = model_side(make_map_of_scaled({start_.name, values}, sample_, {}, how_, tried));
      const CrossValidation validation = trials_.validate(map);
      point.c = validation.c[validation.best()];
      point.score = validation.mean(validation.best());
      tuning_.measure = validation.measure;
      const std::optional<double> before = best_ ? tuning_.points[tuning_.best].score : std::nullopt;
      has_gained = !before || gains(tuning_.measure, *point.score, *before);
      if (!before || is_better(tuning_.measure, *point.score, *before)) {
        best_ = std::move(map);
        tuning_.best = tuning_.points.size();
      }
    } catch (const NumericalError& error) {
      point.refused = error.message();
    } catch (const InvalidArgument& error) {
      point.refused = error.message();
    }
    tuning_.points.push_back(std::move(point));
    return has_gained;
  }

  /// One step beyond every end the best lies at. Whether that gained; where no step is possible the parameter stays open.
  bool go_on() {
    constexpr double step = 2, furthest = 1024;
    tuning_.open.clear();
    bool has_gained = false;
    for (std::size_t k = 0; k < options_.tuned.size(); ++k) {
      std::vector<double> factors = tuning_.points[tuning_.best].factors;
      double lowest = factors[k], highest = lowest;
      for (const TuningPoint& point : tuning_.points) {
        if (!point.score) continue;
        lowest = std::min(lowest, point.factors[k]);
        highest = std::max(highest, point.factors[k]);
      }
      if (factors[k] != lowest && factors[k] != highest) continue;
      factors[k] *= factors[k] == highest ? step : 1 / step;
      const auto is_there = [&](const TuningPoint& point) { return point.factors == factors; };
      auto there = std::ranges::find_if(tuning_.points, is_there);
      if (there == tuning_.points.end() && factors[k] <= furthest && factors[k] >= 1 / furthest) {
        has_gained = try_point(factors) || has_gained;
        there = std::prev(tuning_.points.end());
      }
      if (there == tuning_.points.end() || !there->score) tuning_.open.push_back(k);
    }
    return has_gained;
  }

  const TrainOptions& options_;
  const MapOptions& how_;
  const RowsMatrix<double>& sample_;
  Trials trials_;
  NamedKernel start_;
  Tuning& tuning_;
  std::optional<Map> best_;
};

}  // namespace

Map model_side(Map map) {
  if (!map.has_side(FeatureSide::classifier)) return map;
  return map.with([](MapContent& content) { content.side = FeatureSide::classifier; });
}

Map fitted_map(const TrainOptions& options, const Survey& survey, const Targets& targets, const RowStream& stream,
               std::optional<Tuning>& tuning, std::optional<SizeSearch>& sizes) {
  MapOptions how = map_options_of(options);
  if (how.sampler == Sampler::grid) how.box = survey.box;
  const bool is_linear = options.kernel.name == linear_kernel;
  if (is_linear && !options.tuned.empty()) throw InvalidArgument("train", "a linear model has no kernel to tune");
  if (is_linear && options.features.tolerance)
    throw InvalidArgument("train", "a linear model has the columns for features, but there is a tolerance to find their number by");
  std::optional<Map> tuned;
  if (!options.tuned.empty()) tuned = TuningSearch(options, how, survey, targets, stream, tuning.emplace()).best();
  const KernelChoice kernel = tuned ? KernelChoice(tuned->content().kernel) : options.kernel;
  std::vector<Candidate> tried;
  const Map map = finds_size(options) ? smallest_map(options, kernel, survey, targets, stream, sizes.emplace())
                  : tuned             ? *tuned
                                      : model_side(make_map_of_scaled(kernel, survey.sample.X, {}, how, tried));
  return map.with([&](MapContent& content) {
    content.scaler = survey.scaler;
    if (!is_linear) content.squeezed = squeezed_columns(survey.sample.X, survey.scaler.kind);
    content.column_names = stream.column_names();
  });
}

}  // namespace askrff::pipeline
