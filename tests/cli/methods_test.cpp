// askrff approx with a method, or with all of them: estimators, samplers, weights, --compare, and what they refuse.
#include "cli/command.hpp"

#include <set>

namespace askrff::test {
namespace {

using nlohmann::json;

const Arguments methods_call{"approx",   "--data", "builtin:uniform:4:400", "--kernel", "shift-gaussian", "--sigma", "2", "--points", "60",
                             "--trials", "3",      "--frequencies",         "32"};

double error_of(const Arguments& more) { return run_json(methods_call + more).at("rows")[0].at("error_mean"); }

TEST(Methods, AutoSaysWhichAndWhy) {
  const json report = run_json(methods_call + Arguments{"--sampler", "exact"});
  EXPECT_EQ(report.at("estimator"), "polar");
  EXPECT_NE(report.at("reason").get<std::string>().find("variance"), std::string::npos);
  EXPECT_EQ(report.at("rows")[0].at("n_frequencies"), 32);
  const std::string text = run(methods_call + Arguments{"--sampler", "exact"}).out;
  EXPECT_NE(text.find("polar because "), std::string::npos) << text;
  EXPECT_NE(text.find("With 32 frequencies the"), std::string::npos) << text;
}

TEST(Methods, AutoIsJordanWhereOnlyJordanCan) {
  EXPECT_EQ(run_json(methods_call + Arguments{"--weights", "subset"}).at("estimator"), "jordan");
  for (const char* kernel : {"gaussian", "cosh-gaussian"}) {
    const Arguments call{"approx", "--data", "builtin:uniform:3:100", "--kernel", kernel, "--points", "50", "--frequencies", "8"};
    EXPECT_EQ(run_json(call + Arguments{"--sampler", "rejection"}).at("estimator"), "jordan") << kernel;
    EXPECT_EQ(run_json(call + Arguments{"--weights", "subset"}).at("estimator"), "jordan") << kernel;
  }
}

TEST(Methods, EverySamplerRuns) {
  for (const char* sampler : {"exact", "orthogonal", "mub", "structured", "sobol", "quadrature", "ridge"}) {
    SCOPED_TRACE(sampler);
    const Arguments call{"--estimator", "polar", "--sampler", sampler};
    Arguments fitting = methods_call;
    if (std::string(sampler) == "structured") fitting[2] = "builtin:uniform:20:200";  // it takes 16 dimensions
    const json report = run_json(fitting + call);
    EXPECT_EQ(report.at("sampler"), sampler);
    EXPECT_LT(report.at("rows")[0].at("error_mean").get<double>(), 0.2);
  }
}

TEST(Methods, CalibratedWeightsAreDescribed) {
  const Arguments calibrated{"--estimator", "polar", "--weights", "calibrated"};
  const json row = run_json(methods_call + calibrated).at("rows")[0];
  const json& calibration = row.at("calibration");
  for (const char* field : {"error_before", "error_after", "weight_sum", "seconds"})
    EXPECT_TRUE(calibration.at(field).is_number()) << field;
  EXPECT_LT(calibration.at("error_after"), calibration.at("error_before"));
  EXPECT_GT(calibration.at("n_pairs").get<int>(), 0);
  const Arguments exact{"--estimator", "polar", "--weights", "exact"};
  EXPECT_LT(row.at("error_mean").get<double>(), error_of(exact) / 5);
  EXPECT_EQ(run_json(methods_call + exact).at("rows")[0].count("calibration"), 0u);
  const std::string text = run(methods_call + calibrated).out;
  for (const char* part : {"held-out error", "before", "after", "Σ|c_j|", "pairs"}) EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_NE(error_of(calibrated), error_of(calibrated + Arguments{"--pairs", "200"}));
  EXPECT_NE(error_of(calibrated), error_of(calibrated + Arguments{"--pin-origin"}));
}

TEST(Methods, Nystrom) {
  const Arguments nystrom{"--estimator", "nystrom"};
  const json report = run_json(methods_call + nystrom);
  EXPECT_EQ(report.at("estimator"), "nystrom");
  EXPECT_EQ(report.at("landmark_choice"), "pivoted");
  const json& row = report.at("rows")[0];
  EXPECT_EQ(row.at("n_features"), 64);
  EXPECT_EQ(row.at("n_landmarks"), 160);
  EXPECT_LT(row.at("error_mean").get<double>(), 1e-4);
  EXPECT_EQ(run_json(methods_call + nystrom + Arguments{"--landmarks", "80"}).at("rows")[0].at("n_landmarks"), 80);
  EXPECT_NE(error_of(nystrom), error_of(nystrom + Arguments{"--landmark-choice", "uniform"}));
  EXPECT_NE(run(methods_call + nystrom).out.find("landmarks"), std::string::npos);
}

TEST(Methods, AllocationsDiffer) {
  std::set<double> errors;
  for (const char* allocation : {"equal", "mass", "variance"})
    errors.insert(error_of({"--estimator", "jordan", "--allocation", allocation}));
  EXPECT_EQ(errors.size(), 3u);
}

TEST(Methods, WhatHasNoEffectIsRefused) {
  expect_refused(methods_call + Arguments{"--estimator", "polar", "--allocation", "mass"}, {"--allocation", "polar"});
  expect_refused(methods_call + Arguments{"--estimator", "polar", "--drop-tolerance", "0"}, {"--drop-tolerance", "polar"});
  expect_refused(methods_call + Arguments{"--estimator", "polar", "--weights", "subset"}, {"subset weights", "polar"});
  expect_refused(methods_call + Arguments{"--estimator", "polar", "--sampler", "rejection"}, {"rejection", "jordan"});
  expect_refused(methods_call + Arguments{"--estimator", "jordan", "--sampler", "quadrature"}, {"quadrature"});
  expect_refused(methods_call + Arguments{"--weights", "exact", "--pairs", "100"}, {"--pairs", "--weights calibrated"});
  for (const Arguments& option :
       {Arguments{"--sampler", "mub"}, Arguments{"--weights", "exact"}, Arguments{"--allocation", "mass"}, Arguments{"--subset", "20"},
        Arguments{"--pairs", "9"}, Arguments{"--pin-origin"}, Arguments{"--drop-tolerance", "0"}, Arguments{"--min-acceptance", "0.1"}})
    expect_refused(methods_call + Arguments{"--estimator", "nystrom"} + option, {option[0], "nystrom"});
  expect_refused(methods_call + Arguments{"--estimator", "jordan", "--landmarks", "50"}, {"--landmarks", "nystrom"});
  expect_refused(methods_call + Arguments{"--estimator", "nystrom", "--landmarks", "5000"}, {"--landmarks"});
  expect_refused(methods_call + Arguments{"--estimator", "nystrom", "--landmarks", "50"}, {"landmarks"});
  expect_refused(methods_call + Arguments{"--estimator", "magic"}, {"--estimator", "auto, fourier, jordan, polar, nystrom, best or paper"});
  expect_refused(methods_call + Arguments{"--allocation", "magic"}, {"--allocation", "equal, mass or variance"});
}

const Arguments compare{"approx", "--compare", "--data", "builtin:uniform:2:300", "--kernel", "sinh-gaussian", "--points",
                        "50",     "--trials",  "2",      "--frequencies",         "8"};

TEST(Compare, EveryMethodHasALine) {
  const json report = run_json(compare);
  std::set<std::string> names;
  for (const json& line : report.at("lines")) {
    names.insert(line.at("estimator").get<std::string>() + " " + line.at("sampler").get<std::string>() + " " +
                 line.at("weights").get<std::string>());
    for (const char* field : {"error_mean", "error_std", "seconds", "saving"}) EXPECT_TRUE(line.at(field).is_number()) << field;
    EXPECT_LE(line.at("n_features").get<int>(), 16);
  }
  for (const char* sampler : {"exact", "orthogonal", "mub", "sobol", "quadrature", "ridge"})
    for (const char* weights : {"exact", "calibrated"})
      EXPECT_TRUE(names.count("polar " + std::string(sampler) + " " + weights)) << sampler << " " << weights;
  for (const char* name : {"jordan exact subset", "jordan exact exact", "nystrom  "}) EXPECT_TRUE(names.count(name)) << name;
  EXPECT_EQ(names.count("polar structured exact"), 0u);
  const json& paper = report.at("lines")[0];
  EXPECT_EQ(paper.at("note"), "the paper");
  EXPECT_NEAR(paper.at("saving").get<double>(), 1.0, 1e-12);
  EXPECT_EQ(paper.at("saving_kind"), "measured");
  EXPECT_GT(report.at("paper_curve").size(), 2u);
  EXPECT_EQ(report.at("paper_curve").back().at("frequencies_per_part"), 2048);  // 1024 per dimension: Nyström is not to be reached
}

TEST(Compare, TableListsWhatIsRefused) {
  const Outcome table = run({"approx", "--compare", "--data", "builtin:uniform:2:300", "--kernel", "laplacian", "--points", "50",
                             "--trials", "2", "--frequencies", "8"});
  EXPECT_EQ(table.exit_code, 0) << table.err;
  for (const char* part : {"the paper", "saving", "polar mub calibrated", "nystrom", "≥ ",
                           "Refused:\n  polar quadrature exact, polar quadrature calibrated: "})
    EXPECT_NE(table.out.find(part), std::string::npos) << part << " in\n" << table.out;
}

TEST(Compare, WhatThereIsNoTimeForIsSaid) {
  const json all = run_json(compare), none = run_json(compare + Arguments{"--time-limit", "1e-9"});
  ASSERT_EQ(none.at("lines").size(), 1u);  // the yardstick
  EXPECT_EQ(none.at("lines")[0].at("note"), "the paper");
  EXPECT_EQ(none.at("lines")[0].at("error_mean"), all.at("lines")[0].at("error_mean"));
  EXPECT_EQ(none.at("paper_curve").size(), 1u);
  EXPECT_EQ(none.at("lines").size() + none.at("not_tried").size(), all.at("lines").size() + all.at("refused").size());
  EXPECT_TRUE(all.at("not_tried").empty());
  EXPECT_EQ(run_json(compare + Arguments{"--time-limit", "1000"}).at("lines").size(), all.at("lines").size());
  const Outcome table = run(compare + Arguments{"--time-limit", "1e-9"});
  EXPECT_EQ(table.exit_code, 0) << table.err;
  EXPECT_NE(table.out.find("Not tried, there was no time: "), std::string::npos) << table.out;
  expect_refused(compare + Arguments{"--time-limit", "0"}, {"--time-limit", "above 0"});
}

TEST(Compare, WhatHasNoEffectIsRefused) {
  for (const Arguments& option : {Arguments{"--estimator", "jordan"}, Arguments{"--sampler", "mub"}, Arguments{"--weights", "exact"},
                                  Arguments{"--allocation", "mass"}, Arguments{"--pairs", "9"}, Arguments{"--landmarks", "9"},
                                  Arguments{"--tolerance", "0.1"}, Arguments{"--max-frequencies", "64"}})
    expect_refused(compare + option, {option[0], "--compare"});
  Arguments two = compare;
  two.back() = "8,16";
  expect_refused(two, {"--frequencies", "one number"});
}

}  // namespace
}  // namespace askrff::test
