// Files written by every version of the format so far still load, with the values and predictions they had. Files of a version are never
// changed once it is released; a new version adds files beside them, made by
//   test_pipeline --gtest_also_run_disabled_tests --gtest_filter='*WriteAnew' (it prints the numbers for this test).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "askrff/model.hpp"
#include "pipeline/sample_models.hpp"

namespace askrff::test {
namespace {

std::string golden(const std::string& name) { return std::string(ASKRFF_SOURCE_DIR) + "/tests/golden_models/" + name + ".askrff"; }

/// Two rows inside the range of every model.
Matrix<double> rows_for(std::size_t dim) {
  Matrix<double> X(2, dim);
  for (std::size_t j = 0; j < dim; ++j) {
    X(0, j) = 0.25 + 0.125 * static_cast<double>(j);
    X(1, j) = -0.5 + 0.0625 * static_cast<double>(j * j);
  }
  return X;
}

void expect_values(MatrixView<const double> got, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(got.rows() * got.cols(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(got(i / got.cols(), i % got.cols()), expected[i], tolerance * (1 + std::fabs(expected[i]))) << i;
}

TEST(GoldenModels, FourierClassifier) {
  const Model model = load_model(golden("v1-fourier-classifier"));
  const MapContent& map = model.map.content();
  EXPECT_EQ(map.kernel.name, "shift-gaussian");
  EXPECT_EQ(map.kernel.parameters[0].second.scalar(), 1.5);
  EXPECT_TRUE(map.kernel.parameters[1].second.is_over_dim());
  EXPECT_EQ(map.scaler.kind, Scaling::minmax);
  EXPECT_EQ(map.scaler.width, (std::vector<double>{1, 1.0 / 3, 0}));
  EXPECT_EQ(map.side, FeatureSide::classifier);
  EXPECT_EQ(model.map.atoms()->provenance().estimator, "jordan");
  ASSERT_EQ(model.map.atoms()->parts().size(), 3u);
  EXPECT_EQ(model.map.atoms()->parts()[2].part, Part::imaginary_positive);
  EXPECT_EQ(model.map.atoms()->parts()[2].first, 8u);
  EXPECT_EQ(model.task, Task::classification);
  EXPECT_EQ(model.classes, odd_labels());
  EXPECT_EQ(model.training.seed, 18446744073709551615u);
  EXPECT_EQ(model.training.command, "askrff train --data 'a b.csv'");
  EXPECT_EQ(model.training.cv_c, (std::vector<double>{0.1, 1.0 / 3, 10}));
  expect_values(model.map.atoms()->frequencies().middle_rows(0, 1), {-0.673085113056612, 0.8486517849309645, 0.053068560244879825}, 0);
  expect_values(model.outputs(rows_for(3)),
                {0.7737962013920746, 0.31357705066357927, 0.2474073200040805, 2.1269874815120735, -1.324879495214789, -2.142276750791182},
                1e-12);
}

TEST(GoldenModels, NystromRegression) {
  const Model model = load_model(golden("v1-nystrom-regression"));
  const MapContent& map = model.map.content();
  EXPECT_EQ(map.kernel.parameters[1].second.expand(2, "", ""), (std::vector<double>{0.3, -1.0 / 7}));
  EXPECT_EQ(map.scaler.kind, Scaling::standard);
  EXPECT_EQ(model.map.nystrom()->n_landmarks(), 9u);
  EXPECT_EQ(model.map.nystrom()->n_features(), 5u);
  EXPECT_EQ(map.side, FeatureSide::right);
  EXPECT_EQ(model.task, Task::regression);
  EXPECT_EQ(model.training.trainer, "ridge");
  expect_values(model.outputs(rows_for(2)), {-2.2177076680720464, 0.12476634594535058}, 1e-10);
}

TEST(GoldenModels, StructuredClassifier) {
  const Model model = load_model(golden("v1-structured-classifier"));
  EXPECT_EQ(model.map.atoms()->structure()->padded_dim, 16u);
  EXPECT_EQ(model.map.content().kernel.name, "");
  EXPECT_EQ(model.precision, Precision::float32);
  EXPECT_EQ(model.classes, (std::vector<std::string>{"no", "yes"}));
  expect_values(model.outputs(rows_for(5)), {0.5214786529541016, -3.6136207580566406}, 1e-5);
}

TEST(GoldenModels, Map) {
  const StoredFile file = load_stored(golden("v1-map"));
  EXPECT_EQ(file.version, 1u);
  EXPECT_EQ(file.n_bytes, std::filesystem::file_size(golden("v1-map")));
  ASSERT_EQ(file.model(), nullptr);
  const MapContent& map = file.map().content();
  EXPECT_EQ(map.kernel.name, "shifted:matern-3/2");
  EXPECT_EQ(map.reason, "it was the best");
  EXPECT_EQ(map.seed, 9u);
  EXPECT_EQ(map.certificate->error.error, 0.1);
  EXPECT_TRUE(std::isinf(map.certificate->error.upper));
  EXPECT_FALSE(map.certificate->reached);
  EXPECT_EQ(file.map().atoms()->provenance().weights, "calibrated");
  EXPECT_EQ(file.map().atoms()->provenance().calibration->range.lowest.size(), 2u);
  const Matrix<double> features = file.map().features().transform(rows_for(2));
  expect_values(
      features.view().middle_rows(0, 1),
      {0.4887141239077915, -0.180659725192151, -1.6525198277525366, 1.4481437515362638, -0.6442218033517734, 1.0631676323107588,
       0.1842421335457146, 0.06153802155510991, 1.0166061886949738, -0.5397696936775483, -1.1354870666864043, -1.6756243455720574},
      1e-12);
}

TEST(GoldenModels, MatrixClassifier) {
  const StoredFile file = load_stored(golden("v2-matrix-classifier"));
  EXPECT_EQ(file.version, 2u);
  ASSERT_NE(file.model(), nullptr);
  const Map& map = file.model()->map;
  EXPECT_EQ(map.kind(), "matrix");
  EXPECT_EQ(map.dim(), 9u);
  EXPECT_EQ(map.dim(FeatureSide::right), 14u);
  EXPECT_EQ(map.matrix()->columns.size(), 6u);
  EXPECT_EQ(map.content().certificate->error.upper, 0.3);
  expect_values(file.model()->outputs(rows_for(9)), {0.2063126441171212, -0.175628745357776}, 1e-10);
}

/// Overwrites the files of the version that is written now.
TEST(GoldenModels, DISABLED_WriteAnew) {
  const auto show = [](const std::string& name, MatrixView<const double> values) {
    std::string text;
    for (std::size_t i = 0; i < values.rows(); ++i)
      for (const double value : values.row(i)) text += fmt::format("{}{}", text.empty() ? "" : ", ", value);
    fmt::print("{}: {{{}}}\n", name, text);
  };
  const auto write = [&](const std::string& name, const Model& model) {
    model.save(golden(name));
    show(name, model.outputs(rows_for(model.map.dim())));
  };
  write("v1-fourier-classifier", fourier_classifier());
  show("its first frequency", fourier_classifier().map.atoms()->frequencies().middle_rows(0, 1));
  write("v1-nystrom-regression", nystrom_regression());
  write("v1-structured-classifier", structured_classifier());
  write("v2-matrix-classifier", matrix_classifier());
  const Map map = calibrated_map();
  map.save(golden("v1-map"));
  show("v1-map", map.features().transform(rows_for(2)).view().middle_rows(0, 1));
}

}  // namespace
}  // namespace askrff::test
