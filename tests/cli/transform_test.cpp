// askrff transform: the features it writes reproduce the kernel; outputs are complete or absent.
#include "cli/command.hpp"

#include <fmt/format.h>

#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/data.hpp"
#include "askrff/features.hpp"
#include "askrff/kernels.hpp"
#include "askrff/operators.hpp"
#include "support/same_bits.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;

const std::string forty_rows = "builtin:uniform:3:40";
// What approximate() draws: Jordan parts, independently, with exact weights.
const Arguments drawn{"--sigma", "2", "--estimator", "jordan", "--sampler", "exact", "--weights", "exact"};
const Arguments call =
    Arguments{"transform", "--data", forty_rows, "--kernel", "shift-gaussian", "--frequencies", "64", "--seed", "9"} + drawn;

Matrix<double> features(const TemporaryFolder& folder, const std::string& side, const Arguments& more = {}) {
  const std::string out = folder.file(side + ".npy");
  const json report = run_json(call + Arguments{"--side", side, "--out", out} + more);
  EXPECT_EQ(report.at("rows"), 40);
  EXPECT_EQ(report.at("side"), side);
  EXPECT_EQ(report.at("out"), out);
  EXPECT_TRUE(report.at("seconds").is_number());
  Matrix<double> Z = read_data(out).X;
  EXPECT_EQ(report.at("n_features"), Z.cols());
  EXPECT_EQ(Z.rows(), 40u);
  return Z;
}

double inner(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

FeatureMap same_map() { return FeatureMap(approximate(*shift_gaussian(), 3, {.n_frequencies = 64, .seed = 9})); }

TEST(Transform, LeftTimesRightIsTheKernel) {
  const TemporaryFolder folder;
  const Matrix<double> left = features(folder, "left"), right = features(folder, "right"), X = read_data(forty_rows).X;
  const Matrix<double> approximate = approximate_gram(same_map(), X, X), exact = exact_gram(*shift_gaussian(), X, X);
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < X.rows(); ++i) {
    for (std::size_t j = 0; j < X.rows(); ++j) {
      const double value = inner(left.row(i), right.row(j));
      EXPECT_NEAR(value, approximate(i, j), 1e-14);
      error += std::pow(value - exact(i, j), 2);
      norm += exact(i, j) * exact(i, j);
    }
  }
  EXPECT_LT(std::sqrt(error / norm), 0.15);
}

TEST(Transform, WritesTheBitsOfTheLibrary) {
  const TemporaryFolder folder;
  const Matrix<double> written = features(folder, "left"), made = same_map().left(read_data(forty_rows).X);
  for (std::size_t i = 0; i < made.rows(); ++i)
    for (std::size_t j = 0; j < made.cols(); ++j) EXPECT_EQ(written(i, j), made(i, j));
}

TEST(Transform, Float32IsRoundedOnce) {
  const TemporaryFolder folder;
  const Matrix<double> X = read_data(forty_rows).X, written = features(folder, "right", {"--dtype", "float32"});
  Matrix<float> rounded(X.rows(), X.cols());
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < X.cols(); ++j) rounded(i, j) = static_cast<float>(X(i, j));
  const Matrix<float> made = same_map().right(rounded);
  EXPECT_EQ(std::filesystem::file_size(folder.file("right.npy")) % 64, (made.rows() * made.cols() * sizeof(float)) % 64);
  EXPECT_LT(std::filesystem::file_size(folder.file("right.npy")), made.rows() * made.cols() * sizeof(float) + 1024);
  for (std::size_t i = 0; i < made.rows(); ++i)
    for (std::size_t j = 0; j < made.cols(); ++j) EXPECT_EQ(written(i, j), static_cast<double>(made(i, j)));
}

TEST(Transform, ClassifierFeaturesAreTheCollapsedForm) {
  const TemporaryFolder folder;
  const Matrix<double> written = features(folder, "classifier");
  const Matrix<double> made =
      ClassifierFeatures(approximate(*shift_gaussian(), 3, {.n_frequencies = 64, .seed = 9})).transform(read_data(forty_rows).X);
  ASSERT_EQ(written.cols(), made.cols());
  EXPECT_EQ(written.cols(), 6u * 64u);
  for (std::size_t i = 0; i < made.rows(); ++i)
    for (std::size_t j = 0; j < made.cols(); ++j) EXPECT_EQ(written(i, j), made(i, j));
}

TEST(Transform, MoreRowsThanABlock) {
  const TemporaryFolder folder;
  const std::string out = folder.file("long.npy");
  const json report = run_json(Arguments{"transform", "--data", "builtin:uniform:2:9001", "--kernel", "gaussian", "--frequencies", "2d",
                                         "--side", "left", "--out", out} +
                               drawn);
  EXPECT_EQ(report.at("rows"), 9001);
  EXPECT_EQ(report.at("frequencies_per_part"), 4);
  EXPECT_EQ(report.at("n_features"), 8);
  const Matrix<double> Z = read_data(out).X;
  const Matrix<double> made = FeatureMap(approximate(*gaussian(), 2, {.n_frequencies = 4})).left(read_data("builtin:uniform:2:9001").X);
  for (std::size_t i : {std::size_t{0}, std::size_t{4095}, std::size_t{4096}, std::size_t{9000}})
    for (std::size_t j = 0; j < Z.cols(); ++j) EXPECT_EQ(Z(i, j), made(i, j));
}

