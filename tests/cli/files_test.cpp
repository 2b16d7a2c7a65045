// Files of a call: outputs that are inputs or each other, under whatever name; names of all lengths; what is left after a failure.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "cli/command.hpp"

namespace askrff::test {
namespace {

class Files : public ::testing::Test {
 protected:
  std::string content(const std::string& name) const {
    std::ifstream in(folder_.file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void link(const std::string& to, const std::string& name) const { std::filesystem::create_symlink(to, folder_.file(name)); }
  /// A model of two moons.
  std::string model() const {
    const std::string path = folder_.file("m.askrff");
    EXPECT_EQ(run({"train", "--data", "builtin:moons:60", "--kernel", "linear", "--out", path}).exit_code, 0);
    return path;
  }
  std::size_t n_files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_.path()), std::filesystem::directory_iterator()));
  }
  const TemporaryFolder folder_;
};

const Arguments gaussian_left{"--kernel", "gaussian", "--frequencies", "4", "--side", "left"};

TEST_F(Files, StandardInputIsNotOverwritten) {
  const std::string text = "1,2\n3,4\n5,7\n", data = folder_.write("data", text);
  link("data", "link");
  for (const std::string name : {"data", "link"}) {
    const int in = open(data.c_str(), O_RDONLY | O_CLOEXEC);
    const auto out = detail::temporary_file(), err = detail::temporary_file();
    Outcome outcome;
    outcome.exit_code = detail::spawn(Arguments{"transform", "--data", "-", "--out", folder_.file(name)} + gaussian_left, in,
                                      fileno(out.get()), fileno(err.get()));
    outcome.err = detail::content_of(err.get());
    close(in);
    expect_one_line_error(outcome, 2, {"--out", "is the file of --data (standard input)"});
    EXPECT_EQ(content("data"), text);
  }
}

TEST_F(Files, InputsUnderOtherNames) {
  const std::string data = folder_.write("data.csv", "1,2\n3,4\n5,7\n");
  link("data.csv", "link");
  std::filesystem::create_hard_link(data, folder_.file("hard"));
  std::filesystem::create_directory_symlink(".", folder_.file("here"));
  for (const std::string name : {"data.csv", "link", "hard", "here/data.csv", "here/./data.csv"})
    expect_refused(Arguments{"transform", "--data", data, "--out", folder_.file(name)} + gaussian_left, {"--out", "is the file of --data"});
  for (const std::string command : {"choose", "train"})
    expect_refused({command, "--data", data, "--kernel", "gaussian", "--out", folder_.file("link")}, {"--out", "is the file of --data"});
}

/// Links to what does not exist yet.
TEST_F(Files, TwoOutputsAreTwoFiles) {
  const std::string path = model();
  link("p.txt", "q.txt");
  link("here/p.txt", "r.txt");
  std::filesystem::create_directory_symlink(".", folder_.file("here"));
  for (const std::string scores : {"p.txt", "q.txt", "r.txt", "here/p.txt", "here/q.txt"})
    expect_refused(
        {"predict", "--model", path, "--data", "builtin:moons:9", "--out", folder_.file("p.txt"), "--scores", folder_.file(scores)},
        {"--scores", "is the file of --out"});
  EXPECT_FALSE(std::filesystem::exists(folder_.file("p.txt")));
  EXPECT_EQ(
      run({"predict", "--model", path, "--data", "builtin:moons:9", "--out", folder_.file("q.txt"), "--scores", folder_.file("s.txt")})
          .exit_code,
      0);
  EXPECT_TRUE(std::filesystem::exists(folder_.file("p.txt")));
}

TEST_F(Files, LongNames) {
  const std::string name(255, 'n');
  const Arguments transform = Arguments{"transform", "--data", "builtin:moons:9"} + gaussian_left;
  EXPECT_EQ(run(transform + Arguments{"--out", folder_.file(name)}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_.file(name)));
  expect_refused(transform + Arguments{"--out", folder_.file(name + "n")}, {"--out", "File name too long"});
}

/// Predictions fit, scores do not: neither is left.
TEST_F(Files, ASecondOutputThatFailsTakesTheFirstWithIt) {
  const Arguments predict{"predict", "--model",         model(),    "--data",         "builtin:moons:3000",
                          "--out",   folder_.file("p"), "--scores", folder_.file("s")};
  expect_one_line_error(run_limited(predict, RLIMIT_FSIZE, 20000), 1, {"--scores: cannot write", "File too large"});
  EXPECT_EQ(n_files(), 1u);
}

/// The report cannot be printed: what has been written before is told.
TEST_F(Files, AFileThatStandsIsNamed) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  const std::string out = folder_.file("left.npy");
  const Outcome outcome = run_onto(full, Arguments{"transform", "--data", "builtin:moons:9", "--out", out} + gaussian_left);
  close(full);
  expect_one_line_error(outcome, 1, {"standard output: cannot be written", out + " was written before and is complete"});
  EXPECT_TRUE(std::filesystem::exists(out));
}

/// Signals in the middle of writing, one after another as fast as they can be sent.
TEST_F(Files, SignalsLeaveNothingBehind) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    for (const int n_signals : {1, 2, 3}) {
      const auto in = detail::temporary_file(), out = detail::temporary_file(), err = detail::temporary_file();
      const pid_t child = detail::start({"transform", "--data", "builtin:uniform:4:2000000", "--kernel", "gaussian", "--sigma", "1",
                                         "--frequencies", "100", "--side", "left", "--out", folder_.file("o.npy")},
                                        fileno(in.get()), fileno(out.get()), fileno(err.get()));
      while (folder_.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      for (int i = 0; i < n_signals; ++i) {
        kill(child, signal);
        std::this_thread::sleep_for(std::chrono::microseconds(200));  // a signal that waits is one, however often it is sent
      }
      int status = 0;
      waitpid(child, &status, 0);
      const int exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
      EXPECT_TRUE(exit_code == 130 || (n_signals > 1 && exit_code == -signal)) << exit_code << detail::content_of(err.get());
      EXPECT_TRUE(folder_.empty()) << n_signals;
    }
}

}  // namespace
}  // namespace askrff::test
