// askrff train: where rows and labels may come from, what labels mean, and work that is refused before it starts.
#include <sys/stat.h>

#include <thread>

#include "cli/training.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;
using TrainInputs = Train;

/// A named pipe and somebody who writes into it.
class Pipe {
 public:
  Pipe(std::string path, std::string content) : path_(std::move(path)) {
    if (mkfifo(path_.c_str(), 0600) != 0) throw std::runtime_error("mkfifo failed");
    writer_ = std::thread([this, text = std::move(content)] { std::ofstream(path_, std::ios::binary) << text; });
  }
  ~Pipe() { writer_.join(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

 private:
  std::string path_;
  std::thread writer_;
};

TEST_F(TrainInputs, PipesLoseNoRows) {
  const std::string text = surface(3000), data = folder.write("train.csv", text);
  const Arguments how = kernel + Arguments{"--label", "z", "--model", "ridge", "--c-grid", "1,100", "--format", "csv"};
  const json from_file = run_json(train(data, how));
  const Pipe pipe(folder.file("pipe"), text);
  const json piped = run_json(train(folder.file("pipe"), how));
  EXPECT_EQ(piped.at("train_rows"), 3000);
  EXPECT_EQ(piped.at("train_rmse"), from_file.at("train_rmse"));
}

TEST_F(TrainInputs, LabelsFromAPipe) {
  std::string labels;
  for (int i = 0; i < 300; ++i) labels += std::to_string(i % 7) + ".5\n";
  const Pipe pipe(folder.file("labels"), labels);
  const json report = run_json(train("builtin:uniform:2:300", kernel + Arguments{"--labels", folder.file("labels"), "--model", "ridge"}));
  EXPECT_EQ(report.at("train_rows"), 300);
  EXPECT_EQ(report.at("task"), "regression");
}

TEST_F(TrainInputs, NeitherLabelsNorOpenFilesAreWrittenOver) {
  const std::string labels = folder.write("labels", "a\nb\n"), data = folder.write("train.csv", "1\n2\n");
  expect_refused({"train", "--data", data, "--labels", labels, "--kernel", "gaussian", "--out", labels}, {"--out", "--labels"});
  std::filesystem::create_symlink("/dev/stdout", folder.file("link"));
  const Arguments names{"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", folder.file("link")};
  for (const std::string& out : names)
    expect_refused(Arguments{"train", "--data", "builtin:moons:50", "--out", out} + kernel, {"--out", "standard output"});
}

TEST_F(TrainInputs, OneWordAmongNumbersIsAnError) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += std::to_string(i) + "," + (i == 41 ? "12O" : std::to_string(2 * i)) + "\n";
  const std::string data = folder.write("train.csv", text);
  expect_refused(train(data, kernel + Arguments{"--label", "2", "--model", "ridge"}), {"row 42", "12O", "99 of 100", "classification"});
  expect_refused(train(data, kernel + Arguments{"--label", "2", "--model", "ridge", "--task", "regression"}), {"row 42", "numbers"});
  EXPECT_EQ(run(train(data, {"--kernel", "linear", "--label", "2", "--model", "ridge", "--task", "classification", "--c", "1"})).exit_code,
            0);
}

TEST_F(TrainInputs, MissingLabelsAreErrorsInEveryFormat) {
  for (const std::string missing : {"nan", "NA", "?", "null", "inf", "-inf"}) {
    expect_refused(train(folder.write("f.libsvm", "1 1:1\n" + missing + " 1:2\n"), kernel), {"f.libsvm:2", missing, "missing"});
    expect_refused(train(folder.write("f.csv", "1,a\n2," + missing + "\n"), kernel + Arguments{"--label", "2"}),
                   {"f.csv:2", missing, "missing"});
    expect_refused(train("builtin:uniform:2:2", kernel + Arguments{"--labels", folder.write("labels", "a\n" + missing + "\n")}),
                   {"labels:2", missing, "missing"});
  }
}

TEST_F(TrainInputs, LabelsAreOneLine) {
  expect_refused(train(folder.write("f.csv", "1,a\n2,\"b\nc\"\n"), kernel + Arguments{"--label", "2", "--c", "1"}),
                 {"row 2", "line breaks"});
}

TEST_F(TrainInputs, LargeWholeNumbersAreClassesOfTheirOwn) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "9007199254740992 1:0\n9007199254740993 1:1\n";
  const std::string data = folder.write("f.libsvm", text);
  const json report = run_json(train(data, kernel + Arguments{"--c", "1"}));
  EXPECT_EQ(report.at("classes").size(), 2U);
  EXPECT_EQ(run_json(predict(data)).at("accuracy"), 1.0);
  EXPECT_EQ(run_json({"info", "--data", data}).at("labels").at("classes").size(), 2U);
}

TEST_F(TrainInputs, RefusesWhatNoMemoryHolds) {
  // Where the guard is missing these ask for tens of terabytes at once, which no system gives.
  const std::string data = folder.write("train.csv", surface(100));
  expect_refused(train(data, {"--label", "z", "--kernel", "gaussian", "--frequencies", "1000000", "--model", "ridge"}),
                 {"2000000 features", "memory", "frequencies"});
  expect_refused(train("builtin:moons:100", {"--kernel", "gaussian", "--frequencies", "1000000000000"}), {"--frequencies", "GiB"});
  expect_refused(train("builtin:moons:100", {"--kernel", "gaussian", "--frequencies", "100000000", "--estimator", "nystrom"}),
                 {"200000000 features", "memory"});
}

