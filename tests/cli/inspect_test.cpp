// askrff inspect: every fact of a file, for people and for programs, and nothing in a file that a terminal would act upon.
#include "cli/command.hpp"

#include "pipeline/sample_models.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;

class Inspect : public ::testing::Test {
 protected:
  std::string saved(const Model& model) const {
    model.save(folder_.file("m.askrff"));
    return folder_.file("m.askrff");
  }
  std::string saved(const Map& map) const {
    map.save(folder_.file("m.askrff"));
    return folder_.file("m.askrff");
  }
  static std::string text_of(const std::string& file) {
    const Outcome outcome = run({"inspect", file});
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
  static void expect_parts(const std::string& text, const std::vector<std::string>& parts) {
    for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << "no \"" << part << "\" in\n" << text;
  }

  const TemporaryFolder folder_;
};

TEST_F(Inspect, AModelForPrograms) {
  const std::string file = saved(fourier_classifier());
  const json report = run_json({"inspect", file});
  EXPECT_EQ(report.at("file"), file);
  EXPECT_EQ(report.at("holds"), "model");
  EXPECT_EQ(report.at("format_version"), 1);
  EXPECT_EQ(report.at("bytes"), std::filesystem::file_size(file));
  EXPECT_EQ(report.at("checksum").get<std::string>().size(), 16u);
  EXPECT_EQ(report.at("dim"), 3);
  EXPECT_EQ(report.at("scaling"), "minmax");
  EXPECT_EQ(report.at("kernel"), "shift-gaussian");
  EXPECT_EQ(report.at("parameters").at("sigma"), 1.5);
  EXPECT_TRUE(report.at("certificate").is_null());
  const json& map = report.at("map");
  EXPECT_EQ(map.at("kind"), "fourier");
  EXPECT_EQ(map.at("side"), "classifier");
  EXPECT_EQ(map.at("estimator"), "jordan");
  EXPECT_EQ(map.at("n_frequencies"), 12);
  EXPECT_EQ(map.at("n_features"), 24);
  ASSERT_EQ(map.at("parts").size(), 3u);
  EXPECT_EQ(map.at("parts")[2].at("part"), "imaginary_positive");
  const json& model = report.at("model");
  EXPECT_EQ(model.at("task"), "classification");
  EXPECT_EQ(model.at("classes").get<std::vector<std::string>>(), odd_labels());
  EXPECT_EQ(model.at("precision"), "float64");
  EXPECT_EQ(model.at("c"), 0.1);
  EXPECT_EQ(model.at("training_rows"), 1234);
  EXPECT_EQ(model.at("seed"), 18446744073709551615u);
  EXPECT_EQ(model.at("cross_validation").at("measure"), "accuracy");
  EXPECT_EQ(model.at("cross_validation").at("tried").size(), 3u);
  EXPECT_EQ(model.at("cross_validation").at("tried")[0].at("score"), 0.75);
}

TEST_F(Inspect, AModelForPeople) {
  expect_parts(text_of(saved(fourier_classifier())),
               {"m.askrff", "a model, format version 1", "of 3 columns; scaling: every column to [0,1]",
                "shift-gaussian (sigma = 1.5, shift = 0.7/d)", "24, classifier side, of 12 frequencies",
                "jordan estimator, exact sampler, exact weights", "imaginary_positive", "classification in float64",
                "3: -1, größer \"2\",\\x0a, a\\x00b", "svm (newton) on 1234 rows, C = 0.1", "askrff train --data 'a b.csv'",
                "seed 18446744073709551615", "C tried", "accuracy", "0.333333"});
  expect_parts(text_of(saved(nystrom_regression())), {"5, right side, of 9 landmarks", "regression", "mean 0 and standard deviation 1"});
  expect_parts(text_of(saved(structured_classifier())), {"20 structured frequencies", "not one of the registry", "2: no, yes", "float32"});
  expect_parts(text_of(saved(linear_regression())), {"4, the columns themselves"});
}

TEST_F(Inspect, AMap) {
  const std::string file = saved(calibrated_map());
  expect_parts(text_of(file), {"a feature map", "polar estimator", "it was the best", "askrff choose --tolerance 1e-3", "seed", "9",
                               "Certificate: on 20 rows", "was NOT reached"});
  const json report = run_json({"inspect", file});
  EXPECT_EQ(report.at("holds"), "map");
  EXPECT_TRUE(report.at("model").is_null());
  EXPECT_TRUE(report.at("certificate").at("upper").is_null());  // JSON has no infinity
  EXPECT_EQ(report.at("certificate").at("reached"), false);
  EXPECT_TRUE(report.at("map").at("calibration").is_object());
  EXPECT_EQ(report.at("map").at("seed"), 9);
}

TEST_F(Inspect, NothingActsOnTheTerminal) {
  Model model = structured_classifier();
  model.classes = {"\x1b[31mred", "\xff\xc2\x9b"};
  model.training.command = "line\nbreak\x07";
  model.training.cv_measure = "a\tb";
  for (const char c : text_of(saved(model))) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  EXPECT_EQ(run_json({"inspect", folder_.file("m.askrff")}).at("model").at("classes").size(), 2u);  // valid JSON in spite of the bytes
}

TEST_F(Inspect, Refusals) {
  expect_refused({"inspect"}, {"FILE", "inspect --help"});
  expect_refused({"inspect", folder_.file("absent")}, {"absent", "cannot be opened"});
  expect_refused({"inspect", folder_.write("text", "hello")}, {"text", "is not a model or map"});
  const Outcome help = run({"inspect", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  expect_parts(help.out, {"Examples:", "askrff inspect model.askrff"});
}

}  // namespace
}  // namespace askrff::test
