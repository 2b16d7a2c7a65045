// Weights of rows and classes in train(): whole ones are repeated rows, 0 is absence, and every kind of stream brings them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "askrff/errors.hpp"
#include "askrff/train.hpp"
#include "pipeline/training_data.hpp"
#include "support/linear_inputs.hpp"
#include "io/temporary_files.hpp"
#include "support/same_bits.hpp"

namespace askrff::test {
namespace {

constexpr Trainer trainers[] = {Trainer::svm, Trainer::ridge};

TrainOptions quick_options(Trainer trainer) {
  return {.features = {.n_frequencies = 24, .scale = Scaling::minmax}, .trainer = trainer, .task = Task::classification, .c = {8}};
}

/// With a map that is made of `rows` whatever it is trained on.
TrainOptions with_map(Trainer trainer, const LabelledRows& rows) {
  TrainOptions options = quick_options(trainer);
  options.map = make_map("gaussian", rows.X, options.features);
  return options;
}

std::vector<double> whole_weights(std::size_t n_rows) {
  std::vector<double> weights;
  for (std::size_t i = 0; i < n_rows; ++i) weights.push_back(static_cast<double>(i % 4));
  return weights;
}

LabelledRows repeated(const LabelledRows& rows, const std::vector<double>& weights) {
  LabelledRows result;
  std::vector<double> values;
  for (std::size_t i = 0; i < weights.size(); ++i)
    for (double k = 0; k < weights[i]; ++k) {
      values.insert(values.end(), rows.X.row(i).begin(), rows.X.row(i).end());
      result.numbers.push_back(rows.numbers[i]);
      if (!rows.texts.empty()) result.texts.push_back(rows.texts[i]);
    }
  result.X = Matrix<double>(result.numbers.size(), rows.X.cols(), values);
  return result;
}

TrainedModel trained(const LabelledRows& rows, const std::vector<double>& weights, const TrainOptions& options) {
  MemoryRows stream(rows.X, std::span<const double>(rows.numbers));
  if (!weights.empty()) stream.set_weights(weights);
  return train(stream, options);
}

void expect_near(const Matrix<double>& a, const Matrix<double>& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t k = 0; k < a.cols(); ++k) ASSERT_NEAR(a(i, k), b(i, k), tolerance) << i;
}

TEST(TrainWeights, WholeOnesAreRepeatedRows) {
  for (const Trainer trainer : trainers)
    for (const std::size_t n_classes : {2u, 3u}) {
      const LabelledRows rows = rings(300, n_classes, 4);
      const std::vector<double> weights = whole_weights(300);
      const LabelledRows often = repeated(rows, weights);
      for (const bool balanced : {false, true}) {
        TrainOptions options = with_map(trainer, rows);
        options.class_weights.balanced = balanced;
        const TrainedModel a = trained(rows, weights, options), b = trained(often, {}, options);
        expect_near(a.outputs(rows.X), b.outputs(rows.X), 1e-5);
        EXPECT_EQ(a.report.n_rows, 225u);  // those that count
        if (a.report.accuracy) {
          EXPECT_NEAR(*a.report.accuracy, *b.report.accuracy, 1e-12);
        }
        if (a.report.rmse) {
          EXPECT_NEAR(*a.report.rmse, *b.report.rmse, 1e-9);
        }
      }
    }
  const LabelledRows rows = waves(300, 4);
  TrainOptions options = with_map(Trainer::ridge, rows);
  options.task = Task::regression;
  expect_near(trained(rows, whole_weights(300), options).outputs(rows.X),
              trained(repeated(rows, whole_weights(300)), {}, options).outputs(rows.X), 1e-7);
}

TEST(TrainWeights, ZeroIsAbsence) {
  for (const Trainer trainer : trainers) {
    LabelledRows rows = rings(300, 2, 4);
    std::vector<double> weights(300, 1.0);
    for (std::size_t i = 0; i < 300; i += 5) {
      weights[i] = 0;
      rows.X(i, 0) = 1e6;  // the scaling must not see it
    }
    TrainOptions options = quick_options(trainer);
    options.c = {1, 8};
    EXPECT_EQ(trained(rows, weights, options).to_bytes(), trained(repeated(rows, weights), {}, options).to_bytes());
    const std::vector<double> ones(300, 1.0);
    EXPECT_EQ(trained(rows, ones, options).to_bytes(), trained(rows, {}, options).to_bytes());
  }
}

TEST(TrainWeights, TheSameFromEveryStream) {
  const LabelledRows rows = rings(400, 2, 4);
  std::vector<double> weights = whole_weights(400), numbers;
  Matrix<double> with_column(400, 3);
  for (std::size_t i = 0; i < 400; ++i) {
    weights[i] += 0.25 * static_cast<double>(i % 3);
    with_column(i, 0) = rows.X(i, 0);
    with_column(i, 1) = weights[i];
    with_column(i, 2) = rows.X(i, 1);
  }
  for (const Trainer trainer : trainers) {
    TrainOptions options = quick_options(trainer);
    options.c = {1, 8};
    options.class_weights.by_label = {{"1", 2.5}};
    const std::string expected = trained(rows, weights, options).to_bytes();
    EXPECT_EQ(train(MemoryRows(Dataset{rows.X, rows.texts, {}, weights}), options).to_bytes(), expected);
    for (const bool can_rewind : {true, false}) {
      PlainStream plain(with_column, rows.numbers, {.can_rewind = can_rewind, .block_rows = 13});
      EXPECT_EQ(train(WeightedRows(plain, "2"), options).to_bytes(), expected);
    }
    options.execution.n_threads = 3;
    EXPECT_EQ(trained(rows, weights, options).to_bytes(), expected);
  }
}

TEST(TrainWeights, ClassWeightsAreThoseOfTheirRows) {
  const LabelledRows rows = rings(300, 3, 6);
  std::vector<double> balanced(300), named(300);
  for (std::size_t i = 0; i < 300; ++i) {
    balanced[i] = 100.0 / static_cast<double>(std::ranges::count(rows.numbers, rows.numbers[i]));
    named[i] = rows.numbers[i] == 2 ? 3 : 1;
  }
  for (const Trainer trainer : trainers) {
    TrainOptions options = with_map(trainer, rows);
    const TrainedModel by_rows = trained(rows, balanced, options), some = trained(rows, named, options);
    options.class_weights.balanced = true;
    expect_near(trained(rows, {}, options).outputs(rows.X), by_rows.outputs(rows.X), 1e-6);
    options.class_weights = {.by_label = {{"2.0", 3}}};  // as labels are compared
    const TrainedModel model = trained(rows, {}, options);
    expect_same(model.linear.weights, some.linear.weights);
    EXPECT_TRUE(contains(model.training.command, "--class-weight 2.0=3"));
    options.class_weights = {.by_label = {{"7", 3}}};
    EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { trained(rows, {}, options); }), "which no row is of"));
    for (const double bad : {0.0, -1.0, HUGE_VAL, 1e-320, 1e300}) {
      options.class_weights = {.by_label = {{"2", bad}}};
      EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { trained(rows, {}, options); }), "expected a number from 1e-15 to 1e+15"));
    }
  }
  TrainOptions regression = quick_options(Trainer::ridge);
  regression.task = Task::regression;
  regression.class_weights.balanced = true;
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { trained(rows, {}, regression); }), "regression"));
}

