// Runs the trials of the artefacts asked for, those not in the journal, and writes the report after each artefact.
#include "experiments/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "experiments/artefacts.hpp"
#include "stopwatch.hpp"

namespace askrff::experiments {
namespace {

constexpr const char* journal_name = "trials.jsonl";

}  // namespace

Reproduction::Reproduction(Plan plan, RunRecord run, std::filesystem::path folder, ReportOptions options)
    : plan_(std::move(plan)), record_(std::move(run)), folder_(std::move(folder)), options_(options), journal_(folder_ / journal_name) {
  // Trials side by side use processors better than the threads of one trial do; each takes a few hundred megabytes.
  constexpr std::size_t max_at_once = 8;
  const std::size_t n_threads = resolved_threads(plan_.execution);
  record_.n_at_once = std::min(n_threads, max_at_once);
  plan_.execution.n_threads = n_threads / record_.n_at_once;
}

std::vector<TrialTask> Reproduction::trials_of(Artefact artefact) const {
  switch (artefact) {
    case Artefact::fig1:
      return fig1_trials(plan_);
    case Artefact::fig2:
      return fig2_trials(plan_);
    case Artefact::fig3:
      return fig3_trials(plan_, journal_);
    case Artefact::table1:
      return table1_trials(plan_);
  }
  return {};
}

void Reproduction::add_result(Artefact artefact, Results& results) const {
  switch (artefact) {
    case Artefact::fig1:
      results.fig1 = fig1_of(plan_, journal_);
      break;
    case Artefact::fig2:
      results.fig2 = fig2_of(plan_, journal_);
      break;
    case Artefact::fig3:
      results.fig3 = fig3_of(plan_, journal_);
      break;
    case Artefact::table1:
      results.table1 = table1_of(plan_, journal_);
      break;
  }
}

std::vector<TrialTask> Reproduction::unfinished(std::span<const Artefact> artefacts) const {
  std::vector<TrialTask> trials;
  std::unordered_set<std::string> seen;
  for (const Artefact artefact : artefacts)
    for (TrialTask& trial : trials_of(artefact))
      if (journal_.find(trial.key) == nullptr && seen.insert(trial.key).second) trials.push_back(std::move(trial));
  return trials;
}

Results Reproduction::run(std::span<const Artefact> artefacts, const Observer& observer) {
  try {
    return run_and_write(artefacts, observer);
  } catch (const Journal::Json::exception& error) {  // the journal is a file that anybody may have changed
    throw std::invalid_argument(fmt::format("'{}' has a trial that no run has written ({}); remove the file to start anew",
                                            (folder_ / journal_name).string(), error.what()));
  }
}

void Reproduction::write_report(const Results& results, const Observer& observer) {
  write_numbers(results, folder_);
  // What has failed once would fail again, and the trials to come matter more.
  if (options_.page && page_problem_.what.empty()) page_problem_ = make_page(folder_, {.should_stop = observer.should_stop});
}

Results Reproduction::run_and_write(std::span<const Artefact> artefacts, const Observer& observer) {
  const cli::Stopwatch watch;
  Results results;
  results.run = record_;
  for (const Artefact artefact : all_artefacts)
    if (std::ranges::find(artefacts, artefact) == artefacts.end() && all_finished(trials_of(artefact), journal_))
      add_result(artefact, results);
  for (const Artefact artefact : artefacts) {
    if (observer.should_stop()) throw Interrupted();  // drawing takes its time, too
    run_trials(trials_of(artefact), journal_, observer, record_.n_at_once);
    add_result(artefact, results);
    results.run.seconds = watch.seconds();
    write_report(results, observer);
  }
  return results;
}

}  // namespace askrff::experiments
