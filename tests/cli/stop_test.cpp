// Ctrl-C in the middle of a command: exit code 130, one line, nothing left behind.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "cli/command.hpp"
#include "support/emulation.hpp"

namespace askrff::test {
namespace {

double seconds_of(const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); }

/// Processor time of a process so far, in seconds.
double processor_seconds_of(pid_t process) {
  timespec time{};
#ifndef __APPLE__  // which does not tell: all of it then counts
  clockid_t clock{};
  if (clock_getcpuclockid(process, &clock) == 0) clock_gettime(clock, &time);
#else
  (void)process;
#endif
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// askrff ARGUMENTS, with a signal after a while; the seconds from the signal to its end, by the clock or, on a machine that is busy with
/// other things, of its own time, whichever is less.
struct Stopped {
  Outcome outcome;
  double seconds = 0, by_clock = 0;
};

Stopped run_and_signal(const Arguments& arguments, int signal, std::chrono::milliseconds delay, int in = -1) {
  const auto none = detail::temporary_file(), out = detail::temporary_file(), err = detail::temporary_file();
  const pid_t child = detail::start(arguments, in >= 0 ? in : fileno(none.get()), fileno(out.get()), fileno(err.get()));
  std::this_thread::sleep_for(delay);
  const double used_before = processor_seconds_of(child);
  kill(child, signal);
  const auto start = std::chrono::steady_clock::now();
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  Stopped stopped;
  stopped.by_clock = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  stopped.seconds = std::min(stopped.by_clock, seconds_of(used.ru_utime) + seconds_of(used.ru_stime) - used_before);
  stopped.outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  stopped.outcome.out = detail::content_of(out.get());
  stopped.outcome.err = detail::content_of(err.get());
  return stopped;
}

TEST(Stop, TrainAndChooseEndCleanly) {
  const TemporaryFolder folder;
  const Arguments data{"--data", "builtin:uniform:30:60000", "--kernel", "shift-gaussian", "--out", folder.file("out.askrff")};
  const Arguments choose = Arguments{"choose", "--frequencies", "4096"} + data;
  const Arguments train{"train", "--data", "builtin:moons:60000",    "--kernel", "shift-gaussian", "--frequencies",
                        "2000",  "--out",  folder.file("out.askrff")};
  for (const Arguments& arguments : {choose, train})
    for (const int signal : {SIGINT, SIGTERM}) {
      SCOPED_TRACE(arguments.front());
      const Stopped stopped = run_and_signal(arguments, signal, std::chrono::milliseconds(1500));
      expect_one_line_error(stopped.outcome, 130, {"stopped"});
      if (!is_emulated()) {
        EXPECT_LT(stopped.seconds, 0.5);
        EXPECT_LT(stopped.by_clock, 5);
      }
      EXPECT_TRUE(folder.empty());
    }
}

TEST(Stop, PlanAndSumsEndCleanly) {
  const TemporaryFolder folder, plans;
  const std::string job = plans.file("job.plan");
  const Arguments data{"--data", "builtin:moons:1000000", "--kernel", "gaussian", "--c", "1"};
  ASSERT_EQ(run(Arguments{"plan", "--frequencies", "1000", "--out", job} + data).exit_code, 0);
  const Arguments sums{"sums", "--plan", job, "--part", "1", "--threads", "1", "--out", folder.file("out")};
  const Arguments plan = Arguments{"plan", "--frequencies", "6000", "--out", folder.file("out")} + data;
  for (const Arguments& arguments : {sums, plan}) {
    SCOPED_TRACE(arguments.front());
    const Stopped stopped = run_and_signal(arguments, SIGINT, std::chrono::milliseconds(1000));
    expect_one_line_error(stopped.outcome, 130, {"stopped"});
    if (!is_emulated()) {
      EXPECT_LT(stopped.seconds, 0.5);
    }
    EXPECT_TRUE(folder.empty());
  }
}

TEST(Stop, WhoeverWaitsForStandardInputIsStopped) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const Stopped stopped = run_and_signal({"info", "--data", "-"}, SIGINT, std::chrono::milliseconds(300), ends[0]);
  expect_one_line_error(stopped.outcome, 130, {"stopped"});
  if (!is_emulated()) {
    EXPECT_LT(stopped.by_clock, 0.5);  // it works on nothing
  }
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace askrff::test
