// Ctrl-C while the library computes: whoever waits asks now and then whether a signal has come.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>

#include "askrff/kernel.hpp"
#include "bindings.hpp"

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

/// What work on a thread of its own and the one who waits for it know of each other.
class Attention {
 public:
  /// Nobody waits any more: visits that begin from now on throw.
  void abandon() { is_abandoned_ = true; }
  bool is_abandoned() const { return is_abandoned_; }
  bool has_visits() const { return n_visits_ > 0; }

  /// A call of something that may be Python's. Made before it, destroyed after it.
  class Visit {
   public:
    explicit Visit(Attention& attention) : attention_(attention) {
      ++attention_.n_visits_;  // first: who abandons and then sees no visits knows that none will come
      if (!attention_.is_abandoned_) return;
      --attention_.n_visits_;
      throw std::runtime_error("nobody waits for this");  // nor hears it
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    ~Visit() { --attention_.n_visits_; }

   private:
    Attention& attention_;
  };

 private:
  std::atomic<bool> is_abandoned_ = false;
  std::atomic<int> n_visits_ = 0;
};

/// The kernel, every evaluation a visit.
std::shared_ptr<const Kernel> watched(std::shared_ptr<const Kernel> kernel, std::shared_ptr<Attention> attention);

/// Has the main thread call function(argument) with the lock of the interpreter, soon; never if the interpreter is about to end.
void call_later(int (*function)(void*), void* argument);

/// Work on a thread of its own. Whoever waits deletes it, or abandons it: then it deletes itself.
template <class Work>
class Job {
 public:
  using Result = std::invoke_result_t<Work&, const std::shared_ptr<Attention>&>;

  explicit Job(Work work) : work_(std::move(work)) {}
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  void run() {
    try {
      result_.emplace(work_(attention_));
    } catch (...) {
      error_ = std::current_exception();
    }
    std::unique_lock lock(mutex_);
    is_done_ = true;
    has_ended_.notify_all();
    if (!attention_->is_abandoned()) return;
    lock.unlock();
    // It may hold Python's objects, which a thread that the interpreter does not know must not let go of while the interpreter ends.
    call_later([](void* job) { return delete static_cast<Job*>(job), 0; }, this);
  }
  bool is_done_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return has_ended_.wait_for(lock, time, [this] { return is_done_; });
  }
  /// False if it is done already. Once it is true, there are no more visits, and the job is not to be touched.
  bool abandon() {
    const std::shared_ptr<Attention> attention = attention_;
    {
      const std::lock_guard lock(mutex_);
      if (is_done_) return false;
      attention->abandon();
    }
    while (attention->has_visits()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return true;
  }
  Result take() {
    if (error_) std::rethrow_exception(error_);
    return std::move(*result_);
  }

 private:
  Work work_;
  const std::shared_ptr<Attention> attention_ = std::make_shared<Attention>();
  std::optional<Result> result_;
  std::exception_ptr error_;
  std::mutex mutex_;
  std::condition_variable has_ended_;
  bool is_done_ = false;
};

/// work(attention) for searches and fits that spend long in factorisations, which look at nothing: it runs on a thread of its own while the
/// caller waits for it and for signals. After a signal the caller goes on as soon as no visit is under way; the work ends at the next one,
/// or when it is done, and its result is dropped. So it has to own all it uses. With the lock of the interpreter; throws what work throws,
/// or nb::python_error (KeyboardInterrupt, or what a handler raised).
template <class Work>
auto interruptible(Work work) {
  auto job = std::make_unique<Job<Work>>(std::move(work));
  std::exception_ptr interrupt = released([&]() -> std::exception_ptr {
    std::thread([&own = *job] { own.run(); }).detach();
    Interrupts interrupts;
    try {
      while (!job->is_done_within(std::chrono::milliseconds(51))) interrupts.check();
    } catch (...) {
      if (job->abandon()) (void)job.release();
      return std::current_exception();
    }
    return {};
  });
  if (interrupt) std::rethrow_exception(interrupt);
  return job->take();
}

}  // namespace askrff::python
