// Files of kernel matrices' maps and models on the command line: inspected, transformed, predicted with; and what is refused.
#include "cli/matrix_files.hpp"

#include "askrff/matrix_map.hpp"
#include "askrff/train.hpp"
#include "support/matrices.hpp"

namespace askrff::test {
namespace {

TEST(MatrixMapFile, TakesRowsAndColumnsOfTheMatrix) {
  const TemporaryFolder folder;
  const Matrix<double> X = random_matrix(40, 2, 1), Y = random_matrix(30, 2, 2), K = skew_matrix(X, Y);
  const Map map = make_matrix_map(*matrix_view(RowsView<double>(K)), {.n_features = 6, .seed = 3});
  const std::string file = folder.file("map.askrff");
  map.save(file);
  const auto json = run_json({"inspect", file});
  EXPECT_EQ(json.at("map").at("kind"), "matrix");
  EXPECT_EQ(json.at("map").at("matrix").at("rows"), 40);
  EXPECT_EQ(json.at("map").at("matrix").at("columns_read"), 30);
  const std::string text = run({"inspect", file}).out;
  EXPECT_NE(text.find("6, left side, of 30 columns and 40 rows of a 40 x 30 kernel matrix"), std::string::npos) << text;
  const Matrix<double> columns = turned(K);
  const auto transform = [&](const Matrix<double>& rows, const char* side) {
    run_json({"transform", "--features", file, "--data", written(folder, "rows.npy", rows), "--side", side, "--out", folder.file("z.npy")});
    return read_data(folder.file("z.npy")).X;
  };
  const Matrix<double> left = transform(K, "left"), right = transform(columns, "right");
  EXPECT_TRUE(std::equal(left.data(), left.data() + 40 * 6, map.left(K).data()));
  EXPECT_TRUE(std::equal(right.data(), right.data() + 30 * 6, map.right(columns).data()));
  expect_refused(
      {"transform", "--features", file, "--data", written(folder, "rows.npy", columns), "--side", "left", "--out", folder.file("y.npy")},
      {"40 columns", "made for 30"});
}

TEST(MatrixMapFile, OfAModelPredicts) {
  const TemporaryFolder folder;
  const Matrix<double> X = random_matrix(80, 2, 1), K = skew_matrix(X, X);
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < 80; ++i) labels.push_back(X(i, 0) > 0 ? "right" : "left");
  const TrainedModel model =
      train(MemoryRows(RowsView<double>(K), labels),
            {.map = make_matrix_map(*matrix_view(RowsView<double>(K)), {.n_features = 10}), .trainer = Trainer::ridge});
  const std::string file = folder.file("model.askrff");
  model.save(file);
  EXPECT_EQ(run({"inspect", file}).exit_code, 0);
  const Outcome predicted = run({"predict", "--model", file, "--data", written(folder, "rows.npy", K)});
  EXPECT_EQ(predicted.exit_code, 0) << predicted.err;
}

}  // namespace
}  // namespace askrff::test
