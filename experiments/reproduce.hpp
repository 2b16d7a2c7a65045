// The whole report: runs what is asked for, artefact by artefact, and writes what there is after each.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "experiments/plan.hpp"
#include "experiments/report/report.hpp"
#include "experiments/results.hpp"
#include "experiments/trials.hpp"

namespace askrff::experiments {

enum class Artefact { fig1, fig2, fig3, table1 };
inline constexpr Artefact all_artefacts[]{Artefact::fig1, Artefact::fig2, Artefact::fig3, Artefact::table1};

/// "figure 1", …, "table 1".
std::string_view title_of(Artefact artefact);

class Reproduction {
 public:
  /// Opens the journal in `folder`, which must be there. `run` describes the call; its seconds are filled in. Throws as Journal.
  Reproduction(Plan plan, RunRecord run, std::filesystem::path folder, ReportOptions options);
  // The trials point to the plan.
  Reproduction(const Reproduction&) = delete;
  Reproduction& operator=(const Reproduction&) = delete;

  /// Trials that are not finished yet, each once.
  std::vector<Trial> unfinished(std::span<const Artefact> artefacts) const;
  /// Runs them and writes the report after each artefact; those that earlier runs have finished are in it, too. Throws Interrupted, then
  /// the report is that of the artefacts finished so far.
  Results run(std::span<const Artefact> artefacts, const Observer& observer);

 private:
  std::vector<Trial> trials_of(Artefact artefact) const;
  void add_result(Artefact artefact, Results& results) const;

  Plan plan_;
  RunRecord record_;
  std::filesystem::path folder_;
  ReportOptions options_;
  Journal journal_;
};

}  // namespace askrff::experiments
