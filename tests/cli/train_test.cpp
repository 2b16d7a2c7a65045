// askrff train: from files to models that predict, and every way to be refused.
#include <chrono>
#include <cmath>
#include <csignal>
#include <set>

#include "askrff/random.hpp"
#include "cli/training.hpp"
#include "experiments/published.hpp"
#include "support/shared.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;

TEST_F(Train, SaysWhatItDid) {
  const json report = run_json(train("builtin:moons:400", kernel + Arguments{"--seed", "5"}));
  EXPECT_EQ(report.at("train_rows"), 400);
  EXPECT_EQ(report.at("dim"), 2);
  EXPECT_EQ(report.at("n_features"), 2 * report.at("n_frequencies").get<int>());
  EXPECT_GE(report.at("cv_scores").size(), 11U);  // more where the best is at an end
  for (const json& tried : report.at("cv_scores")) {
    EXPECT_EQ(tried.at("folds").size(), 5U);
    EXPECT_GT(tried.at("mean").get<double>(), 0.7);
    EXPECT_LE(tried.at("mean").get<double>(), 1.0);
  }
  EXPECT_EQ(report.at("cv_measure"), "accuracy");
  EXPECT_EQ(report.at("model"), "svm");
  EXPECT_EQ(report.at("solver"), "newton");
  EXPECT_EQ(report.at("task"), "classification");
  EXPECT_EQ(report.at("classes").at(0).at("label"), "-1");
  EXPECT_EQ(report.at("classes").at(1).at("rows"), 200);
  EXPECT_GT(report.at("train_accuracy").get<double>(), 0.97);
  EXPECT_EQ(report.at("seed"), 5);
  EXPECT_GT(report.at("seconds").get<double>(), 0);
  const json judged = run_json(predict("builtin:moons:1000"));
  EXPECT_EQ(judged.at("rows"), 1000);
  EXPECT_GT(judged.at("accuracy").get<double>(), 0.97);
}

TEST_F(Train, KeepsLabelsAsTheyWereWritten) {
  const std::vector<std::string> names = {"no, thanks", "ja \"bitte\"", "größer"};
  std::string csv = "x,y,kind\n", without = "x,y\n";
  for (int i = 0; i < 90; ++i) {
    const std::string point = std::to_string(std::cos(i * 2.1)) + "," + std::to_string(std::sin(i * 2.1));
    const std::string quoted = i % 3 == 0 ? "\"no, thanks\"" : i % 3 == 1 ? "\"ja \"\"bitte\"\"\"" : "größer";
    csv += point + "," + quoted + "\n";
    without += point + "\n";
  }
  const std::string data = folder.write("train.csv", csv), bare = folder.write("bare.csv", without);
  EXPECT_EQ(run(train(data, kernel + Arguments{"--label", "kind", "--c", "10"})).exit_code, 0);
  const json report = run_json(predict(bare, {"--out", folder.file("p.txt"), "--scores", folder.file("s.csv")}));
  EXPECT_FALSE(report.contains("accuracy"));
  const auto lines = lines_of(folder.file("p.txt")), scores = lines_of(folder.file("s.csv"));
  ASSERT_EQ(lines.size(), 90U);
  for (const std::string& line : lines) EXPECT_NE(std::find(names.begin(), names.end(), line), names.end()) << line;
  ASSERT_EQ(scores.size(), 91U);
  EXPECT_EQ(scores[0], "\"größer\",\"ja \"\"bitte\"\"\",\"no, thanks\"");
  EXPECT_EQ(std::count(scores[1].begin(), scores[1].end(), ','), 2);
}

TEST_F(Train, AGivenCSkipsCrossValidation) {
  const json report = run_json(train("builtin:moons:300", kernel + Arguments{"--c", "4"}));
  EXPECT_EQ(report.at("c"), 4);
  EXPECT_TRUE(report.at("cv_scores").empty());
  EXPECT_TRUE(report.at("cv_measure").is_null());
}

TEST_F(Train, TheSameModelForAnyNumberOfThreads) {
  for (const char* trainer : {"svm", "ridge"}) {
    EXPECT_EQ(run(train("builtin:moons:3000", kernel + Arguments{"--model", trainer, "--threads", "1"})).exit_code, 0);
    const std::string first = content_of(model);
    EXPECT_EQ(run(train("builtin:moons:3000", kernel + Arguments{"--model", trainer, "--threads", "3"})).exit_code, 0);
    EXPECT_EQ(first, content_of(model)) << trainer;
  }
}

