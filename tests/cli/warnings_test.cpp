// What train, choose, inspect and predict say of features that serve badly and of rows far away, and that they are silent otherwise.
#include "cli/training.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;
using Warnings = Train;

TEST_F(Warnings, UselessFeaturesAreWarnedAbout) {
  const std::string sentence = "the features hardly stand for the kernel, their relative error is ";
  const Arguments narrow{"--kernel", "gaussian", "--sigma", "0.002", "--frequencies", "16", "--json"};
  const std::string data = folder.write("train.csv", surface(300));
  const Outcome trained = run(train(data, narrow + Arguments{"--label", "z", "--model", "ridge", "--c", "1", "--scale", "robust"}));
  const Outcome chosen = run(Arguments{"choose", "--data", data, "--estimator", "fourier", "--out", folder.file("map")} + narrow);
  for (const Outcome& outcome : {trained, chosen}) {
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("askrff: warning: " + sentence), std::string::npos) << outcome.err;
    EXPECT_EQ(json::parse(outcome.out).at("warning").get<std::string>().rfind(sentence, 0), 0u);
  }
  EXPECT_EQ(json::parse(trained.out).at("scale"), "robust");
  EXPECT_EQ(run_json({"inspect", model}).at("warning").get<std::string>().rfind(sentence, 0), 0u);
  EXPECT_EQ(run_json({"inspect", model}).at("scaling"), "robust");
  EXPECT_NE(run({"inspect", model}).out.find("Warning: " + sentence), std::string::npos);
}

TEST_F(Warnings, PredictIsSilentOnItsOwnRowsAndNotFarAway) {
  const std::string data = folder.write("train.csv", sectors(400, {"a", "b"}));
  for (const Arguments& map : {Arguments{}, Arguments{"--estimator", "nystrom"}}) {
    const Outcome trained = run(train(data, kernel + map + Arguments{"--label", "kind", "--c", "1", "--json"}));
    EXPECT_EQ(trained.err, "");
    EXPECT_TRUE(json::parse(trained.out).at("warning").is_null());
    EXPECT_EQ(run(predict(data, {"--label", "kind"})).err, "");
    const Outcome far = run(predict(folder.write("far.csv", "x,y\n500,0\n-400,1\n")));
    EXPECT_EQ(far.err.rfind("askrff: warning: 100 % of the rows lie far outside those the features were fitted on", 0), 0u) << far.err;
  }
}

}  // namespace
}  // namespace askrff::test
