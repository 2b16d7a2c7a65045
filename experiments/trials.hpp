// A trial is the unit of work: what is computed at once, kept in the journal and never computed again.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "experiments/journal.hpp"

namespace askrff::experiments {

struct TrialTask {
  std::string key;    ///< everything its value depends on: artefact, data, kernel, sizes, seed
  std::string label;  ///< for people who wait
  double cost = 1;    ///< seconds it takes, roughly
  std::function<Journal::Json()> run;
  std::string after = {};  ///< the key of a trial whose value it looks up; empty: none
};

/// Told of what is going on; calls come from the threads that run trials, one at a time.
struct Observer {
  std::function<void(const TrialTask&)> starts = [](const TrialTask&) {};
  std::function<void(const TrialTask&)> is_done = [](const TrialTask&) {};
  std::function<bool()> should_stop = [] { return false; };
};

/// Somebody wanted to stop; finished trials are in the journal.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// Runs those that are not in the journal, in order, n_workers at a time. When one fails or somebody wants to stop, those that are running
/// are finished, no other is begun, and the error or Interrupted is thrown.
void run_trials(std::span<const TrialTask> trials, Journal& journal, const Observer& observer, std::size_t n_workers = 1);

/// Whether the journal has them all.
bool all_finished(std::span<const TrialTask> trials, const Journal& journal);

/// Seconds they took together, whenever that was. All must be finished.
double seconds_of(std::span<const TrialTask> trials, const Journal& journal);

}  // namespace askrff::experiments