TEST(TrainWeights, TuningAndLeaveOneOutSeeThem) {
  const LabelledRows rows = rings(200, 2, 6);
  std::vector<double> weights = whole_weights(200);
  TrainOptions options = quick_options(Trainer::ridge);
  options.leave_one_out = true;
  options.c = {1, 8};
  options.tuned = {"sigma"};
  options.class_weights.balanced = true;
  const TrainedModel weighted = trained(rows, weights, options), plain = trained(rows, {}, options);
  EXPECT_NE(*weighted.report.tuning->points[0].score, *plain.report.tuning->points[0].score);
  EXPECT_NE(*weighted.report.loo_rmse, *plain.report.loo_rmse);
}

TEST(TrainWeights, RefusesThoseThatAreNone) {
  const LabelledRows rows = rings(50, 2, 6);
  for (const Trainer trainer : trainers) {
    std::vector<double> weights(50, 1.0);
    weights[7] = -1;
    EXPECT_TRUE(contains(message_of<DataError>([&] { trained(rows, weights, quick_options(trainer)); }), "row 8 has the weight -1"));
    weights[7] = 1e300;
    EXPECT_TRUE(
        contains(message_of<DataError>([&] { trained(rows, weights, quick_options(trainer)); }), "expected 0 or a number from 1e-15 to"));
    weights[7] = std::nan("");
    EXPECT_TRUE(contains(message_of<DataError>([&] { trained(rows, weights, quick_options(trainer)); }), "row 8 has the weight nan"));
    const std::vector<double> none(50);
    EXPECT_TRUE(contains(message_of<DataError>([&] { trained(rows, none, quick_options(trainer)); }), "no rows that count"));
    weights.pop_back();
    EXPECT_THROW(trained(rows, weights, quick_options(trainer)), DataError);
  }
  PlainStream plain(rows.X, rows.numbers, {});
  EXPECT_TRUE(contains(message_of<DataError>([&] { WeightedRows(plain, "3"); }), "there is no column '3' of weights"));
  EXPECT_THROW(WeightedRows(plain, "weight"), DataError);
  Matrix<double> X = rows.X;
  X(11, 0) = -0.5;
  PlainStream negative(X, rows.numbers, {});
  EXPECT_TRUE(contains(message_of<DataError>([&] { train(WeightedRows(negative, "1"), quick_options(Trainer::ridge)); }),
                       "row 12 has the weight -0.5"));
  RidgeTrainer trainer(column_map(2), {.classes = {"a", "b"}});
  const std::vector<std::uint32_t> classes(50);
  for (const double bad : {0.0, -1.0, HUGE_VAL, std::nan("")})
    EXPECT_THROW(trainer.add<double>(rows.X, classes, std::vector<double>(50, bad)), InvalidArgument);
  EXPECT_EQ(trainer.n_rows(), 0u);
}

TEST(TrainWeights, SumsKeepThemAsBytesAndMerged) {
  const LabelledRows rows = waves(200, 6);
  std::vector<double> weights = whole_weights(200);
  for (double& weight : weights) weight += 0.5;
  const Map map = make_map("gaussian", rows.X, {.n_frequencies = 12});
  const Matrix<double> Y(200, 1, rows.numbers);
  const auto add = [&](RidgeTrainer& trainer, std::size_t first, std::size_t count) {
    trainer.add<double>(rows.X.view().middle_rows(first, count), Y.view().middle_rows(first, count),
                        std::span(weights).subspan(first, count));
  };
  RidgeTrainer whole(map, {.n_folds = 3}), half(map, {.n_folds = 3});
  add(whole, 0, 200);
  add(half, 0, 90);
  RidgeTrainer restored = RidgeTrainer::from_bytes(half.to_bytes());
  add(restored, 90, 110);
  const TrainedModel a = whole.solve({1, 8}), b = restored.solve({1, 8});
  EXPECT_EQ(a.to_bytes(), b.to_bytes());
  RidgeTrainer other = half.part({90});
  add(other, 90, 110);
  half.merge(other);
  EXPECT_EQ(half.solve({1, 8}).to_bytes(), a.to_bytes());
}

}  // namespace
}  // namespace askrff::test
