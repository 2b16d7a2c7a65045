// make_map(): every word for an estimator makes its map, certificates hold on fresh rows, few rows and many rows work, the kernel that was
// fitted to the data is the one in the map.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "askrff/choose.hpp"
#include "askrff/errors.hpp"
#include "askrff/map.hpp"
#include "askrff/operators.hpp"
#include "askrff/train.hpp"
#include "io/temporary_files.hpp"
#include "support/plain_kernels.hpp"
#include "support/random_inputs.hpp"
#include "support/same_bits.hpp"

namespace askrff::test {
namespace {

/// The map's error on raw rows.
double error_on(const Map& map, Matrix<double> rows) {
  map.content().scaler.apply(rows.view());
  return approximation_error(*map.content().kernel.kernel, map.feature_map(), rows, rows).frobenius;
}

std::string refusal(const KernelChoice& kernel, const Matrix<double>& X, const MapOptions& options = {}) {
  return message_of<InvalidArgument>([&] { make_map(kernel, X, options); });
}

TEST(MakeMap, EveryEstimatorMakesItsMap) {
  const auto X = uniform_matrix(400, 3, 1);
  for (const auto& word : words_of(Estimator{})) {
    SCOPED_TRACE(word.name);
    const Map map = make_map("shift-gaussian", X, {.estimator = word.value, .n_frequencies = 32, .seed = 2});
    EXPECT_EQ(map.content().kernel.name, "shift-gaussian");
    EXPECT_EQ(map.content().seed, 2u);
    ASSERT_TRUE(map.content().certificate);
    EXPECT_EQ(map.content().certificate->n_features, map.n_features(FeatureSide::left));
    EXPECT_EQ(map.content().certificate->n_frequencies, map.n_frequencies());
    EXPECT_TRUE(map.content().certificate->reached);
    if (word.value == Estimator::nystrom) {
      EXPECT_EQ(map.kind(), "nystrom");
      EXPECT_LE(map.n_features(), 64u);
      EXPECT_TRUE(map.content().range);
    } else if (word.value != Estimator::best) {
      EXPECT_EQ(map.kind(), "fourier");
      const bool by_parts = map.atoms()->provenance().estimator == "jordan";
      if (word.value != Estimator::fourier && word.value != Estimator::automatic) {
        EXPECT_EQ(by_parts, word.value != Estimator::polar);
      }
      EXPECT_EQ(map.n_frequencies(), by_parts ? 3 * 32u : 32u);                          // of each part of this kernel
      EXPECT_EQ(map.has_side(FeatureSide::classifier), word.value == Estimator::paper);  // calibrated weights have no common mass
      EXPECT_EQ(map.atoms()->provenance().weights, word.value == Estimator::paper ? "subset" : "calibrated");
      EXPECT_EQ(map.atoms()->provenance().sampler, word.value == Estimator::paper ? "exact" : "orthogonal");
    }
    if (word.value == Estimator::fourier || word.value == Estimator::best) {
      EXPECT_FALSE(map.content().reason.empty());
    }
  }
}

// Errors on 500 fresh rows of the same law against the certificate's 95 % interval, for 20 maps with fresh data and seeds. With one in 20
// outside, 7 or more have probability 3e-5; for three estimators 1e-4.
TEST(MakeMap, CertificatesHoldOnFreshRows) {
  const auto fresh = uniform_matrix(500, 2, 7);
  for (const Estimator estimator : {Estimator::fourier, Estimator::nystrom, Estimator::paper}) {
    int n_outside = 0;
    for (std::uint64_t run = 0; run < 20; ++run) {
      const Map map =
          make_map("cosh-gaussian", uniform_matrix(300, 2, 100 + run), {.estimator = estimator, .n_frequencies = 8, .seed = run});
      const HeldOutError& stated = map.content().certificate->error;
      EXPECT_LE(stated.lower, stated.error);
      EXPECT_LE(stated.error, stated.upper);
      const double error = error_on(map, fresh);
      n_outside += error > stated.upper || error < stated.lower;
    }
    EXPECT_LE(n_outside, 6) << name_of(estimator);
    RecordProperty(std::string(name_of(estimator)), n_outside);
  }
}

TEST(MakeMap, AToleranceIsReached) {
  const auto X = uniform_matrix(1500, 3, 3), fresh = uniform_matrix(300, 3, 4);
  std::vector<Candidate> tried;
  std::size_t n_heard = 0;
  const Map map = make_map("sinh-gaussian", X, {.tolerance = 1e-3, .on_candidate = [&](const Candidate&) { ++n_heard; }}, tried);
  EXPECT_TRUE(map.content().certificate->reached) << map.content().reason;
  EXPECT_LE(map.content().certificate->error.upper, 1e-3);
  EXPECT_LT(error_on(map, fresh), 1.2e-3);
  EXPECT_FALSE(map.content().reason.empty());
  EXPECT_FALSE(tried.empty());
  EXPECT_EQ(n_heard, tried.size());
  EXPECT_EQ(make_map("sinh-gaussian", X, {.estimator = Estimator::nystrom, .tolerance = 1e-3}).kind(), "nystrom");
  EXPECT_FALSE(make_map("laplacian", X, {.tolerance = 1e-5, .max_frequencies = 16}).content().certificate->reached);
  for (const Estimator estimator : {Estimator::jordan, Estimator::polar, Estimator::paper})
    EXPECT_TRUE(contains(refusal("gaussian", X, {.estimator = estimator, .tolerance = 0.1}), "a tolerance finds it"));
  EXPECT_NE(refusal("gaussian", X, {.tolerance = 2.0}), "accepted");
}

TEST(MakeMap, FewRowsAreEnough) {
  for (std::size_t n = 1; n <= 16; ++n) {
    SCOPED_TRACE(n);
    const auto X = uniform_matrix(n, 2, 10 + n);
    for (const Estimator estimator :
         {Estimator::automatic, Estimator::fourier, Estimator::jordan, Estimator::polar, Estimator::nystrom, Estimator::paper}) {
      SCOPED_TRACE(name_of(estimator));
      const KernelChoice kernel = n == 1 ? KernelChoice("shift-gaussian", {{"sigma", 1.0}}) : KernelChoice("shift-gaussian");
      const Map map = make_map(kernel, X, {.estimator = estimator, .n_frequencies = 16});
      EXPECT_EQ(map.left(X).rows(), n);
      const bool looks_at_rows = estimator == Estimator::nystrom || estimator == Estimator::paper || n >= 4;
      EXPECT_EQ(map.content().certificate.has_value(), n >= (looks_at_rows ? 15u : 3u));
    }
    EXPECT_NE(refusal("gaussian", X, {.estimator = Estimator::best}), "accepted");  // 24 rows are the least it shares
  }
  EXPECT_EQ(refusal("gaussian", uniform_matrix(1, 2, 1)), "accepted");  // no distance to fit sigma to: the default
}

TEST(MakeMap, WithoutCertificateAllRowsAreFittedOn) {
  const auto X = uniform_matrix(100, 2, 5);
  EXPECT_FALSE(make_map("gaussian", X, {.n_frequencies = 8, .certify = false}).content().certificate);
  const Map all = make_map("gaussian", X, {.estimator = Estimator::nystrom, .n_frequencies = 8, .certify = false});
  EXPECT_FALSE(all.content().certificate);
  EXPECT_EQ(*all.fitted_range(), ColumnRange::of(X));
  const Map crossed = make_map("gaussian", X, {.n_frequencies = 8});
  EXPECT_EQ(crossed.content().certificate->error.n_rows, 100u);  // each judges a map it had no part in
  EXPECT_TRUE(crossed.content().certificate->refitted);
  expect_same(crossed.left(X), make_map("gaussian", X, {.n_frequencies = 8, .certify = false}).left(X));
  const Map shared = make_map("gaussian", uniform_matrix(2000, 2, 5), {.n_frequencies = 8});
  EXPECT_EQ(shared.content().certificate->error.n_rows, 400u);
  const Map exact = make_map("gaussian", X, {.n_frequencies = 8, .weights = Weights::exact});
  EXPECT_EQ(exact.content().certificate->error.n_rows, 100u);  // nothing was fitted: all rows may measure
}

// More rows than the sample: train() and make_map() must draw the same ones.
TEST(MakeMap, TheSampleOfManyRowsIsThatOfTrain) {
  const auto X = uniform_matrix(20'500, 2, 6);
  std::vector<double> labels(X.rows());
  for (std::size_t i = 0; i < X.rows(); ++i) labels[i] = X(i, 0) > 0.5 ? 1 : -1;
  MapOptions how{.n_frequencies = 8, .scale = Scaling::minmax, .seed = 3};
  const Map made = make_map("shift-gaussian", X, how);
  const TrainedModel trained = train(MemoryRows(X, std::span<const double>(labels)),
                                     {.kernel = "shift-gaussian", .features = how, .trainer = Trainer::ridge, .c = {1}, .seed = 3});
  const Map with_side = made.with([&](MapContent& content) { content.side = trained.map.content().side; });
  EXPECT_EQ(trained.map.to_bytes(), with_side.to_bytes());
  EXPECT_EQ(made.content().certificate->error.n_rows, 400u);
  how.seed = 4;
  EXPECT_NE(make_map("shift-gaussian", X, how).content().kernel.parameters[0].second.scalar(),
            made.content().kernel.parameters[0].second.scalar());
}

TEST(MakeMap, LinearIsTheColumns) {
  const auto X = uniform_matrix(50, 3, 8, -5, 9);
  const Map map = make_map("linear", X, {.scale = Scaling::minmax});
  EXPECT_TRUE(map.is_linear());
  EXPECT_EQ(map.content().scaler, Scaler::fitted_to(X, Scaling::minmax));
  EXPECT_EQ(map.content().kernel.kernel, nullptr);
  expect_same(make_map("linear", X).left(X), X);
}

TEST(MakeMap, ScalingIsKeptAndAppliedBeforeAnythingElse) {
  auto X = uniform_matrix(200, 2, 9);
  for (std::size_t i = 0; i < X.rows(); ++i) X(i, 1) = 1e6 + 1e3 * X(i, 1);
  const Map map = make_map("gaussian", X, {.n_frequencies = 64, .scale = Scaling::standard});
  EXPECT_EQ(map.content().scaler, Scaler::fitted_to(X, Scaling::standard));
  EXPECT_LT(std::abs(map.content().kernel.parameters[0].second.scalar() - 1.9), 0.4);  // the median distance of standardised rows
  EXPECT_LT(error_on(map, X), 0.05);
  EXPECT_EQ(map.rows_outside(X), 0u);
}

TEST(MakeMap, LandmarksOfASearchAreItsOwn) {
  const auto X = uniform_matrix(100, 2, 15);
  for (const MapOptions& how : {MapOptions{.estimator = Estimator::nystrom, .tolerance = 0.1, .n_landmarks = 40},
                                MapOptions{.estimator = Estimator::best, .landmarks = Landmarks::greedy}})
    EXPECT_THROW(make_map("gaussian", X, how), InvalidArgument);
}

TEST(MakeMap, WhatAMapHasNoUseForIsRefused) {
  const auto X = uniform_matrix(100, 2, 15);
  for (const MapOptions& how : {MapOptions{.tolerance = 0.1}, MapOptions{.n_landmarks = 40}, MapOptions{.time_limit = 1}})
    EXPECT_THROW(make_map("linear", X, how), InvalidArgument);
  for (const MapOptions& how : {MapOptions{.n_landmarks = 40}, MapOptions{.landmarks = Landmarks::greedy}})
    EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { make_map("gaussian", X, how); }), "which only Nyström maps have"));
  for (const Estimator estimator : {Estimator::automatic, Estimator::nystrom})
    EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { make_map("gaussian", X, {.estimator = estimator, .time_limit = 1}); }),
                         "no maps are tried"));
}

