// A tolerance of models: the smallest number of features that loses little in cross-validation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "askrff/errors.hpp"
#include "askrff/train.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {
namespace {

struct Smooth {
  Matrix<double> X;
  std::vector<double> y;

  Smooth(std::size_t rows, std::uint64_t seed) : X(uniform_matrix(rows, 3, seed)) {
    for (std::size_t i = 0; i < rows; ++i)
      y.push_back(std::sin(6 * X(i, 0)) * std::cos(5 * X(i, 1)) + X(i, 2) + 0.2 * std::sin(1e4 * X(i, 0)));
  }
};

TrainedModel trained(const Smooth& data, const MapOptions& features, std::uint64_t seed = 0) {
  MemoryRows rows(data.X, std::span<const double>(data.y));
  return train(rows, {.features = features, .trainer = Trainer::ridge, .task = Task::regression, .n_folds = 3, .seed = seed});
}

TEST(Sizes, TheSmallestWithinTheTolerance) {
  const Smooth data(700, 1);
  const TrainedModel model = trained(data, {.tolerance = 0.02, .scale = Scaling::minmax});
  ASSERT_TRUE(model.report.sizes);
  const SizeSearch& sizes = *model.report.sizes;
  ASSERT_GE(sizes.trials.size(), 3u);
  EXPECT_EQ(model.map.n_features(), sizes.trials[sizes.taken].n_features);
  const double best = sizes.trials[sizes.best].score;
  for (std::size_t i = 0; i < sizes.trials.size(); ++i) {
    EXPECT_GE(sizes.trials[i].score, best);  // squared errors
    if (i <= sizes.taken) {
      EXPECT_EQ(std::sqrt(sizes.trials[i].score) <= 1.02 * std::sqrt(best), i == sizes.taken);
    }
    if (i > 0) {
      EXPECT_EQ(sizes.trials[i].n_features, std::min<std::size_t>(2 * sizes.trials[i - 1].n_features, 350));  // half the rows
    }
  }
  EXPECT_NE(model.map.content().reason.find("in cross-validation"), std::string::npos);
}

TEST(Sizes, AreSteadyOverSeeds) {
  const Smooth data(1500, 1);
  std::size_t least = SIZE_MAX, most = 0;
  for (const std::uint64_t seed : {0u, 1u, 2u, 3u}) {
    const std::size_t n = trained(data, {.tolerance = 0.05, .scale = Scaling::minmax}, seed).map.n_features();
    least = std::min(least, n);
    most = std::max(most, n);
  }
  EXPECT_LE(most, 2 * least);
}

TEST(Sizes, LimitsAreSaid) {
  const Smooth data(700, 1);
  const TrainedModel few = trained(data, {.tolerance = 1e-9, .max_frequencies = 40});
  EXPECT_EQ(few.report.sizes->trials.back().n_features, 80u);
  EXPECT_NE(few.map.content().reason.find("beyond the limit"), std::string::npos) << few.map.content().reason;
  const TrainedModel hasty = trained(data, {.tolerance = 1e-9, .time_limit = 1e-9});
  EXPECT_EQ(hasty.report.sizes->trials.size(), 1u);
  EXPECT_NE(hasty.map.content().reason.find("no time for more"), std::string::npos);
  EXPECT_THROW(trained(data, {.tolerance = 1.5}), InvalidArgument);
  EXPECT_THROW(trained(data, {.tolerance = 0.1, .time_limit = -1.0}), InvalidArgument);
}

}  // namespace
}  // namespace askrff::test
