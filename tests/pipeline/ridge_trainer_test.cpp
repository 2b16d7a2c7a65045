// RidgeTrainer: rows in any number of calls, solved in between, stored and merged, give the model of one go; what is refused changes
// nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "askrff/errors.hpp"
#include "pipeline/trainer_kinds.hpp"

namespace askrff::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Outputs on the rows agree relative to their size, and everything that was counted is the same.
void expect_close(const TrainedModel& a, const TrainedModel& b, double tolerance) {
  EXPECT_EQ(a.report.n_rows, b.report.n_rows);
  EXPECT_EQ(a.report.class_sizes, b.report.class_sizes);
  EXPECT_EQ(a.training.c, b.training.c);
  const Matrix<double> X = TrainerRows(50, 9).X, left = a.outputs(X), right = b.outputs(X);
  ASSERT_EQ(left.cols(), right.cols());
  double size = 1;
  for (std::size_t i = 0; i < left.rows() * left.cols(); ++i) size = std::max(size, std::abs(right.data()[i]));
  for (std::size_t i = 0; i < left.rows() * left.cols(); ++i) ASSERT_NEAR(left.data()[i], right.data()[i], tolerance * size) << i;
}

TEST(RidgeTrainer, BlocksAreOneGo) {
  for (const TrainerKind& kind : trainer_kinds()) {
    RidgeTrainer trainer = kind.start();
    for (std::size_t first = 0, count = 1; first < 500; first += count, count = std::min<std::size_t>(2 * count + 1, 500 - first))
      kind.add(trainer, first, std::min<std::size_t>(count, 500 - first));
    EXPECT_EQ(trainer.n_rows(), 500u);
    EXPECT_EQ(kind.solved(trainer).to_bytes(), kind.in_one_go().to_bytes());
  }
}

TEST(RidgeTrainer, ModelsInBetweenAreThoseOfTheRowsSoFar) {
  for (const TrainerKind& kind : trainer_kinds()) {
    RidgeTrainer trainer = kind.start();
    for (std::size_t first = 0; first < 500; first += 125) {
      kind.add(trainer, first, 125);
      expect_close(kind.solved(trainer), kind.in_one_go(first + 125), 1e-10);
    }
  }
}

TEST(RidgeTrainer, IsWhatTrainDoes) {
  const LabelledRows rows = waves(300, 2);
  const TrainedModel trained = train(MemoryRows(rows.X, std::span<const double>(rows.numbers)),
                                     {.features = {.n_frequencies = 16}, .trainer = Trainer::ridge, .c = grid, .seed = 3});
  RidgeTrainer trainer(trained.map, {.n_folds = 5, .seed = 3});
  trainer.add<double>(rows.X, MatrixView<const double>(rows.numbers.data(), 300, 1));
  TrainedModel model = trainer.solve(grid);
  model.training.command = trained.training.command;
  EXPECT_EQ(model.to_bytes(), trained.to_bytes());
}

TEST(RidgeTrainer, GoesOnFromItsBytes) {
  for (const TrainerKind& kind : trainer_kinds()) {
    RidgeTrainer empty = kind.start();
    RidgeTrainer begun = RidgeTrainer::from_bytes(empty.to_bytes());
    EXPECT_EQ(begun.n_rows(), 0u);
    kind.add(begun, 0, 200);
    const std::string bytes = begun.to_bytes();
    EXPECT_EQ(begun.to_bytes(), bytes);
    RidgeTrainer went_on = RidgeTrainer::from_bytes(bytes);
    EXPECT_EQ(went_on.to_bytes(), bytes);
    EXPECT_EQ(went_on.n_rows(), 200u);
    EXPECT_EQ(went_on.options().classes, kind.options.classes);
    EXPECT_EQ(went_on.options().n_targets, kind.options.n_targets);
    EXPECT_EQ(went_on.options().n_folds, kind.options.n_folds);
    EXPECT_EQ(went_on.options().bias, kind.options.bias);
    EXPECT_EQ(went_on.options().seed, kind.options.seed);
    EXPECT_EQ(went_on.map().to_bytes(), kind.map.to_bytes());
    EXPECT_EQ(kind.solved(went_on).to_bytes(), kind.solved(begun).to_bytes());
    kind.add(went_on, 200, 300);
    expect_close(kind.solved(went_on), kind.in_one_go(), 1e-10);
  }
}

// The halves begin with different rows, from which their sums are counted.
TEST(RidgeTrainer, MergedSumsAreThoseOfOneGo) {
  for (TrainerKind kind : trainer_kinds()) {
    kind.options.n_folds = 1;  // who is in which fold depends on the order of the rows
    RidgeTrainer first = kind.start(), second = kind.start(), none = kind.start();
    kind.add(first, 0, 180);
    kind.add(second, 180, 320);
    first.merge(second);
    first.merge(none);
    EXPECT_EQ(first.n_rows(), 500u);
    EXPECT_EQ(second.n_rows(), 320u);
    expect_close(kind.solved(first), kind.in_one_go(), 1e-10);
    none.merge(first);
    expect_close(kind.solved(none), kind.in_one_go(), 1e-10);
  }
}

TEST(RidgeTrainer, MergedFoldsCanBeSolved) {
  for (const TrainerKind& kind : trainer_kinds()) {
    RidgeTrainer first = kind.start(), second = kind.start();
    kind.add(first, 0, 250);
    kind.add(second, 250, 250);
    first.merge(second);
    const TrainedModel merged = kind.solved(first), whole = kind.in_one_go();
    EXPECT_EQ(merged.report.class_sizes, whole.report.class_sizes);
    if (merged.training.c == whole.training.c) expect_close(merged, whole, 1e-10);
    kind.add(first, 0, 10);
    EXPECT_EQ(first.n_rows(), 510u);
  }
}

