// Feature files: askrff choose writes, askrff transform --features applies, and nothing in a file can hurt.
#include "cli/command.hpp"

#include <functional>

#include "askrff/choose.hpp"
#include "askrff/data.hpp"
#include "askrff/kernels.hpp"
#include "askrff/sampling.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;

const std::string data = "builtin:moons:200";

std::string make_map(const TemporaryFolder& folder, const char* family) {
  const std::string file = folder.file(std::string(family) + ".json");
  run_json(
      {"choose", "--data", data, "--kernel", "sinh-gaussian", "--frequencies", "16", "--seed", "5", "--family", family, "--out", file});
  return file;
}

json parsed(const std::string& file) {
  std::ifstream in(file);
  return json::parse(in);
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

TEST(FeatureFile, TheRoundTripKeepsEveryBit) {
  const TemporaryFolder folder;
  Matrix<double> X = read_data(data).X;
  scale_minmax(X);
  for (const auto& [name, family] : {std::pair{"fourier", Family::fourier}, std::pair{"nystrom", Family::nystrom}}) {
    SCOPED_TRACE(name);
    const Choice choice = choose_features(sinh_gaussian(), X, {.n_frequencies = 16, .family = family, .seed = 5});
    const std::string map = make_map(folder, name);
    for (const char* side : {"left", "right"}) {
      const json report = run_json(apply(map, data, side, folder.file("z.npy")));
      EXPECT_EQ(report.at("kind"), name);
      EXPECT_EQ(report.at("scale"), "stored");
      EXPECT_EQ(report.at("rows_outside"), 0);
      EXPECT_EQ(report.at("kernel"), "sinh-gaussian");
      EXPECT_EQ(report.at("n_features"), choice.map.n_features());
      expect_equal(read_data(folder.file("z.npy")).X, side[0] == 'l' ? choice.map.left(X) : choice.map.right(X));
    }
  }
}

TEST(FeatureFile, HasItsFields) {
  const TemporaryFolder folder;
  const json fourier = parsed(make_map(folder, "fourier")), nystrom = parsed(make_map(folder, "nystrom"));
  for (const json* file : {&fourier, &nystrom}) {
    EXPECT_EQ(file->at("format"), "askrff-features");
    EXPECT_EQ(file->at("version"), 1);
    EXPECT_EQ(file->at("dim"), 2);
    EXPECT_EQ(file->at("kernel").at("name"), "sinh-gaussian");
    EXPECT_EQ(file->at("kernel").at("parameters").at("sigma"), 2.0);
    EXPECT_EQ(file->at("scale").at("width").size(), 2u);
    EXPECT_EQ(file->at("certificate").at("reached"), true);
  }
  EXPECT_EQ(fourier.at("frequencies").size(), fourier.at("weights").size());
  EXPECT_EQ(fourier.at("provenance").at("calibration").at("lowest").size(), 2u);
  EXPECT_EQ(nystrom.at("landmarks").size(), nystrom.at("left_factor").size());
}

TEST(FeatureFile, StructuredFrequenciesKeepTheirStructure) {
  const TemporaryFolder folder;
  json file = parsed(make_map(folder, "fourier"));
  const HadamardBlocks blocks = draw_hadamard_blocks(20, 2, 7);
  std::string signs;
  for (const signed char sign : blocks.signs) signs += sign > 0 ? '+' : '-';
  file.erase("frequencies");
  file["structure"] = {{"padded_dim", blocks.padded_dim}, {"signs", signs}, {"scales", blocks.scales}};
  file["weights"] = json::array();
  std::vector<std::complex<double>> weights;
  for (int j = 0; j < 20; ++j) {
    weights.emplace_back(0.1 * j, 0.3 - 0.01 * j);
    file["weights"].push_back({weights.back().real(), weights.back().imag()});
  }
  file["scale"] = nullptr;
  const std::string map = folder.write("structured.json", file.dump());
  run_json(apply(map, data, "left", folder.file("z.npy")));
  expect_equal(read_data(folder.file("z.npy")).X, FeatureMap(SpectralAtoms(blocks, weights)).left(read_data(data).X));
  const auto refused = [&](const char* key, const json& value) {
    json bad = file;
    bad["structure"][key] = value;
    expect_refused(apply(folder.write("bad.json", bad.dump()), data, "left", folder.file("never.npy")), {"bad.json"});
  };
  refused("padded_dim", 17);
  refused("padded_dim", 1 << 24);
  refused("signs", signs.substr(1));
  refused("signs", "x" + signs.substr(1));
  refused("scales", json::array({1.0}));
}

TEST(FeatureFile, RowsOutsideAreWarnedAbout) {
  const TemporaryFolder folder;
  const std::string far = folder.write("far.csv", "0,0\n0.5,0.2\n100,0\n0,-100\n");
  for (const char* family : {"fourier", "nystrom"}) {
    const Outcome outcome = run(apply(make_map(folder, family), far, "left", folder.file("z.npy")));
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.err.rfind("askrff: warning: 2 of 4 rows lie outside the range", 0), 0u) << outcome.err;
  }
}