// With a fifth held out of the map itself as well, 4 of the 20 rows are far from all landmarks.
TEST(MakeMap, AsManyLandmarksAsRowsAreExactOnThem) {
  const auto X = uniform_matrix(20, 20, 14);
  const KernelChoice narrow("gaussian", {{"sigma", CoordinateParameter(0.1)}});
  for (const std::uint64_t seed : {0, 1, 2}) {
    const Map map = make_map(narrow, X, {.estimator = Estimator::nystrom, .n_frequencies = 10, .seed = seed});
    EXPECT_LT(error_on(map, X), 1e-10);
    ASSERT_TRUE(map.content().certificate);
    EXPECT_GT(map.content().certificate->error.error, 0.5);
    EXPECT_EQ(map.content().certificate->n_features, map.n_features());
  }
}

TEST(MakeMap, SameBitsForAnyNumberOfThreads) {
  const auto X = uniform_matrix(300, 3, 11);
  for (const Estimator estimator : {Estimator::automatic, Estimator::jordan, Estimator::nystrom, Estimator::best, Estimator::paper})
    EXPECT_EQ(make_map("sinh-gaussian", X, {.estimator = estimator, .n_frequencies = 16, .execution = {1}}).to_bytes(),
              make_map("sinh-gaussian", X, {.estimator = estimator, .n_frequencies = 16, .execution = {3}}).to_bytes())
        << name_of(estimator);
}

