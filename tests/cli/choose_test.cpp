// askrff choose, and askrff approx without a method: what is chosen, certified and said when a tolerance is out of reach.
#include "cli/command.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;

const std::string rows = "builtin:uniform:3:300";
const Arguments base{"--data", rows, "--kernel", "sinh-gaussian", "--sigma", "2"};
const Arguments choose = Arguments{"choose"} + base;
const Arguments approx_without_method = Arguments{"approx"} + base + Arguments{"--points", "100"};

void expect_certificate(const json& certificate) {
  for (const char* field : {"error", "lower", "upper"}) EXPECT_TRUE(certificate.at(field).is_number()) << field;
  for (const char* field : {"n_rows", "n_pairs", "n_frequencies", "n_features"})
    EXPECT_TRUE(certificate.at(field).is_number_unsigned()) << field;
  EXPECT_TRUE(certificate.at("reached").is_null());  // without a tolerance
  EXPECT_LE(certificate.at("lower"), certificate.at("error"));
  EXPECT_LE(certificate.at("error"), certificate.at("upper"));
}

void expect_tried(const json& tried) {
  ASSERT_FALSE(tried.empty());
  for (const json& candidate : tried) {
    for (const char* field : {"estimator", "sampler", "weights"}) EXPECT_TRUE(candidate.at(field).is_string()) << field;
    for (const char* field : {"error", "operations", "seconds"}) EXPECT_TRUE(candidate.at(field).is_number()) << field;
    for (const char* field : {"n_frequencies", "n_landmarks", "n_features"}) EXPECT_TRUE(candidate.at(field).is_number_unsigned()) << field;
  }
}

void expect_chosen(const json& chosen) {
  EXPECT_TRUE(chosen.at("estimator").is_string());
  EXPECT_EQ(chosen.at("sampler").is_null(), chosen.at("estimator") == "nystrom");
  EXPECT_GT(chosen.at("n_features").get<int>(), 0);
}

TEST(Choose, Fields) {
  const TemporaryFolder folder;
  const json report = run_json(choose + Arguments{"--frequencies", "16", "--seed", "3", "--out", folder.file("map.askrff")});
  EXPECT_EQ(report.at("kernel"), "sinh-gaussian");
  EXPECT_EQ(report.at("seed"), 3);
  EXPECT_EQ(report.at("data_rows"), 300);
  EXPECT_EQ(report.at("scale"), "minmax");
  EXPECT_TRUE(report.at("tolerance").is_null());
  EXPECT_TRUE(report.at("reached").is_null());
  EXPECT_FALSE(report.at("reason").get<std::string>().empty());
  expect_certificate(report.at("certificate"));
  expect_tried(report.at("tried"));
  expect_chosen(report.at("chosen"));
  EXPECT_TRUE(std::filesystem::exists(folder.file("map.askrff")));
}

