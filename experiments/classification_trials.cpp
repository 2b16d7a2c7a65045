// Keys, labels and costs of classifications.
#include "experiments/classification_trials.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/keys.hpp"

namespace askrff::experiments {
namespace {

const char* name_of(View view) {
  switch (view) {
    case View::asy:
      return "asy";
    case View::asy_exact:
      return "asy, exact masses";
    case View::sym:
      return "sym";
    case View::polar:
      return "polar";
    case View::calibrated:
      return "calibrated";
    case View::nystrom:
      return "nystrom";
    case View::rbf:
      return "rbf";
    case View::linear:
      return "linear";
  }
  return "";
}

std::string text_of(const Recipe& recipe, const std::string& data_name) {
  return fmt::format("{}, {}{}{}{}", data_name, recipe.kernel, recipe.kernel.empty() ? "" : " ", name_of(recipe.view),
                     recipe.per_part > 0 ? fmt::format(", M = {}", recipe.per_part) : "");
}

std::string key_of(const Plan& plan, const PaperData& data, const Recipe& recipe, Tuning tuning, std::size_t trial) {
  const bool fits_masses = recipe.view == View::asy || recipe.view == View::sym;
  const std::string masses = fits_masses ? fmt::format(", {} rows for masses", recipe.subset_rows) : "";
  const std::string how = tuning == Tuning::first_trial ? "C of the first trial" : "C by cross-validation";
  return trial_key(plan, fmt::format("classification, {}{}, {}", text_of(recipe, data_key(data)), masses, how), trial);
}

/// Seconds, roughly: the solver's products, which grow with the square of the features, and the rest.
double cost_of(const Plan& plan, const PaperData& data, const Recipe& recipe, bool tuned) {
  const double features = recipe.view == View::linear ? static_cast<double>(data.record.dim)
                          : recipe.view == View::rbf || recipe.view == View::sym
                              ? 2.0 * static_cast<double>(recipe.per_part)
                              : (recipe.kernel == "cosh-gaussian" ? 6.0 : 4.0) * static_cast<double>(recipe.per_part);
  double rows = static_cast<double>(data.record.n_training);
  if (plan.sizes.most_rows > 0) rows = std::min(rows, static_cast<double>(plan.sizes.most_rows));
  const double fit = rows * features * (features + 200) * 4e-11;
  return 0.05 + (tuned ? 15 : 1) * fit;
}

}  // namespace

std::vector<Trial> classification_trials(const Plan& plan, const PaperData& data, const Recipe& recipe, Tuning tuning,
                                         const Journal* journal) {
  std::vector<Trial> trials;
  for (std::size_t trial = 0; trial < plan.n_trials; ++trial) {
    const bool takes_c = tuning == Tuning::first_trial && trial > 0;
    const auto run = [&plan, &data, recipe, tuning, journal, trial, takes_c] {
      std::optional<double> c;
      if (takes_c) c = Classification::from(journal->at(key_of(plan, data, recipe, tuning, 0)).value).c;
      const std::uint64_t seed = plan.seed_of(trial);
      return classify(rows_of_trial(data, seed, plan.sizes.most_rows), recipe, c, seed, plan.execution).json();
    };
    trials.push_back({key_of(plan, data, recipe, tuning, trial), fmt::format("{}, trial {}", text_of(recipe, data.record.name), trial + 1),
                      cost_of(plan, data, recipe, !takes_c), run, takes_c ? key_of(plan, data, recipe, tuning, 0) : ""});
  }
  return trials;
}

std::vector<Classification> classifications(const Plan& plan, const PaperData& data, const Recipe& recipe, Tuning tuning,
                                            const Journal& journal) {
  std::vector<Classification> values;
  for (std::size_t trial = 0; trial < plan.n_trials; ++trial)
    values.push_back(Classification::from(journal.at(key_of(plan, data, recipe, tuning, trial)).value));
  return values;
}

}  // namespace askrff::experiments
