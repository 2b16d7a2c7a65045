// --kernel precomputed: maps, errors, diagnoses and models of a kernel matrix in a file; and what is refused.
#include <algorithm>

#include "askrff/map.hpp"
#include "askrff/matrix_map.hpp"
#include "cli/matrix_files.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;

/// A square one, of 120 things, and some of its parts as files.
class Precomputed : public ::testing::Test {
 protected:
  TemporaryFolder folder;
  Matrix<double> X = random_matrix(120, 2, 1), K = skew_matrix(X, X);
  std::string file = written(folder, "K.npy", K);
  Arguments data{"--kernel", "precomputed", "--data", file};

  Matrix<double> features(const std::string& map, const std::string& rows, const Arguments& more) {
    const std::string out = folder.file("features.npy");
    run_json(Arguments{"transform", "--features", map, "--data", rows, "--out", out} + more);
    return read_data(out).X;
  }
  /// Rows i and the next seven hold each other's numbers, one-sidedly: 400 of them.
  static Matrix<double> neighbours() {
    Matrix<double> graph(400, 400);
    for (std::size_t i = 0; i < 400; ++i)
      for (std::size_t step = 0; step < 8; ++step) graph(i, (i + step) % 400) = 1.0 / (1 + static_cast<double>(step));
    return graph;
  }
};

TEST_F(Precomputed, ChoosesTheMapOfTheLibrary) {
  const std::string out = folder.file("map.askrff");
  const json report = run_json(Arguments{"choose"} + data + Arguments{"--n-features", "12", "--seed", "3", "--out", out});
  EXPECT_EQ(report.at("kernel"), "precomputed");
  EXPECT_EQ(report.at("data_rows"), 120);
  EXPECT_EQ(report.at("dim"), 120);
  EXPECT_EQ(report.at("sparse"), false);
  EXPECT_EQ(report.at("chosen").at("n_features"), 12);
  EXPECT_EQ(report.at("one_sided"), false);
  EXPECT_TRUE(report.at("reached").is_null());
  EXPECT_GT(report.at("certificate").at("error"), 0);
  const Map expected = make_matrix_map(*matrix_view(RowsView<double>(K)), {.n_features = 12, .seed = 3});
  const Matrix<double> left = features(out, file, {"--side", "left"}), right = features(out, file, {"--transpose", "--side", "right"});
  EXPECT_TRUE(std::equal(left.data(), left.data() + 120 * 12, expected.left(K).data()));
  EXPECT_TRUE(std::equal(right.data(), right.data() + 120 * 12, expected.right(turned(K)).data()));
  EXPECT_NE(run({"inspect", out}).out.find("askrff choose --kernel precomputed"), std::string::npos);
}

TEST_F(Precomputed, FindsHowManyFeaturesATolerance) {
  const std::string out = folder.file("map.askrff");
  const json report = run_json(Arguments{"choose"} + data + Arguments{"--tolerance", "0.2", "--out", out});
  EXPECT_EQ(report.at("reached"), report.at("certificate").at("upper").get<double>() <= 0.2);
  EXPECT_FALSE(report.at("tried").empty());
  EXPECT_FALSE(report.at("reason").get<std::string>().empty());
  const json errors = run_json(Arguments{"approx"} + data + Arguments{"--tolerance", "0.2"});
  EXPECT_EQ(errors.at("rows")[0].at("n_features"), report.at("chosen").at("n_features"));
  const Outcome missed = run(Arguments{"choose"} + data + Arguments{"--tolerance", "1e-9", "--max-frequencies", "4", "--out", out});
  EXPECT_EQ(missed.exit_code, 0) << missed.err;
  EXPECT_NE(missed.err.find("was not reached with up to 8 features"), std::string::npos) << missed.err;
}

