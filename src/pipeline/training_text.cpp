// Puts the options of a training into words.
#include "pipeline/training_text.hpp"

#include <fmt/format.h>

namespace askrff::pipeline {
namespace {

/// What was asked of the map: what is used, and what is not the default.
std::string map_description(const MapOptions& how) {
  const MapOptions usual;
  std::string text = fmt::format(" --estimator {}", name_of(how.estimator));
  if (how.has_grid_tolerance()) return text + fmt::format(" --sampler {} --tolerance {}", name_of(how.sampler), *how.tolerance);
  text += how.tolerance         ? fmt::format(" --tolerance {} --max-frequencies {}", *how.tolerance, how.max_frequencies)
          : how.n_features != 0 ? fmt::format(" --n-features {}", how.n_features)
                                : fmt::format(" --frequencies {}", how.n_frequencies);
  if (how.estimator == Estimator::nystrom) {
    if (how.n_landmarks != usual.n_landmarks) text += fmt::format(" --landmarks {}", how.n_landmarks);
    return text + fmt::format(" --landmark-choice {}", name_of(how.landmarks));
  }
  const bool has_subset = how.weights == Weights::subset || how.estimator == Estimator::paper;
  if (has_subset) text += fmt::format(" --subset {}", how.n_subset);
  if (how.estimator == Estimator::paper || how.estimator == Estimator::best) return text;
  text += fmt::format(" --sampler {} --weights {}", name_of(how.sampler), name_of(how.weights));
  if (how.allocation != usual.allocation) text += fmt::format(" --allocation {}", name_of(how.allocation));
  if (how.n_pairs != usual.n_pairs) text += fmt::format(" --pairs {}", how.n_pairs);
  if (how.pin_origin) text += " --pin-origin";
  if (how.drop_tolerance) text += fmt::format(" --drop-tolerance {}", *how.drop_tolerance);
  if (how.sampler == Sampler::rejection) text += fmt::format(" --min-acceptance {}", how.min_acceptance);
  return text;
}

/// A map that was made of the matrix that is trained on, unless it says what it comes from.
std::string matrix_description(const MatrixFactors& factors) {
  std::string text = fmt::format(" --kernel precomputed --n-features {}", factors.n_features());
  if (factors.columns.size() < factors.n_columns) text += fmt::format(" --landmarks {}", factors.columns.size());
  return text;
}

/// Where the features come from.
std::string features_description(const TrainOptions& options) {
  if (options.map && options.map->matrix() && options.map->content().command.empty()) return matrix_description(*options.map->matrix());
  if (options.map) return " --features FILE";
  const std::string& name = options.kernel.name.empty() ? options.kernel.own.name : options.kernel.name;
  std::string text = fmt::format(" --kernel {}", name.empty() ? "OWN" : name);
  for (const auto& [parameter, value] : options.kernel.values) text += fmt::format(" --{} {}", parameter, value.text());
  for (const auto& [parameter, value] : options.kernel.own.parameters) text += fmt::format(" --{} {}", parameter, value.text());
  if (options.kernel.name != linear_kernel) text += map_description(options.features);
  return text + fmt::format(" --scale {}", name_of(options.features.scale));
}

std::string class_weights_description(const ClassWeights& weights) {
  std::string text = weights.balanced ? " --class-weight balanced" : "", joined;
  for (const auto& [label, weight] : weights.by_label) joined += fmt::format("{}{}={}", joined.empty() ? "" : ",", label, weight);
  return joined.empty() ? text : text + " --class-weight " + joined;
}

}  // namespace

TrainingText TrainingText::of(const TrainOptions& options) {
  TrainingText text{
      .start = "askrff train" + features_description(options),
      .class_weights = class_weights_description(options.class_weights),
      .end = fmt::format("{} --precision {} --seed {}", options.bias ? "" : " --no-bias", name_of(options.precision), options.seed),
      .n_folds = options.n_folds,
      .is_tuned = !options.tuned.empty()};
  if (text.is_tuned) text.start += fmt::format(" --tune {}", fmt::join(options.tuned, ","));
  text.start += fmt::format(" --model {}", name_of(options.trainer));
  if (options.trainer == Trainer::svm && options.max_row_bytes != default_row_bytes)
    text.start += fmt::format(" --memory {}", options.max_row_bytes);
  if (options.task) text.start += fmt::format(" --task {}", name_of(*options.task));
  return text;
}

std::string TrainingText::with(const std::vector<double>& c, bool leave_one_out, bool has_folds) const {
  std::string text = start;
  if (leave_one_out) text += " --leave-one-out";
  text += c.empty() ? " --c auto" : c.size() == 1 ? fmt::format(" --c {}", c[0]) : fmt::format(" --c-grid {}", fmt::join(c, ","));
  text += class_weights;
  if (has_folds || is_tuned) text += fmt::format(" --folds {}", n_folds);
  return text + end;
}

}  // namespace askrff::pipeline