TEST(RidgeTrainer, OthersAreNotMerged) {
  const TrainerKind kind = trainer_kinds()[0];
  RidgeTrainer trainer = kind.start();
  kind.add(trainer, 0, 100);
  const std::string before = trainer.to_bytes();
  const auto refused = [&](const Map& map, const std::function<void(RidgeTrainerOptions&)>& change) {
    RidgeTrainerOptions options = kind.options;
    change(options);
    RidgeTrainer other(map, options);
    EXPECT_THROW(trainer.merge(other), InvalidArgument);
    EXPECT_EQ(trainer.to_bytes(), before);
  };
  refused(column_map(2), [](RidgeTrainerOptions&) {});
  refused(kind.map, [](RidgeTrainerOptions& options) { options.classes[0] = "z"; });
  refused(kind.map, [](RidgeTrainerOptions& options) { options.n_folds = 2; });
  refused(kind.map, [](RidgeTrainerOptions& options) { options.bias = false; });
  refused(kind.map, [](RidgeTrainerOptions& options) { options.precision = Precision::float32; });
  refused(kind.map, [](RidgeTrainerOptions& options) { options.seed = 6; });
}

TEST(RidgeTrainer, RowsOfEitherTypeInEitherPrecision) {
  const TrainerRows rows;
  const Matrix<float> in_float = to_float(rows.X);
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    RidgeTrainer narrow(fourier_map(), {.n_targets = 2, .precision = precision}),
        wide(fourier_map(), {.n_targets = 2, .precision = precision});
    narrow.add<float>(in_float, rows.Y);
    wide.add<double>(rows.X, rows.Y);
    expect_close(narrow.solve({1}), wide.solve({1}), 1e-3);
    EXPECT_EQ(wide.solve({1}).precision, precision);
    EXPECT_EQ(RidgeTrainer::from_bytes(wide.to_bytes()).options().precision, precision);
  }
}

TEST(RidgeTrainer, ARefusedAddChangesNothing) {
  for (const TrainerKind& kind : trainer_kinds()) {
    RidgeTrainer trainer = kind.start();
    kind.add(trainer, 0, 100);
    const std::string before = trainer.to_bytes();
    TrainerRows bad(40, 3);
    const auto refused = [&](MatrixView<const double> X, std::span<const std::uint32_t> classes, MatrixView<const double> Y) {
      if (kind.options.classes.empty()) {
        EXPECT_THROW(trainer.add<double>(X, Y), InvalidArgument);
      } else {
        EXPECT_THROW(trainer.add<double>(X, classes), InvalidArgument);
      }
      EXPECT_TRUE(trainer.is_whole());
      EXPECT_TRUE(trainer.to_bytes() == before);
    };
    refused(bad.X.view().middle_rows(0, 39), bad.classes, bad.Y);
    refused(Matrix<double>(40, 3), bad.classes, bad.Y);
    bad.classes[30] = 3;
    bad.Y(30, 1) = nan;
    refused(bad.X, bad.classes, bad.Y);
    bad = TrainerRows(40, 3);
    bad.X(39, 1) = nan;
    refused(bad.X, bad.classes, bad.Y);
    bad.X(39, 1) = 1e305;  // finite, but its scaled value or phase is too large
    if (!kind.map.is_linear()) refused(bad.X, bad.classes, bad.Y);
    if (kind.options.classes.empty()) {
      EXPECT_THROW(trainer.add<double>(bad.X, std::span<const std::uint32_t>(bad.classes)), InvalidArgument);
    } else {
      EXPECT_THROW(trainer.add<double>(bad.X, bad.Y), InvalidArgument);
    }
    kind.add(trainer, 100, 400);
    expect_close(kind.solved(trainer), kind.in_one_go(), 1e-10);
  }
}

TEST(RidgeTrainer, ACallThatWasStoppedLeavesItUnusable) {
  StopSource source;
  TrainerKind kind = trainer_kinds()[0];
  kind.options.execution.stop = source.token();
  RidgeTrainer trainer = kind.start();
  kind.add(trainer, 0, 100);
  source.request_stop();
  EXPECT_THROW(kind.add(trainer, 100, 400), Stopped);
  EXPECT_FALSE(trainer.is_whole());
  EXPECT_THROW(kind.add(trainer, 100, 1), InvalidArgument);
  EXPECT_THROW(trainer.solve(grid), InvalidArgument);
  EXPECT_THROW(trainer.to_bytes(), InvalidArgument);
}

TEST(RidgeTrainer, OptionsOutOfRangeAreRefused) {
  EXPECT_THROW(RidgeTrainer(column_map(2), {.classes = {"one"}}), InvalidArgument);
  EXPECT_THROW(RidgeTrainer(column_map(2), {.n_targets = 0}), InvalidArgument);
  EXPECT_THROW(RidgeTrainer(column_map(2), {.n_folds = 0}), InvalidArgument);
  RidgeTrainer trainer(column_map(2), {});
  EXPECT_THROW(trainer.solve({1}), InvalidArgument);  // no rows
  trainer.add<double>(TrainerRows().X, Matrix<double>(500, 1));
  EXPECT_THROW(trainer.solve(grid), InvalidArgument);  // several C without folds
  EXPECT_THROW(trainer.solve({}), InvalidArgument);
}

}  // namespace
}  // namespace askrff::test
