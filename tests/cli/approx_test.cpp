// askrff approx: fields, determinism, what it refuses and where the work fails.
#include "cli/command.hpp"

#include <cmath>

namespace askrff::test {
namespace {

using nlohmann::json;

// Jordan parts drawn independently; what happens without a method is tested in choose_test.cpp.
const Arguments plain{"--estimator", "jordan", "--sampler", "exact", "--weights", "exact"};
const Arguments approx_call{"approx", "--data", "builtin:uniform:4", "--kernel", "shift-gaussian"};
const Arguments uniform = approx_call + plain;
const Arguments few_trials{"--points", "60", "--trials", "3"};
const Arguments small_call = uniform + few_trials;

/// Without what depends on the clock.
json timeless(json report) {
  for (json& row : report.at("rows")) {
    row.erase("seconds_sample");
    row.erase("seconds_features");
  }
  return report;
}

TEST(Approx, Fields) {
  const json report = run_json(small_call + Arguments{"--frequencies", "16,64,4d", "--seed", "5"});
  for (const char* field : {"kernel", "data", "scale", "estimator", "sampler", "weights"})
    EXPECT_TRUE(report.at(field).is_string()) << field;
  for (const char* field : {"dim", "points", "trials", "seed"}) EXPECT_TRUE(report.at(field).is_number_unsigned()) << field;
  EXPECT_EQ(report.at("scale"), "minmax");
  EXPECT_EQ(report.at("points"), 60);
  EXPECT_EQ(report.at("seed"), 5);
  ASSERT_EQ(report.at("rows").size(), 3u);
  const std::size_t per_part[]{16, 64, 16};
  for (std::size_t i = 0; i < 3; ++i) {
    const json& row = report.at("rows")[i];
    EXPECT_EQ(row.at("frequencies_per_part"), per_part[i]);
    EXPECT_EQ(row.at("n_frequencies"), 3 * per_part[i]);
    for (const char* field : {"error_mean", "error_std", "max_error_mean", "seconds_sample", "seconds_features"})
      EXPECT_TRUE(row.at(field).is_number()) << field;
    EXPECT_GT(row.at("error_mean").get<double>(), 0);
    EXPECT_LT(row.at("error_mean").get<double>(), 0.5);
  }
  ASSERT_EQ(report.at("parts").size(), 3u);
  for (const json& part : report.at("parts")) {
    EXPECT_TRUE(part.at("part").is_string());
    EXPECT_TRUE(part.at("mass").is_number());
    EXPECT_TRUE(part.at("log_mass").is_number());
    EXPECT_EQ(part.at("dropped"), false);
  }
}

TEST(Approx, TheSameSeedGivesTheSameNumbers) {
  const Arguments call = small_call + Arguments{"--frequencies", "16,16,64", "--seed", "7"};
  const json first = timeless(run_json(call)), second = timeless(run_json(call));
  EXPECT_EQ(first, second);
  EXPECT_EQ(first.at("rows")[0], first.at("rows")[1]);  // duplicates are kept
  EXPECT_NE(first.at("rows"), timeless(run_json(small_call + Arguments{"--frequencies", "16,16,64", "--seed", "8"})).at("rows"));
  // A row does not depend on the rows around it.
  EXPECT_EQ(first.at("rows")[2], timeless(run_json(small_call + Arguments{"--frequencies", "64", "--seed", "7"})).at("rows")[0]);
}

TEST(Approx, OneTrialHasNoDeviation) {
  EXPECT_EQ(run_json(uniform + Arguments{"--points", "30", "--trials", "1", "--frequencies", "8"}).at("rows")[0].at("error_std"), 0.0);
}

TEST(Approx, TheErrorFallsLikeTheRoot) {
  for (const char* kernel : {"gaussian", "difference-of-gaussians", "shift-gaussian", "sinh-gaussian", "cosh-gaussian"}) {
    const json rows = run_json(Arguments{"approx", "--data", "builtin:uniform:4", "--kernel", kernel, "--points", "50", "--trials", "20",
                                         "--frequencies", "32,2048"} +
                               plain)
                          .at("rows");
    // 64 times the frequencies, an eighth of the error; each mean of 20 trials is known to about 15 %.
    const double ratio = rows[0].at("error_mean").get<double>() / rows[1].at("error_mean").get<double>();
    EXPECT_GT(ratio, 8 * 0.5) << kernel;
    EXPECT_LT(ratio, 8 * 2.0) << kernel;
  }
}

TEST(Approx, DroppedPartsAreReported) {
  const Arguments call = Arguments{"approx",   "--data", "builtin:uniform:57", "--kernel", "shift-gaussian", "--sigma", "2",
                                   "--points", "20",     "--trials",           "1",        "--frequencies",  "8"} +
                         plain;
  const json report = run_json(call);
  EXPECT_EQ(report.at("parts")[1].at("part"), "real_negative");
  EXPECT_EQ(report.at("parts")[1].at("dropped"), true);
  EXPECT_NEAR(report.at("parts")[1].at("log_mass").get<double>(), std::log(2.12226935151954e-34), 1e-9);
  EXPECT_EQ(report.at("rows")[0].at("n_frequencies"), 16);
  EXPECT_NE(run(call).out.find("real_negative dropped: mass 2.1e-34"), std::string::npos);
  const json kept = run_json(call + Arguments{"--drop-tolerance", "0"});
  EXPECT_EQ(kept.at("rows")[0].at("n_frequencies"), 24);
  EXPECT_EQ(kept.at("parts")[1].at("dropped"), false);
}

TEST(Approx, RejectionRefusesWhatItWouldNeverFinish) {
  const Outcome outcome = run({"approx", "--data", "builtin:uniform:57", "--kernel", "shift-gaussian", "--sigma", "2", "--sampler",
                               "rejection", "--points", "20", "--frequencies", "4"});
  expect_one_line_error(outcome, 1, {"real_negative", "exact"});
}

TEST(Approx, RejectionWorksWhereItCan) {
  const json report = run_json({"approx", "--data", "builtin:uniform:4", "--kernel", "cosh-gaussian", "--points", "60", "--trials", "3",
                                "--sampler", "rejection", "--frequencies", "64"});
  EXPECT_EQ(report.at("sampler"), "rejection");
  EXPECT_LT(report.at("rows")[0].at("error_mean").get<double>(), 0.5);
}

TEST(Approx, SubsetWeightsAreFitted) {
  const json report = run_json(approx_call + few_trials +
                               Arguments{"--estimator", "jordan", "--weights", "subset", "--subset", "20", "--frequencies", "64"});
  EXPECT_EQ(report.at("weights"), "subset");
  EXPECT_EQ(report.at("subset"), 20);
  EXPECT_LT(report.at("rows")[0].at("error_mean").get<double>(), 0.2);
}

TEST(Approx, FewRowsAreAllUsedWithAWarning) {
  const TemporaryFolder folder;
  const std::string file = folder.write("few.csv", "0,1\n1,0\n0.5,0.5\n0.1,0.9\n");
  const Outcome outcome =
      run(Arguments{"approx", "--data", file, "--kernel", "gaussian", "--frequencies", "8", "--trials", "1", "--json"} + plain);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.rfind("askrff: warning: ", 0), 0u) << outcome.err;
  EXPECT_NE(outcome.err.find("4 rows"), std::string::npos);
  EXPECT_EQ(json::parse(outcome.out).at("points"), 4);
}

TEST(Approx, ReadsStandardInput) {
  const std::string csv = "a,b,class\n0,1,x\n1,0,y\n0.5,0.25,x\n";
  const Arguments call =
      Arguments{"approx", "--data", "-", "--kernel", "shift-gaussian", "--points", "3", "--trials", "2", "--frequencies", "16"} + plain;
  const json report = run_json(call + Arguments{"--format", "csv", "--label", "class"}, csv);
  EXPECT_EQ(report.at("dim"), 2);
  EXPECT_EQ(report.at("points"), 3);
  const json libsvm = run_json(call + Arguments{"--format", "libsvm", "--columns", "5"}, "+1 1:0 2:1\n-1 1:1\n+1 1:0.5 2:0.25\n");
  EXPECT_EQ(libsvm.at("dim"), 5);
}

TEST(Approx, ScalingChangesTheData) {
  const std::string csv = "0,100\n10,0\n5,25\n";
  const Arguments call =
      Arguments{"approx", "--data", "-", "--kernel", "gaussian", "--sigma", "2", "--points", "3", "--trials", "1", "--frequencies", "16"} +
      plain;
  EXPECT_NE(run_json(call + Arguments{"--scale", "none"}, csv).at("rows")[0].at("error_mean"),
            run_json(call + Arguments{"--scale", "minmax"}, csv).at("rows")[0].at("error_mean"));
}

TEST(Approx, BadNumbersAreRefused) {
  for (const char* bad :
       {"0", "-4", "16,0", "0d", "dd", "4D", "", ",", "16,", "1e3", "4.5", "99999999999999999999", "999999999999999d", "1000000000000"})
    expect_refused(small_call + Arguments{"--frequencies", bad}, {"--frequencies"});
  for (const char* bad : {"0", "-1", "x"}) {
    expect_refused(uniform + Arguments{"--points", bad}, {"--points"});
    expect_refused(uniform + Arguments{"--trials", bad}, {"--trials"});
  }
  for (const char* bad : {"-1", "1", "2", "nan"}) expect_refused(small_call + Arguments{"--drop-tolerance", bad}, {"tolerance"});
  for (const char* bad : {"-1", "0", "2", "nan"})
    expect_refused(approx_call + few_trials + Arguments{"--sampler", "rejection", "--min-acceptance", bad}, {"acceptance"});
  expect_refused(small_call + Arguments{"--subset", "10"}, {"--subset", "--weights subset"});
  expect_refused(approx_call + Arguments{"--weights", "subset", "--subset", "0"}, {"--subset"});
  expect_refused(approx_call + few_trials + Arguments{"--weights", "subset", "--subset", "2001"},
                 {"a subset of 2001 rows, but the data has 1940"});
  expect_refused(small_call + Arguments{"--min-acceptance", "0.1"}, {"--min-acceptance", "--sampler rejection"});
  expect_refused(approx_call + Arguments{"--sampler", "magic"}, {"--sampler", "exact, rejection"});
  expect_refused(approx_call + Arguments{"--weights", "heavy"}, {"--weights", "exact, subset, calibrated or unconstrained"});
  expect_refused(small_call + Arguments{"--scale", "log"}, {"--scale", "none, minmax, standard, robust or maxabs"});
  expect_refused(small_call + Arguments{"--shift", "1,2,3"}, {"shift", "3", "4"});
}

TEST(Approx, BadDataIsRefusedWithItsPlace) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& file, const std::vector<std::string>& parts) {
    expect_refused({"approx", "--kernel", "gaussian", "--frequencies", "4", "--data", file}, parts);
  };
  refused(folder.file("absent.csv"), {"absent.csv"});
  refused(folder.write("ragged.csv", "1,2\n3,4\n5\n"), {"ragged.csv:3"});
  refused(folder.write("nan.csv", "1,2\n3,nan\n"), {"nan.csv:2"});
  refused(folder.write("inf.csv", "1,2\n3,inf\n"), {"inf.csv:2"});
  refused(folder.write("empty.csv", ""), {"empty.csv"});
  refused(folder.write("zero.libsvm", "+1 1:1\n-1 0:1\n"), {"zero.libsvm:2"});
  refused(folder.write("order.libsvm", "+1 2:1 1:1\n"), {"order.libsvm:1"});
  refused(folder.write("broken.csv.gz", "\x1f\x8b\x08 broken"), {"broken.csv.gz"});
  refused(folder.write("broken.npy", "\x93NUMPY broken"), {"broken.npy"});
  refused("builtin:nothing", {"builtin:nothing"});
  refused("builtin:uniform:0", {"uniform:0"});
  refused("builtin:uniform:1000000000000000", {"uniform"});
  refused(std::filesystem::path(folder.file("x")).parent_path().string(), {});
  expect_refused({"approx", "--kernel", "gaussian", "--data", "builtin:uniform:2", "--format", "csv"}, {"--format"});
  expect_refused({"approx", "--kernel", "gaussian", "--data", "-", "--format", "libsvm", "--label", "1"}, {"--label"});
  expect_refused({"approx", "--kernel", "gaussian", "--data", "-", "--format", "csv", "--columns", "3"}, {"--columns"});
  expect_refused({"approx", "--kernel", "gaussian", "--data", "-", "--format", "csv"}, {"standard input:2"}, "1,2\n3\n");
}

TEST(Approx, TableEndsInASentence) {
  const Outcome table = run(small_call + Arguments{"--frequencies", "16"});
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_EQ(table.err, "");
  for (const char* part : {"relative error", "sampling [s]", "real_positive", "With 16 frequencies per part", "mean of 3 trials"})
    EXPECT_NE(table.out.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace askrff::test
