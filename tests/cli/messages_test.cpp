// What is said must be true, name the file and give advice that helps.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "cli/command.hpp"

namespace askrff::test {
namespace {

/// Rows of two columns, and a third of the caller's.
std::string table(std::size_t n_rows, const std::function<std::string(std::size_t)>& third) {
  std::string text;
  for (std::size_t i = 0; i < n_rows; ++i)
    text += std::to_string(0.01 * static_cast<double>(i * 37 % 101)) + "," + std::to_string(0.01 * static_cast<double>(i * 53 % 97)) + "," +
            third(i) + "\n";
  return text;
}

class Messages : public ::testing::Test {
 protected:
  std::string measured() const {
    return folder_.write("measured.csv", table(60, [](std::size_t i) { return std::to_string(0.1234 * static_cast<double>(i)); }));
  }
  Arguments train(const std::string& data) const {
    return {"train", "--data", data, "--label", "3", "--kernel", "gaussian", "--frequencies", "16", "--out", folder_.file("m.askrff")};
  }
  const TemporaryFolder folder_;
};

TEST_F(Messages, NumbersAreForRidge) {
  expect_refused(train(measured()), {"measured.csv: 60 different labels on 60 rows, '0.123400' among them", "ridge predicts numbers"});
  EXPECT_EQ(run(train(measured()) + Arguments{"--model", "ridge"}).exit_code, 0);
  const std::string constant = folder_.write("constant.csv", table(60, [](std::size_t) { return "5"; }));
  expect_refused(train(constant) + Arguments{"--model", "ridge"}, {"all 60 rows have the label '5'", "or ridge and the task regression"});
  EXPECT_EQ(run(train(constant) + Arguments{"--model", "ridge", "--task", "regression"}).exit_code, 0);
  const std::string word = folder_.write("word.csv", table(60, [](std::size_t) { return "a"; }));
  expect_refused(train(word), {"word.csv: all 60 rows have the label 'a', expected at least two classes\n"});
}

TEST_F(Messages, ErrorsOfHugeLabelsAreNumbers) {
  ASSERT_EQ(run(train(measured()) + Arguments{"--model", "ridge"}).exit_code, 0);
  const std::string huge = folder_.write("huge.csv", table(60, [](std::size_t i) { return i % 2 == 0 ? "1e300" : "-1e300"; }));
  const Arguments predict{"predict", "--model", folder_.file("m.askrff"), "--data", huge, "--label", "3"};
  const auto report = run_json(predict);
  EXPECT_DOUBLE_EQ(report.at("rmse").get<double>(), 1e300);
  EXPECT_NEAR(report.at("r_squared").get<double>(), 0, 1e-12);
  EXPECT_NE(run(predict).out.find("root mean squared error 1e+300, R²"), std::string::npos);
}

TEST_F(Messages, TooFewRowsAreThoseOfAFile) {
  const std::string few = folder_.write("few.csv", table(10, [](std::size_t i) { return std::to_string(i % 2); }));
  const std::string message = "few.csv: 10 rows, expected at least 24";
  expect_refused({"choose", "--data", few, "--kernel", "gaussian", "--out", folder_.file("m.askrff")}, {message});
}

TEST_F(Messages, NothingIsReachedWithoutATolerance) {
  const Arguments choose{"choose", "--data", "builtin:uniform:2:100", "--kernel", "gaussian", "--frequencies",
                         "16",     "--out",  folder_.file("m.askrff")};
  const auto report = run_json(choose);
  EXPECT_TRUE(report.at("reached").is_null());
  EXPECT_TRUE(report.at("certificate").at("reached").is_null());
  const auto approx = run_json({"approx", "--data", "builtin:uniform:2:100", "--kernel", "gaussian", "--frequencies", "16"});
  EXPECT_TRUE(approx.at("certificate").at("reached").is_null());
}

TEST_F(Messages, KernelsThatAreZero) {
  const Arguments exact{"--scale", "none", "--estimator", "jordan", "--weights", "exact", "--frequencies", "4"};
  const std::string one = folder_.write("one.csv", "0.5,0.25\n");
  expect_refused(Arguments{"approx", "--data", one, "--kernel", "difference-of-gaussians", "--sigma", "1", "--sigma2", "2", "--weight", "1",
                           "--points", "1"} +
                     exact,
                 {"the exact kernel matrix of the rows is zero, or nearly so"});
  expect_refused(Arguments{"transform", "--data", one, "--kernel", "sinh-gaussian", "--drop-tolerance", "0.9", "--side", "left", "--out",
                           folder_.file("o")} +
                     exact,
                 {"no part of the measure has more than the share 0.9 of its mass", "expected a smaller drop tolerance"});
}

TEST_F(Messages, InWordsOfTheCommandLine) {
  expect_refused({"masses", "--kernel", "gaussian", "--method", "subset", "--data", folder_.write("one.csv", "0.5,0.25\n")},
                 {"a subset of 50 rows, but the data has 1"});
  expect_refused({"info", "--data", "builtin:uniform:10000001"}, {"builtin:uniform:10000001: 10000001 columns, expected at most 10000000"});
}

}  // namespace
}  // namespace askrff::test
