// Files of any size: transform to standard output, choose, approx and the SVM in passes, with little memory.
#include <fmt/format.h>
#include <sys/resource.h>

#include <cstring>

#include "askrff/data.hpp"
#include "cli/training.hpp"
#include "support/same_bits.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;

class Streams : public Train {
 protected:
  /// Rows of two columns as text.
  static std::string rows_text(std::size_t rows) {
    std::string text;
    for (std::size_t i = 0; i < rows; ++i) {
      RandomStream random(5, Purpose::builtin_data, i);
      const double x = random.uniform();
      text += fmt::format("{},{}\n", x, random.uniform());
    }
    return text;
  }
  /// A map of them, and the call that applies it.
  Arguments stored(const std::string& data) const {
    if (!std::filesystem::exists(map_))
      run_json({"choose", "--data", folder.write("map.csv", rows_text(200)), "--kernel", "gaussian", "--n-features", "16", "--estimator",
                "fourier", "--out", map_});
    return {"transform", "--features", map_, "--data", data, "--out"};
  }
  const std::string map_ = folder.file("map.askrff"), npy_ = folder.file("z.npy");
};

TEST_F(Streams, StandardOutputHasTheBytesOfTheFile) {
  const std::string csv = folder.write("x.csv", rows_text(9000));
  for (const Arguments& call :
       {stored(csv), Arguments{"transform", "--data", csv, "--kernel", "gaussian", "--frequencies", "8", "--out"}}) {
    const json report = run_json(call + Arguments{npy_});
    EXPECT_EQ(report.at("rows"), 9000);
    EXPECT_EQ(report.at("out_format"), "npy");
    const std::string expected = content_of(npy_);
    const Outcome streamed = run(call + Arguments{"-", "--json"});
    EXPECT_EQ(streamed.exit_code, 0) << streamed.err;
    EXPECT_TRUE(streamed.out == expected);
    const json told = json::parse(streamed.err);
    EXPECT_EQ(told.at("out"), "-");
    EXPECT_EQ(told.at("rows"), 9000);
    const Outcome raw = run(call + Arguments{"-", "--out-format", "raw"});
    EXPECT_TRUE(raw.out == expected.substr(128));
    EXPECT_NE(raw.err.find("standard output: 9000 rows × 16 left features"), std::string::npos) << raw.err;
    run_json(call + Arguments{folder.file("z.raw"), "--out-format", "raw"});
    EXPECT_TRUE(content_of(folder.file("z.raw")) == expected.substr(128));
  }
}

TEST_F(Streams, PipesInPipesOut) {
  const std::string text = rows_text(500);
  run_json(stored(folder.write("x.csv", text)) + Arguments{npy_, "--dtype", "float32"});
  const std::string expected = content_of(npy_);
  const auto from_pipe = [&](const std::string& input, const Arguments& more) {
    return run(stored("-") + more + Arguments{"--dtype", "float32"}, input);
  };
  // A temporary file as standard input can be read again as little as a pipe.
  EXPECT_TRUE(from_pipe(text, {"-", "--out-format", "raw"}).out == expected.substr(128));
  EXPECT_EQ(from_pipe(text, {npy_}).exit_code, 0);
  EXPECT_TRUE(content_of(npy_) == expected);
  expect_one_line_error(from_pipe(text, {"-"}), 2, {"--out", "standard input does not tell before its end", "--out-format raw"});
  // An NPY array says how many rows will come.
  const Matrix<double> X = read_data(folder.file("x.csv")).X;
  std::string array = NpyWriter::header(X.rows(), X.cols(), NpyWriter::Type::float64);
  array.append(reinterpret_cast<const char*>(X.data()), X.rows() * X.cols() * sizeof(double));
  EXPECT_TRUE(from_pipe(array, {"-"}).out == expected);
  EXPECT_EQ(from_pipe(array.substr(0, array.size() - 8), {"-"}).exit_code, 2);
  expect_refused(stored("-") + Arguments{"-", "--out-format", "text"}, {"--out-format", "npy or raw"});
}

TEST_F(Streams, LibsvmRowsMayLackTheLastColumns) {
  run_json(stored(folder.write("x.csv", "0.5,0\n0.25,0.75\n")) + Arguments{npy_});
  const std::string expected = content_of(npy_);
  EXPECT_EQ(run(stored("-") + Arguments{npy_, "--format", "libsvm"}, "1 1:0.5\n1 1:0.25 2:0.75\n").exit_code, 0);
  EXPECT_TRUE(content_of(npy_) == expected);
}

TEST_F(Streams, AReaderThatHasGoneEndsTheWork) {
  const int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  const Outcome outcome = run_onto(full, stored("builtin:uniform:2:20000") + Arguments{"-"});
  ::close(full);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("standard output: cannot be written"), std::string::npos) << outcome.err;
}