TEST(Choose, AToleranceIsReached) {
  const TemporaryFolder folder;
  const Outcome outcome = run(choose + Arguments{"--tolerance", "1e-2", "--json", "--out", folder.file("map.askrff")});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report.at("reached"), true);
  EXPECT_LE(report.at("certificate").at("upper").get<double>(), 1e-2);
  const std::string text = run(choose + Arguments{"--tolerance", "1e-2", "--out", folder.file("map.askrff")}).out;
  for (const char* part : {"map tried", "Chosen: ", "Why: ", "Certificate: ", "The tolerance 0.01 is reached.", "transform --features"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

TEST(Choose, OutOfReachIsSaidAndTheBestIsWritten) {
  const TemporaryFolder folder;
  const Arguments call =
      choose + Arguments{"--tolerance", "1e-9", "--max-frequencies", "16", "--estimator", "fourier", "--out", folder.file("map.askrff")};
  const Outcome outcome = run(call);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err.rfind("askrff: warning: the tolerance 1e-09 was not reached with up to 32 Fourier features", 0), 0u) << outcome.err;
  EXPECT_NE(outcome.err.find("exceed 16 frequencies"), std::string::npos);
  EXPECT_NE(outcome.out.find("NOT reached"), std::string::npos) << outcome.out;
  const json report = run_json(call);
  EXPECT_EQ(report.at("reached"), false);
  EXPECT_EQ(report.at("certificate").at("reached"), false);
  EXPECT_EQ(run_json({"inspect", folder.file("map.askrff")}).at("certificate").at("reached"), false);
}

TEST(Choose, TheSameCallWritesTheSameBytes) {
  const TemporaryFolder folder;
  const auto written = [&](const std::string& name, const char* threads) {
    run_json(choose + Arguments{"--frequencies", "4d", "--threads", threads, "--out", folder.file(name)});
    std::ifstream in(folder.file(name));
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string first = written("a.askrff", "1");
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(first, written("b.askrff", "2"));
}

TEST(Choose, FamiliesAreKept) {
  const TemporaryFolder folder;
  const auto chosen = [&](const char* family) {
    return run_json(choose + Arguments{"--frequencies", "16", "--estimator", family, "--out", folder.file("map.askrff")}).at("chosen");
  };
  EXPECT_EQ(chosen("nystrom").at("estimator"), "nystrom");
  EXPECT_NE(chosen("fourier").at("estimator"), "nystrom");
}

TEST(Choose, RefusedCallsLeaveNothing) {
  const TemporaryFolder folder;
  const Arguments call = choose + Arguments{"--out", folder.file("map.askrff")};
  expect_refused(call + Arguments{"--max-frequencies", "64"}, {"--max-frequencies", "--tolerance"});
  expect_refused(call + Arguments{"--no-prune"}, {"--no-prune", "--tolerance"});
  expect_refused(call + Arguments{"--tolerance", "0.1", "--no-prune", "--estimator", "nystrom"}, {"--no-prune", "Fourier"});
  expect_refused(call + Arguments{"--tolerance", "0.1", "--frequencies", "64"}, {"--frequencies", "--tolerance"});
  for (const char* bad : {"0", "1", "-1", "nan", "x"}) expect_refused(call + Arguments{"--tolerance", bad}, {"--tolerance"});
  for (const char* bad : {"0", "16,32", "x"}) expect_refused(call + Arguments{"--frequencies", bad}, {"--frequencies"});
  expect_refused(call + Arguments{"--estimator", "both"}, {"--estimator", "best, fourier or nystrom"});
  expect_refused({"choose", "--data", "builtin:uniform:3:19", "--kernel", "gaussian", "--out", folder.file("map.askrff")},
                 {"19 rows", "24"});
  for (const std::string& bad : {folder.file(""), std::string(), std::string("-"), std::string("/dev/full"), folder.file("no/map.askrff")})
    expect_refused(choose + Arguments{"--out", bad}, {"--out"});
  EXPECT_TRUE(folder.empty());
}

TEST(ApproxChosen, Fields) {
  const json report = run_json(approx_without_method + Arguments{"--frequencies", "8,8d"});
  EXPECT_EQ(report.at("trials"), 1);
  EXPECT_EQ(report.at("points"), 100);
  expect_certificate(report.at("certificate"));
  expect_tried(report.at("tried"));
  expect_chosen(report.at("chosen"));
  EXPECT_FALSE(report.at("reason").get<std::string>().empty());
  ASSERT_EQ(report.at("rows").size(), 2u);
  for (const json& row : report.at("rows")) {
    expect_chosen(row.at("chosen"));
    expect_certificate(row.at("certificate"));
    EXPECT_LE(row.at("error_lower"), row.at("error_mean"));
    EXPECT_LE(row.at("error_mean"), row.at("error_upper"));
    EXPECT_TRUE(row.at("seconds").is_number());
  }
  EXPECT_EQ(report.at("rows")[1].at("frequencies_asked"), 24);
  EXPECT_LT(report.at("rows")[1].at("error_mean"), report.at("rows")[0].at("error_mean"));
}

TEST(ApproxChosen, TheBestIsTheDefault) {
  const auto error = [](const Arguments& more) {
    return run_json(approx_without_method + Arguments{"--frequencies", "8"} + more).at("rows")[0].at("error_mean");
  };
  EXPECT_EQ(error({}), error({"--estimator", "best"}));
  EXPECT_NE(error({}), error({"--trials", "2"}));
}

TEST(ApproxChosen, ATolerance) {
  const json report = run_json(approx_without_method + Arguments{"--tolerance", "1e-2"});
  ASSERT_EQ(report.at("rows").size(), 1u);
  EXPECT_TRUE(report.at("rows")[0].at("frequencies_asked").is_null());
  EXPECT_EQ(report.at("certificate").at("reached"), true);
  // The certificate speaks for other rows too; a quarter more allows for the luck of 100 of them.
  EXPECT_LT(report.at("rows")[0].at("error_mean").get<double>(), 1.25e-2);
  const Outcome far = run(approx_without_method + Arguments{"--tolerance", "1e-12", "--max-frequencies", "4d"});
  EXPECT_EQ(far.exit_code, 0);
  EXPECT_NE(far.err.find("was not reached"), std::string::npos) << far.err;
  EXPECT_NE(far.out.find("NOT reached"), std::string::npos) << far.out;
}

TEST(ApproxChosen, TableSaysWhatAndWhy) {
  const Outcome table = run(approx_without_method + Arguments{"--frequencies", "8,16"});
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_EQ(table.err, "");
  for (const char* part : {"map chosen", "95 % interval", "Chosen: ", "Why: ", "Tried for 16 frequencies", "Certificate: "})
    EXPECT_NE(table.out.find(part), std::string::npos) << part;
}

TEST(Choose, NothingIsWrittenOverWhatIsRead) {
  TemporaryFolder folder;
  const std::string map = folder.file("map.askrff");
  const Arguments call{"choose", "--data", "builtin:uniform:2:60", "--kernel", "gaussian", "--frequencies", "8", "--out"};
  EXPECT_EQ(run(call + Arguments{map}).exit_code, 0);
  expect_refused({"transform", "--features", map, "--data", "builtin:uniform:2:60", "--side", "left", "--out", map},
                 {"--out", "--features"});
  expect_refused({"transform", "--features", map, "--data", map, "--side", "left", "--out", folder.file("x.npy")}, {map});
}

TEST(Choose, AKernelThatIsZeroBetweenAllRowsIsRefused) {
  TemporaryFolder folder;
  for (const char* family : {"best", "fourier"})
    expect_refused({"choose", "--data", "builtin:uniform:2:60", "--kernel", "shift-gaussian", "--sigma", "2", "--shift", "1000",
                    "--estimator", family, "--frequencies", "8", "--out", folder.file("map.askrff")},
                   {"shift-gaussian"});
}

TEST(ApproxChosen, FewRowsAreHalved) {
  const Outcome outcome = run({"approx", "--data", "builtin:uniform:2:60", "--kernel", "gaussian", "--frequencies", "8", "--json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.rfind("askrff: warning: --points: ", 0), 0u) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out).at("points"), 30);
  expect_refused({"approx", "--data", "builtin:uniform:2:39", "--kernel", "gaussian"}, {"39 rows", "at least 48", "--estimator jordan"});
}

TEST(ApproxChosen, WhatHasNoEffectIsRefused) {
  expect_refused(approx_without_method + Arguments{"--max-frequencies", "64"}, {"--max-frequencies", "--tolerance"});
  expect_refused(approx_without_method + Arguments{"--tolerance", "0.1", "--frequencies", "64"}, {"--frequencies", "--tolerance"});
  for (const Arguments& method : {Arguments{"--estimator", "polar"}, Arguments{"--sampler", "mub"}, Arguments{"--weights", "calibrated"},
                                  Arguments{"--allocation", "mass"}, Arguments{"--drop-tolerance", "0"}})
    expect_refused(approx_without_method + Arguments{"--tolerance", "0.1"} + method, {"tolerance finds it"});
  for (const Arguments& option : {Arguments{"--pairs", "100"}, Arguments{"--pin-origin"}})
    expect_refused(approx_without_method + option, {option[0], "best"});
  for (const Arguments& option : {Arguments{"--landmarks", "100"}, Arguments{"--landmark-choice", "greedy"}})
    expect_refused(approx_without_method + option, {option[0], "--estimator nystrom"});
  for (const char* bad : {"0", "1", "nan"}) expect_refused(approx_without_method + Arguments{"--tolerance", bad}, {"--tolerance"});
  expect_refused({"approx", "--data", "builtin:uniform:2:30000", "--kernel", "gaussian", "--points", "25000"}, {"--points", "20000"});
}

TEST(Choose, ATimeLimitEndsTheSearch) {
  const TemporaryFolder folder;
  const Arguments hasty = choose + Arguments{"--tolerance", "1e-6", "--out", folder.file("map.askrff"), "--time-limit"};
  const json report = run_json(hasty + Arguments{"1e-9"});
  EXPECT_EQ(report.at("tried").size(), 1u);  // the first is always made
  EXPECT_FALSE(report.at("reached").get<bool>());
  EXPECT_NE(report.at("reason").get<std::string>().find("there was no time for more"), std::string::npos) << report.at("reason");
  for (const char* wrong : {"0", "-1", "nan", "soon"}) expect_refused(hasty + Arguments{wrong}, {"--time-limit"});
}

}  // namespace
}  // namespace askrff::test
