// Files of models and maps: what is saved comes back to the bit, and the same value is the same bytes.
#include "askrff/model.hpp"

#include <gtest/gtest.h>

#include "askrff/errors.hpp"
#include "io/temporary_files.hpp"
#include "pipeline/expect_same_model.hpp"
#include "pipeline/sample_models.hpp"
#include "pipeline/stored_keys.hpp"
#include "support/plain_kernels.hpp"

namespace askrff::test {
namespace {

class ModelFile : public TemporaryFiles {
 protected:
  void expect_round_trip(const Model& model, double size = 1) const {
    model.save(path("m.askrff"));
    const Model loaded = load_model(path("m.askrff"));
    expect_same_model(model, loaded);
    const Matrix<double> X = uniform_matrix(50, model.map.dim(), 77, -size, size);
    expect_same(model.outputs(X), loaded.outputs(X));
    EXPECT_EQ(content("m.askrff"), loaded.to_bytes());
    expect_same_model(model, Model::from_bytes(model.to_bytes()));
    expect_same_map(load_map(path("m.askrff")), model.map);
    expect_same_map(Map::from_bytes(model.to_bytes()), model.map);
    expect_same_map(Map::from_bytes(model.map.to_bytes()), model.map);
  }
};

TEST_F(ModelFile, EveryKindComesBackToTheBit) {
  {
    SCOPED_TRACE("Fourier");
    expect_round_trip(fourier_classifier());
  }
  {
    SCOPED_TRACE("Nystrom");
    expect_round_trip(nystrom_regression());
  }
  {
    SCOPED_TRACE("structured");
    expect_round_trip(structured_classifier());
  }
  {
    SCOPED_TRACE("linear");
    expect_round_trip(linear_regression());
    expect_round_trip(matrix_classifier());
  }
}

TEST_F(ModelFile, ASolverOfOldIsReadAsItWasWritten) {
  Model model = fourier_classifier();
  model.training.solver = "liblinear";
  expect_round_trip(model);
}

TEST_F(ModelFile, AModelOfOldHasNoProbabilities) {
  Model model = fourier_classifier();
  model.output_scale.reset();
  expect_round_trip(model);
  EXPECT_THROW(model.probabilities_of(Matrix<double>(1, 3)), InvalidArgument);
}

TEST_F(ModelFile, EveryScalingComesBackToTheBit) {
  for (const auto& word : words_of(Scaling{})) {
    SCOPED_TRACE(word.name);
    Model model = linear_regression();
    model.map = model.map.with([&](MapContent& map) {
      map.scaler = word.value == Scaling::none ? Scaler{} : Scaler{word.value, {0, 0.1, -3, 1e9}, {1, 1.0 / 3, 0, 1e-9}};
      if (word.value == Scaling::maxabs) map.scaler.offset.assign(4, 0.0);  // others are refused
    });
    expect_round_trip(model);
  }
}

TEST_F(ModelFile, AMapComesBackToTheBit) {
  const Map map = calibrated_map();
  map.save(path("m.askrff"));
  EXPECT_EQ(content("m.askrff"), map.to_bytes());
  const StoredFile stored = load_stored(path("m.askrff"));
  ASSERT_EQ(stored.model(), nullptr);
  expect_same_map(map, stored.map());
  EXPECT_EQ(stored.version, 1u);
  EXPECT_EQ(stored.n_bytes, content("m.askrff").size());
  EXPECT_FALSE(stored.written_by.empty());
  EXPECT_TRUE(contains(message_of<DataError>([&] { load_model(path("m.askrff")); }), "a map without a model"));
  EXPECT_TRUE(starts_with(message_of<DataError>([&] { Model::from_bytes(map.to_bytes(), "a pickle"); }), "a pickle: holds a map without"));
  const Matrix<double> X = uniform_matrix(10, 2, 1);
  expect_same(load_map(path("m.askrff")).features().transform(X), FeatureMap(*map.atoms()).left(X));
}

TEST_F(ModelFile, TheSecondsOfACalibrationAreNotKept) {
  const Map map = calibrated_map();
  Provenance provenance = map.atoms()->provenance();
  provenance.calibration->seconds += 1;
  MapContent slower = map.content();
  slower.source = map.atoms()->with_provenance(provenance);
  EXPECT_EQ(Map(std::move(slower)).to_bytes(), map.to_bytes());
}

TEST_F(ModelFile, NamesOfColumnsComeBack) {
  const Map named = calibrated_map().with([](MapContent& content) { content.column_names = {"größe", ""}; });
  EXPECT_EQ(Map::from_bytes(named.to_bytes()).content().column_names, named.content().column_names);
}

TEST_F(ModelFile, NumbersAtTheEdgeComeBack) {
  Model model = linear_regression();
  model.linear.weights(0, 0) = -0.0;
  model.linear.weights(1, 0) = std::numeric_limits<double>::denorm_min();
  model.linear.weights(2, 0) = std::numeric_limits<double>::max();
  const Matrix<double> weights = Model::from_bytes(model.to_bytes()).linear.weights;
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(weights(i, 0)), std::bit_cast<std::uint64_t>(model.linear.weights(i, 0)));
}

TEST_F(ModelFile, AKernelWithoutANameIsKeptByItsAtomsOnly) {
  MapContent map;
  map.kernel.kernel = std::make_shared<SkewedGaussian>(CoordinateParameter(0.5));
  map.source = random_atoms(5, 2, 3);
  Map(map).save(path("m.askrff"));
  const Map loaded = load_map(path("m.askrff"));
  EXPECT_EQ(loaded.content().kernel.name, "");
  EXPECT_EQ(loaded.content().kernel.kernel, nullptr);
  expect_same_atoms(random_atoms(5, 2, 3), *loaded.atoms());
  map.source = nystrom(map.kernel.kernel, uniform_matrix(40, 2, 5), {.n_features = 4});
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { Map(map).save(path("n.askrff")); }), "without a name"));
  EXPECT_EQ(Map::from_bytes(Map(map).to_bytes(), "bytes", map.kernel.kernel).kind(), "nystrom");  // bytes leave it out
  EXPECT_EQ(n_files(), 1u);
}