TEST_F(Train, ManyClasses) {
  const std::string data = folder.write("train.csv", sectors(600, {"a", "b", "c", "d"}));
  const std::string test = folder.write("test.csv", sectors(600, {"a", "b", "c", "d"}, 2));
  for (const Arguments& how : {Arguments{}, Arguments{"--precision", "float32"}, Arguments{"--model", "ridge"}, Arguments{"--no-bias"},
                               Arguments{"--estimator", "nystrom"}, Arguments{"--sampler", "orthogonal", "--weights", "calibrated"}}) {
    const Outcome trained = run(train(data, kernel + how + Arguments{"--label", "kind", "--c", "8"}));
    ASSERT_EQ(trained.exit_code, 0) << trained.err;
    const json report = run_json(predict(test, {"--label", "3"}));
    EXPECT_GT(report.at("accuracy").get<double>(), 0.9) << (how.empty() ? "" : how[1]);
    EXPECT_EQ(report.at("confusion").size(), 4U);
  }
}

TEST_F(Train, RidgeOfNumbersFromFilesAndPipes) {
  const std::string text = surface(3000), data = folder.write("train.csv", text), test = folder.write("test.csv", surface(500, 2));
  const Arguments how = kernel + Arguments{"--label", "z", "--model", "ridge", "--c-grid", "1,100,1e4", "--leave-one-out"};
  const json streamed = run_json(train(data, how));
  EXPECT_EQ(streamed.at("task"), "regression");
  EXPECT_EQ(streamed.at("cv_measure"), "mean squared error");
  EXPECT_EQ(streamed.at("cv_scores").size(), 3U);
  EXPECT_LT(streamed.at("train_rmse").get<double>(), 0.02);
  EXPECT_NEAR(streamed.at("loo_rmse").get<double>(), std::sqrt(streamed.at("cv_scores").at(2).at("mean").get<double>()), 1e-3);
  const json judged = run_json(predict(test, {"--label", "z", "--out", folder.file("p.txt")}));
  EXPECT_LT(judged.at("rmse").get<double>(), 0.02);
  EXPECT_GT(judged.at("r_squared").get<double>(), 0.99);
  const std::string predictions = content_of(folder.file("p.txt"));
  const json piped = run_json(train("-", how + Arguments{"--format", "csv"}), text);
  EXPECT_EQ(piped.at("train_rmse"), streamed.at("train_rmse"));
  run_json(predict(test, {"--label", "z", "--out", folder.file("p.txt")}));
  EXPECT_EQ(predictions, content_of(folder.file("p.txt")));
}

TEST_F(Train, RidgeOfClasses) {
  const json report = run_json(train("builtin:moons:500", kernel + Arguments{"--model", "ridge", "--leave-one-out"}));
  EXPECT_EQ(report.at("task"), "classification");
  EXPECT_GT(report.at("loo_accuracy").get<double>(), 0.97);
  EXPECT_GT(run_json(predict("builtin:moons:500")).at("accuracy").get<double>(), 0.97);
}

TEST_F(Train, LinearInTheColumns) {
  const json report = run_json(train("builtin:moons:500", {"--kernel", "linear", "--scale", "standard"}));
  EXPECT_EQ(report.at("n_features"), 2);
  EXPECT_TRUE(report.at("kernel").is_null());
  EXPECT_EQ(report.at("scale"), "standard");
  EXPECT_GT(run_json(predict("builtin:moons:500")).at("accuracy").get<double>(), 0.8);
}

TEST_F(Train, ParametersForPeopleWhoDoNotKnowThem) {
  const json report = run_json(train("builtin:moons:300", {"--kernel", "shift-gaussian", "--frequencies", "16", "--sigma", "auto", "--tune",
                                                           "sigma,shift", "--folds", "3"}));
  ASSERT_GE(report.at("tuned").size(), 25U);
  double best = 0;
  for (const json& trial : report.at("tuned")) best = std::max(best, trial.at("score").get<double>());
  bool found = false;
  for (const json& trial : report.at("tuned"))
    found = found || (trial.at("score") == best && trial.at("sigma") == report.at("parameters").at("sigma"));
  EXPECT_TRUE(found);
  const json automatic = run_json(train("builtin:moons:300", {"--kernel", "gaussian", "--sigma", "auto", "--frequencies", "8"}));
  EXPECT_NEAR(automatic.at("parameters").at("sigma").get<double>(), 0.5, 0.2);  // of rows scaled to [0,1]²
}

