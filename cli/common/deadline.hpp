// Deadline: the end of the time that was allowed, as a stop of the work under way.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "askrff/errors.hpp"
#include "askrff/execution.hpp"

namespace askrff::cli {

/// Begins when it is made, on the thread that does the work. Without a limit it never passes.
class Deadline {
 public:
  explicit Deadline(std::optional<double> seconds) {
    constexpr double max_seconds = 1e9;  // what a duration can hold
    if (seconds)
      end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(std::min(*seconds, max_seconds)));
  }

  bool passed() const { return end_ && Clock::now() >= *end_; }

  /// Calls work(execution), whose token also stops at the deadline; false if that ended it. Other stops are thrown on.
  template <class Work>
  bool in_time(const Execution& execution, const Work& work) const {
    if (passed()) return false;
    if (!end_) {
      work(execution);
      return true;
    }
    const StopSource source([&] {
      execution.stop.check();
      return passed();
    });
    Execution limited = execution;
    limited.stop = source.token();
    try {
      work(limited);
      return true;
    } catch (const Stopped&) {
      if (execution.stop.stop_requested() || !passed()) throw;
      return false;
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> end_;
};

}  // namespace askrff::cli
