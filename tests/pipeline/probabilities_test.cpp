// Probabilities of trained classifiers: right on fresh rows, kept in files, absent where there was nothing to find them by.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "askrff/errors.hpp"
#include "askrff/train.hpp"
#include "pipeline/training_data.hpp"
#include "io/temporary_files.hpp"

namespace askrff::test {
namespace {

/// Classes drawn by chance, with probabilities that change smoothly over the plane.
struct Chances {
  LabelledRows rows;
  std::vector<std::vector<double>> truth;

  Chances(std::size_t n_rows, std::size_t n_classes, std::uint64_t seed) : rows{uniform_matrix(n_rows, 2, seed), {}, {}} {
    for (std::size_t i = 0; i < n_rows; ++i) {
      std::vector<double> p(n_classes);
      for (std::size_t k = 0; k < n_classes; ++k)
        p[k] = std::exp(2 * std::sin(5 * rows.X(i, 0) + 2 * static_cast<double>(k)) + rows.X(i, 1) * static_cast<double>(k));
      const double sum = std::accumulate(p.begin(), p.end(), 0.0);
      for (double& each : p) each /= sum;
      double rest = RandomStream(seed, Purpose::evaluation_rows, i).uniform();
      std::size_t k = 0;
      while (k + 1 < n_classes && rest >= p[k]) rest -= p[k++];
      rows.numbers.push_back(static_cast<double>(k));
      truth.push_back(std::move(p));
    }
  }
};

TrainOptions options_of(Trainer trainer) {
  return {.features = {.n_frequencies = 32, .scale = Scaling::minmax},
          .trainer = trainer,
          .task = Task::classification,
          .c = {0.25, 4},
          .seed = 3};
}

TrainedModel trained(const LabelledRows& rows, const TrainOptions& options) {
  return train(MemoryRows(rows.X, std::span<const double>(rows.numbers)), options);
}

// How far from the truth: a half of what the shares of the classes alone are, at most, in mean squares. (0.1 to 0.2 of it are measured.)
TEST(Probabilities, AreThoseOfFreshRows) {
  for (const Trainer trainer : {Trainer::svm, Trainer::ridge})
    for (const std::size_t n_classes : {2u, 4u}) {
      SCOPED_TRACE(testing::Message() << name_of(trainer) << ", " << n_classes << " classes");
      const Chances training(3000, n_classes, 1), fresh(3000, n_classes, 2);
      const TrainedModel model = trained(training.rows, options_of(trainer));
      ASSERT_TRUE(model.output_scale);
      const Matrix<double> outputs = model.outputs(fresh.rows.X), p = model.probabilities_of(outputs);
      std::vector<double> shares(n_classes);
      for (const double k : training.rows.numbers) shares[static_cast<std::size_t>(k)] += 1.0 / 3000;
      double error = 0, error_of_shares = 0, said = 0, happened = 0;
      for (std::size_t i = 0; i < 3000; ++i) {
        EXPECT_NEAR(std::accumulate(p.row(i).begin(), p.row(i).end(), 0.0), 1, 1e-12);
        for (std::size_t k = 0; k < n_classes; ++k) {
          error += std::pow(p(i, k) - fresh.truth[i][k], 2);
          error_of_shares += std::pow(shares[k] - fresh.truth[i][k], 2);
        }
        const auto largest = std::ranges::max_element(p.row(i)) - p.row(i).begin();
        said += p(i, static_cast<std::size_t>(largest)) / 3000;
        happened += (static_cast<double>(largest) == fresh.rows.numbers[i] ? 1.0 : 0.0) / 3000;
      }
      EXPECT_LT(error, 0.5 * error_of_shares);
      EXPECT_NEAR(said, happened, 0.05);  // the share of 3000 rows is known to 0.009: more than five of that
      if (n_classes > 2) {
        const auto classes = model.classes_of(outputs);
        for (std::size_t i = 0; i < 3000; ++i) ASSERT_EQ(p(i, classes[i]), *std::ranges::max_element(p.row(i)));
      }
      const Model again = Model::from_bytes(model.to_bytes());
      EXPECT_EQ(again.output_scale->scale, model.output_scale->scale);
      EXPECT_EQ(again.output_scale->offset, model.output_scale->offset);
    }
}

TEST(Probabilities, AreAbsentWithoutFolds) {
  const Chances data(200, 2, 1);
  for (const Trainer trainer : {Trainer::svm, Trainer::ridge}) {
    TrainOptions options = options_of(trainer);
    options.probabilities = false;
    EXPECT_FALSE(trained(data.rows, options).output_scale);
    options.probabilities = true;
    options.c = {1};
    const TrainedModel model = trained(data.rows, options);
    EXPECT_FALSE(model.output_scale);
    const std::string refusal = message_of<InvalidArgument>([&] { model.probabilities_of(model.outputs(data.rows.X)); });
    EXPECT_TRUE(contains(refusal, "takes the folds of a cross-validation")) << refusal;
  }
  TrainOptions regression = options_of(Trainer::ridge);
  regression.task = Task::regression;
  const TrainedModel model = trained(data.rows, regression);
  EXPECT_FALSE(model.output_scale);
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { model.probabilities_of(model.outputs(data.rows.X)); }), "regression"));
  RidgeTrainer trainer(model.map, {.classes = {"a", "b"}, .n_folds = 3});
  std::vector<std::uint32_t> classes;
  for (const double k : data.rows.numbers) classes.push_back(static_cast<std::uint32_t>(k));
  trainer.add<double>(data.rows.X, classes);
  EXPECT_FALSE(trainer.solve({1, 2}).output_scale);
}

}  // namespace
}  // namespace askrff::test
