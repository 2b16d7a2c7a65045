// Classifications as trials: figure 3 and table 1 share those they have in common.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiments/classify.hpp"
#include "experiments/plan.hpp"
#include "experiments/trials.hpp"

namespace askrff::experiments {

/// Where C comes from: cross-validation in every trial, or in the first one, whose C the others take.
enum class Tuning { every_trial, first_trial };

/// The trials of one setup on one data set. With Tuning::first_trial they look into the journal for the first, which comes first.
std::vector<TrialTask> classification_trials(const Plan& plan, const PaperData& data, const ClassifierSetup& setup, Tuning tuning,
                                             const Journal* journal);

/// Their values, once all are finished.
std::vector<Classification> classifications(const Plan& plan, const PaperData& data, const ClassifierSetup& setup, Tuning tuning,
                                            const Journal& journal);

/// Spread of one member over trials.
template <class Member>
Spread spread_over(const std::vector<Classification>& trials, Member Classification::*member) {
  std::vector<double> values;
  for (const Classification& trial : trials) values.push_back(static_cast<double>(trial.*member));
  return spread_of(values);
}

}  // namespace askrff::experiments
