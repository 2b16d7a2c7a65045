// The whole job on sparse rows: maps, models and files are those of the same rows written out, to rounding, and to the bit where nothing
// but features is made of the rows.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/map.hpp"
#include "askrff/train.hpp"
#include "pipeline/expect_same_model.hpp"
#include "support/sparse_rows.hpp"

namespace askrff::test {
namespace {

/// Rows of 200 columns, some ten of which are not zero, and labels that depend on a few of them.
struct TextLikeRows {
  Matrix<double> X;
  SparseMatrix<double> sparse;
  std::vector<double> classes, numbers;

  explicit TextLikeRows(std::size_t n_rows, std::uint64_t seed = 1) : X(rows_with_zeros<double>(n_rows, 200, 0.05, seed)) {
    for (std::size_t i = 0; i < n_rows; ++i) {
      for (double& x : X.row(i)) x = std::fabs(x);
      double sum = 0;
      for (std::size_t c = 0; c < 60; ++c) sum += (c % 2 == 0 ? 1 : -1) * X(i, c);
      numbers.push_back(std::sin(sum));
      classes.push_back(sum > 0 ? 1 : 0);
    }
    sparse = SparseMatrix<double>::of(X);
  }
};

double largest_difference(const Matrix<double>& a, const Matrix<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.rows() * a.cols(); ++i) largest = std::fmax(largest, std::fabs(a.data()[i] - b.data()[i]));
  return largest;
}

TEST(SparseMaps, AreThoseOfDenseRows) {
  const TextLikeRows rows(700);
  for (const Scaling scale : {Scaling::none, Scaling::maxabs, Scaling::minmax})
    for (const char* name : {"gaussian", "shift-gaussian", "sinh-gaussian", "laplacian"}) {
      const MapOptions options{.n_frequencies = 32, .scale = scale, .seed = 4};
      const Map dense = make_map({name}, rows.X, options), sparse = make_map({name}, rows.sparse, options);
      EXPECT_EQ(sparse.content().scaler, dense.content().scaler);
      ASSERT_TRUE(sparse.atoms());
      EXPECT_LE(largest_difference(sparse.left(rows.X), dense.left(rows.X)), 1e-6) << name;
      ASSERT_TRUE(sparse.content().certificate && dense.content().certificate);
      EXPECT_NEAR(sparse.content().certificate->error.error, dense.content().certificate->error.error, 1e-6) << name;
      EXPECT_EQ(sparse.rows_outside(rows.sparse), sparse.rows_outside(rows.X));
      EXPECT_NEAR(sparse.float32_error(rows.sparse, true), sparse.float32_error(rows.X, true), 1e-15);
    }
}

TEST(SparseMaps, WithLandmarksKeepThemSparse) {
  const TextLikeRows rows(700);
  const MapOptions options{.estimator = Estimator::nystrom, .n_features = 40, .seed = 4};
  for (const char* name : {"gaussian", "sinh-gaussian"}) {
    const Map dense = make_map({name}, rows.X, options), sparse = make_map({name}, rows.sparse, options);
    ASSERT_TRUE(sparse.nystrom() && dense.nystrom());
    EXPECT_TRUE(sparse.nystrom()->landmarks.is_sparse());
    EXPECT_EQ(sparse.nystrom()->landmark_rows, dense.nystrom()->landmark_rows) << name;
    const Matrix<double> left = sparse.left(rows.X);
    EXPECT_LE(std::fabs(sparse.content().certificate->error.error / dense.content().certificate->error.error - 1), 1e-6) << name;
    // Rows of both kinds have the same features, and a file brings them back.
    Matrix<double> of_sparse(rows.X.rows(), sparse.n_features());
    sparse.transform<double, double>(FeatureSide::left, RowsView<double>(rows.sparse), of_sparse.view());
    EXPECT_EQ(largest_difference(of_sparse, left), 0);
    const Map restored = Map::from_bytes(sparse.to_bytes());
    EXPECT_TRUE(restored.nystrom()->landmarks.is_sparse());
    EXPECT_EQ(largest_difference(restored.left(rows.X), left), 0);
    EXPECT_LT(sparse.to_bytes().size(), dense.to_bytes().size());
  }
}

TEST(SparseMaps, AreTheSameBitsForAnyThreads) {
  const TextLikeRows rows(900);
  for (const Estimator estimator : {Estimator::fourier, Estimator::nystrom}) {
    const auto bytes = [&](std::size_t n_threads) {
      return make_map({"sinh-gaussian"}, rows.sparse,
                      {.estimator = estimator, .n_features = 64, .seed = 2, .execution = {.n_threads = n_threads}})
          .to_bytes();
    };
    const std::string one = bytes(1);
    if (estimator == Estimator::nystrom) {
      EXPECT_EQ(bytes(3), one);
    } else {  // calibrations keep how long they took
      const TextLikeRows others(50, 9);
      EXPECT_EQ(largest_difference(Map::from_bytes(bytes(3)).left(others.X), Map::from_bytes(one).left(others.X)), 0);
    }
  }
}

TEST(SparseMaps, AreChosenByATolerance) {
  const TextLikeRows rows(3000);
  const Map map = make_map({"gaussian"}, rows.sparse, {.tolerance = 0.2, .seed = 1});
  EXPECT_TRUE(map.content().certificate->reached);
}

TrainOptions training(Trainer trainer, Task task, const Map& map, Precision precision) {
  return {.map = map, .trainer = trainer, .task = task, .n_folds = 3, .precision = precision, .seed = 5};
}

// With one map for both: ridge sums are of the same groups of rows, the SVM of the same design.
TEST(SparseTraining, IsThatOfDenseRowsToTheBit) {
  const TextLikeRows rows(1500);
  const Map map = make_map({"shift-gaussian"}, rows.X, {.n_frequencies = 24, .scale = Scaling::maxabs, .seed = 4});
  const Map linear = make_map({"linear"}, rows.X, {.scale = Scaling::maxabs});
  const Map moved = make_map({"gaussian"}, rows.X, {.n_frequencies = 24, .scale = Scaling::standard, .seed = 4});
  for (const Map* used : {&map, &linear, &moved})
    for (const Precision precision : {Precision::float32, Precision::float64})
      for (const Trainer trainer : {Trainer::ridge, Trainer::svm}) {
        const Task task = trainer == Trainer::ridge ? Task::regression : Task::classification;
        const std::vector<double>& labels = trainer == Trainer::ridge ? rows.numbers : rows.classes;
        MemoryRows dense(rows.X, std::span<const double>(labels)), sparse(rows.sparse, std::span<const double>(labels));
        EXPECT_TRUE(sparse.is_sparse());
        const TrainOptions options = training(trainer, task, *used, precision);
        const TrainedModel of_dense = train(dense, options), of_sparse = train(sparse, options);
        EXPECT_EQ(largest_difference(of_sparse.linear.weights, of_dense.linear.weights), 0) << name_of(trainer) << " " << used->kind();
        EXPECT_EQ(largest_difference(of_sparse.outputs(rows.sparse), of_dense.outputs(rows.X)), 0);
        TrainOptions in_passes = options;
        in_passes.max_row_bytes = 0;
        if (trainer == Trainer::svm) {
          EXPECT_EQ(largest_difference(train(sparse, in_passes).linear.weights, train(dense, in_passes).linear.weights), 0);
        }
      }
}

TEST(SparseTraining, MakesItsMapOfSparseRows) {
  const TextLikeRows rows(1500), others(400, 8);
  for (const Scaling scale : {Scaling::minmax, Scaling::standard, Scaling::robust, Scaling::maxabs, Scaling::none}) {
    const auto accuracy = [&](RowStream& stream) {
      const TrainedModel model =
          train(stream, {.kernel = "gaussian", .features = {.n_frequencies = 64, .scale = scale}, .trainer = Trainer::svm, .seed = 5});
      std::size_t n_right = 0;
      const auto found = model.classes_of(model.outputs(others.sparse));
      for (std::size_t i = 0; i < found.size(); ++i) n_right += static_cast<double>(found[i]) == others.classes[i] ? 1 : 0;
      return static_cast<double>(n_right) / static_cast<double>(found.size());
    };
    MemoryRows dense(rows.X, std::span<const double>(rows.classes)), sparse(rows.sparse, std::span<const double>(rows.classes));
    const double of_dense = accuracy(dense);
    EXPECT_GT(of_dense, 0.6) << name_of(scale);
    EXPECT_NEAR(accuracy(sparse), of_dense, 0.02) << name_of(scale);
  }
}

TEST(SparseTraining, TunesAndWeighs) {
  const TextLikeRows rows(600);
  MemoryRows stream(rows.sparse, std::span<const double>(rows.numbers));
  std::vector<double> weights(600, 1.0);
  for (std::size_t i = 0; i < 600; i += 3) weights[i] = 0;
  stream.set_weights(weights);
  const TrainedModel model = train(stream, {.kernel = "gaussian",
                                            .features = {.n_frequencies = 32},
                                            .tuned = {"sigma"},
                                            .trainer = Trainer::ridge,
                                            .task = Task::regression,
                                            .n_folds = 3,
                                            .seed = 5});
  EXPECT_EQ(model.report.n_rows, 400u);
  ASSERT_TRUE(model.report.tuning);
}

// A trainer takes rows of either kind in turn, and its sums as bytes go on from there.
TEST(SparseTraining, ByATrainerInTurnsWithDenseRows) {
  const TextLikeRows rows(900);
  const Map map = make_map({"gaussian"}, rows.X, {.n_frequencies = 16, .seed = 4});
  const Matrix<double> Y(900, 1, rows.numbers);
  RidgeTrainer of_dense(map, {.n_folds = 3}), mixed(map, {.n_folds = 3});
  of_dense.add<double>(rows.X, Y);
  for (std::size_t first = 0; first < 900; first += 100) {
    if (first / 100 % 2 == 0)
      mixed.add<double>(rows.sparse.view().middle_rows(first, 100), Y.view().middle_rows(first, 100));
    else
      mixed.add<double>(rows.X.view().middle_rows(first, 100), Y.view().middle_rows(first, 100));
    if (first == 300) mixed = RidgeTrainer::from_bytes(mixed.to_bytes(), {}, "bytes");
  }
  EXPECT_EQ(largest_difference(mixed.solve({1.0}).linear.weights, of_dense.solve({1.0}).linear.weights), 0);
}

// A stream whose blocks are not what it says they are.
class MistakenStream final : public RowStream {
 public:
  explicit MistakenStream(SparseMatrix<double> rows) : rows_(std::move(rows)) {}
  const std::string& name() const override { return name_; }
  std::size_t n_columns() const override { return rows_.cols(); }
  const std::vector<std::string>& column_names() const override { return no_names_; }
  bool has_labels() const override { return false; }
  bool can_rewind() const override { return false; }
  void rewind() override {}

