// askrff diagnose: fields, table, picture, refusals.
#include "cli/command.hpp"

#include <fstream>
#include <sstream>

namespace askrff::test {
namespace {

using nlohmann::json;

const Arguments diagnose{"diagnose", "--data", "builtin:uniform:3:300", "--kernel", "sinh-gaussian"};

TEST(DiagnoseCommand, Fields) {
  const json report = run_json(diagnose + Arguments{"--rows", "100", "--seed", "4"});
  EXPECT_EQ(report.at("kernel"), "sinh-gaussian");
  EXPECT_EQ(report.at("dim"), 3);
  EXPECT_EQ(report.at("data_rows"), 300);
  EXPECT_EQ(report.at("rows"), 100);
  EXPECT_EQ(report.at("seed"), 4);
  EXPECT_EQ(report.at("scale"), "minmax");
  EXPECT_EQ(report.at("class"), "asymmetric");
  EXPECT_EQ(report.at("shift_invariant"), true);
  EXPECT_EQ(report.at("smoothness"), "smooth");
  EXPECT_TRUE(report.at("decay").is_null());  // faster than any power
  EXPECT_EQ(report.at("integrable"), true);
  EXPECT_EQ(report.at("has_measure"), true);
  EXPECT_TRUE(report.at("plot").is_null());
  for (const char* field :
       {"symmetric_share", "skew_share", "negative_share", "smallest_eigenvalue", "largest_eigenvalue", "total_variation"})
    EXPECT_TRUE(report.at(field).is_number()) << field;
  for (const char* field : {"features_for_1e-2", "features_for_1e-3"}) EXPECT_TRUE(report.at(field).is_number_unsigned()) << field;
  for (const char* field : {"route", "reason", "measure"}) EXPECT_FALSE(report.at(field).get<std::string>().empty()) << field;
  EXPECT_EQ(report.at("singular_values").size(), 100u);
  EXPECT_EQ(report.at("lines").size(), 4u);
  EXPECT_EQ(report.at("lines")[0].at("at").size(), report.at("lines")[0].at("value").size());
}

TEST(DiagnoseCommand, ATableForPeople) {
  const Outcome outcome = run(diagnose);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* text : {"class", "asymmetric", "skew share", "smoothness", "features for 1e-3", "recommended: "})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text;
}

TEST(DiagnoseCommand, APicture) {
  const TemporaryFolder folder;
  const std::string path = folder.file("kernel.svg");
  const Outcome outcome = run(diagnose + Arguments{"--plot", path});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const std::string svg = text.str();
  EXPECT_TRUE(svg.starts_with("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  for (const char* part : {"k along lines", "skew part", "density of the Fourier measure", "singular values", "diagonal"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(DiagnoseCommand, Refusals) {
  expect_refused(diagnose + Arguments{"--rows", "1"}, {"--rows"});
  expect_refused(diagnose + Arguments{"--rows", "5000"}, {"--rows"});
  expect_refused(diagnose + Arguments{"--plot", "/nowhere/at/all.svg"}, {"--plot"});
  expect_refused({"diagnose", "--kernel", "gaussian"}, {"--data"});
  expect_refused({"diagnose", "--kernel", "gausian", "--data", "builtin:moons"}, {"gausian"});
}

}  // namespace
}  // namespace askrff::test
