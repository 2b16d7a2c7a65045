// askrff-paper reproduce as a user calls it. Built-in data unless the real ones are asked for; the page is tested by tests/report.
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cli/command.hpp"
#include "support/environment.hpp"
#include "support/shared.hpp"

namespace askrff::test {
namespace {

using Json = nlohmann::json;

/// No data are found where nobody has put any.
class Reproduce : public testing::Test {
 protected:
  Reproduce() {
    setenv("XDG_CACHE_HOME", folder.file("no-cache").c_str(), 1);
    unsetenv("ASKRFF_DATA");
  }
  TemporaryFolder folder;
  std::string out = folder.file("report");

  Arguments call(const Arguments& more) const { return Arguments{"reproduce"} + more + Arguments{"--no-page", "--out", out}; }
};

std::size_t lines_of(const std::string& path) {
  std::ifstream in(path);
  std::size_t n = 0;
  for (std::string line; std::getline(in, line);) ++n;
  return n;
}

TEST_F(Reproduce, AllOfItQuicklyOnBuiltInDataAndSaysSo) {
  const Outcome outcome = run(call({"all", "--quick"}));
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("Built-in data"), std::string::npos);
  EXPECT_NE(outcome.out.find("Table 1"), std::string::npos);
  EXPECT_NE(outcome.out.find("The report: " + out + "/results.json"), std::string::npos);
  for (const char* name : {"fig1.csv", "fig2.csv", "fig3.csv", "table1.csv", "results.json", "trials.jsonl"})
    EXPECT_TRUE(std::filesystem::exists(out + "/" + name)) << name;
}

TEST_F(Reproduce, WithoutPythonKeepsTheNumbersAndSaysHowThePageIsMade) {
  const EnvironmentVariable no_programs("PATH", folder.file(""));
  const Outcome outcome = run({"reproduce", "fig1", "fig3", "--quick", "--out", out});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string warning = "askrff-paper: warning: no page was made: python3 cannot be started";
  EXPECT_NE(outcome.err.find(warning), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find(warning), outcome.err.rfind(warning)) << "once";
  EXPECT_NE(outcome.err.find("this makes the page later: python3 "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("The report: " + out + "/results.json"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(out + "/fig3.csv") && std::filesystem::exists(out + "/results.json"));
}

TEST_F(Reproduce, JsonHasEveryCellAndWhatWasRun) {
  const Json json = run_json(call({"table1", "--quick", "--kernels", "shift", "--seed", "5"}));
  std::vector<std::string> rows;
  for (const Json& cell : json.at("cells")) {
    rows.push_back(cell.at("row"));
    EXPECT_EQ(cell.at("dataset"), "builtin:moons");
    EXPECT_GT(cell.at("mean").get<double>(), 50);
    EXPECT_TRUE(cell.at("paper").is_null() && cell.at("paper_std").is_null() && cell.at("pass").is_null());
  }
  EXPECT_EQ(rows, (std::vector<std::string>{"shift-gaussian/asy", "shift-gaussian/sym", "rbf", "linear", "rbf/2x", "rbf/3x",
                                            "shift-gaussian/asy-exact", "shift-gaussian/polar", "shift-gaussian/calibrated",
                                            "shift-gaussian/nystrom"}));
  EXPECT_EQ(json.at("run").at("seed"), 5);
  EXPECT_EQ(json.at("run").at("quick"), true);
  EXPECT_TRUE(json.at("run").at("datasets").at(0).contains("content_sha256"));
}

TEST_F(Reproduce, FinishedTrialsAreNotRunAgain) {
  const Json first = run_json(call({"fig1", "--quick"}));
  const std::size_t n = lines_of(out + "/trials.jsonl");
  const Json second = run_json(call({"fig1", "--quick"}));
  EXPECT_EQ(lines_of(out + "/trials.jsonl"), n);
  EXPECT_EQ(first.at("fig1"), second.at("fig1"));
}

TEST_F(Reproduce, CtrlCKeepsWhatIsFinishedAndTheSameCommandGoesOn) {
  const Arguments arguments = call({"fig3", "table1", "--trials", "40", "--kernels", "shift,sinh"});
  const auto in = detail::temporary_file(), text = detail::temporary_file(), errors = detail::temporary_file();
  const pid_t child = detail::start(arguments, fileno(in.get()), fileno(text.get()), fileno(errors.get()));
  const std::string journal = out + "/trials.jsonl";
  for (int i = 0; i < 3000 && lines_of(journal) < 5; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "killed by " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_EQ(detail::content_of(text.get()), "");
  EXPECT_NE(detail::content_of(errors.get()).find("to go; what is finished is kept in"), std::string::npos);
  const std::size_t n_kept = lines_of(journal);
  EXPECT_GE(n_kept, 5u);

  const Json json = run_json(call({"fig3", "--trials", "2", "--kernels", "shift"}));
  EXPECT_EQ(json.at("fig3").at("points").size(), 5u);  // d/4 and d/2 frequencies are both one in two dimensions
}

TEST_F(Reproduce, AListOfNamesEndsAtTheSpaceAndTheCommandCanBeGivenAgain) {
  const Json json = run_json(call({"--kernels", "shift,sinh", "fig1", "--quick"}));
  EXPECT_EQ(json.at("run").at("command"), "askrff-paper reproduce fig1 --kernels shift,sinh --quick --no-page");
  EXPECT_EQ(json.at("run").at("kernels"), (Json{"shift-gaussian", "sinh-gaussian"}));
}

TEST_F(Reproduce, WrongCallsAreRefusedBeforeTheWork) {
  expect_refused({"reproduce"}, {"what"});
  expect_refused(call({"fig4"}), {"fig4", "expected all, fig1"});
  expect_refused(call({"fig1", "--kernels", "gaussian"}), {"--kernels", "gaussian", "expected those of the paper"});
  expect_refused(call({"table1", "--quick", "--datasets", "mnist"}), {"mnist"});
  expect_refused(call({"table1", "--quick", "--datasets", "letter"}), {"letter", "askrff-paper datasets get letter"});
  for (const char* names : {"", ",", "shift,"}) expect_refused(call({"fig1", "--kernels", names}), {"--kernels", "got \"\""});
  for (const char* names : {"", ",", "letter,"}) expect_refused(call({"fig1", "--datasets", names}), {"data set \"\""});
  expect_refused(call({"fig1", "--trials", "0"}), {"--trials"});
  expect_refused(call({"fig1", "--seed", "-1"}), {"--seed"});
  expect_refused(call({"fig1", "--data-dir", folder.file("nowhere")}), {"nowhere"});
  EXPECT_FALSE(std::filesystem::exists(out));
  folder.write("file", "");
  expect_refused({"reproduce", "fig1", "--quick", "--no-page", "--out", folder.file("file")}, {"--out", "file"});
  expect_refused({"reproduce", "fig1", "--quick", "--no-page", "--out", folder.file("file/below")}, {"--out"});
  std::filesystem::create_directory(out);
  folder.write("report/trials.jsonl", "no trial\n");
  expect_refused(call({"fig1", "--quick"}), {"trials.jsonl:1: expected a trial"});
  expect_refused({"reproduce", "fig1", "--quick", "--no-page", "--out", ""}, {"--out"});
}

TEST_F(Reproduce, RealDataWithTheirPublishedNumbers) {
  ASKRFF_NEED_SHARED("data/letter-binary.train.libsvm.xz");
  const Json json =
      run_json(call({"table1", "--quick", "--datasets", "letter", "--kernels", "sinh", "--data-dir", (shared_dir() / "data").string()}));
  for (const Json& cell : json.at("cells"))
    if (cell.at("row") == "sinh-gaussian/asy") {
      EXPECT_EQ(cell.at("paper"), 82.455);
      EXPECT_EQ(cell.at("paper_std"), 0.851);
      EXPECT_TRUE(cell.at("pass").is_boolean());
    }
  EXPECT_EQ(json.at("run").at("datasets").at(0).at("name"), "letter");
}

}  // namespace
}  // namespace askrff::test
