// Keys, labels and costs of classifications.
#include "experiments/classification_trials.hpp"

#include <fmt/format.h>

#include <algorithm>

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

std::string text_of(const ClassifierSetup& setup, const std::string& data_name) {
  return fmt::format("{}, {}{}{}{}", data_name, setup.kernel, setup.kernel.empty() ? "" : " ", name_of(setup.view),
                     setup.per_part > 0 ? fmt::format(", M = {}", setup.per_part) : "");
}

std::string key_of(const Plan& plan, const PaperData& data, const ClassifierSetup& setup, Tuning tuning, std::size_t trial) {
  const bool fits_masses = setup.view == View::asy || setup.view == View::sym;
  const std::string masses = fits_masses ? fmt::format(", {} rows for masses", setup.subset_rows) : "";
  const std::string how = tuning == Tuning::first_trial ? "C of the first trial" : "C by cross-validation";
  return trial_key(plan, fmt::format("classification, {}{}, {}", text_of(setup, data_key(data)), masses, how), trial);
}

/// Seconds, roughly: the solver's products, which grow with the square of the features, and the rest.
double cost_of(const Plan& plan, const PaperData& data, const ClassifierSetup& setup, bool tuned) {
  const double features = setup.view == View::linear ? static_cast<double>(data.record.dim)
                          : setup.view == View::rbf || setup.view == View::sym
                              ? 2.0 * static_cast<double>(setup.per_part)
                              : (setup.kernel == "cosh-gaussian" ? 6.0 : 4.0) * static_cast<double>(setup.per_part);
  double rows = static_cast<double>(data.record.n_training);
  if (plan.sizes.max_rows > 0) rows = std::min(rows, static_cast<double>(plan.sizes.max_rows));
  const double fit = rows * features * (features + 200) * 4e-11;
  return 0.05 + (tuned ? 15 : 1) * fit;
}

}  // namespace

std::vector<TrialTask> classification_trials(const Plan& plan, const PaperData& data, const ClassifierSetup& setup, Tuning tuning,
                                             const Journal* journal) {
  std::vector<TrialTask> trials;
  for (std::size_t trial = 0; trial < plan.n_trials; ++trial) {
    const bool takes_c = tuning == Tuning::first_trial && trial > 0;
    const auto run = [&plan, &data, setup, tuning, journal, trial, takes_c] {
      std::optional<double> c;
      if (takes_c) c = Classification::from(journal->at(key_of(plan, data, setup, tuning, 0)).value).c;
      const std::uint64_t seed = plan.seed_of(trial);
      return classify(rows_of_trial(data, seed, plan.sizes.max_rows), setup, c, seed, plan.execution).json();
    };
    trials.push_back({key_of(plan, data, setup, tuning, trial), fmt::format("{}, trial {}", text_of(setup, data.record.name), trial + 1),
                      cost_of(plan, data, setup, !takes_c), run, takes_c ? key_of(plan, data, setup, tuning, 0) : ""});
  }
  return trials;
}

std::vector<Classification> classifications(const Plan& plan, const PaperData& data, const ClassifierSetup& setup, Tuning tuning,
                                            const Journal& journal) {
  std::vector<Classification> values;
  for (std::size_t trial = 0; trial < plan.n_trials; ++trial)
    values.push_back(Classification::from(journal.at(key_of(plan, data, setup, tuning, trial)).value));
  return values;
}

}  // namespace askrff::experiments
