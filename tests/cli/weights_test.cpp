// Weights and probabilities on the command line: columns of weights, weights of classes, files of probabilities; C beyond its grid.
#include <cmath>

#include "cli/training.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;
using Weights = Train;

/// x, w, y, kind: the third with weight 0 and a wrong name, the others 1.
std::string spoilt(std::size_t rows) {
  std::ostringstream csv;
  csv << "x,w,y,kind\n";
  for (std::size_t i = 0; i < rows; ++i) {
    RandomStream random(1, Purpose::builtin_data, i);
    const double x = random.uniform(), y = random.uniform();
    csv << x << ',' << (i % 3 == 2 ? 0 : 1) << ',' << y << ',' << ((x > 0.5) != (i % 3 == 2) ? "right" : "left") << '\n';
  }
  return csv.str();
}

TEST_F(Weights, ColumnsOfThem) {
  const std::string data = folder.write("rows.csv", spoilt(600));
  for (const char* trainer : {"svm", "ridge"}) {
    const json report = run_json(train(data, kernel + Arguments{"--label", "kind", "--row-weight", "w", "--model", trainer}));
    EXPECT_EQ(report.at("train_rows"), 400);
    EXPECT_EQ(report.at("dim"), 2);
    const std::string first = content_of(model);
    run_json(train(data, kernel + Arguments{"--label", "kind", "--row-weight", "2", "--model", trainer}));
    EXPECT_EQ(content_of(model), first);
    EXPECT_GT(run_json(predict(data, {"--label", "kind", "--row-weight", "w"})).at("accuracy").get<double>(), 0.97);
    expect_refused(predict(data, {"--label", "kind"}), {"3 columns", "for 2"});
  }
  expect_refused(train(data, kernel + Arguments{"--label", "kind", "--row-weight", "v"}), {"rows.csv", "no column 'v' of weights"});
  expect_refused(train(data, kernel + Arguments{"--label", "kind", "--row-weight", ""}), {"--row-weight"});
  expect_refused(train(folder.write("minus.csv", "1,2,a\n-1,2,b\n"), kernel + Arguments{"--label", "3", "--row-weight", "1"}),
                 {"minus.csv", "row 2 has the weight -1"});
}

TEST_F(Weights, OfClasses) {
  std::ostringstream csv;
  csv << "x,kind\n";  // classes that overlap, one of them rare
  for (std::size_t i = 0; i < 1000; ++i) {
    RandomStream random(2, Purpose::builtin_data, i);
    csv << random.normal() + (i % 20 == 0 ? 1.5 : 0) << ',' << (i % 20 == 0 ? "rare" : "usual") << '\n';
  }
  const std::string data = folder.write("rows.csv", csv.str());
  const auto n_found = [&](const Arguments& how) {
    run_json(train(data, Arguments{"--label", "kind", "--kernel", "linear", "--c", "10"} + how));
    return run_json(predict(data, {"--label", "kind"})).at("confusion").at(0).at(0).get<int>();
  };
  for (const char* trainer : {"svm", "ridge"}) {
    const int plain = n_found({"--model", trainer}), balanced = n_found({"--model", trainer, "--class-weight", "balanced"});
    EXPECT_LT(plain, 10);
    EXPECT_GT(balanced, 30);
    EXPECT_EQ(n_found({"--model", trainer, "--class-weight", "rare=10,usual=0.526315789473684"}), balanced);
  }
  const Arguments plain{"--label", "kind", "--kernel", "linear"};
  expect_refused(train(data, plain + Arguments{"--class-weight", "rare"}), {"--class-weight", "LABEL=X"});
  expect_refused(train(data, plain + Arguments{"--class-weight", "rare=x"}), {"--class-weight", "x"});
  expect_refused(train(data, plain + Arguments{"--class-weight", "other=2"}), {"other", "no row"});
  expect_refused(train(data, plain + Arguments{"--class-weight", "rare=0"}), {"rare", "expected a number from 1e-15 to"});
  expect_refused(train(folder.write("numbers.csv", surface(60)),
                       {"--label", "z", "--kernel", "linear", "--model", "ridge", "--class-weight", "balanced"}),
                 {"regression"});
}

TEST_F(Weights, ProbabilitiesInAFile) {
  const std::string data = folder.write("rows.csv", sectors(600, {"a", "b, c", "d"})), out = folder.file("p.csv");
  for (const char* trainer : {"svm", "ridge"}) {
    EXPECT_EQ(run_json(train(data, kernel + Arguments{"--label", "kind", "--model", trainer})).at("probabilities"), true);
    EXPECT_EQ(run_json(predict(data, {"--label", "kind", "--proba", out})).at("probabilities"), out);
    const auto lines = lines_of(out);
    ASSERT_EQ(lines.size(), 601U);
    EXPECT_EQ(lines[0], "\"a\",\"b, c\",\"d\"");
    double a = 0, b = 0, c = 0;
    ASSERT_EQ(std::sscanf(lines[1].c_str(), "%lf,%lf,%lf", &a, &b, &c), 3);
    EXPECT_NEAR(a + b + c, 1, 1e-12);
    const json stored = run_json({"inspect", model}).at("model").at("output_scale");
    EXPECT_GT(stored.at("scale").get<double>(), 0);
    EXPECT_EQ(stored.at("offset"), 0);
  }
  EXPECT_NE(run({"inspect", model}).out.find("in proportion to exp("), std::string::npos);
  for (const std::string& other : {data, model}) expect_refused(predict(data, {"--label", "kind", "--proba", other}), {"--proba"});
  expect_refused(predict(data, {"--label", "kind", "--proba", out, "--scores", out}), {"--proba", "--scores"});
  expect_refused(predict(data, {"--label", "kind", "--proba", ""}), {"--proba", "name of a file"});
  ASSERT_EQ(run(train(data, kernel + Arguments{"--label", "kind", "--c", "1"})).exit_code, 0);
  expect_refused(predict(data, {"--label", "kind", "--proba", out}), {"--proba", "no probabilities", "several values of C"});
  EXPECT_TRUE(run_json({"inspect", model}).at("model").at("output_scale").is_null());
}

TEST_F(Weights, CGoesOnBeyondItsGridOrIsWarnedAbout) {
  const std::string data = folder.write("train.csv", surface(800));
  const Arguments how = kernel + Arguments{"--label", "z", "--model", "ridge"};
  const json report = run_json(train(data, how + Arguments{"--scale", "none"}));
  EXPECT_GT(report.at("cv_scores").size(), 11U);
  EXPECT_GT(report.at("c").get<double>(), 32);
  const Outcome given = run(train(data, how + Arguments{"--c-grid", "0.001,0.01"}));
  EXPECT_NE(given.err.find("the best C, 0.01, is the largest that was tried; larger ones may be better"), std::string::npos) << given.err;
  EXPECT_NE(given.out.find("C = 0.01"), std::string::npos);
}

}  // namespace
}  // namespace askrff::test