TEST(MakeMap, AKernelOfOnesOwn) {
  const auto kernel = std::make_shared<SkewedGaussian>(0.7);
  const auto X = uniform_matrix(300, 2, 12);
  for (const Estimator estimator : {Estimator::automatic, Estimator::nystrom, Estimator::best}) {
    const Map map = make_map(std::shared_ptr<const Kernel>(kernel), X, {.estimator = estimator, .n_frequencies = 64});
    EXPECT_EQ(map.content().kernel.kernel, kernel);
    EXPECT_LT(map.content().certificate->error.upper, 0.02) << name_of(estimator);
  }
  EXPECT_NE(refusal(std::shared_ptr<const Kernel>(), X), "accepted");
  EXPECT_NE(refusal(std::shared_ptr<const Kernel>(std::make_shared<ConstantKernel>(std::nan(""))), X), "accepted");
}

TEST(FittedKernel, IsTheDefaultShapeStretchedToTheData) {
  const auto X = uniform_matrix(100, 4, 13, 0, 30);
  const double median = median_distance(X, 5);
  const NamedKernel shift = fitted_kernel("shift-gaussian", X, 5);
  ASSERT_EQ(shift.parameters.size(), 2u);
  EXPECT_EQ(shift.parameters[0].second.scalar(), median);
  EXPECT_TRUE(shift.parameters[1].second.is_over_dim());
  EXPECT_DOUBLE_EQ(shift.parameters[1].second.scalar(), 2.0 * median / 2);  // a length: as sigma grows from 2
  const NamedKernel sinh = fitted_kernel("sinh-gaussian", X, 5);
  EXPECT_DOUBLE_EQ(sinh.parameters[1].second.scalar(), std::acos(-1.0) / 2 * 2 / median);  // one over a length
  const NamedKernel difference = fitted_kernel("difference-of-gaussians", X, 5);
  EXPECT_DOUBLE_EQ(difference.parameters[1].second.scalar(), 4 * median / 2);
  EXPECT_EQ(difference.parameters[2].second.scalar(), 0.5);  // no length at all
  EXPECT_EQ(fitted_kernel("laplacian", X, 5).parameters[0].second.scalar(), median_distance(X, 5, Distance::absolute));
  EXPECT_EQ(fitted_kernel("shifted:laplacian", X, 5).parameters[0].second.scalar(), median_distance(X, 5, Distance::absolute));
}

