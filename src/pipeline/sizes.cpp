// Sizes are doubled while that gains.
#include "pipeline/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "askrff/errors.hpp"
#include "models/c_search.hpp"
#include "pipeline/fit.hpp"
#include "pipeline/make_map.hpp"
#include "pipeline/trials.hpp"

namespace askrff::pipeline {
namespace {

/// By how much `score` is worse than `best`: in accuracy, or relative in root mean squared error.
double loss(Score measure, double score, double best) { return measure == Score::accuracy ? best - score : std::sqrt(score / best) - 1; }

std::string in_words(Score measure, double score) {
  return measure == Score::accuracy ? fmt::format("an accuracy of {:.4g} %", 100 * score)
                                    : fmt::format("a root mean squared error of {:.4g}", std::sqrt(score));
}

std::string reason_for(const SizeSearch& sizes, double tolerance) {
  const SizeTrial &taken = sizes.trials[sizes.taken], &best = sizes.trials[sizes.best];
  std::string text = fmt::format("{} features have {} in cross-validation, ", taken.n_features, in_words(sizes.measure, taken.score));
  if (sizes.taken == sizes.best)
    text += fmt::format("the best of {} to {}", sizes.trials.front().n_features, sizes.trials.back().n_features);
  else
    text += fmt::format("within {:.3g} of the best, {} features with {}", tolerance, best.n_features, in_words(sizes.measure, best.score));
  if (sizes.ended_by == SizeSearch::End::time) text += "; there was no time for more";
  if (sizes.ended_by == SizeSearch::End::limit) text += "; more are beyond the limit, and may be better";
  return text;
}

void check(const TrainOptions& options) {
  const double tolerance = *options.features.tolerance;
  if (!(tolerance > 0 && tolerance < 1))
    throw InvalidArgument("train", fmt::format("the tolerance is {}, expected a number in (0, 1)", tolerance));
  if (options.features.time_limit && !(*options.features.time_limit > 0))
    throw InvalidArgument("train", fmt::format("the time limit is {} s, expected a number above 0", *options.features.time_limit));
  if (options.n_folds < 2)
    throw InvalidArgument(
        "train", fmt::format("{} folds, but a tolerance compares models by cross-validation: expected at least 2", options.n_folds));
}

/// Records the trial; whether it gained at least half of what may be lost.
bool record(SizeSearch& sizes, const SizeTrial& trial, double tolerance) {
  sizes.trials.push_back(trial);
  if (sizes.trials.size() == 1) return true;
  const double before = sizes.trials[sizes.best].score;
  if (is_better(sizes.measure, trial.score, before)) sizes.best = sizes.trials.size() - 1;
  return -loss(sizes.measure, trial.score, before) >= 0.5 * tolerance;
}

}  // namespace

Map smallest_map(const TrainOptions& options, const KernelChoice& kernel, const Survey& survey, const Targets& targets,
                 const RowStream& stream, SizeSearch& sizes) {
  check(options);
  constexpr std::size_t first_size = 64;
  const double tolerance = *options.features.tolerance;
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  MapOptions how = map_options_of(options);
  Trials trials(options, survey, targets, stream);
  // With more features than half the rows they are tried on it is C that decides, and every size takes eight times as long.
  const std::size_t most =
      std::min(2 * std::clamp<std::size_t>(how.max_frequencies, 1, std::size_t{1} << 20), std::max(first_size, trials.n_rows() / 4 * 2));
  std::vector<Map> maps;
  int losses = 0;  // doublings in a row that gained little
  for (how.n_features = std::min(first_size, most);; how.n_features = std::min(2 * how.n_features, most)) {
    std::vector<Candidate> tried;
    maps.push_back(model_side(make_map_of_scaled(kernel, survey.sample.X, {}, how, tried)));
    const CrossValidation validation = trials.validate(maps.back());
    sizes.measure = validation.measure;
    const SizeTrial trial{maps.back().n_features(), validation.c[validation.best()], validation.mean(validation.best()), seconds()};
    const bool is_larger = sizes.trials.empty() || trial.n_features > sizes.trials.back().n_features;  // the kernel has a rank
    losses = record(sizes, trial, tolerance) ? 0 : losses + 1;
    if (losses == 2 || !is_larger) break;
    const bool is_late = options.features.time_limit && seconds() >= *options.features.time_limit;
    if (is_late) sizes.ended_by = SizeSearch::End::time;
    if (how.n_features == most) sizes.ended_by = SizeSearch::End::limit;
    if (sizes.ended_by != SizeSearch::End::gain) break;
  }
  const double best = sizes.trials[sizes.best].score;
  while (loss(sizes.measure, sizes.trials[sizes.taken].score, best) > tolerance) ++sizes.taken;
  return maps[sizes.taken].with([&](MapContent& content) { content.reason = reason_for(sizes, tolerance); });
}

}  // namespace askrff::pipeline
