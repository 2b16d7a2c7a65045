// The numbers of a report read back whatever is in the results; the program that makes the page is run, or missed in one sentence. What
// that program makes is tested by tests/report/check_report.
#include "experiments/report/report.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <limits>

#include "io/temporary_files.hpp"
#include "support/environment.hpp"

namespace askrff::test {
namespace {

using namespace experiments;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Quotes of all sorts, what is no UTF-8, control characters.
const std::string hostile = "<b>, \"quoted\" \xff\x01\n#", cleaned = "<b>, \"quoted\" \uFFFD  #";

Results small_results() {
  Results results;
  results.run.notices = {hostile};
  results.fig1 = Figure1{{{hostile, "real_positive", 2, {0.1, none, 1}, 1.0 / 3}}, {}, {}, none};
  results.fig2 = Figure2{};
  results.fig3 = Figure3{{{"a", "k", 2, -1, 1, 2, {90, 1, 2}, {1e-5, 0, 2}}}, {{"a", {80, 0.5, 2}}}, {}, 0};
  results.table1 = Table1{{"a"}, {{"rbf", "RBF", "", true}, {"own", "ours", "", false}}, {}, {}, 0};
  results.table1->cells.resize(2);
  results.table1->cells[0] = {"a", "rbf", {92, 0.5, 2}, 4, 8, 0.25, 1.5, Published{91, 0.5}, 0.5, true};
  results.table1->cells[1] = {"a", "own", {std::numeric_limits<double>::infinity(), none, 1}, 4, 8, none, 1.5, {}, 0, {}};
  return results;
}

TEST(ReportNumbers, AreNullInJsonWhereThereIsNoneAndTextIsValid) {
  const Json json = Json::parse(json_of(small_results()).dump());  // throws if a string is no UTF-8
  EXPECT_EQ(json["run"]["notices"][0], cleaned);
  EXPECT_EQ(json["fig1"]["points"][0]["estimate"], (Json{{"mean", 0.1}, {"std", nullptr}, {"n_trials", 1}}));
  EXPECT_EQ(json["fig1"]["points"][0]["exact"], 1.0 / 3);
  EXPECT_TRUE(json["fig1"]["seconds"].is_null());
  EXPECT_EQ(json["cells"][0]["difference"], 2);
  EXPECT_EQ(json["cells"][0]["pass"], true);
  for (const char* field : {"mean", "paper", "paper_std", "allowed_std", "difference", "pass"})
    EXPECT_TRUE(json["cells"][1].at(field).is_null()) << field;
  EXPECT_FALSE(json_of({}).contains("fig1"));
}

TEST(ReportNumbers, AreTidyInCsv) {
  const auto files = csv_files(json_of(small_results()));
  EXPECT_EQ(files.at("fig1.csv"),
            "kernel,part,n_frequencies,n_trials,mean,std,exact\n\"<b>, \"\"quoted\"\" \uFFFD  #\",real_positive,2,1,0.1,,"
            "0.3333333333333333\n");
  EXPECT_EQ(files.at("fig2.csv"), "dataset,kernel,method,dim,multiple,n_frequencies,n_features,n_trials,mean,std\n");
  EXPECT_EQ(files.at("fig3.csv"),
            "dataset,kernel,dim,log2_multiple,n_frequencies,n_features,n_trials,accuracy_mean,accuracy_std,sampling_seconds_mean,"
            "sampling_seconds_std\na,k,2,-1.0,1,2,2,90.0,1.0,1e-05,0.0\na,linear,,,,,2,80.0,0.5,,\n");
  EXPECT_EQ(files.at("table1.csv"),
            "dataset,row,n_frequencies,n_features,n_trials,mean,std,paper,paper_std,difference,pass,training_seconds,microseconds_per_row\n"
            "a,rbf,4,8,2,92.0,0.5,91.0,0.5,2.0,true,0.25,1.5\na,own,4,8,1,,,,,,,,1.5\n");
  EXPECT_TRUE(csv_files(json_of({})).empty());
}

class Report : public TemporaryFiles {
 protected:
  /// A program called python3 that does what the text says is the only one there.
  PageProblem page_by(const std::string& body, const PageLimits& limits = {}) {
    write("python3", "#!/bin/sh\n" + body + "\n");
    ::chmod(path("python3").c_str(), 0755);
    const EnvironmentVariable here("PATH", folder().string());
    std::filesystem::create_directories(path("it's mine"));
    return make_page(path("it's mine"), limits);
  }
};

TEST_F(Report, IntoAFolderThatCannotBe) {
  const std::string file = write("file", "");
  EXPECT_TRUE(contains(message_of<WriteError>([&] { write_numbers({}, file + "/report"); }), file));
}

TEST_F(Report, WithoutPythonSaysHowThePageIsMadeLater) {
  const EnvironmentVariable nowhere("PATH", folder().string());
  const PageProblem problem = make_page(path("it's mine"));
  EXPECT_FALSE(problem.failed);
  EXPECT_TRUE(contains(problem.what, "python3 cannot be started: No such file"));
  EXPECT_TRUE(contains(problem.what, "report.py '" + path("it'\\''s mine") + "'"));
}

TEST_F(Report, WithoutAPackageQuotesWhatIsMissing) {
  const PageProblem problem = page_by("echo noise >&2; echo 'report.py: no matplotlib' >&2; exit 3");
  EXPECT_FALSE(problem.failed);
  EXPECT_TRUE(starts_with(problem.what, "no page was made: report.py: no matplotlib; the numbers are kept"));
}

TEST_F(Report, QuotesAProgramThatFails) {
  const PageProblem problem = page_by("echo 'it broke' >&2; exit 1");
  EXPECT_TRUE(problem.failed);
  EXPECT_TRUE(contains(problem.what, "python3 failed and said \"it broke\""));
}

TEST_F(Report, IsMadeByAProgramThatCtrlCDoesNotReach) {
  const PageProblem problem = page_by("kill -INT 0");
  EXPECT_TRUE(problem.failed);
  EXPECT_TRUE(contains(problem.what, "python3 was ended by signal 2")) << "and we were not";
}

TEST_F(Report, GivesTheProgramTheFolder) {
  EXPECT_EQ(page_by("[ -f \"$1\" ] && [ \"$2\" = '" + path("it'\\''s mine") + "' ] && : > \"$2/index.html\"").what, "");
}

TEST_F(Report, DoesNotBelieveAProgramThatWritesNothing) {
  std::filesystem::create_directories(path("it's mine"));
  write("it's mine/index.html", "of another run");
  const PageProblem problem = page_by("exit 0");
  EXPECT_TRUE(problem.failed);
  EXPECT_TRUE(contains(problem.what, "python3 ended well but wrote none"));
  EXPECT_FALSE(std::filesystem::exists(path("it's mine/index.html")));
}

TEST_F(Report, EndsAProgramThatHangs) {
  const PageProblem problem = page_by("exec /bin/sleep 60", {.max_time = std::chrono::milliseconds(100)});
  EXPECT_TRUE(problem.failed);
  EXPECT_TRUE(contains(problem.what, "python3 took too long and was ended"));
}

}  // namespace
}  // namespace askrff::test
