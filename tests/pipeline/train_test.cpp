// train(): models that are right on fresh rows, of every kind of label; what it reports; tuning, ready maps, precision; refusals.
#include "askrff/train.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "askrff/errors.hpp"
#include "io/temporary_files.hpp"
#include "pipeline/expect_same_model.hpp"
#include "pipeline/training_data.hpp"
#include "support/plain_kernels.hpp"
#include "support/linear_inputs.hpp"

namespace askrff::test {
namespace {

MemoryRows with_numbers(const LabelledRows& rows) { return MemoryRows(rows.X, std::span<const double>(rows.numbers)); }
MemoryRows with_texts(const LabelledRows& rows) { return MemoryRows(rows.X, std::span<const std::string>(rows.texts)); }

double accuracy_on(const Model& model, const LabelledRows& rows) {
  const auto labels = model.predict(rows.X);
  std::size_t n_right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) n_right += labels[i] == rows.texts[i] ? 1 : 0;
  return static_cast<double>(n_right) / static_cast<double>(labels.size());
}

double rmse_on(const Model& model, const LabelledRows& rows) {
  const Matrix<double> outputs = model.outputs(rows.X);
  double squares = 0;
  for (std::size_t i = 0; i < outputs.rows(); ++i) squares += std::pow(outputs(i, 0) - rows.numbers[i], 2);
  return std::sqrt(squares / static_cast<double>(outputs.rows()));
}

/// Small and quick, but all of it.
TrainOptions small(Trainer trainer = Trainer::svm) {
  return {.features = {.n_frequencies = 48, .scale = Scaling::minmax}, .trainer = trainer, .c = {1, 4096}, .n_folds = 3, .seed = 7};
}

std::string refusal(RowStream&& rows, const TrainOptions& options) {
  return message_of<InvalidArgument>([&] { train(rows, options); });
}

TEST(Train, ClassifiersOfTwoAndThreeClasses) {
  for (const Trainer trainer : {Trainer::svm, Trainer::ridge})
    for (const std::size_t n_classes : {2u, 3u}) {
      SCOPED_TRACE(testing::Message() << name_of(trainer) << ", " << n_classes << " classes");
      const LabelledRows rows = rings(600, n_classes, 1), fresh = rings(600, n_classes, 2);
      TrainOptions options = small(trainer);
      options.task = Task::classification;  // three numbers alone would be regression for ridge
      const TrainedModel model = train(with_texts(rows), options);
      EXPECT_GT(accuracy_on(model, fresh), 0.9);
      EXPECT_EQ(model.task, Task::classification);
      EXPECT_EQ(model.classes.size(), n_classes);
      EXPECT_EQ(model.linear.n_outputs(), n_classes == 2 ? 1u : n_classes);
      EXPECT_EQ(model.training.trainer, name_of(trainer));
      EXPECT_EQ(model.training.n_rows, 600u);
      EXPECT_EQ(model.training.seed, 7u);
      EXPECT_TRUE(starts_with(model.training.command, "askrff train --kernel gaussian"));
      const TrainingReport& report = model.report;
      EXPECT_EQ(report.n_rows, 600u);
      for (std::size_t k = 0; k < n_classes; ++k)
        EXPECT_EQ(report.class_sizes[k], static_cast<std::uint64_t>(std::ranges::count(rows.numbers, static_cast<double>(k))));
      EXPECT_EQ(report.validation.c, (std::vector<double>{1, 4096}));
      EXPECT_EQ(model.training.c, report.validation.c[report.validation.best()]);
      EXPECT_EQ(model.training.cv_c, report.validation.c);
      EXPECT_EQ(report.validation.measure, trainer == Trainer::svm ? Score::accuracy : Score::squared_error);
      EXPECT_EQ(report.accuracy.has_value(), trainer == Trainer::svm);
      EXPECT_EQ(report.rmse.has_value(), trainer == Trainer::ridge);
      if (report.accuracy) {
        EXPECT_EQ(*report.accuracy, accuracy_on(model, rows));
      }
      EXPECT_FALSE(report.tuning);
      expect_same_model(Model::from_bytes(model.to_bytes()), model);
    }
}

TEST(Train, RegressionAndItsLeaveOneOutError) {
  const LabelledRows rows = waves(500, 3), fresh = waves(500, 4);
  TrainOptions options = small(Trainer::ridge);
  options.leave_one_out = true;
  const TrainedModel model = train(with_numbers(rows), options);
  EXPECT_EQ(model.task, Task::regression);
  EXPECT_TRUE(model.classes.empty());
  EXPECT_LT(rmse_on(model, fresh), 0.05);
  EXPECT_NEAR(*model.report.rmse, rmse_on(model, rows), 1e-6 + model.report.rmse_resolution);
  EXPECT_GT(*model.report.loo_rmse, *model.report.rmse);
  EXPECT_LT(*model.report.loo_rmse, 2 * rmse_on(model, fresh) + 1e-3);
  EXPECT_FALSE(model.report.loo_accuracy);
  EXPECT_EQ(model.report.class_sizes, (std::vector<std::uint64_t>{500}));
  TrainOptions classes = options;
  classes.task = Task::classification;
  EXPECT_GT(*train(with_texts(rings(400, 3, 5)), classes).report.loo_accuracy, 0.85);
}

TEST(Train, SeveralTargetsAtOnceAreThoseOfEachAlone) {
  const LabelledRows first = waves(300, 6);
  std::vector<double> both, second;
  for (std::size_t i = 0; i < 300; ++i) {
    second.push_back(100 + first.X(i, 0) * first.X(i, 1));
    both.insert(both.end(), {first.numbers[i], second[i]});
  }
  TrainOptions options = small(Trainer::ridge);
  options.c = {10};
  const Model together = train(PlainStream(first.X, both, {.n_targets = 2, .block_rows = 77}), options);
  ASSERT_EQ(together.linear.n_outputs(), 2u);
  const Matrix<double> outputs = together.outputs(first.X);
  const std::vector<double>* targets[] = {&first.numbers, &second};
  for (std::size_t t = 0; t < 2; ++t) {
    const Model alone = train(PlainStream(first.X, *targets[t], {}), options);
    const Matrix<double> expected = alone.outputs(first.X);
    for (std::size_t i = 0; i < 300; ++i) ASSERT_NEAR(outputs(i, t), expected(i, 0), 1e-9 * (1 + std::abs(expected(i, 0))));
  }
  options.tuned = {"sigma"};
  options.c = {1, 10};
  EXPECT_EQ(train(PlainStream(first.X, both, {.n_targets = 2}), options).report.tuning->points.size(), 5u);
  options.tuned.clear();
  options.task = Task::classification;
  EXPECT_TRUE(contains(refusal(PlainStream(first.X, both, {.n_targets = 2}), options), "2 numbers per row"));
}

TEST(Train, StreamsThatKnowTheirClasses) {
  const LabelledRows rows = rings(400, 3, 8);
  const std::vector<std::string> names{"inner", "middle", "outer"};
  for (const Trainer trainer : {Trainer::svm, Trainer::ridge})
    for (const bool can_rewind : {true, false}) {
      const TrainedModel model = train(PlainStream(rows.X, rows.numbers, {.class_names = names, .can_rewind = can_rewind}), small(trainer));
      EXPECT_EQ(model.task, Task::classification);
      EXPECT_EQ(model.classes, names);
      EXPECT_GT(accuracy_on(model, {rows.X,
                                    {},
                                    [&] {
                                      std::vector<std::string> texts;
                                      for (const double k : rows.numbers) texts.push_back(names[static_cast<std::size_t>(k)]);
                                      return texts;
                                    }()}),
                0.9);
    }
  for (const double code : {3.0, -1.0, 0.5}) {
    std::vector<double> wrong = rows.numbers;
    wrong[17] = code;
    for (const Trainer trainer : {Trainer::svm, Trainer::ridge})
      EXPECT_TRUE(contains(refusal(PlainStream(rows.X, wrong, {.class_names = names}), small(trainer)), "row 18 is of class")) << code;
  }
  for (const Trainer trainer : {Trainer::svm, Trainer::ridge}) {
    TrainOptions options = small(trainer);
    options.c = {1};
    const std::vector<double> zeros(400);
    EXPECT_NE(refusal(PlainStream(rows.X, zeros, {.class_names = {"only"}}), options), "accepted");
  }
}

TEST(Train, AClassWithoutRows) {
  const LabelledRows rows = rings(120, 2, 12);
  const PlainStream::Options known{.class_names = {"inner", "outer", "absent"}};
  TrainOptions svm = small(Trainer::svm), ridge = small(Trainer::ridge);
  for (const TrainOptions& options : {svm, ridge})  // there is none for the folds
    EXPECT_TRUE(contains(refusal(PlainStream(rows.X, rows.numbers, known), options), "absent"));
  svm.c = ridge.c = {1};
  EXPECT_TRUE(contains(refusal(PlainStream(rows.X, rows.numbers, known), svm), "class absent has no rows"));
  const TrainedModel model = train(PlainStream(rows.X, rows.numbers, known), ridge);
  EXPECT_EQ(model.report.class_sizes[2], 0u);
  EXPECT_EQ(std::ranges::count(model.predict(rows.X), "absent"), 0);
}

// A class with as many rows as folds must be there when parameters are tuned on a sample.
TEST(Train, RareClassesAreTunedToo) {
  LabelledRows rows = rings(6000, 2, 13);
  for (const std::size_t i : {1000u, 3000u, 5999u}) {
    rows.texts[i] = "rare";
    rows.X(i, 0) = rows.X(i, 1) = 3;
  }
  for (const Trainer trainer : {Trainer::svm, Trainer::ridge}) {
    TrainOptions options = small(trainer);
    options.features.n_frequencies = 8;
    options.tuned = {"sigma"};
    const TrainedModel model = train(with_texts(rows), options);
    for (const TuningPoint& point : model.report.tuning->points) EXPECT_EQ(point.refused, "");
    EXPECT_EQ(model.classes, (std::vector<std::string>{"0", "1", "rare"}));
    EXPECT_EQ(model.report.class_sizes[2], 3u);
  }
}

TEST(Train, TuningKeepsTheMapOfTheWinner) {
  const LabelledRows rows = rings(300, 2, 9);
  for (const Trainer trainer : {Trainer::svm, Trainer::ridge}) {
    SCOPED_TRACE(name_of(trainer));
    TrainOptions options = small(trainer);
    options.kernel = KernelChoice("gaussian", {{"sigma", 4.0}});
    options.tuned = {"sigma"};
    std::vector<double> progress;
    options.execution.progress = [&](const Progress& state) {
      if (state.stage == "tune") progress.push_back(state.done);
    };
    const TrainedModel model = train(with_texts(rows), options);
    const Tuning& tuning = *model.report.tuning;
    ASSERT_GE(tuning.points.size(), 5u);
    EXPECT_EQ(tuning.points[0].factors, (std::vector<double>{1}));  // the value given comes first
    EXPECT_GE(progress.size(), 5u);
    EXPECT_EQ(progress.back(), 1);
    for (const TuningPoint& point : tuning.points) {
      EXPECT_EQ(point.refused, "");
      EXPECT_EQ(point.values[0].second.scalar(), 4 * point.factors[0]);
      EXPECT_FALSE(is_better(tuning.measure, *point.score, *tuning.points[tuning.best].score));
    }
    const double best = tuning.points[tuning.best].values[0].second.scalar();
    EXPECT_LT(best, 4);
    TrainOptions untuned = options;
    untuned.tuned = {};
    untuned.kernel = KernelChoice("gaussian", {{"sigma", best}});
    const TrainedModel direct = train(with_texts(rows), untuned);
    EXPECT_EQ(direct.map.to_bytes(), model.map.to_bytes());
    expect_same(direct.linear.weights, model.linear.weights);
  }
}

TEST(Train, TuningGoesOnBeyondItsEnds) {
  const LabelledRows rows = rings(300, 2, 9), smooth = waves(300, 9);
  TrainOptions options = small(Trainer::svm);
  options.kernel = KernelChoice("gaussian", {{"sigma", 6.0}});  // some twenty times what is best
  options.tuned = {"sigma"};
  const TrainedModel svm = train(with_texts(rows), options);
  EXPECT_LT(svm.report.tuning->points[svm.report.tuning->best].factors[0], 1.0 / 4);
  EXPECT_TRUE(svm.report.tuning->open.empty());
  EXPECT_GT(accuracy_on(svm, rings(300, 2, 10)), 0.9);
  options.trainer = Trainer::ridge;
  options.kernel = KernelChoice("gaussian", {{"sigma", 0.04}});
  const TrainedModel ridge = train(with_numbers(smooth), options);
  EXPECT_GT(ridge.report.tuning->points[ridge.report.tuning->best].factors[0], 4);
  EXPECT_LT(rmse_on(ridge, waves(300, 10)), 0.1);
}

TEST(Train, SaysThatTheBestIsAtAnEnd) {
  const LabelledRows smooth = waves(300, 9);
  TrainOptions options = small(Trainer::ridge);
  options.c = {1e-4, 1e-3};
  const TrainedModel given = train(with_numbers(smooth), options);
  EXPECT_EQ(given.report.warnings,
            (std::vector<std::string>{"the best C, 0.001, is the largest that was tried; larger ones may be better"}));
  options.c = {};
  options.features.weights = Weights::unconstrained;
  const TrainedModel found = train(with_numbers(smooth), options);
  EXPECT_GT(found.training.c, 32);
  EXPECT_TRUE(found.report.validation.is_open);
  EXPECT_TRUE(found.report.warnings.empty()) << found.report.warnings.front();  // hardly anything is left of an error without noise
  EXPECT_TRUE(contains(found.training.command, "--c auto"));
  options.kernel = KernelChoice("gaussian", {{"sigma", 1e150}});  // as flat as all that are wider, which are no numbers
  options.tuned = {"sigma"};
  const TrainedModel tuned = train(with_numbers(smooth), options);
  ASSERT_EQ(tuned.report.tuning->open, (std::vector<std::size_t>{0}));
  EXPECT_TRUE(contains(tuned.report.warnings.back(), "the best sigma")) << tuned.report.warnings.back();
}

TEST(Train, AReadyMapBringsItsScaling) {
  const LabelledRows rows = rings(300, 2, 10);
  for (const Trainer trainer : {Trainer::svm, Trainer::ridge}) {
    TrainOptions options = small(trainer);
    const TrainedModel made = train(with_texts(rows), options);
    MapOptions how = options.features;
    how.seed = options.seed;
    options.map = make_map("gaussian", rows.X, how);
    options.features = {};
    const TrainedModel ready = train(with_texts(rows), options);
    EXPECT_EQ(ready.map.to_bytes(), made.map.to_bytes());
    expect_same(ready.linear.weights, made.linear.weights);
    EXPECT_TRUE(contains(ready.training.command, "--features FILE"));
    options.map = column_map(3);
    EXPECT_TRUE(contains(refusal(with_texts(rows), options), "the map is of 3 columns, the rows have 2"));
    options.tuned = {"sigma"};
    EXPECT_TRUE(contains(refusal(with_texts(rows), options), "no kernel to tune"));
  }
}

TEST(Train, SinglePrecision) {
  const LabelledRows rows = rings(300, 2, 11);
  for (const Trainer trainer : {Trainer::svm, Trainer::ridge}) {
    TrainOptions options = small(trainer);
    const TrainedModel wide = train(with_texts(rows), options);
    options.precision = Precision::float32;
    const TrainedModel narrow = train(with_texts(rows), options);
    EXPECT_EQ(narrow.precision, Precision::float32);
    const Certificate of_narrow = *narrow.map.content().certificate, of_wide = *wide.map.content().certificate;
    EXPECT_EQ(narrow.map.with([&](MapContent& content) { content.certificate = of_wide; }).to_bytes(), wide.map.to_bytes());
    EXPECT_GT(of_narrow.rounding, 1e-9);  // the map is the same, and its error in float32 a little larger
    EXPECT_EQ(of_narrow.error.error, std::hypot(of_wide.error.error, of_narrow.rounding));
    EXPECT_NEAR(accuracy_on(narrow, rows), accuracy_on(wide, rows), 0.02);
    Matrix<double> huge = rows.X;
    huge(5, 0) = 1e300;
    options.features.scale = Scaling::none;
    options.kernel = "linear";
    EXPECT_TRUE(contains(refusal(MemoryRows(huge, std::span<const std::string>(rows.texts)), options), "too large for float32"));
  }
}

}  // namespace
}  // namespace askrff::test
