// The whole report: runs what is asked for, artefact by artefact, and writes what there is after each.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "experiments/plan.hpp"
#include "experiments/report/report.hpp"
#include "experiments/results.hpp"
#include "experiments/trials.hpp"

namespace askrff::experiments {

enum class Artefact { fig1, fig2, fig3, table1 };
inline constexpr Artefact all_artefacts[]{Artefact::fig1, Artefact::fig2, Artefact::fig3, Artefact::table1};

struct ReportOptions {
  bool page = true;  ///< false: numbers only, and Python is not run
};

class Reproduction {
 public:
  /// Opens the journal in `folder`, which must be there. `run` describes the call; its seconds are filled in. Throws as Journal.
  Reproduction(Plan plan, RunRecord run, std::filesystem::path folder, ReportOptions options);
  // The trials point to the plan.
  Reproduction(const Reproduction&) = delete;
  Reproduction& operator=(const Reproduction&) = delete;

  /// Trials that are not finished yet, each once.
  std::vector<TrialTask> unfinished(std::span<const Artefact> artefacts) const;
  /// Runs them and writes the report after each artefact; those that earlier runs have finished are in it, too. Throws Interrupted, then
  /// the report is that of the artefacts finished so far, and std::invalid_argument if the journal has a trial that is none.
  Results run(std::span<const Artefact> artefacts, const Observer& observer);
  /// Why the report has no page though it should.
  const PageProblem& page_problem() const { return page_problem_; }

 private:
  std::vector<TrialTask> trials_of(Artefact artefact) const;
  void add_result(Artefact artefact, Results& results) const;
  void write_report(const Results& results, const Observer& observer);
  Results run_and_write(std::span<const Artefact> artefacts, const Observer& observer);

  Plan plan_;
  RunRecord record_;
  std::filesystem::path folder_;
  ReportOptions options_;
  PageProblem page_problem_;
  Journal journal_;
};

}  // namespace askrff::experiments
