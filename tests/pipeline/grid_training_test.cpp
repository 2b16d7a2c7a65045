// Ridge regression on a grid of frequencies through the whole flow: the model of sums of all products, from any source of rows, to files
// and back; predictions near and far; what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "askrff/errors.hpp"
#include "askrff/operators.hpp"
#include "askrff/random.hpp"
#include "pipeline/record_editor.hpp"
#include "pipeline/trainer_kinds.hpp"

namespace askrff::test {
namespace {

Map grid_map() {
  return make_map("shift-gaussian", TrainerRows().X, {.tolerance = 1e-4, .sampler = Sampler::grid, .scale = Scaling::minmax});
}

std::vector<TrainerKind> grid_kinds() {
  const std::vector<std::string> names{"a", "b", "c"};
  return {{grid_map(), {.classes = names, .n_folds = 4, .seed = 5}},
          {grid_map(), {.n_targets = 2, .n_folds = 3, .bias = false}},
          {grid_map(), {.n_targets = 2}}};
}

void expect_outputs_near(const Model& a, const Model& b, const Matrix<double>& X, double tolerance) {
  const Matrix<double> left = a.outputs(X), right = b.outputs(X);
  ASSERT_EQ(left.cols(), right.cols());
  for (std::size_t i = 0; i < left.rows() * left.cols(); ++i)
    ASSERT_NEAR(left.data()[i], right.data()[i], tolerance * std::max(1.0, std::abs(right.data()[i]))) << i;
}

TEST(GridTraining, IsTheModelOfAllProducts) {
  for (TrainerKind kind : grid_kinds()) {
    RidgeTrainer on_grid = kind.start();
    EXPECT_TRUE(on_grid.is_on_grid());
    kind.add(on_grid, 0, 500);
    const TrainedModel found = kind.solved(on_grid);
    const Matrix<double> X = TrainerRows(50, 9).X;
    const std::vector<double> variances = on_grid.posterior_variances(RowsView<double>(X.view()), 10);
    kind.options.all_products = true;
    RidgeTrainer of_products = kind.start();
    EXPECT_FALSE(of_products.is_on_grid());
    kind.add(of_products, 0, 500);
    const TrainedModel expected = kind.solved(of_products);
    EXPECT_EQ(found.training.c, expected.training.c);
    EXPECT_EQ(found.report.class_sizes, expected.report.class_sizes);
    EXPECT_NEAR(*found.report.rmse, *expected.report.rmse, 1e-6 * *expected.report.rmse);
    expect_outputs_near(found, expected, X, 1e-7);
    const std::vector<double> of_all = of_products.posterior_variances(RowsView<double>(X.view()), 10);
    for (std::size_t i = 0; i < of_all.size(); ++i) EXPECT_NEAR(variances[i], of_all[i], 1e-6 * of_all[i]);
  }
}

TEST(GridTraining, BlocksAndBytesInBetweenAreOneGo) {
  for (const TrainerKind& kind : grid_kinds()) {
    RidgeTrainer trainer = kind.start();
    for (std::size_t first = 0; first < 500; first += 125) {
      kind.add(trainer, first, 125);
      EXPECT_EQ(kind.solved(trainer).report.n_rows, first + 125);
      trainer = RidgeTrainer::from_bytes(trainer.to_bytes());
    }
    EXPECT_EQ(kind.solved(trainer).to_bytes(), kind.in_one_go().to_bytes());
  }
}

struct Field {
  Matrix<double> X;
  std::vector<double> y;
};

/// Noisy numbers on [0, 1]^dim.
Field field(std::size_t n, std::size_t dim, std::uint64_t seed = 1) {
  Field rows{Matrix<double>(n, dim), {}};
  for (std::size_t i = 0; i < n; ++i) {
    RandomStream random(seed, Purpose::landmark_pivots, i);
    double sum = 0;
    for (std::size_t k = 0; k < dim; ++k) sum += rows.X(i, k) = random.uniform();
    rows.y.push_back(3 + std::sin(9 * sum) + 0.1 * random.normal());
  }
  return rows;
}

TrainOptions on_grid(double sigma, double tolerance = 1e-6) {
  return {.kernel = {"gaussian", {{"sigma", sigma}}},
          .features = {.tolerance = tolerance, .sampler = Sampler::grid, .scale = Scaling::none},
          .trainer = Trainer::ridge,
          .task = Task::regression};
}

TrainedModel trained(const Field& rows, const TrainOptions& options) {
  return train(MemoryRows(rows.X, std::span<const double>(rows.y)), options);
}

TEST(GridTraining, FindsTheFunctionInOneToThreeDimensions) {
  for (std::size_t dim = 1; dim <= 3; ++dim) {
    const Field rows = field(4000, dim), other = field(200, dim, 2);
    TrainOptions options = on_grid(0.3, 1e-4);
    options.c = {1000, 30000};
    const TrainedModel model = trained(rows, options);
    const Matrix<double> found = model.outputs(other.X);
    double squares = 0;
    for (std::size_t i = 0; i < 200; ++i) squares += std::pow(found(i, 0) - other.y[i], 2) / 200;
    EXPECT_LT(std::sqrt(squares), 0.12) << dim;  // of noise of 0.1
    EXPECT_EQ(model.map.content().certificate, std::nullopt);
    EXPECT_NE(model.map.content().reason.find("frequencies on a grid"), std::string::npos);
  }
}

TEST(GridTraining, IsTheSameModelFromABlockOrManyAndAnyThreads) {
  const Field rows = field(3000, 2);
  TrainOptions options = on_grid(0.2);
  options.c = {0.1, 1, 10};
  const std::string bytes = trained(rows, options).to_bytes();
  options.execution.n_threads = 3;
  EXPECT_EQ(trained(rows, options).to_bytes(), bytes);
  const Model again = Model::from_bytes(bytes);
  EXPECT_EQ(again.to_bytes(), bytes);
  expect_outputs_near(again, trained(rows, options), rows.X, 1e-15);
}

/// Rows the sample has not seen are within the grid all the same: it is made for the ends of all of them.
TEST(GridTraining, ReachesOverRowsThatTheSampleMissed) {
  Field rows = field(30000, 1);
  rows.X(17, 0) = 2.5;
  rows.X(18, 0) = -1;
  TrainOptions options = on_grid(0.2);
  options.c = {1};
  const TrainedModel model = trained(rows, options);
  EXPECT_EQ(model.map.content().range->lowest, std::vector<double>{-1});
  EXPECT_EQ(model.map.content().range->highest, std::vector<double>{2.5});
  EXPECT_EQ(model.report.n_rows, 30000u);
}

TEST(GridTraining, FarRowsGetTheOutputsOfTheNearestPointWithinReach) {
  const Field rows = field(500, 1);
  TrainOptions options = on_grid(0.05, 1e-8);
  options.c = {5};
  const TrainedModel model = trained(rows, options);
  const ColumnRange& range = *model.map.content().range;
  const double tenth = 0.1 * (range.highest[0] - range.lowest[0]);
  Matrix<double> X(6, 1);
  const double at[] = {range.lowest[0] - tenth, range.highest[0] + tenth, range.highest[0] + 2 * tenth, 100, -0.2, -1e9};
  std::ranges::copy(at, X.data());
  const Matrix<double> found = model.outputs(X);
  for (std::size_t i = 2; i < 6; ++i) EXPECT_NEAR(found(i, 0), found(i < 4 ? 1 : 0, 0), 1e-12) << at[i];
  // The features themselves, for rows within reach.
  const Matrix<double> direct = multiply(model.map.features(), X.view().middle_rows(0, 2), model.linear.weights.view());
  for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(found(i, 0), direct(i, 0) + model.linear.bias[0], 1e-10);
}

TEST(GridTraining, TakesWeightsClassesAndProbabilities) {
  const LabelledRows rows = rings(600, 3, 1);
  TrainOptions options = on_grid(0.5, 1e-3);
  options.task = Task::classification;
  std::vector<std::string> labels;
  for (const double number : rows.numbers) labels.push_back(number == 0 ? "inner" : number == 1 ? "middle" : "outer");
  const TrainedModel model = train(MemoryRows(rows.X, labels), options);
  const Matrix<double> outputs = model.outputs(rows.X), probabilities = model.probabilities_of(outputs);
  std::size_t right = 0;
  const std::vector<std::string> found = model.predict(rows.X);
  for (std::size_t i = 0; i < 600; ++i) {
    right += found[i] == labels[i];
    EXPECT_NEAR(std::accumulate(probabilities.row(i).begin(), probabilities.row(i).end(), 0.0), 1, 1e-12);
  }
  EXPECT_GT(right, 560u);
}

/// Leave-one-out wants the products of features: the same model, with what it tells.
TEST(GridTraining, LeaveOneOutFallsBackOnAllProducts) {
  const Field rows = field(300, 1);
  TrainOptions options = on_grid(0.2);
  options.c = {1};
  const TrainedModel quick = trained(rows, options);
  options.leave_one_out = true;
  const TrainedModel slow = trained(rows, options);
  EXPECT_TRUE(slow.report.loo_rmse);
  expect_outputs_near(quick, slow, rows.X, 1e-8);
}

TEST(GridTraining, SaysWhatIsWrong) {
  const auto says = [](const std::string& part, const std::function<void()>& act) {
    try {
      act();
      ADD_FAILURE() << "nothing thrown, expected: " << part;
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  const Field rows = field(300, 2), wide = field(300, 4);
  TrainOptions options = on_grid(0.2);
  says("4 dimensions, expected 1 to 3", [&] { trained(wide, options); });
  options.features.estimator = Estimator::nystrom;
  says("a grid has one set of frequencies", [&] { trained(rows, options); });
  options = on_grid(0.2, 2);
  says("a tolerance of 2, expected 1e-13 to 0.5", [&] { trained(rows, options); });
  options = on_grid(1e-6);
  says("frequencies and", [&] { trained(rows, options); });
  const TrainerKind kind = grid_kinds()[2];
  RidgeTrainer trainer = kind.start();
  kind.add(trainer, 0, 100);
  says("not made in parts", [&] { trainer.merge(kind.start()); });
  says("not made in parts", [&] { (void)trainer.part({0}); });
  Matrix<double> far(1, 2), Y(1, 2);
  far(0, 0) = 1e4;
  says("apart in column 0", [&] { trainer.add<double>(far.view(), Y.view()); });
  EXPECT_TRUE(trainer.is_whole());
  EXPECT_EQ(trainer.n_rows(), 100u);
  const std::string bytes = trainer.to_bytes();
  for (const std::string key : {"sums/0/ones", "sums/0/targets", "sums/0/X", "sums/grid/lowest", "sums/origin"}) {
    RecordEditor file(bytes);
    file[key].content.resize(file[key].content.size() - 8);
    (file[key].rows > 1 ? file[key].rows : file[key].cols) -= 1;
    EXPECT_THROW(RidgeTrainer::from_bytes(file.file()), DataError) << key;
  }
}

}  // namespace
}  // namespace askrff::test