TEST_F(Train, AMapOfChoose) {
  const std::string map = folder.file("map.askrff"), data = folder.write("train.csv", sectors(400, {"a", "b"}));
  ASSERT_EQ(
      run({"choose", "--data", data, "--label", "kind", "--kernel", "sinh-gaussian", "--sigma", "0.5", "--frequencies", "32", "--out", map})
          .exit_code,
      0);
  const json report = run_json(train(data, {"--label", "kind", "--features", map}));
  EXPECT_EQ(report.at("kernel"), "sinh-gaussian");
  EXPECT_GT(run_json(predict(data, {"--label", "kind"})).at("accuracy").get<double>(), 0.9);
  expect_refused(train(data, {"--label", "kind", "--features", map, "--sigma", "1"}), {"--sigma", "--features"});
  expect_refused(train(folder.write("wide.csv", "1,2,3,a\n4,5,6,b\n"), {"--label", "4", "--features", map}), {"3 columns", "for 2"});
}

TEST_F(Train, RefusesLabelsThatAreNone) {
  const std::string data = folder.write("train.csv", sectors(60, {"a", "b"}));
  expect_refused(train(folder.write("bare.csv", "1,2\n3,4\n"), kernel), {"bare.csv", "no labels", "--label"});
  expect_refused(train(data, kernel + Arguments{"--label", "sort"}), {"no label column 'sort'", "'kind'"});
  expect_refused(train(folder.write("one.csv", "1,2,a\n3,4,a\n"), kernel + Arguments{"--label", "3"}), {"all 2 rows", "a", "two classes"});
  expect_refused(train(folder.write("hole.csv", "1,2,a\n3,4,\n"), kernel + Arguments{"--label", "3"}), {"hole.csv:2", "missing"});
  expect_refused(train(folder.write("rare.csv", sectors(60, {"a", "b"}) + "1,2,rare\n"), kernel + Arguments{"--label", "kind"}),
                 {"class rare has 1 row", "5", "merge"});
  expect_refused(train(data, kernel + Arguments{"--label", "kind", "--folds", "100"}), {"100 folds for 60 rows"});
  expect_refused(train(data, kernel + Arguments{"--label", "kind", "--model", "ridge", "--task", "regression"}), {"row 1", "numbers"});
  EXPECT_FALSE(std::filesystem::exists(model));
}

TEST_F(Train, RefusesWrongCalls) {
  const std::string data = "builtin:moons:100";
  expect_refused(train(data, {}), {"--kernel", "missing"});
  expect_refused(train(data, {"--kernel", "sinc"}), {"sinc", "shift-gaussian", "linear"});
  expect_refused(train(data, kernel + Arguments{"--c", "0"}), {"--c", "above 0"});
  expect_refused(train(data, kernel + Arguments{"--c", "1", "--folds", "3"}), {"--folds"});
  expect_refused(train(data, kernel + Arguments{"--c", "1", "--c-grid", "1,2"}), {"--c-grid"});
  expect_refused(train(data, kernel + Arguments{"--folds", "1"}), {"--folds"});
  expect_refused(train(data, kernel + Arguments{"--leave-one-out"}), {"leave-one-out", "ridge"});
  expect_refused(train(data, kernel + Arguments{"--solver", "newton"}), {"--solver"});
  expect_refused(train(data, kernel + Arguments{"--task", "regression"}), {"task", "ridge"});
  expect_refused(train(data, kernel + Arguments{"--tune", "beta"}), {"tuned", "beta", "shift"});
  expect_refused(train(data, kernel + Arguments{"--tune", "sigma,sigma"}), {"sigma", "twice"});
  expect_refused(train(data, {"--kernel", "linear", "--sigma", "2"}), {"--sigma", "linear"});
  expect_refused(train(data, {"--kernel", "linear", "--frequencies", "2"}), {"--frequencies", "linear"});
  expect_refused(train(data, kernel + Arguments{"--model", "forest"}), {"--model", "forest"});
  expect_refused(train(data, kernel + Arguments{"--c", "1", "--c", "2"}), {"--c", "more than once"});
  expect_refused(train(data, {"--kernel", "shift-gaussian", "--tune", "shift", "--shift", "0"}), {"tune", "shift is 0"});
  expect_refused({"train", "--data", data, "--kernel", "gaussian", "--out", ""}, {"--out", "empty"});
  const std::string file = folder.write("train.csv", sectors(60, {"a", "b"}));
  expect_refused({"train", "--data", file, "--label", "kind", "--kernel", "gaussian", "--out", file}, {"--out", "--data"});
  expect_refused(Arguments{"train", "--data", data, "--out", folder.file("none/m.askrff")} + kernel, {"--out", "none"});
  std::string huge = "1,2,a\n3,4,b\n";
  for (int i = 0; i < 20; ++i) huge += "1e308," + std::to_string(i) + (i % 2 == 0 ? ",a\n" : ",b\n");
  expect_refused(train(folder.write("huge.csv", huge), kernel + Arguments{"--label", "3", "--scale", "none"}),
                 {"huge.csv", "overflow", "--scale"});
  expect_refused(train(folder.file("huge.csv"), {"--kernel", "linear", "--label", "3", "--scale", "none"}),
                 {"huge.csv", "too large", "--scale"});
  expect_refused(train(folder.file("huge.csv"), {"--kernel", "linear", "--label", "3", "--scale", "none", "--precision", "float32"}),
                 {"1e+308", "float32"});
}

