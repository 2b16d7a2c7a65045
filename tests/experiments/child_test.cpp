// Programs the report runs: what goes in and out, and what does not reach them.
#include "experiments/report/child.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace askrff::experiments {
namespace {

using namespace std::chrono_literals;

TEST(Child, GetsItsInputAndGivesItsOutput) {
  const ChildOutcome outcome = run_child("/bin/sh", {"-c", "cat; echo wrong >&2; exit 3"}, "right", 10s);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.out, "right");
  EXPECT_EQ(outcome.err, "wrong\n");
  EXPECT_FALSE(outcome.timed_out);
}

TEST(Child, IsNotInTheGroupThatCtrlCStops) {
  // The fifth field of a process's stat is its group.
  const ChildOutcome outcome =
      run_child("/bin/sh", {"-c", "read -r pid name state parent group rest < /proc/self/stat; echo $group"}, "", 10s);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out, std::to_string(getpgrp()) + "\n");
}

}  // namespace
}  // namespace askrff::experiments
