// Maps in files: askrff choose writes, askrff transform --features applies.
#include "cli/command.hpp"

#include "askrff/approximate.hpp"
#include "askrff/choose.hpp"
#include "askrff/data.hpp"
#include "askrff/kernels.hpp"
#include "askrff/model.hpp"
#include "askrff/sampling.hpp"
#include "support/linear_inputs.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;

const std::string moons = "builtin:moons:200";

std::string make_map(const TemporaryFolder& folder, const char* family) {
  const std::string file = folder.file(std::string(family) + ".askrff");
  run_json(
      {"choose", "--data", moons, "--kernel", "sinh-gaussian", "--frequencies", "16", "--seed", "5", "--estimator", family, "--out", file});
  return file;
}

std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Arguments apply(const std::string& map, const std::string& rows, const std::string& side, const std::string& out) {
  return {"transform", "--features", map, "--data", rows, "--side", side, "--out", out};
}

void expect_equal(const Matrix<double>& written, const Matrix<double>& made) {
  ASSERT_EQ(written.rows(), made.rows());
  ASSERT_EQ(written.cols(), made.cols());
  for (std::size_t i = 0; i < made.rows(); ++i)
    for (std::size_t j = 0; j < made.cols(); ++j) ASSERT_EQ(written(i, j), made(i, j)) << i << " " << j;
}

TEST(MapFile, TheRoundTripKeepsEveryBit) {
  const TemporaryFolder folder;
  Matrix<double> X = read_data(moons).X;
  Scaler::fitted_to(X, Scaling::minmax).apply(X);
  for (const auto& [name, family] : {std::pair{"fourier", Estimator::fourier}, std::pair{"nystrom", Estimator::nystrom}}) {
    SCOPED_TRACE(name);
    const auto kernel = fitted_kernel("sinh-gaussian", X, 5).kernel;
    const Choice choice = choose_features(kernel, X, {.n_frequencies = 16, .estimator = family, .seed = 5});
    const std::string map = make_map(folder, name);
    for (const char* side : {"left", "right"}) {
      const json report = run_json(apply(map, moons, side, folder.file("z.npy")));
      EXPECT_EQ(report.at("kind"), name);
      EXPECT_EQ(report.at("scale"), "stored");
      EXPECT_EQ(report.at("rows_outside"), 0);
      EXPECT_EQ(report.at("kernel"), "sinh-gaussian");
      EXPECT_EQ(report.at("n_features"), choice.map.n_features());
      expect_equal(read_data(folder.file("z.npy")).X, side[0] == 'l' ? choice.map.left(X) : choice.map.right(X));
    }
  }
}

TEST(MapFile, HoldsWhatWasChosen) {
  const TemporaryFolder folder;
  const Map fourier = load_map(make_map(folder, "fourier")), nystrom = load_map(make_map(folder, "nystrom"));
  for (const Map* map : {&fourier, &nystrom}) {
    const MapContent& content = map->content();
    EXPECT_EQ(map->dim(), 2u);
    EXPECT_EQ(content.kernel.name, "sinh-gaussian");
    EXPECT_EQ(content.scaler.kind, Scaling::minmax);
    EXPECT_TRUE(content.certificate->reached);
    EXPECT_EQ(content.seed, 5u);
    EXPECT_NE(content.command.find("askrff choose --kernel sinh-gaussian --data " + moons), std::string::npos) << content.command;
    EXPECT_EQ(content.command.find("--out"), std::string::npos);
  }
  EXPECT_EQ(fourier.atoms()->provenance().calibration->range.lowest.size(), 2u);
  EXPECT_EQ(nystrom.content().range->lowest.size(), 2u);
}

TEST(MapFile, AModelIsAMapToo) {
  const TemporaryFolder folder;
  const NamedKernel kernel = named_kernel("shift-gaussian");
  MapContent content{.source = approximate(*kernel.kernel, 2, {.n_frequencies = 4, .seed = 1})};
  content.kernel = kernel;
  content.side = FeatureSide::classifier;
  const Map map(content);
  Model model{.map = map, .linear = {Matrix<double>(map.n_features(), 1), {0.0}}};
  model.classes = {"a", "b"};
  model.save(folder.file("model.askrff"));
  const Matrix<double> X = read_data(moons).X;
  for (const auto side : {FeatureSide::left, FeatureSide::right, FeatureSide::classifier}) {
    const json report = run_json(apply(folder.file("model.askrff"), moons, std::string(name_of(side)), folder.file("z.npy")));
    EXPECT_EQ(report.at("scale"), "none");
    EXPECT_TRUE(report.at("certificate").is_null());
    expect_equal(read_data(folder.file("z.npy")).X, map.features(side).transform(X));
  }
}