// Scaling must not hide that a column which never varied has another value now.
TEST(FeatureFile, ANewValueOfAConstantColumnIsOutside) {
  const TemporaryFolder folder;
  std::string rows;
  for (int i = 0; i < 60; ++i) rows += std::to_string(0.01 * i) + ",7\n";
  const std::string constant = folder.write("constant.csv", rows), moved = folder.write("moved.csv", "0.1,7\n0.2,8\n");
  for (const char* family : {"fourier", "nystrom"}) {
    const std::string map = folder.file("constant.json");
    EXPECT_EQ(run({"choose", "--data", constant, "--kernel", "gaussian", "--frequencies", "8", "--family", family, "--out", map}).exit_code,
              0);
    EXPECT_EQ(run(apply(map, constant, "left", folder.file("z.npy"))).err, "");
    EXPECT_EQ(run(apply(map, moved, "left", folder.file("z.npy"))).err.rfind("askrff: warning: 1 of 2 rows lie outside the range", 0), 0u);
  }
}

TEST(FeatureFile, OptionsThatDrawAreRefused) {
  const TemporaryFolder folder;
  const Arguments call = apply(make_map(folder, "fourier"), data, "left", folder.file("never.npy"));
  for (const Arguments& option :
       {Arguments{"--kernel", "gaussian"}, Arguments{"--sigma", "2"}, Arguments{"--frequencies", "8"}, Arguments{"--seed", "1"},
        Arguments{"--sampler", "mub"}, Arguments{"--estimator", "polar"}, Arguments{"--weights", "exact"}, Arguments{"--scale", "none"}})
    expect_refused(call + option, {option[0], "--features"});
  Arguments classifier = call;
  classifier[6] = "classifier";
  expect_refused(classifier, {"--side", "left and right"});
  expect_refused(apply(folder.file("fourier.json"), "builtin:uniform:3:20", "left", folder.file("never.npy")), {"3 columns", "2"});
  EXPECT_FALSE(std::filesystem::exists(folder.file("never.npy")));
}

TEST(FeatureFile, TransformPointsToItForNystrom) {
  const TemporaryFolder folder;
  expect_refused(
      {"transform", "--data", data, "--kernel", "gaussian", "--estimator", "nystrom", "--side", "left", "--out", folder.file("z.npy")},
      {"--estimator", "--features"});
}

/// Every way to spoil a good file, and a word of the sentence that says so.
struct Spoil {
  std::function<void(json&)> change;
  std::string word;
};

void expect_spoilt(const TemporaryFolder& folder, const json& good, const std::vector<Spoil>& spoils) {
  for (const Spoil& spoil : spoils) {
    json bad = good;
    spoil.change(bad);
    expect_refused(apply(folder.write("bad.json", bad.dump()), data, "left", folder.file("never.npy")), {"bad.json", spoil.word});
  }
  EXPECT_FALSE(std::filesystem::exists(folder.file("never.npy")));
}

