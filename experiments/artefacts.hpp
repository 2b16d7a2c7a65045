// The artefacts of the paper: each is a list of trials, and what can be said when all of them are finished.
#pragma once

#include <memory>
#include <vector>

#include "experiments/plan.hpp"
#include "experiments/results.hpp"
#include "experiments/trials.hpp"

namespace askrff::experiments {

// The trials keep a pointer to the plan; those of figure 3 look into the journal for the C of an earlier one.
std::vector<TrialTask> fig1_trials(const Plan& plan);
Figure1 fig1_of(const Plan& plan, const Journal& journal);

std::vector<TrialTask> fig2_trials(const Plan& plan);
Figure2 fig2_of(const Plan& plan, const Journal& journal);

std::vector<TrialTask> fig3_trials(const Plan& plan, const Journal& journal);
Figure3 fig3_of(const Plan& plan, const Journal& journal);

std::vector<TrialTask> table1_trials(const Plan& plan);
Table1 table1_of(const Plan& plan, const Journal& journal);

}  // namespace askrff::experiments