TEST_F(Precomputed, KeepsSparseMatricesSparse) {
  const Matrix<double> graph = neighbours();
  const std::string sparse = written_sparse(folder, "graph.libsvm", graph), out = folder.file("map.askrff");
  const json report = run_json({"choose", "--kernel", "precomputed", "--data", sparse, "--n-features", "30", "--out", out});
  EXPECT_EQ(report.at("sparse"), true);
  const Map expected = make_matrix_map(*matrix_view(RowsView<double>(graph)), {.n_features = 30});
  EXPECT_NEAR(report.at("certificate").at("error"), expected.content().certificate->error.error, 1e-9);
  const Matrix<double> right = features(out, sparse, {"--transpose", "--side", "right"});
  const std::string dense = written(folder, "columns.npy", turned(graph));
  const Matrix<double> again = features(out, dense, {"--side", "right"});
  EXPECT_TRUE(std::equal(right.data(), right.data() + 400 * 30, again.data()));
}

TEST_F(Precomputed, ColumnsThatAreEmptyAtTheEndCount) {
  Matrix<double> graph = neighbours();
  for (std::size_t i = 0; i < 400; ++i)
    for (std::size_t j = 393; j < 400; ++j) graph(i, j) = 0;
  const std::string sparse = written_sparse(folder, "graph.libsvm", graph), out = folder.file("map.askrff");
  run_json({"choose", "--kernel", "precomputed", "--data", sparse, "--columns", "400", "--n-features", "30", "--out", out});
  const Matrix<double> right = features(out, sparse, {"--transpose", "--side", "right"});
  const Matrix<double> again = features(out, written(folder, "columns.npy", turned(graph)), {"--side", "right"});
  ASSERT_EQ(right.rows(), 400u);
  EXPECT_TRUE(std::equal(right.data(), right.data() + 400 * 30, again.data()));
  EXPECT_EQ(features(out, sparse, {"--transpose", "--side", "right", "--columns", "395"}).rows(), 395u);
}

TEST_F(Precomputed, NeedNotBeSquare) {
  const Matrix<double> Y = random_matrix(70, 2, 2), between = skew_matrix(X, Y);
  const std::string rows = written(folder, "between.npy", between), out = folder.file("map.askrff");
  run_json({"choose", "--kernel", "precomputed", "--data", rows, "--n-features", "10", "--out", out});
  EXPECT_EQ(features(out, rows, {"--side", "left"}).rows(), 120u);
  EXPECT_EQ(features(out, rows, {"--transpose", "--side", "right"}).rows(), 70u);
  expect_refused({"transform", "--features", out, "--data", rows, "--side", "right", "--out", folder.file("z.npy")},
                 {"70 columns", "made for 120"});
  const json found = run_json({"diagnose", "--kernel", "precomputed", "--data", rows});
  EXPECT_TRUE(found.at("class").is_null());
  EXPECT_EQ(found.at("singular_values").size(), 70u);
}

TEST_F(Precomputed, TakesLandmarks) {
  const std::string out = folder.file("map.askrff");
  const json report = run_json(Arguments{"choose"} + data + Arguments{"--n-features", "10", "--landmarks", "30", "--out", out});
  EXPECT_LE(report.at("columns_read"), 30);
  EXPECT_LE(run_json(Arguments{"choose"} + data + Arguments{"--landmarks", "30", "--out", out}).at("chosen").at("n_features"), 30);
  expect_refused(Arguments{"choose"} + data + Arguments{"--n-features", "40", "--landmarks", "30", "--out", out},
                 {"--landmarks", "at least as many as features, 40"});
}

TEST_F(Precomputed, ErrorsByNumberOfFeatures) {
  const json report = run_json(Arguments{"approx"} + data + Arguments{"--frequencies", "2,8"});
  ASSERT_EQ(report.at("rows").size(), 2u);
  EXPECT_EQ(report.at("rows")[0].at("n_features"), 4);
  EXPECT_EQ(report.at("rows")[1].at("n_features"), 16);
  EXPECT_GT(report.at("rows")[0].at("error_mean"), report.at("rows")[1].at("error_mean"));
  EXPECT_EQ(run_json(Arguments{"approx"} + data).at("rows").size(), 1u);  // 32; there are no 128
}

TEST_F(Precomputed, IsDiagnosed) {
  const std::string svg = folder.file("K.svg");
  const json report = run_json(Arguments{"diagnose"} + data + Arguments{"--plot", svg});
  EXPECT_EQ(report.at("class"), "asymmetric");
  EXPECT_EQ(report.at("whole_spectrum"), true);
  EXPECT_EQ(report.at("singular_values").size(), 120u);
  for (const char* field : {"norm", "symmetric_share", "skew_share", "negative_share", "smallest_eigenvalue", "best_error"})
    EXPECT_TRUE(report.at(field).is_number()) << field;
  EXPECT_GT(report.at("n_features"), 0);
  const Outcome outcome = run(Arguments{"diagnose"} + data);
  for (const char* text : {"skew share", "features for 1e-3", "recommended: ", "left and right features differ"})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text;
  EXPECT_TRUE(std::ifstream(svg).good());
}

