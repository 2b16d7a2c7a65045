// Files of models and maps: what is saved comes back to the bit, and the same value is the same bytes.
#include "askrff/model.hpp"

#include <gtest/gtest.h>

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
    save_model(path("m.askrff"), model);
    const Model loaded = load_model(path("m.askrff"));
    expect_same_model(model, loaded);
    const Matrix<double> X = uniform_matrix(50, model.preparation.dim, 77, -size, size);
    expect_same(Predictor(model).outputs(X), Predictor(loaded).outputs(X));
    save_model(path("again.askrff"), loaded);
    EXPECT_EQ(content("m.askrff"), content("again.askrff"));
    expect_same_map(load_map(path("m.askrff")), model.preparation);
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
  }
}

TEST_F(ModelFile, ASolverOfOldIsReadAsItWasWritten) {
  Model model = fourier_classifier();
  model.training.solver = "liblinear";
  expect_round_trip(model);
}

TEST_F(ModelFile, AMapComesBackToTheBit) {
  const Preparation map = calibrated_map();
  save_map(path("m.askrff"), map);
  const StoredFile stored = load_stored(path("m.askrff"));
  expect_same_map(map, std::get<Preparation>(stored.content));
  EXPECT_EQ(stored.version, 1u);
  EXPECT_EQ(stored.n_bytes, content("m.askrff").size());
  EXPECT_FALSE(stored.written_by.empty());
  EXPECT_TRUE(contains(message_of<DataError>([&] { load_model(path("m.askrff")); }), "a map without a model"));
  const Matrix<double> X = uniform_matrix(10, 2, 1);
  expect_same(load_map(path("m.askrff")).features().transform(X), FeatureMap(*map.atoms).left(X));
}

TEST_F(ModelFile, TheSecondsOfACalibrationAreNotKept) {
  Preparation map = calibrated_map();
  save_map(path("a.askrff"), map);
  Provenance provenance = map.atoms->provenance();
  provenance.calibration->seconds += 1;
  map.atoms = map.atoms->with_provenance(provenance);
  save_map(path("b.askrff"), map);
  EXPECT_EQ(content("a.askrff"), content("b.askrff"));
}

TEST_F(ModelFile, NumbersAtTheEdgeComeBack) {
  Model model = linear_regression();
  model.linear.weights(0, 0) = -0.0;
  model.linear.weights(1, 0) = std::numeric_limits<double>::denorm_min();
  model.linear.weights(2, 0) = std::numeric_limits<double>::max();
  save_model(path("m.askrff"), model);
  const Matrix<double> weights = load_model(path("m.askrff")).linear.weights;
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(weights(i, 0)), std::bit_cast<std::uint64_t>(model.linear.weights(i, 0)));
}

TEST_F(ModelFile, AKernelWithoutANameIsKeptByItsAtomsOnly) {
  Preparation map;
  map.dim = 2;
  map.kernel.kernel = std::make_shared<SkewedGaussian>(CoordinateParameter(0.5));
  map.atoms = random_atoms(5, 2, 3);
  save_map(path("m.askrff"), map);
  const Preparation loaded = load_map(path("m.askrff"));
  EXPECT_EQ(loaded.kernel.name, "");
  EXPECT_EQ(loaded.kernel.kernel, nullptr);
  expect_same_atoms(*map.atoms, *loaded.atoms);
  map.atoms.reset();
  map.nystrom = nystrom(map.kernel.kernel, uniform_matrix(40, 2, 5), {.n_features = 4});
  EXPECT_TRUE(contains(message_of<std::invalid_argument>([&] { save_map(path("n.askrff"), map); }), "without a name"));
  EXPECT_EQ(n_files(), 1u);
}

TEST_F(ModelFile, LandmarksOfAnotherKernelThanTheNameAreRefused) {
  Model model = nystrom_regression();
  model.preparation.kernel = named_kernel("sinh-gaussian", {{"beta", CoordinateParameter{0.3, -0.14}}});
  EXPECT_TRUE(contains(message_of<std::invalid_argument>([&] { save_model(path("m.askrff"), model); }), "is not sinh-gaussian with"));
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
    EXPECT_TRUE(starts_with(message_of<std::invalid_argument>([&] { save_model(bad, model); }), "save_model: cannot create")) << bad;
  EXPECT_EQ(n_files(), 0u);
}

TEST_F(ModelFile, ALinkStaysAndAnOldFileIsReplaced) {
  write("real.askrff", "old");
  std::filesystem::create_symlink("real.askrff", path("link.askrff"));
  save_model(path("link.askrff"), linear_regression());
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.askrff")));
  expect_same_model(load_model(path("real.askrff")), linear_regression());
  EXPECT_EQ(n_files(), 2u);
}

}  // namespace
}  // namespace askrff::test