TEST(FittedKernel, WhatWasGivenStays) {
  const auto X = uniform_matrix(60, 2, 14);
  const NamedKernel given = fitted_kernel({"shift-gaussian", {{"shift", CoordinateParameter{3, 4}}}}, X, 1);
  EXPECT_EQ(given.parameters[0].second.scalar(), median_distance(X, 1));
  EXPECT_EQ(given.parameters[1].second.expand(2, "", ""), (std::vector<double>{3, 4}));
  const NamedKernel with_sigma = fitted_kernel({"shift-gaussian", {{"sigma", 7.0}}}, X, 1);
  EXPECT_EQ(with_sigma.parameters[0].second.scalar(), 7.0);
  EXPECT_EQ(with_sigma.parameters[1].second.scalar(), 2.0);  // the default, not stretched
  EXPECT_NE(refusal({"shift-gaussian", {{"shift", CoordinateParameter{1, 2, 3}}}}, X), "accepted");
  EXPECT_NE(refusal({"shift-gaussian", {{"sigma", 1.0}, {"shift", CoordinateParameter{1, 2, 3}}}}, X), "accepted");
  EXPECT_NE(refusal({"gaussian", {{"gamma", 1.0}}}, X), "accepted");
  EXPECT_NE(refusal("gausian", X), "accepted");
}

TEST(MakeMap, Refusals) {
  const auto X = uniform_matrix(60, 2, 15);
  EXPECT_TRUE(starts_with(refusal("gaussian", Matrix<double>(0, 2)), "make_map: "));
  EXPECT_TRUE(starts_with(refusal("gaussian", Matrix<double>(2, 0)), "make_map: "));
  auto holes = X;
  holes(7, 1) = std::nan("");
  EXPECT_TRUE(contains(refusal("gaussian", holes), "row 7, column 1"));
  EXPECT_TRUE(contains(refusal("linear", holes), "row 7, column 1"));
  EXPECT_NE(refusal("gaussian", X, {.n_frequencies = 0}), "accepted");
  EXPECT_NE(refusal("gaussian", X, {.estimator = Estimator::nystrom, .n_frequencies = 0}), "accepted");
  EXPECT_NE(refusal("gaussian", X, {.estimator = Estimator::polar, .weights = Weights::subset}), "accepted");
  StopSource source;
  source.request_stop();
  EXPECT_THROW(make_map("gaussian", X, {.execution = {.stop = source.token()}}), Stopped);
}

}  // namespace
}  // namespace askrff::test
