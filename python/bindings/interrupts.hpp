// Ctrl-C while the library computes: whoever waits asks now and then whether a signal has come.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>

#include "askrff/kernel.hpp"
#include "bindings.hpp"
#include "kernels.hpp"

namespace askrff::python {

/// Asks the interpreter for signals, at most twenty times a second and only on the thread it was made on: Python handles signals on its
/// main thread, and a call from another one need not ask.
class Interrupts {
 public:
  /// Without the lock of the interpreter. Throws nb::python_error (KeyboardInterrupt, or what a handler raised).
  void check() {
    using namespace std::chrono_literals;
    if (std::this_thread::get_id() != owner_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < 50ms) return;
    last_ = now;
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }

 private:
  std::thread::id owner_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Calls work(first, count) for pieces of n_rows rows, with a look at signals before each. cost: of a row, in numbers made; pieces are
/// small enough to take a fraction of a second.
template <class Work>
void by_row_blocks(std::size_t n_rows, std::size_t cost, const Work& work) {
  constexpr std::size_t most_numbers = std::size_t{1} << 24, least_rows = 64;
  const std::size_t block_rows = std::max(least_rows, most_numbers / std::max<std::size_t>(cost, 1));
  Interrupts interrupts;
  std::size_t first = 0;
  do {  // once for no rows too: the library checks what it is given
    const std::size_t count = std::min(block_rows, n_rows - first);
    work(first, count);
    first += count;
    interrupts.check();
  } while (first < n_rows);
}

/// Between work on a thread of its own and the thread that waits for it, on which everything of Python's happens: handlers of signals,
/// functions of the user's. Whoever waits may stop waiting, but not in the middle of a function.
class Caller {
 public:
  Caller() = default;
  /// One who does the work on his own thread.
  static std::shared_ptr<Caller> at_work();

  /// For the work, on any thread: the caller calls function() with the lock of the interpreter. Throws what it throws, or as check().
  void call(const std::function<void()>& function);
  /// For the work: throws if nobody waits for it any more, or to the one at work what a signal has raised.
  void check();
  /// For the work, when it is done. False if nobody waits.
  bool finish();
  /// For the caller, without the lock of the interpreter: waits until the work is done. Throws nb::python_error (KeyboardInterrupt, or what
  /// a handler raised) and has stopped waiting then.
  void wait();
  bool is_abandoned() const { return is_abandoned_; }

 private:
  struct Request {
    const std::function<void()>& function;
    std::exception_ptr error;
    bool is_done;
  };
  void serve(std::unique_lock<std::mutex>& lock);
  void abandon();

  std::mutex mutex_;
  std::condition_variable for_caller_, for_work_;
  std::deque<Request*> requests_;
  bool is_done_ = false;
  std::atomic<bool> is_abandoned_ = false;
  std::optional<Interrupts> own_;  // of one at work
};

/// The kernel, which throws when nobody waits for its values any more; a Python function is called by the caller.
std::shared_ptr<const Kernel> watched(const PythonKernel& kernel, std::shared_ptr<Caller> caller);

/// Has the main thread call function(argument) with the lock of the interpreter, soon; never if the interpreter is about to end.
void call_later(int (*function)(void*), void* argument);

/// Work on a thread of its own. Whoever waits deletes it, or abandons it: then it deletes itself.
template <class Work>
class Job {
 public:
  using Result = std::invoke_result_t<Work&, const std::shared_ptr<Caller>&>;

  explicit Job(Work work) : work_(std::move(work)) {}
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  Caller& caller() { return *caller_; }
  void run() {
    try {
      result_.emplace(work_(caller_));
    } catch (...) {
      error_ = std::current_exception();
    }
    const std::shared_ptr<Caller> caller = caller_;
    if (caller->finish()) return;  // and the job may be gone
    // It may hold Python's objects, which a thread that the interpreter does not know must not let go of while the interpreter ends.
    call_later([](void* job) { return delete static_cast<Job*>(job), 0; }, this);
  }
  Result take() {
    if (error_) std::rethrow_exception(error_);
    return std::move(*result_);
  }

 private:
  Work work_;
  const std::shared_ptr<Caller> caller_ = std::make_shared<Caller>();
  std::optional<Result> result_;
  std::exception_ptr error_;
};

/// work(caller) for searches, fits and solves that spend long in factorisations, which look at nothing: it runs on a thread of its own
/// while the caller waits for it and for signals. After a signal the caller goes on at once; the work ends at its next kernel value, or
/// when it is done, and its result is dropped. So it has to own all it uses. With the lock of the interpreter; throws what work throws, or
/// as Caller::wait.
template <class Work>
auto interruptible(Work work) {
  auto job = std::make_unique<Job<Work>>(std::move(work));
  const std::exception_ptr interrupt = released([&]() -> std::exception_ptr {
    std::thread([&own = *job] { own.run(); }).detach();
    try {
      job->caller().wait();
    } catch (...) {
      if (job->caller().is_abandoned()) (void)job.release();  // else it ended in the same moment
      return std::current_exception();
    }
    return {};
  });
  if (interrupt) std::rethrow_exception(interrupt);
  return job->take();
}

/// work(caller) on this thread, without the lock of the interpreter.
template <class Work>
auto directly(Work work) {
  return released([&] { return work(Caller::at_work()); });
}

}  // namespace askrff::python