// More rows than are looked at: those drawn do not depend on what they come from.
TEST_F(Streams, ChooseAndApproxDrawTheSameRowsFromAnySource) {
  const std::string csv = rows_text(22'000), file = folder.write("x.csv", csv);
  const Arguments choose{"choose", "--kernel", "gaussian", "--n-features", "16", "--estimator", "fourier", "--out", map_, "--data"};
  const json chosen = run_json(choose + Arguments{file});
  EXPECT_EQ(chosen.at("data_rows"), 22'000);
  const json piped = run_json(choose + Arguments{"-", "--format", "csv"}, csv);
  EXPECT_EQ(piped.at("certificate"), chosen.at("certificate"));
  const Arguments approx{"approx",  "--kernel", "gaussian", "--frequencies", "8", "--estimator",
                         "fourier", "--points", "100",      "--trials",      "2", "--data"};
  const json measured = run_json(approx + Arguments{file});
  EXPECT_EQ(measured.at("data_rows"), 22'000);
  EXPECT_EQ(measured.at("rows_drawn"), 20'100);
  EXPECT_EQ(measured.at("points"), 100);
  std::string libsvm = csv;
  for (std::size_t at = 0, comma; at < libsvm.size(); at = libsvm.find('\n', comma) + 1) {
    libsvm.insert(at, "0 1:");
    comma = libsvm.find(',', at);
    libsvm.replace(comma, 1, " 2:");
  }
  for (const auto& [pipe, text] : {std::pair{Arguments{"-", "--format", "csv"}, csv}, {Arguments{"-"}, csv}, {Arguments{"-"}, libsvm}})
    EXPECT_EQ(run_json(approx + pipe, text).at("rows")[0].at("error_mean"), measured.at("rows")[0].at("error_mean"));
  const Arguments masses{"masses", "--kernel", "gaussian", "--method", "subset", "--subset", "10", "--frequencies", "64", "--data"};
  const json fitted = run_json(masses + Arguments{file});
  EXPECT_EQ(fitted.at("rows"), 22'000);
  EXPECT_EQ(run_json(masses + Arguments{"-"}, csv).at("real_positive"), fitted.at("real_positive"));
}

TEST_F(Streams, SvmBeyondItsMemory) {
  const std::string csv = folder.write("x.csv", sectors(600, {"a", "b", "c"}));
  const Arguments call = train(csv, kernel + Arguments{"--label", "kind", "--c-grid", "1,8"});
  const json kept = run_json(call);
  EXPECT_EQ(kept.at("passes"), 0);
  const json passed = run_json(call + Arguments{"--memory", "9K"});  // 600 rows of two columns are 9600 bytes
  EXPECT_GT(passed.at("passes"), 0);
  EXPECT_EQ(passed.at("cv_scores"), kept.at("cv_scores"));
  EXPECT_EQ(passed.at("train_accuracy"), kept.at("train_accuracy"));
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(passed.at("objectives")[k].get<double>() / kept.at("objectives")[k].get<double>(), 1, 1e-8);
  const std::string file = content_of(model);
  EXPECT_EQ(
      run_json(train("-", kernel + Arguments{"--label", "kind", "--c-grid", "1,8", "--memory", "9216"}), content_of(csv)).at("passes"),
      passed.at("passes"));
  EXPECT_TRUE(content_of(model) == file);
  const Outcome text = run(call + Arguments{"--memory", "0"});
  EXPECT_NE(text.out.find(" passes over rows that were not kept in memory"), std::string::npos) << text.out;
  for (const char* wrong : {"", "x", "1T", "-1", "1.5G", "G", "99999999999999999999", "99999999999G"})
    expect_refused(call + Arguments{"--memory", wrong}, {"--memory", "500M or 2G"});
  expect_refused(call + Arguments{"--memory", "1G", "--model", "ridge"}, {"--memory", "only for --model svm"});
}

// 80 MB of rows through every command, with addresses for little more than that: program, libraries and stacks of threads take 50 MiB.
TEST_F(Streams, MoreRowsThanMemory) {
  if (const std::string why = no_limit_of_addresses(); !why.empty()) GTEST_SKIP() << why;
  const std::string rows = "builtin:uniform:10:1000000", moons = "builtin:moons:1500000";
  const auto limited = [&](const Arguments& call) {
    return run_limited(call + Arguments{"--threads", "2"}, RLIMIT_AS, std::size_t{90} << 20);
  };
  const auto runs = [&](const Arguments& call) {
    const Outcome outcome = limited(call);
    EXPECT_EQ(outcome.exit_code, 0) << call.front() << ": " << outcome.err;
  };
  runs({"choose", "--data", rows, "--kernel", "gaussian", "--n-features", "16", "--estimator", "fourier", "--out", map_});
  runs({"approx", "--data", rows, "--kernel", "gaussian", "--frequencies", "8", "--estimator", "polar", "--trials", "1"});
  const Outcome masses = run_limited({"masses", "--data", rows, "--kernel", "gaussian", "--method", "subset", "--frequencies", "8"},
                                     RLIMIT_AS, std::size_t{90} << 20);
  EXPECT_EQ(masses.exit_code, 0) << masses.err;
  runs({"transform", "--data", rows, "--features", map_, "--dtype", "float32", "--out", npy_});
  EXPECT_EQ(std::filesystem::file_size(npy_), 128 + std::size_t{1'000'000} * 16 * 4);
  const Arguments svm{"--kernel", "gaussian", "--frequencies", "2", "--c", "1"};
  runs(train(moons, svm + Arguments{"--memory", "1M"}));
  expect_one_line_error(limited(train(moons, svm)), 1, {"out of memory"});
}

}  // namespace
}  // namespace askrff::test
