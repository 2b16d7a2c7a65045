// Memory that does not suffice: one sentence and exit code 1, whichever allocation fails and on whatever thread; never a signal.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "cli/command.hpp"

namespace askrff::test {
namespace {

class Memory : public ::testing::Test {
 protected:
  /// From too little to enough: every limit is met by an answer. Returns how many calls failed.
  int check(const Arguments& arguments, const std::vector<std::size_t>& limits) const {
    int n_failed = 0;
    for (const std::size_t limit : limits) {
      SCOPED_TRACE(arguments.front() + " with " + std::to_string(limit) + " MiB");
      const Outcome outcome = run_limited(arguments, RLIMIT_AS, limit << 20);
      if (outcome.exit_code == 0) continue;
      expect_one_line_error(outcome, 1, {"out of memory"});
      ++n_failed;
    }
    return n_failed;
  }
  const TemporaryFolder folder_;
};

TEST_F(Memory, WideDataAreSummarisedInBoundedMemory) {
  if (const std::string why = no_limit_of_addresses(); !why.empty()) GTEST_SKIP() << why;
  const std::string data = folder_.write("wide.libsvm", "1 10000000:1\n-1 3:2\n");
  const Arguments info{"info", "--data", data};
  EXPECT_GT(check(info, {24, 150, 450}), 0);
  EXPECT_EQ(check(info, {1000}), 0);  // 48 bytes a column, and a block of rows
}

TEST_F(Memory, EveryCommandSaysSo) {
  if (const std::string why = no_limit_of_addresses(); !why.empty()) GTEST_SKIP() << why;
  const std::string out = folder_.file("out");
  const Arguments kernel{"--kernel", "shift-gaussian", "--frequencies", "512", "--threads", "4"},
      uniform{"--data", "builtin:uniform:20:50000"};
  const std::vector<std::size_t> limits{24, 40, 64, 128};
  int n_failed = 0;
  n_failed += check(Arguments{"approx"} + uniform + kernel, limits);
  n_failed += check(Arguments{"choose", "--tolerance", "1e-3", "--out", out} + uniform + Arguments{"--kernel", "shift-gaussian"}, limits);
  n_failed += check(Arguments{"transform", "--side", "left", "--out", out} + uniform + kernel, limits);
  n_failed += check(Arguments{"train", "--data", "builtin:moons:50000", "--out", out} + kernel, limits);
  n_failed += check(Arguments{"train", "--data", "builtin:moons:50000", "--model", "ridge", "--out", out} + kernel, limits);
  EXPECT_GT(n_failed, 5);
  for (const auto& file : std::filesystem::directory_iterator(folder_.path())) EXPECT_EQ(file.path().filename(), "out");
}

}  // namespace
}  // namespace askrff::test