TEST(FeatureFile, SpoiltFourierFilesAreRefused) {
  const TemporaryFolder folder;
  const json good = parsed(make_map(folder, "fourier"));
  std::vector<Spoil> spoils{{[](json& file) { file["format"] = "other"; }, "feature file"},
                            {[](json& file) { file["format"] = 7; }, "feature file"},
                            {[](json& file) {
                               file = json::array({1, 2});
                             },
                             "feature file"},
                            {[](json& file) { file["version"] = 2; }, "version 2"},
                            {[](json& file) { file["version"] = -1; }, "version"},
                            {[](json& file) { file["version"] = "1"; }, "version"},
                            {[](json& file) { file["kind"] = "wavelet"; }, "kind"},
                            {[](json& file) { file["dim"] = 3; }, "expected 3"},
                            {[](json& file) { file["dim"] = 0; }, "dim"},
                            {[](json& file) { file["dim"] = 1e300; }, "dim"},
                            {[](json& file) { file["dim"] = 9'999'999; }, "9999999"},
                            {[](json& file) { file["kernel"] = "gaussian"; }, "kernel"},
                            {[](json& file) { file["kernel"]["name"] = "gausian"; }, "gausian"},
                            {[](json& file) { file["kernel"]["parameters"]["sigma"] = -1; }, "sigma"},
                            {[](json& file) { file["kernel"]["parameters"]["sigma"] = "two"; }, "sigma"},
                            {[](json& file) { file["kernel"]["parameters"]["gamma"] = 1; }, "gamma"},
                            {[](json& file) {
                               file["kernel"]["parameters"]["beta"] = json::array({1, 2, 3});
                             },
                             "beta"},
                            {[](json& file) { file["scale"]["width"] = json::array({1}); }, "scale.width"},
                            {[](json& file) { file["scale"]["width"][1] = -1; }, "scale.width"},
                            {[](json& file) { file["scale"] = 5; }, "scale"},
                            {[](json& file) {
                               file["weights"][1] = json::array({1, 2, 3});
                             },
                             "weights[1]"},
                            {[](json& file) {
                               file["weights"][1] = json::array({1, "x"});
                             },
                             "weights[1][1]"},
                            {[](json& file) {
                               file["weights"].push_back(json::array({1, 2}));
                             },
                             "weights"},
                            {[](json& file) { file["frequencies"][2][0] = nullptr; }, "frequencies[2][0]"},
                            {[](json& file) { file["frequencies"][2] = json::array(); }, "frequencies[2]"},
                            {[](json& file) { file["frequencies"] = json::array(); }, "frequencies"},
                            {[](json& file) {
                               file["frequencies"] = {{"a", 1}};
                             },
                             "frequencies"},
                            {[](json& file) { file["provenance"]["calibration"]["lowest"] = json::array({0}); }, "lowest"},
                            {[](json& file) { file["certificate"]["reached"] = "yes"; }, "reached"}};
  for (const char* key : {"format", "version", "kind", "dim", "kernel", "provenance", "certificate", "frequencies", "weights"})
    spoils.push_back({[key](json& file) { file.erase(key); }, key == std::string("format") ? "feature file" : key});
  expect_spoilt(folder, good, spoils);
}

TEST(FeatureFile, SpoiltNystromFilesAreRefused) {
  const TemporaryFolder folder;
  const json good = parsed(make_map(folder, "nystrom"));
  std::vector<Spoil> spoils{{[](json& file) {
                               file["landmarks"].push_back(json::array({1, 2}));
                             },
                             "one per landmark"},
                            {[](json& file) { file["landmarks"][0] = json::array({1}); }, "landmarks[0]"},
                            {[](json& file) { file["left_factor"][1].push_back(1); }, "left_factor[1]"},
                            {[](json& file) { file["left_factor"] = json::array(); }, "left_factor"},
                            {[](json& file) { file["left_factor"][0] = json::array(); }, "left_factor"},
                            {[](json& file) { file["right_factor"][0][0] = "x"; }, "right_factor[0][0]"}};
  for (const char* key : {"landmarks", "left_factor", "right_factor"}) spoils.push_back({[key](json& file) { file.erase(key); }, key});
  expect_spoilt(folder, good, spoils);
}

TEST(FeatureFile, FilesThatAreNoneAreRefused) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& file, const std::string& word) {
    expect_refused(apply(file, data, "left", folder.file("never.npy")), {word});
  };
  const std::string good = parsed(make_map(folder, "fourier")).dump();
  refused(folder.file("absent.json"), "absent.json");
  refused(folder.file(""), "");
  refused(folder.write("empty.json", ""), "empty");
  refused(folder.write("cut.json", good.substr(0, good.size() / 2)), "not valid JSON");
  refused(folder.write("more.json", good + "x"), "not valid JSON");
  refused(folder.write("bytes.json", std::string("\x93NUMPY\x00\xff", 8)), "not valid JSON");
  refused(folder.write("deep.json", std::string(1'000'000, '[')), "levels deep");
  refused(folder.write("deep2.json", "{\"format\":" + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}"), "levels deep");
  std::string keys = "{\"a\":1";
  for (int i = 0; i < 20'000; ++i) keys += ",\"" + std::to_string(i) + "\":0";
  refused(folder.write("keys.json", keys + "}"), "keys");
  std::string huge = good;
  huge.replace(huge.find("\"dim\":2"), 7, "\"dim\":1e999");
  refused(folder.write("infinite.json", huge), "out of range");
  const std::string closed = folder.write("text.json", "\"" + std::string(100, '[') + "\"");
  refused(closed, "feature file");
}

}  // namespace
}  // namespace askrff::test
