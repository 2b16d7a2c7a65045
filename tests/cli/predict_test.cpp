// askrff predict: labels and numbers of new rows, files that are not to be written over, and what it says of labels it does not know.
#include <sys/stat.h>

#include "cli/training.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;
using Predict = Train;

TEST_F(Predict, RefusesOtherColumnsAndFiles) {
  const std::string data = folder.write("train.csv", sectors(100, {"a", "b"}));
  ASSERT_EQ(run(train(data, kernel + Arguments{"--label", "kind", "--c", "1"})).exit_code, 0);
  expect_refused(predict(folder.write("narrow.csv", "x\n1\n")), {"narrow.csv", "1 column", "2"});
  expect_refused(predict(folder.write("swapped.csv", "y,x\n1,2\n")), {"column 1", "y", "x"});
  expect_refused(predict(folder.write("wide.libsvm", "a 1:1 3:2\n")), {"wide.libsvm:1", "beyond"});
  expect_refused(predict(data, {"--label", "none"}), {"none"});
  expect_refused({"predict", "--model", data, "--data", data}, {"train.csv"});
  expect_refused({"predict", "--model", folder.file("gone.askrff"), "--data", data}, {"gone.askrff"});
  expect_refused(predict(data), {"train.csv", "3 columns", "2", "--label"});
  expect_refused(predict(data, {"--label", ""}), {"--label", "expected"});
  const std::string map = folder.file("map.askrff");
  ASSERT_EQ(run({"choose", "--data", "builtin:uniform:2:100", "--kernel", "gaussian", "--frequencies", "8", "--out", map}).exit_code, 0);
  expect_refused({"predict", "--model", map, "--data", data, "--label", "kind"}, {"map.askrff", "map"});
}

TEST_F(Predict, TakesNarrowLibsvmAndUnknownLabels) {
  const std::string data = folder.write("train.libsvm", "1 1:0 2:1\n-1 1:1 2:0\n1 1:0.1 2:0.9\n-1 1:0.9 2:0.1\n");
  ASSERT_EQ(run(train(data, {"--kernel", "gaussian", "--frequencies", "32", "--sigma", "0.5", "--c", "10"})).exit_code, 0);
  const Outcome outcome = run(predict(folder.write("test.libsvm", "-1.0 1:1\n+1 2:1\n7 1:1\n"), {"--json"}));
  EXPECT_EQ(outcome.exit_code, 0);
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report.at("rows"), 3);
  EXPECT_NEAR(report.at("accuracy").get<double>(), 2.0 / 3, 1e-12);
  EXPECT_EQ(report.at("unknown_labels"), 1);
  EXPECT_NE(outcome.err.find("1 of 3 rows"), std::string::npos) << outcome.err;
}

TEST_F(Predict, WritesOverNoneOfItsFiles) {
  const std::string data = folder.write("train.csv", sectors(100, {"a", "b"})), labels = folder.write("labels", "a\nb\n");
  ASSERT_EQ(run(train(data, kernel + Arguments{"--label", "kind", "--c", "1"})).exit_code, 0);
  for (const char* option : {"--out", "--scores"}) {
    expect_refused(predict(data, {"--label", "kind", option, model}), {option, "--model"});
    expect_refused(predict(data, {"--label", "kind", option, data}), {option, "--data"});
    expect_refused(predict(data, {"--labels", labels, option, labels}), {option, "--labels"});
    expect_refused(predict(data, {"--label", "kind", option, ""}), {option, "expected the name of a file"});
  }
  expect_refused(predict(data, {"--label", "kind", "--out", folder.file("new"), "--scores", folder.file("./new")}), {"--scores", "--out"});
  EXPECT_FALSE(std::filesystem::exists(folder.file("new")));
  EXPECT_EQ(content_of(labels), "a\nb\n");
}

TEST_F(Predict, LabelsThatAreNoNumbersHaveNoError) {
  ASSERT_EQ(
      run(train(folder.write("train.csv", surface(200)), kernel + Arguments{"--label", "z", "--model", "ridge", "--c", "1"})).exit_code, 0);
  const std::string words = folder.write("words.csv", "x,y,z\n0.1,0.2,low\n0.3,0.4,high\n");
  const Outcome outcome = run(predict(words, {"--label", "z"}));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out.find("nan"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("2 of 2 rows have labels that are no numbers"), std::string::npos) << outcome.err;
  EXPECT_TRUE(json::parse(run(predict(words, {"--label", "z", "--json"})).out).at("rmse").is_null());
}

TEST_F(Predict, CountsWhatIsTakenForWhatUpTo100Classes) {
  for (const int n_classes : {100, 101}) {
    std::string text;
    for (int i = 0; i < 4 * n_classes; ++i) text += std::to_string(i % n_classes) + " 1:" + std::to_string(i % n_classes) + "\n";
    const std::string data = folder.write("many.libsvm", text);
    ASSERT_EQ(run(train(data, {"--kernel", "linear", "--model", "ridge", "--task", "classification", "--c", "1"})).exit_code, 0);
    const json report = run_json(predict(data));
    EXPECT_EQ(report.at("confusion").is_null(), n_classes > 100);
    EXPECT_EQ(report.at("classes").size(), static_cast<std::size_t>(n_classes));
  }
}

TEST_F(Predict, KeepsThePermissionsOfAFileItReplaces) {
  ASSERT_EQ(run(train("builtin:moons:100", kernel + Arguments{"--c", "1"})).exit_code, 0);
  const std::string out = folder.write("secret.txt", "old");
  ASSERT_EQ(chmod(out.c_str(), 0600), 0);
  run_json(predict("builtin:moons:10", {"--out", out}));
  struct stat status {};
  ASSERT_EQ(stat(out.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  EXPECT_EQ(lines_of(out).size(), 10U);
}

}  // namespace
}  // namespace askrff::test
