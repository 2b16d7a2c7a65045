// Threads that live as long as a call.
#include "core/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <new>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "askrff/errors.hpp"
#include "core/resources.hpp"

namespace askrff {
namespace {

constexpr std::size_t max_threads = 1024;

std::size_t threads_of_environment() {
  const char* text = std::getenv("ASKRFF_THREADS");
  if (!text || !*text) return std::min(available_processors(), max_threads);
  const std::string_view value(text);
  std::size_t n = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (error != std::errc{} || end != value.data() + value.size() || n < 1 || n > max_threads)
    throw InvalidArgument(fmt::format("ASKRFF_THREADS is '{}', expected a number from 1 to {}", value, max_threads));
  return n;
}

/// What the threads of one call share.
class Work {
 public:
  Work(std::size_t n_tasks, const StopToken& stop, const std::function<void(std::size_t)>& task)
      : n_tasks_(n_tasks), stop_(stop), task_(task) {}

  void run() {
    for (std::size_t i = next_++; i < n_tasks_; i = next_++) {
      try {
        stop_.check();
        task_(i);
      } catch (const Stopped&) {
        fail(std::current_exception(), true);
      } catch (...) {
        fail(std::current_exception(), false);
      }
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  /// Keeps the first error. That others have stopped says less than why, so a true error takes the place of Stopped.
  void fail(std::exception_ptr error, bool is_stop) {
    const std::lock_guard lock(mutex_);
    if (!error_ || (error_is_stop_ && !is_stop)) {
      error_ = std::move(error);
      error_is_stop_ = is_stop;
    }
    next_ = n_tasks_;
  }

  std::size_t n_tasks_;
  const StopToken& stop_;
  const std::function<void(std::size_t)>& task_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::exception_ptr error_;
  bool error_is_stop_ = false;
};

/// Threads that are joined at the latest when this ends; std::jthread is missing in libc++ before 20.
class JoinedThreads {
 public:
  ~JoinedThreads() { join(); }
  template <class Run>
  void start(Run run) {
    threads_.reserve(threads_.size() + 1);  // a thread that runs must find its place
    threads_.emplace_back(std::move(run));
  }
  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace

std::size_t resolved_threads(const Execution& execution) {
  if (execution.n_threads > max_threads)
    throw InvalidArgument(fmt::format("{} threads asked for, expected at most {}", execution.n_threads, max_threads));
  return execution.n_threads > 0 ? execution.n_threads : threads_of_environment();
}

Team team_for(double work, const Execution& execution, bool may_share) {
  constexpr double worth_a_thread = 1 << 18;  // results of about a nanosecond: ten times what a thread costs
  const std::size_t n = may_share ? resolved_threads(execution) : 1;
  const bool is_small = work < worth_a_thread * static_cast<double>(n);
  return {is_small ? std::max<std::size_t>(1, static_cast<std::size_t>(work / worth_a_thread)) : n, execution.stop};
}

Execution on_one_thread(const Execution& execution) { return {1, execution.backend, execution.stop, {}}; }

void parallel_for(std::size_t n_tasks, const Team& team, const std::function<void(std::size_t)>& task) {
  team.stop.check();  // on this thread, which may be the only one to poll, even if others do all tasks
  Work work(n_tasks, team.stop, task);
  JoinedThreads others;
  try {
    for (std::size_t t = 1; t < std::min(team.n_threads, n_tasks); ++t) others.start([&work] { work.run(); });
  } catch (const std::system_error&) {  // the system has no more threads: those there are do all of it
  } catch (const std::bad_alloc&) {     // or no memory for them
  }
  work.run();
  others.join();
  work.rethrow();
}

std::size_t rows_of_task(double row_cost, std::size_t min_rows, std::size_t max_rows, double operations) {
  const double fitting = operations / std::max(1.0, row_cost);
  return fitting >= static_cast<double>(max_rows) ? max_rows : std::max(min_rows, static_cast<std::size_t>(fitting));
}

std::size_t triangle_slice_begin(std::size_t n, std::size_t slice, std::size_t n_slices) {
  const double left = 1 - static_cast<double>(slice) / static_cast<double>(n_slices);
  return slice == n_slices ? n : static_cast<std::size_t>(static_cast<double>(n) * (1 - std::sqrt(left)));
}

}  // namespace askrff