TEST_F(TrainInputs, WideDataNeedNoRoomForDefaults) {
  const std::string data = folder.write("wide.libsvm", "1 200000:1\n-1 1:1\n");
  for (const char* name : {"gaussian", "linear"}) {
    const Arguments few = std::string(name) == "linear" ? Arguments{} : Arguments{"--frequencies", "4"};
    EXPECT_EQ(run_json(train(data, Arguments{"--kernel", name, "--c", "1"} + few)).at("dim"), 200'000) << name;
  }
}

TEST_F(TrainInputs, AToleranceFindsTheNumberOfFeatures) {
  const Arguments call{"--kernel", "laplacian", "--tolerance", "1e-2", "--max-frequencies", "64"};
  const Outcome outcome = run(train("builtin:moons:400", call));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("in cross-validation, "), std::string::npos) << outcome.out;
  const json report = run_json(train("builtin:moons:400", call));
  EXPECT_EQ(report.at("sizes").at(0).at("n_features"), 64);
  EXPECT_LE(report.at("n_features"), 128);
  EXPECT_TRUE(report.at("certificate").at("reached").is_null());
  const json one_c = run_json(train("builtin:moons:400", call + Arguments{"--c", "3"}));
  EXPECT_EQ(one_c.at("sizes").at(0).at("c"), 3);
  // The number only: how maps are made is as free as without a tolerance, and part of the command.
  const json exact = run_json(train("builtin:moons:400", call + Arguments{"--sampler", "exact", "--weights", "exact"}));
  EXPECT_NE(exact.at("certificate").at("error"), report.at("certificate").at("error"));
}

TEST_F(TrainInputs, RareClassesAreTriedToo) {
  std::ostringstream csv;
  for (int i = 0; i < 30'000; ++i) {
    RandomStream random(3, Purpose::builtin_data, static_cast<std::uint64_t>(i));
    csv << random.normal() << ',' << random.normal() << ',' << (i % 1500 == 700 ? "rare" : random.below(2) == 0 ? "a" : "b") << '\n';
  }
  const std::string data = folder.write("train.csv", csv.str());
  for (const char* trainer : {"svm", "ridge"}) {
    const json report = run_json(train(data, {"--label", "3", "--kernel", "gaussian", "--sigma", "0.2", "--frequencies", "4", "--tune",
                                              "sigma", "--model", trainer, "--c-grid", "1"}));
    for (const json& trial : report.at("tuned")) EXPECT_TRUE(trial.at("score").is_number()) << trial;
  }
}

TEST_F(TrainInputs, TuningSaysWhatItTried) {
  const Arguments how{"--kernel", "shift-gaussian", "--sigma",     "1e150", "--shift", "0.1,0.2", "--frequencies",
                      "4",        "--tune",         "sigma,shift", "--c",   "1"};
  const json report = run_json(train("builtin:moons:100", how));
  std::size_t n_refused = 0;
  for (const json& trial : report.at("tuned")) {
    EXPECT_EQ(trial.at("shift").size(), 2U);
    EXPECT_EQ(trial.at("score").is_null(), trial.contains("refused"));
    EXPECT_EQ(trial.at("c").is_null(), trial.contains("refused"));
    n_refused += trial.contains("refused") ? 1 : 0;
  }
  EXPECT_EQ(n_refused, 10U);  // twice and four times the largest sigma there is
  const Arguments wide{"--kernel", "gaussian", "--sigma", "1e150", "--frequencies", "4", "--tune", "sigma", "--c", "1"};
  const Outcome widest = run(train("builtin:moons:100", wide));
  EXPECT_NE(widest.err.find("the best sigma, 1e+150, is the"), std::string::npos) << widest.err;
  EXPECT_NE(widest.err.find("that could be tried"), std::string::npos) << widest.err;
  const Outcome narrow = run(train("builtin:moons:300", {"--kernel", "gaussian", "--sigma", "0.01", "--frequencies", "32", "--weights",
                                                         "exact", "--sampler", "exact", "--tune", "sigma"}));
  EXPECT_EQ(narrow.exit_code, 0);
  EXPECT_EQ(narrow.err.find("the best sigma"), std::string::npos) << narrow.err;
  EXPECT_NE(narrow.out.find("0.08"), std::string::npos) << narrow.out;  // beyond four times the value given
  std::size_t n_best = 0;
  for (std::size_t at = narrow.out.find("best"); at < narrow.out.find(" folds\n"); at = narrow.out.find("best", at + 1)) ++n_best;
  EXPECT_EQ(n_best, 1U) << narrow.out;
}

TEST_F(TrainInputs, MapsKnowTheNamesOfTheirColumns) {
  const std::string map = folder.file("map.askrff"), data = folder.write("train.csv", sectors(200, {"a", "b"}));
  run_json({"choose", "--data", data, "--label", "kind", "--kernel", "gaussian", "--sigma", "0.5", "--frequencies", "8", "--out", map});
  const std::string swapped = folder.write("swapped.csv", "y,x,kind\n1,2,a\n3,4,b\n");
  expect_refused(train(swapped, {"--label", "kind", "--features", map, "--c", "1"}), {"column 1 is called y", "map.askrff", "x"});
  expect_refused({"transform", "--features", map, "--data", swapped, "--label", "kind", "--side", "left", "--out", folder.file("f.npy")},
                 {"column 1 is called y", "x"});
}

}  // namespace
}  // namespace askrff::test
