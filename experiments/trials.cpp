// The loop over trials.
#include "experiments/trials.hpp"

#include <algorithm>
#include <chrono>

namespace askrff::experiments {

void run_trials(std::span<const Trial> trials, Journal& journal, const Observer& observer) {
  for (const Trial& trial : trials) {
    if (journal.find(trial.key) != nullptr) continue;
    if (observer.should_stop()) throw Interrupted();
    observer.starts(trial);
    const auto start = std::chrono::steady_clock::now();
    Journal::Json value = trial.run();
    journal.record(trial.key, std::move(value), std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    observer.is_done(trial);
  }
}

bool all_finished(std::span<const Trial> trials, const Journal& journal) {
  return std::ranges::all_of(trials, [&](const Trial& trial) { return journal.find(trial.key) != nullptr; });
}

double seconds_of(std::span<const Trial> trials, const Journal& journal) {
  double seconds = 0;
  for (const Trial& trial : trials) seconds += journal.at(trial.key).seconds;
  return seconds;
}

}  // namespace askrff::experiments