TEST(Transform, MoreFrequenciesStartWithTheSame) {
  const TemporaryFolder folder;
  const auto written = [&](const std::string& frequencies) {
    const std::string out = folder.file(frequencies + ".npy");
    run_json(
        Arguments{"transform", "--data", forty_rows, "--kernel", "gaussian", "--frequencies", frequencies, "--side", "left", "--out", out} +
        drawn);
    return read_data(out).X;
  };
  const Matrix<double> few = written("8"), many = written("16");
  for (std::size_t i = 0; i < few.rows(); ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      EXPECT_NEAR(many(i, j) * std::sqrt(2.0), few(i, j), 1e-15);           // cosines
      EXPECT_NEAR(many(i, 16 + j) * std::sqrt(2.0), few(i, 8 + j), 1e-15);  // sines
    }
  }
}

// Left and right are the same for a symmetric positive definite kernel: nobody needs to say which.
TEST(Transform, OneSidedMapsNeedNoSide) {
  const TemporaryFolder folder;
  const Arguments gaussian{"transform", "--data", forty_rows, "--kernel", "gaussian", "--frequencies", "16", "--out"};
  run_json(gaussian + Arguments{folder.file("z.npy")});
  run_json(gaussian + Arguments{folder.file("right.npy"), "--side", "right"});
  expect_same(read_data(folder.file("z.npy")).X, read_data(folder.file("right.npy")).X);
  expect_refused(gaussian + Arguments{folder.file("no.npy"), "--weights", "unconstrained"}, {"--side", "left or right"});
  expect_refused(call + Arguments{"--out", folder.file("no.npy")}, {"--side", "left or right"});
}

TEST(Transform, TableNamesTheFile) {
  const TemporaryFolder folder;
  const Outcome table = run(call + Arguments{"--side", "left", "--out", folder.file("z.npy")});
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_EQ(table.err, "");
  EXPECT_NE(table.out.find("z.npy: 40 rows"), std::string::npos) << table.out;
}

TEST(Transform, RefusedCallsLeaveNothing) {
  const TemporaryFolder folder;
  const Arguments left = call + Arguments{"--side", "left"};
  expect_refused(left + Arguments{"--out", folder.file("no/such/folder/z.npy")}, {"z.npy"});
  expect_refused(left + Arguments{"--out", folder.file("")}, {});
  expect_refused(left + Arguments{"--out", ""}, {});
  expect_refused(call + Arguments{"--side", "middle", "--out", folder.file("z.npy")}, {"--side", "left, right or classifier"});
  expect_refused(left + Arguments{"--out", folder.file("z.npy"), "--dtype", "int8"}, {"--dtype", "float32 or float64"});
  expect_refused({"transform", "--data", forty_rows, "--kernel", "gaussian", "--frequencies", "16,32", "--side", "left", "--out",
                  folder.file("z.npy")},
                 {"--frequencies"});
  expect_refused(
      {"transform", "--data", folder.file("absent.csv"), "--kernel", "gaussian", "--side", "left", "--out", folder.file("z.npy")},
      {"absent.csv"});
  expect_refused({"transform", "--data", "-", "--format", "csv", "--kernel", "gaussian", "--side", "left", "--out", folder.file("z.npy")},
                 {"standard input:2"}, "1,2\n3\n");
  EXPECT_TRUE(folder.empty());
}

TEST(Transform, AFailureLeavesAnOlderFileAlone) {
  const TemporaryFolder folder;
  const std::string out = folder.write("z.npy", "old");
  const Outcome outcome = run({"transform", "--data", "builtin:uniform:57:10", "--kernel", "shift-gaussian", "--sampler", "rejection",
                               "--side", "left", "--out", out});
  expect_one_line_error(outcome, 1, {"real_negative"});
  std::ifstream in(out);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.file("")), {}), 1);
}

/// Data far from 0 in few digits: a word about it, and none where there is nothing to say.
TEST(Transform, Float32ThatLosesTheRowsIsToldSo) {
  const TemporaryFolder folder;
  const auto warning = [&](double offset, const std::string& type, const std::string& scale) {
    std::string text;
    for (int i = 0; i < 50; ++i) text += fmt::format("{},{}\n", offset + 0.37 * i, offset - 0.11 * i);
    const Outcome outcome = run({"transform", "--data", folder.write("x.csv", text), "--kernel", "gaussian", "--sigma", "1", "--side",
                                 "left", "--dtype", type, "--scale", scale, "--out", folder.file("o.npy")});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.err;
  };
  EXPECT_NE(warning(1e7, "float32", "none").find("float32 keeps too few digits of these rows"), std::string::npos);
  EXPECT_EQ(warning(1e7, "float64", "none"), "");
  EXPECT_EQ(warning(1e7, "float32", "standard"), "");
  EXPECT_EQ(warning(10, "float32", "none"), "");
}

}  // namespace
}  // namespace askrff::test