 private:
  void read_block(RowBlock& block, std::size_t) override { block.X = rows_; }
  std::string name_ = "mistaken";
  std::vector<std::string> no_names_;
  SparseMatrix<double> rows_;
};

TEST(SparseTraining, RefusesSparseBlocksOfADenseStream) {
  MistakenStream stream(TextLikeRows(20).sparse);
  EXPECT_THROW(draw_rows(stream, Scaling::none, 1), DataError);
}

// Rows whose zeros are moved count as they are when they are written out.
TEST(SparseTraining, GoesInPassesWhereRowsWrittenOutAreTooMany) {
  const TextLikeRows rows(600);
  MemoryRows stream(rows.sparse, std::span<const double>(rows.classes));
  TrainOptions options{
      .kernel = "gaussian", .features = {.n_frequencies = 16, .scale = Scaling::standard}, .c = {1.0}, .max_row_bytes = 200'000, .seed = 5};
  EXPECT_GT(train(stream, options).report.n_passes, 0u);
  options.features.scale = Scaling::maxabs;
  EXPECT_EQ(train(stream, options).report.n_passes, 0u);
}

// Zeros that a scaling moves are written out, if there is room.
TEST(SparseTraining, RefusesToWriteOutWhatDoesNotFit) {
  SparseMatrix<double> wide(2'000'000'000);
  std::vector<double> labels;
  for (std::uint32_t i = 0; i < 40; ++i) {
    wide.add_row(std::vector<std::uint32_t>{0, 100 * i + 1}, std::vector<double>{2.0, 1.0});
    labels.push_back(i % 2);
  }
  const Scaler moves{Scaling::standard, {1}, {1}};
  EXPECT_FALSE(moves.keeps_zeros());
  EXPECT_THROW(moves.applied(RowsMatrix<double>(wide)), InvalidArgument);
}

}  // namespace
}  // namespace askrff::test
