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

/// The threads worth starting for `work` results of some nanoseconds each, with the token of the call; the calling thread alone if the
/// work may not be shared (Kernel::thread_safe).
Team team_for(double work, const Execution& execution, bool may_share = true);

/// The same backend and token on the calling thread alone: for calls inside a task. Whoever began the work reports its progress.
Execution on_one_thread(const Execution& execution);

/// How many rows, each of `row_cost` operations, make a task of about so many operations, within bounds. By default some ten milliseconds:
/// what may lie between two looks at a token.
std::size_t rows_of_task(double row_cost, std::size_t min_rows, std::size_t max_rows, double operations = 2e9);

/// Where a slice of the rows of an n × n triangle (from the diagonal on) begins, if every slice is to hold the same number of entries.
std::size_t triangle_slice_begin(std::size_t n, std::size_t slice, std::size_t n_slices);

}  // namespace askrff
