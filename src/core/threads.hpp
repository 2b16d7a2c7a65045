// Work shared among threads, for the length of one call.
#pragma once

#include <cstddef>
#include <functional>

#include "askrff/execution.hpp"

namespace askrff {

/// Who shares some work: at most so many threads, the calling one among them, which look at the token before every task.
struct Team {
  std::size_t n_threads = 1;
  StopToken stop = {};
};

/// Calls task(0), …, task(n_tasks - 1), each once, in any order and on any thread of the team. Returns when all are done; the first
/// exception of a task (one that is not Stopped, if there is any) is thrown again here, and tasks not yet begun are dropped. Throws Stopped
/// if that was requested before the last task began; all threads have ended then.
///
/// Threads are made for the call and joined before it ends (about 30 µs each, against milliseconds of work): no pool that outlives it, so
/// nothing global, nothing that breaks in a forked child (as OpenMP's does under Python's multiprocessing), nothing extra to link.
void parallel_for(std::size_t n_tasks, const Team& team, const std::function<void(std::size_t)>& task);

/// Processors this process may keep busy: those of its affinity, or fewer if its control group (cgroup v1 or v2) has a quota of their time.
/// At least 1.
std::size_t available_processors();

/// The threads worth starting for `work` results of some nanoseconds each, with the token of the call.
Team team_for(double work, const Execution& execution);

/// Where a slice of the rows of an n × n triangle (from the diagonal on) begins, if every slice is to hold the same number of entries.
std::size_t triangle_slice_begin(std::size_t n, std::size_t slice, std::size_t n_slices);

}  // namespace askrff