TEST_F(ModelFile, LandmarksOfAnotherKernelThanTheNameAreRefused) {
  Model model = nystrom_regression();
  model.map = model.map.with([](MapContent& content) {
    content.kernel = named_kernel("sinh-gaussian", {{"beta", CoordinateParameter{0.3, -0.14}}});
  });
  const std::string message = message_of<InvalidArgument>([&] { model.save(path("m.askrff")); });
  EXPECT_TRUE(starts_with(message, "Model::save: "));
  EXPECT_TRUE(contains(message, "is not sinh-gaussian with"));
}

TEST_F(ModelFile, StructuredFrequenciesAreBounded) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  EXPECT_TRUE(pipeline::fits_file(std::size_t{1} << 24, 8, 16));
  EXPECT_FALSE(pipeline::fits_file((std::size_t{1} << 24) + 1, 8, 16));
  EXPECT_FALSE(pipeline::fits_file(std::size_t{1} << 16, 1, std::size_t{1} << 13));
  EXPECT_FALSE(pipeline::fits_file(most, most, most));
}

TEST_F(ModelFile, WhatCannotBeWrittenIsSaid) {
  const Model model = linear_regression();
  for (const std::string& bad : {folder().string(), std::string(), std::string("-"), path("no/m.askrff"), std::string("/dev/full")})
    EXPECT_TRUE(starts_with(message_of<std::invalid_argument>([&] { model.save(bad); }), "Model::save: cannot create")) << bad;
  EXPECT_EQ(n_files(), 0u);
}

TEST_F(ModelFile, ALinkStaysAndAnOldFileIsReplaced) {
  write("real.askrff", "old");
  std::filesystem::create_symlink("real.askrff", path("link.askrff"));
  linear_regression().save(path("link.askrff"));
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.askrff")));
  expect_same_model(load_model(path("real.askrff")), linear_regression());
  EXPECT_EQ(n_files(), 2u);
}

}  // namespace
}  // namespace askrff::test
