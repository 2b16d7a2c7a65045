// Work shared among threads, for the length of one call.
#pragma once

#include <cstddef>
#include <functional>

#include "askrff/execution.hpp"

namespace askrff {

/// Calls task(0), …, task(n_tasks - 1), each once, in any order and on any thread of at most n_threads. Returns when all are done; the
/// first exception of a task is thrown again here, and tasks not yet begun are dropped.
///
/// Threads are made for the call and joined before it ends (about 30 µs each, against milliseconds of work): no pool that outlives it, so
/// nothing global, nothing that breaks in a forked child (as OpenMP's does under Python's multiprocessing), nothing extra to link.
void parallel_for(std::size_t n_tasks, std::size_t n_threads, const std::function<void(std::size_t)>& task);

/// Processors this process may run on (its affinity), at least 1.
std::size_t available_processors();

/// Threads worth starting for `work` results of some nanoseconds each.
std::size_t threads_for(double work, const Execution& execution);

/// Where a slice of the rows of an n × n triangle (from the diagonal on) begins, if every slice is to hold the same number of entries.
std::size_t triangle_slice_begin(std::size_t n, std::size_t slice, std::size_t n_slices);

}  // namespace askrff
