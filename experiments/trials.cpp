// The loop over trials.
#include "experiments/trials.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <future>
#include <unordered_set>
#include <utility>

#include "stopwatch.hpp"

namespace askrff::experiments {
namespace {

/// Hands out trials to workers.
class Queue {
 public:
  Queue(std::span<const TrialTask> trials, Journal& journal, const Observer& observer) : journal_(journal), observer_(observer) {
    std::unordered_set<std::string_view> seen;
    for (const TrialTask& trial : trials)
      if (journal.find(trial.key) == nullptr && seen.insert(trial.key).second) waiting_.push_back(&trial);
  }

  /// What every worker does until there is nothing left.
  void work() {
    while (const TrialTask* trial = next()) {
      try {
        const cli::Stopwatch watch;
        Journal::Json value = trial->run();
        const double seconds = watch.seconds();
        const std::lock_guard lock(mutex_);
        journal_.record(trial->key, std::move(value), seconds);
        observer_.is_done(*trial);
        --n_running_;
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        --n_running_;
      }
      changed_.notify_all();
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  /// The first trial that can be begun; waits while one may become possible. Null: no more.
  const TrialTask* next() {
    std::unique_lock lock(mutex_);
    while (!error_ && !waiting_.empty()) {
      if (observer_.should_stop()) {
        error_ = std::make_exception_ptr(Interrupted());
        break;
      }
      const auto is_ready = [&](const TrialTask* trial) { return trial->after.empty() || journal_.find(trial->after) != nullptr; };
      const auto found = std::ranges::find_if(waiting_, is_ready);
      if (found != waiting_.end()) {
        const TrialTask* trial = *found;
        waiting_.erase(found);
        ++n_running_;
        observer_.starts(*trial);
        return trial;
      }
      if (n_running_ == 0)
        error_ = std::make_exception_ptr(std::logic_error("run_trials: a trial waits for one that is not among them"));
      else
        changed_.wait(lock);
    }
    return nullptr;
  }

  Journal& journal_;
  const Observer& observer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<const TrialTask*> waiting_;
  std::size_t n_running_ = 0;
  std::exception_ptr error_;
};

}  // namespace

void run_trials(std::span<const TrialTask> trials, Journal& journal, const Observer& observer, std::size_t n_workers) {
  Queue queue(trials, journal, observer);
  {
    std::vector<std::future<void>> others;  // which are waited for when this ends
    try {
      for (std::size_t i = 1; i < n_workers; ++i) others.push_back(std::async(std::launch::async, [&queue] { queue.work(); }));
    } catch (const std::system_error&) {  // the system has no more threads: those there are do all of it
    }
    queue.work();
  }
  queue.rethrow();
}

bool all_finished(std::span<const TrialTask> trials, const Journal& journal) {
  return std::ranges::all_of(trials, [&](const TrialTask& trial) { return journal.find(trial.key) != nullptr; });
}

double seconds_of(std::span<const TrialTask> trials, const Journal& journal) {
  double seconds = 0;
  for (const TrialTask& trial : trials) seconds += journal.at(trial.key).seconds;
  return seconds;
}

}  // namespace askrff::experiments
