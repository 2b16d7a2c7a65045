// RidgeTrainer: rows in any number of calls, solved in between, stored and merged, give the model of one go; what is refused changes
// nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>

#include "askrff/errors.hpp"
#include "pipeline/trainer_kinds.hpp"
#include "support/linear_inputs.hpp"
#include "support/special_values.hpp"

namespace askrff::test {
namespace {

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
    EXPECT_EQ(kind.solved(went_on).to_bytes(), kind.in_one_go().to_bytes());
  }
}

TEST(RidgeTrainer, PartsMergedInAnyOrderAreOneGo) {
  for (const TrainerKind& kind : trainer_kinds()) {
    RidgeTrainer first_row = kind.start();
    kind.add(first_row, 0, 1);
    const auto part = [&](std::size_t first, std::size_t end) {
      std::vector<std::uint64_t> n_before(std::max<std::size_t>(1, kind.options.classes.size()));
      for (std::size_t i = 0; i < first; ++i) ++n_before[kind.options.classes.empty() ? 0 : kind.rows.classes[i]];
      RidgeTrainer trainer = RidgeTrainer::from_bytes(first_row.part(n_before).to_bytes());
      kind.add(trainer, first, end - first);
      return RidgeTrainer::from_bytes(trainer.to_bytes());
    };
    RidgeTrainer merged = part(180, 430);
    merged.merge(part(430, 430));
    merged.merge(part(430, 500));
    merged.merge(part(180, 430));  // once more: it counts once
    EXPECT_EQ(merged.n_rows(), 320u);
    merged.merge(part(0, 180));
    EXPECT_EQ(merged.counted(), (std::vector<RowRange>{{0, 500}}));
    EXPECT_EQ(kind.solved(merged).to_bytes(), kind.in_one_go().to_bytes());
    kind.add(merged, 0, 10);  // ten rows more, as if they were new
    EXPECT_EQ(merged.n_rows(), 510u);
  }
}

TEST(RidgeTrainer, PartsNeedTheFirstRow) {
  const TrainerKind kind = trainer_kinds()[0];
  RidgeTrainer trainer = kind.start();
  EXPECT_THROW(trainer.part({0, 0, 0}), InvalidArgument);
  kind.add(trainer, 0, 1);
  EXPECT_THROW(trainer.part({0, 0}), InvalidArgument);
  RidgeTrainer begins_elsewhere = kind.start();
  kind.add(begins_elsewhere, 1, 100);
  EXPECT_THROW(trainer.merge(begins_elsewhere), InvalidArgument);
  EXPECT_EQ(trainer.n_rows(), 1u);
  EXPECT_TRUE(trainer.is_whole());
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
    if (kind.options.classes.empty()) {
      EXPECT_THROW(trainer.add<double>(bad.X, std::span<const std::uint32_t>(bad.classes)), InvalidArgument);
    } else {
      EXPECT_THROW(trainer.add<double>(bad.X, bad.Y), InvalidArgument);
    }
    kind.add(trainer, 100, 400);
    expect_close(kind.solved(trainer), kind.in_one_go(), 1e-10);
  }
}

// Beyond the first block, of which nothing may stay either.
TEST(RidgeTrainer, NumbersTooLargeForFloatChangeNothing) {
  for (TrainerKind kind : trainer_kinds()) {
    kind.options.precision = Precision::float32;
    RidgeTrainer trainer = kind.start();
    kind.add(trainer, 0, 100);
    const std::string before = trainer.to_bytes();
    TrainerRows many(9000, 4);
    many.X(8999, 1) = 1e39;
    if (kind.options.classes.empty()) {
      EXPECT_THROW(trainer.add<double>(many.X, many.Y), InvalidArgument);
      many.X(8999, 1) = 0;
      many.Y(8999, 0) = 3e38;  // its difference to the first may be too large
      EXPECT_THROW(trainer.add<double>(many.X, many.Y), InvalidArgument);
    } else {
      EXPECT_THROW(trainer.add<double>(many.X, std::span<const std::uint32_t>(many.classes)), InvalidArgument);
    }
    EXPECT_TRUE(trainer.is_whole());
    EXPECT_TRUE(trainer.to_bytes() == before);
    kind.add(trainer, 100, 400);
    expect_close(kind.solved(trainer), kind.in_one_go(), 1e-3);
  }
}

/// A Gaussian that calls somebody before each block of values, and gives what he says in place of k(0) = 1.
class ObservedKernel final : public Kernel {
 public:
  explicit ObservedKernel(std::function<double()> observer) : observer_(std::move(observer)) {}
  std::string name() const override { return "observed"; }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    const double factor = observer_();
    for (std::size_t i = 0; i < out.size(); ++i) {
      double square = 0;
      for (const double value : differences.row(i)) square += value * value;
      out[i] = factor * std::exp(-square);
    }
  }

 private:
  std::function<double()> observer_;
};

void expect_unusable_after(const std::function<double()>& observer, bool& is_armed, const StopToken& stop) {
  const auto kernel = std::make_shared<ObservedKernel>([&] { return is_armed ? observer() : 1.0; });
  const TrainerRows rows(9000);  // more than are kept to be summed later
  const Map map(MapContent{.source = nystrom(kernel, rows.X, {.n_features = 6, .execution = {1}})});
  RidgeTrainer trainer(map, {.n_targets = 2, .execution = {.n_threads = 1, .stop = stop}});
  trainer.add<double>(rows.X, rows.Y);
  is_armed = true;
  EXPECT_THROW(trainer.add<double>(rows.X, rows.Y), std::exception);
  is_armed = false;
  EXPECT_FALSE(trainer.is_whole());
  EXPECT_THROW(trainer.add<double>(rows.X, rows.Y), InvalidArgument);
  EXPECT_THROW(trainer.solve({1}), InvalidArgument);
  EXPECT_THROW(trainer.to_bytes(), InvalidArgument);
  RidgeTrainer other(map, {.n_targets = 2});
  EXPECT_THROW(other.merge(trainer), InvalidArgument);
}

TEST(RidgeTrainer, ACallThatEndedHalfwayLeavesItUnusable) {
  StopSource source;
  bool is_armed = false;
  const auto stop = [&] {
    source.request_stop();
    return 1.0;
  };
  expect_unusable_after(stop, is_armed, source.token());
  expect_unusable_after([] { return nan; }, is_armed, {});  // a kernel that fails
}

TEST(RidgeTrainer, StoppedBeforeTheFirstRowItStaysWhole) {
  StopSource source;
  TrainerKind kind = trainer_kinds()[0];
  kind.options.execution.stop = source.token();
  RidgeTrainer trainer = kind.start();
  source.request_stop();
  EXPECT_THROW(kind.add(trainer, 0, 100), Stopped);
  EXPECT_TRUE(trainer.is_whole());
  EXPECT_EQ(trainer.n_rows(), 0u);
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