TEST_F(Precomputed, CarriesModels) {
  std::string labels = folder.file("y.txt"), model = folder.file("model.askrff");
  std::ofstream stream(labels);
  for (std::size_t i = 0; i < 120; ++i) stream << (X(i, 0) > 0 ? "right" : "left") << '\n';
  stream.close();
  for (const std::string trainer : {"svm", "ridge"}) {
    const json report =
        run_json(Arguments{"train"} + data + Arguments{"--labels", labels, "--n-features", "20", "--model", trainer, "--out", model});
    EXPECT_EQ(report.at("train_rows"), 120);
    EXPECT_EQ(report.at("n_features"), 20);
    EXPECT_EQ(report.at("scale"), "none");
    EXPECT_NE(run({"inspect", model}).out.find("askrff train --kernel precomputed --n-features 20 --model " + trainer), std::string::npos);
    const Matrix<double> new_x = random_matrix(60, 2, 9);
    const Outcome predicted = run({"predict", "--model", model, "--data", written(folder, "new.npy", skew_matrix(new_x, X))});
    EXPECT_EQ(predicted.exit_code, 0) << predicted.err;
    expect_refused({"predict", "--model", model, "--data", written(folder, "wrong.npy", skew_matrix(new_x, new_x))},
                   {"60 columns", "made for 120"});
  }
}

TEST_F(Precomputed, RefusesWhatHasNoMeaning) {
  const std::string out = folder.file("x.askrff");
  const auto refused = [&](const char* command, const Arguments& more, const Arguments& words) {
    expect_refused(Arguments{command} + data + more, words);
  };
  for (const char* option : {"--sigma", "--beta"}) refused("choose", {option, "1", "--out", out}, {option, "no parameters"});
  refused("choose", {"--scale", "minmax", "--out", out}, {"--scale", "as they are"});
  refused("choose", {"--estimator", "fourier", "--out", out}, {"--estimator", "no frequencies"});
  refused("choose", {"--frequencies", "4d", "--out", out}, {"--frequencies", "no dimension"});
  refused("choose", {"--n-features", "5000", "--out", out}, {"--n-features", "4096"});
  refused("choose", {"--n-features", "0", "--out", out}, {"--n-features", "expected a whole number from 1\n"});
  refused("choose", {"--tolerance", "2", "--out", out}, {"--tolerance"});
  refused("approx", {"--compare"}, {"--compare"});
  refused("approx", {"--points", "10"}, {"--points"});
  refused("train", {"--out", out, "--tune", "sigma"}, {"--tune"});
  refused("train", {"--out", out, "--tolerance", "0.1"}, {"--tolerance", "askrff choose"});
  refused("train", {"--out", out}, {"labels"});
  refused("plan", {"--out", out}, {"--kernel", "precomputed is a matrix"});
  refused("transform", {"--out", out}, {"--kernel", "askrff choose"});
  expect_refused({"masses", "--kernel", "precomputed", "--dim", "2"}, {"--kernel", "precomputed is a matrix"});
  expect_refused({"bound", "--kernel", "precomputed", "--dim", "2", "--diameter", "1"}, {"--kernel", "precomputed is a matrix"});
  const std::string zero = written(folder, "zero.npy", Matrix<double>(30, 30));
  expect_refused({"choose", "--kernel", "precomputed", "--data", zero, "--tolerance", "0.1", "--out", out}, {"30 x 30", "zero"});
  expect_refused({"diagnose", "--kernel", "precomputed", "--data", zero}, {"30 x 30", "zero"});
  expect_refused({"approx", "--kernel", "precomputed", "--data", written(folder, "small.npy", skew_matrix(random_matrix(9, 2, 1), X))},
                 {"9 x 120", "at least 15"});
}

}  // namespace
}  // namespace askrff::test