TEST(MapFile, StructuredFrequenciesAndColumns) {
  const TemporaryFolder folder;
  std::vector<std::complex<double>> weights;
  for (int j = 0; j < 20; ++j) weights.emplace_back(0.1 * j, 0.3 - 0.01 * j);
  const SpectralAtoms atoms(draw_hadamard_blocks(20, 2, 7), weights);
  Map(MapContent{.source = atoms}).save(folder.file("m.askrff"));
  EXPECT_TRUE(run_json(apply(folder.file("m.askrff"), moons, "left", folder.file("z.npy"))).at("kernel").is_null());
  expect_equal(read_data(folder.file("z.npy")).X, FeatureMap(atoms).left(read_data(moons).X));
  column_map(2).save(folder.file("m.askrff"));
  EXPECT_EQ(run_json(apply(folder.file("m.askrff"), moons, "left", folder.file("z.npy"))).at("kind"), "columns");
  expect_equal(read_data(folder.file("z.npy")).X, read_data(moons).X);
}

TEST(MapFile, RowsOutsideAreWarnedAbout) {
  const TemporaryFolder folder;
  const std::string far = folder.write("far.csv", "0,0\n0.5,0.2\n100,0\n0,-100\n");
  for (const char* family : {"fourier", "nystrom"}) {
    const Outcome outcome = run(apply(make_map(folder, family), far, "left", folder.file("z.npy")));
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err.rfind("askrff: warning: 50 % of the rows lie far outside", 0), 0u) << outcome.err;
  }
}

// Scaling must not hide that a column which never varied has another value now.
TEST(MapFile, ANewValueOfAConstantColumnIsOutside) {
  const TemporaryFolder folder;
  std::string rows;
  for (int i = 0; i < 60; ++i) rows += std::to_string(0.01 * i) + ",7\n";
  const std::string constant = folder.write("constant.csv", rows), moved = folder.write("moved.csv", "0.1,7\n0.2,8\n");
  for (const char* family : {"fourier", "nystrom"}) {
    const std::string map = folder.file("constant.askrff");
    EXPECT_EQ(
        run({"choose", "--data", constant, "--kernel", "gaussian", "--frequencies", "8", "--estimator", family, "--out", map}).exit_code,
        0);
    EXPECT_EQ(run(apply(map, constant, "left", folder.file("z.npy"))).err, "");
    EXPECT_EQ(run(apply(map, moved, "left", folder.file("z.npy"))).err.rfind("askrff: warning: 50 % of the rows lie far outside", 0), 0u);
  }
}

TEST(MapFile, OptionsThatDrawAreRefused) {
  const TemporaryFolder folder;
  const Arguments call = apply(make_map(folder, "fourier"), moons, "left", folder.file("never.npy"));
  for (const Arguments& option :
       {Arguments{"--kernel", "gaussian"}, Arguments{"--sigma", "2"}, Arguments{"--frequencies", "8"}, Arguments{"--seed", "1"},
        Arguments{"--sampler", "mub"}, Arguments{"--estimator", "polar"}, Arguments{"--weights", "exact"}, Arguments{"--scale", "none"}})
    expect_refused(call + option, {option[0], "--features"});
  Arguments classifier = call;
  classifier[6] = "classifier";
  expect_refused(classifier, {"--side", "left and right"});
  expect_refused(apply(folder.file("fourier.askrff"), "builtin:uniform:3:20", "left", folder.file("never.npy")), {"3 columns", "2"});
  EXPECT_FALSE(std::filesystem::exists(folder.file("never.npy")));
}

TEST(MapFile, TransformPointsToItForNystrom) {
  const TemporaryFolder folder;
  expect_refused(
      {"transform", "--data", moons, "--kernel", "gaussian", "--estimator", "nystrom", "--side", "left", "--out", folder.file("z.npy")},
      {"--estimator", "--features"});
}

TEST(MapFile, ADamagedFileIsRefused) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& file, const std::vector<std::string>& words) {
    expect_refused(apply(file, moons, "left", folder.file("never.npy")), words);
    expect_refused({"inspect", file}, words);
  };
  std::string good = bytes_of(make_map(folder, "fourier"));
  refused(folder.file("absent.askrff"), {"absent.askrff", "No such file"});
  refused(folder.file(""), {"directory"});
  refused("/dev/zero", {"/dev/zero", "expected a file"});
  refused(folder.write("empty.askrff", ""), {"empty.askrff", "is empty"});
  refused(folder.write("cut.askrff", good.substr(0, good.size() / 2)), {"cut.askrff", "ends early", std::to_string(good.size())});
  refused(folder.write("more.askrff", good + "x"), {"more.askrff", "expected"});
  refused(folder.write("old.askrff", "{\"format\":\"askrff-features\"}"), {"old.askrff", "is not a model or map"});
  good[good.size() / 2] = static_cast<char>(good[good.size() / 2] ^ 1);
  refused(folder.write("flipped.askrff", good), {"flipped.askrff", "checksum"});
  EXPECT_FALSE(std::filesystem::exists(folder.file("never.npy")));
}

}  // namespace
}  // namespace askrff::test
