// askrff info.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "cli/command.hpp"
#include "support/shared.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;

TEST(Info, Fields) {
  const json report = run_json({"info", "--data", "-", "--label", "kind"}, "a,kind,b\n1,x,0\n1,y,2\n1,x,0\n");
  EXPECT_EQ(report.at("data"), "-");
  EXPECT_EQ(report.at("rows"), 3);
  EXPECT_EQ(report.at("columns"), 2);
  EXPECT_EQ(report.at("zeros"), 2);
  EXPECT_NEAR(report.at("zero_share").get<double>(), 1.0 / 3, 1e-15);
  EXPECT_EQ(report.at("repeated_rows"), 1);
  EXPECT_EQ(report.at("constant_columns"), json::array({1}));
  EXPECT_EQ(report.at("labels").at("classes"), json::parse(R"([{"label":"x","rows":2},{"label":"y","rows":1}])"));
  EXPECT_EQ(report.at("ranges").size(), 2u);
  EXPECT_EQ(report.at("ranges")[1],
            json::parse(R"({"column":2,"name":"b","lowest":0.0,"mean":0.6666666666666666,"highest":2.0,"zeros":2})"));
}

TEST(Info, ArrowFromAFileAndThroughAPipe) {
  const std::string path = std::string(ASKRFF_SOURCE_DIR) + "/fuzz/corpus/arrow/label-dictionary";
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const json of_file = run_json({"info", "--data", path, "--label", "l"}), piped = run_json({"info", "--data", "-", "--label", "l"}, bytes);
  EXPECT_EQ(of_file.at("rows"), 5);
  EXPECT_EQ(of_file.at("ranges").at(0).at("name"), "x");
  EXPECT_EQ(of_file.at("ranges"), piped.at("ranges"));
  EXPECT_EQ(of_file.at("labels"), piped.at("labels"));
  expect_refused({"info", "--data", "-", "--format", "arrow"}, {"column 'l' holds categories", "one-hot"}, bytes);
  expect_refused({"info", "--data", path, "--format", "arrow", "--columns", "4"}, {"--columns", "only for LIBSVM data"});
}

TEST(Info, Text) {
  const Outcome outcome = run({"info", "--data", "builtin:moons:10"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");  // no progress where nobody watches
  for (const char* part :
       {"builtin:moons:10: 10 rows × 2 columns", "labels            2 classes", "constant columns  none", "+1        5  50.0 %"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in\n" << outcome.out;
}

TEST(Info, ManyColumnsAreShortenedForPeopleOnly) {
  const Outcome outcome = run({"info", "--data", "builtin:uniform:100:50"});
  EXPECT_NE(outcome.out.find("… 76 more"), std::string::npos) << outcome.out;
  EXPECT_LT(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 40);
  EXPECT_EQ(run_json({"info", "--data", "builtin:uniform:100:50"}).at("ranges").size(), 100u);
}

TEST(Info, WordsOfTheFileCannotDisturbTheTable) {
  const std::string csv = "\"two\nlines\x1b[2J\",kind\n1,\"" + std::string(500, 'x') + "\"\n2,y\n";
  const Outcome outcome = run({"info", "--data", "-", "--label", "kind"}, csv);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find('\x1b'), std::string::npos);
  EXPECT_NE(outcome.out.find("two\\x0alines\\x1b[2J"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find(std::string(60, 'x')), std::string::npos);
}

TEST(Info, BytesThatAreNoTextAreShownAsNumbers) {
  const Outcome outcome = run({"info", "--data", "-", "--label", "kind"}, "a,kind\n1,\xff\xfe\n2,y\n");
  EXPECT_NE(outcome.out.find("\\xff\\xfe"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find('\xff'), std::string::npos);
  expect_refused({"info", "--data", "no\xff-such"}, {"no\\xff-such"});
  expect_refused({"info", "--data", "-", "--label", "kind\xff"}, {"kind\\xff"}, "a,kind\n1,2\n");
  expect_refused({"in\xff"}, {"in\\xff"});
}

TEST(Info, LabelsInAFile) {
  const TemporaryFolder folder;
  const std::string rows = folder.write("x.csv", "1\n2\n3\n"), labels = folder.write("y.txt", "a\nb\na\n");
  EXPECT_EQ(run_json({"info", "--data", rows, "--labels", labels}).at("labels").at("classes").size(), 2u);
  EXPECT_TRUE(run_json({"info", "--data", rows}).at("labels").is_null());
  expect_refused({"info", "--data", rows, "--labels", labels, "--label", "1"}, {"--label", "--labels"});
  expect_refused({"info", "--data", rows, "--labels", folder.write("z.txt", "a\n\nb\n")}, {"z.txt:2: the line is blank"});
}

// How wide the rows are is known at the end of the pipe.
TEST(Info, LibsvmFromAPipe) {
  const nlohmann::json info = run_json({"info", "--data", "-"}, "1 1:2\n0 3:1\n1\n");
  EXPECT_EQ(info.at("rows"), 3);
  EXPECT_EQ(info.at("columns"), 3);
  EXPECT_EQ(info.at("labels").at("classes").size(), 2u);
}

TEST(Info, Refused) {
  expect_refused({"info"}, {"--data"});
  expect_refused({"info", "--data", "builtin:moons", "--scale", "minmax"}, {"--scale"});
  expect_refused({"info", "--data", "-", "--format", "libsvm"}, {"standard input", "no rows"}, "");
  expect_refused({"info", "--data", "-", "--format", "libsvm"}, {"standard input", "without a single index:value"}, "1\n2\n");
  expect_refused({"info", "--data", "-"}, {"standard input:2"}, "1,2\n3\n");
  expect_refused({"info", "--data", "builtin:moons", "--columns", "2"}, {"--columns"});
}

TEST(Info, RealData) {
  ASKRFF_NEED_SHARED("data/letter.libsvm.xz");
  const json report = run_json({"info", "--data", (shared_dir() / "data/letter.libsvm.xz").string()});
  EXPECT_EQ(report.at("rows"), 20000);
  EXPECT_EQ(report.at("columns"), 16);
  EXPECT_EQ(report.at("labels").at("classes").size(), 26u);
}

}  // namespace
}  // namespace askrff::test
