// Work shared among threads: every task once, exceptions come back, numbers of threads are checked.
#include "core/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace askrff::test {
namespace {

TEST(ParallelFor, RunsEveryTaskOnce) {
  for (const std::size_t n_tasks : {0, 1, 2, 7, 1000})
    for (const std::size_t n_threads : {1, 2, 3, 16}) {
      std::vector<std::atomic<int>> runs(n_tasks);
      parallel_for(n_tasks, Team{n_threads}, [&](std::size_t i) { ++runs[i]; });
      for (const auto& each : runs) EXPECT_EQ(each, 1);
    }
}

// Later tasks take a millisecond, all of them half a minute: so long the thread of task 3 may be kept waiting on a busy machine.
TEST(ParallelFor, ThrowsWhatATaskThrewAndDropsTheRest) {
  for (const std::size_t n_threads : {1, 4}) {
    std::atomic<int> begun = 0;
    const auto task = [&](std::size_t i) {
      ++begun;
      if (i == 3) throw std::invalid_argument("task 3");
      if (i > 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    EXPECT_THROW(parallel_for(100000, Team{n_threads}, task), std::invalid_argument);
    EXPECT_LT(begun, 100000);
  }
}

TEST(Threads, NumbersAreChecked) {
  EXPECT_EQ(resolved_threads({.n_threads = 3}), 3u);
  EXPECT_THROW(resolved_threads({.n_threads = 100000}), std::invalid_argument);
  EXPECT_GE(resolved_threads({}), 1u);
  setenv("ASKRFF_THREADS", "5", 1);
  EXPECT_EQ(resolved_threads({}), 5u);
  EXPECT_EQ(resolved_threads({.n_threads = 2}), 2u);
  for (const char* nonsense : {"0", "-1", "two", "3x", "99999999999999999999", " 4"}) {
    setenv("ASKRFF_THREADS", nonsense, 1);
    EXPECT_THROW(resolved_threads({}), std::invalid_argument) << nonsense;
  }
  unsetenv("ASKRFF_THREADS");
}

TEST(Threads, SmallWorkUsesFew) {
  EXPECT_EQ(team_for(10, {.n_threads = 8}).n_threads, 1u);
  EXPECT_EQ(team_for(1e12, {.n_threads = 8}).n_threads, 8u);
  EXPECT_EQ(team_for(1e12, {.n_threads = 8}, false).n_threads, 1u);
}

}  // namespace
}  // namespace askrff::test
