// Tokens, polls, and what parallel_for makes of a request.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "askrff/errors.hpp"
#include "askrff/execution.hpp"
#include "core/threads.hpp"
#include "support/stopping.hpp"

namespace askrff::test {
namespace {

TEST(StopToken, StopsOnlyWhenASourceAsks) {
  const StopToken none;
  EXPECT_FALSE(none.stop_requested());
  EXPECT_NO_THROW(none.check());
  StopSource source, other;
  const StopToken token = source.token(), copy = token;
  EXPECT_NO_THROW(token.check());
  other.request_stop();
  EXPECT_FALSE(token.stop_requested());
  source.request_stop();
  EXPECT_TRUE(copy.stop_requested());
  EXPECT_THROW(copy.check(), Stopped);
  EXPECT_TRUE(source.token().stop_requested());
}

TEST(StopToken, OutlivesItsSource) {
  StopToken token;
  {
    StopSource source;
    token = source.token();
    source.request_stop();
  }
  EXPECT_THROW(token.check(), Stopped);
}

TEST(StopToken, PollIsAskedOnItsThreadOnlyAndNotTooOften) {
  const auto owner = std::this_thread::get_id();
  std::atomic<int> n_polls = 0, n_elsewhere = 0;
  StopSource source([&] {
    ++n_polls;
    if (std::this_thread::get_id() != owner) ++n_elsewhere;
    return false;
  });
  const StopToken token = source.token();
  parallel_for(2000, Team{4, token}, [](std::size_t) { std::this_thread::sleep_for(std::chrono::microseconds(100)); });
  EXPECT_GE(n_polls, 1);
  EXPECT_LE(n_polls, 20);
  EXPECT_EQ(n_elsewhere, 0);
}

TEST(StopToken, PollThatSaysYesOrThrowsIsARequest) {
  StopSource yes([] { return true; });
  EXPECT_THROW(yes.token().check(), Stopped);
  EXPECT_TRUE(yes.token().stop_requested());
  StopSource throwing([]() -> bool { throw std::range_error("enough"); });
  EXPECT_THROW(parallel_for(100000, Team{3, throwing.token()}, [](std::size_t) {}), std::range_error);
  EXPECT_TRUE(throwing.token().stop_requested());
}

TEST(ParallelFor, StopsOnRequestWithoutATrace) {
  for (const std::size_t n_threads : {1, 3}) {
    std::atomic<int> begun = 0;
    expect_stops(
        [&](const Execution& execution) {
          parallel_for(100000, Team{n_threads, execution.stop}, [&](std::size_t) {
            ++begun;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          });
        },
        std::chrono::milliseconds(50));
    EXPECT_LT(begun, 1000);
  }
}

TEST(ParallelFor, NothingBeginsAfterARequest) {
  StopSource source;
  source.request_stop();
  int begun = 0;
  EXPECT_THROW(parallel_for(10, Team{1, source.token()}, [&](std::size_t) { ++begun; }), Stopped);
  EXPECT_EQ(begun, 0);
}

TEST(ParallelFor, ATrueErrorSaysMoreThanStopped) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    StopSource source;
    std::atomic<bool> first = true;
    const auto task = [&](std::size_t) {
      if (!first.exchange(false)) return std::this_thread::sleep_for(std::chrono::microseconds(50));
      source.request_stop();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));  // others see the request before this one fails
      throw std::range_error("broken");
    };
    EXPECT_THROW(parallel_for(1000, Team{3, source.token()}, task), std::range_error);
  }
}

}  // namespace
}  // namespace askrff::test
