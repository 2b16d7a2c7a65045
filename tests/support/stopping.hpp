// Calls that are stopped in the middle: they throw Stopped within half a second, and nothing goes on afterwards.
#pragma once

#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <thread>

#include "askrff/errors.hpp"
#include "askrff/execution.hpp"
#include "support/emulation.hpp"

namespace askrff::test {

/// Processor time of all threads of this process so far, in seconds.
inline double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// call(execution) must take longer than `delay`, after which another thread requests a stop. Half a second is that of the clock or, on a
/// machine that is busy with other things, of the process's own time, whichever is less; by the clock never more than ten times that, so
/// that whoever waits without working is found too.
template <class Call>
void expect_stops(const Call& call, std::chrono::milliseconds delay = std::chrono::milliseconds(300), std::size_t n_threads = 0) {
  using Clock = std::chrono::steady_clock;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr double limit = 5;
#else
  constexpr double limit = 0.5;
#endif
  StopSource source;
  Clock::time_point requested;
  double used_before = 0;
  bool was_stopped = false;
  {
    const auto other = std::async(std::launch::async, [&] {  // waited for when this ends
      std::this_thread::sleep_for(delay);
      requested = Clock::now();
      used_before = processor_seconds();
      source.request_stop();
    });
    try {
      call(Execution{.n_threads = n_threads, .stop = source.token()});
    } catch (const Stopped&) {
      was_stopped = true;
    }
  }
  const double by_clock = std::chrono::duration<double>(Clock::now() - requested).count();
  const double seconds = std::min(by_clock, processor_seconds() - used_before);
  ASSERT_TRUE(was_stopped) << "the call ended before the request";
  if (!is_emulated()) {
    EXPECT_LT(seconds, limit);
    EXPECT_LT(by_clock, 10 * limit);
  }
  const double before = processor_seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(processor_seconds() - before, 0.02) << "something goes on";
}

}  // namespace askrff::test