/// Kills the command after a while that differs from call to call; whether it was killed.
bool killed_after(const Arguments& arguments, std::uint64_t microseconds) {
  const auto in = detail::temporary_file(), out = detail::temporary_file();
  const pid_t child = detail::start(arguments, fileno(in.get()), fileno(out.get()), fileno(out.get()));
  usleep(static_cast<useconds_t>(microseconds));
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

TEST_F(Train, KilledItLeavesTheOldModelOrTheNewOne) {
  const Arguments call = train("builtin:moons:2000", kernel + Arguments{"--c", "1"});
  std::set<std::string> complete;
  for (const char* seed : {"1", "2"}) {
    ASSERT_EQ(run(call + Arguments{"--seed", seed}).exit_code, 0);
    complete.insert(content_of(model));
  }
  ASSERT_EQ(complete.size(), 2U);
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(run(call + Arguments{"--seed", "2"}).exit_code, 0);
  const double whole = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  int n_killed = 0;
  RandomStream random(1, Purpose::derived_seed, 0);
  for (int trial = 0; trial < 50; ++trial) {
    const std::string seed = trial % 2 == 0 ? "1" : "2";
    n_killed += killed_after(call + Arguments{"--seed", seed}, static_cast<std::uint64_t>(1.2 * whole * random.uniform())) ? 1 : 0;
    ASSERT_TRUE(complete.contains(content_of(model))) << trial;
  }
  EXPECT_GE(n_killed, 10);  // the machine may be slow when it counts; most are killed
  EXPECT_EQ(run(predict("builtin:moons:50")).exit_code, 0);
}

class RealData : public Train {
 protected:
  /// The files are FILE.train.libsvm.xz and FILE.test.libsvm.xz.
  void expect_published_accuracy(const std::string& dataset, const std::string& file, const std::string& kernel_name) const {
    const std::string path = (shared_dir() / "data" / file).string();
    run_json(train(path + ".train.libsvm.xz", {"--kernel", kernel_name, "--sigma", "2", "--frequencies", "2d", "--no-bias", "--estimator",
                                               "jordan", "--sampler", "exact", "--weights", "exact"}));
    const double percent = 100 * run_json(predict(path + ".test.libsvm.xz")).at("accuracy").get<double>();
    const auto paper = experiments::published_accuracy(dataset, kernel_name + "/asy");
    ASSERT_TRUE(paper);
    EXPECT_GE(percent, paper->mean - 2 * paper->deviation) << dataset << ", " << kernel_name;
  }
};

TEST_F(RealData, ReachesThePapersAccuracy) {
  ASKRFF_NEED_SHARED("data");
  for (const char* name : {"shift-gaussian", "sinh-gaussian", "cosh-gaussian"}) expect_published_accuracy("letter", "letter-binary", name);
  expect_published_accuracy("ijcnn1", "ijcnn1", "sinh-gaussian");
  expect_published_accuracy("cod-RNA", "cod-rna", "sinh-gaussian");
}

}  // namespace
}  // namespace askrff::test
