// train() and make_map() of rows in parts: the model and the map of one process, whatever the parts.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/errors.hpp"
#include "io/temporary_files.hpp"
#include "parts/memory_parts.hpp"
#include "pipeline/training_data.hpp"
#include "support/linear_inputs.hpp"

namespace askrff::test {
namespace {

constexpr std::size_t n_rows = 4000;

/// Rings of three classes, with some weights 0.
struct PartedProblem {
  LabelledRows rows = rings(n_rows, 3, 1);
  std::vector<std::string> names{"a", "b", "c"};
  std::vector<double> weights;

  explicit PartedProblem(bool weighted = false) {
    for (std::size_t i = 0; i < n_rows; i += 11) rows.numbers[i] = static_cast<double>(i % 3);  // noise, or C would grow without end
    for (std::size_t i = 0; weighted && i < n_rows; ++i) weights.push_back(i % 17 == 0 ? 0 : 0.1 + 0.37 * static_cast<double>(i % 5));
  }
  MemoryParts parts(std::size_t n_parts, bool classes = true) const {
    MemoryParts result(rows.X, rows.numbers, classes ? names : std::vector<std::string>(), even_cuts(n_rows, n_parts));
    result.weights = weights;
    return result;
  }
  TrainedModel whole(const TrainOptions& options, bool classes = true) const {
    MemoryParts one = parts(1, classes);
    CodedRows stream(rows.X, rows.numbers, classes ? names : std::vector<std::string>(), weights);
    return train(stream, options);
  }

  /// Rows in this process whose labels are numbers of classes.
  class CodedRows final : public RowStream {
   public:
    CodedRows(const Matrix<double>& X, const std::vector<double>& labels, std::vector<std::string> names,
              const std::vector<double>& weights)
        : rows_(X, std::span<const double>(labels)), names_(std::move(names)) {
      if (!weights.empty()) rows_.set_weights(weights);
    }
    const std::string& name() const override { return rows_.name(); }
    std::size_t n_columns() const override { return rows_.n_columns(); }
    const std::vector<std::string>& column_names() const override { return rows_.column_names(); }
    bool has_labels() const override { return true; }
    const std::vector<std::string>& class_names() const override { return names_; }
    bool can_rewind() const override { return true; }
    void rewind() override { rows_.rewind(); }

   private:
    void read_block(RowBlock& block, std::size_t max_rows) override { rows_.next(block, max_rows); }
    MemoryRows rows_;
    std::vector<std::string> names_;
  };
};

TEST(PartedTraining, RidgeIsTheModelOfOneProcessToTheByte) {
  for (const bool weighted : {false, true}) {
    const PartedProblem problem(weighted);
    for (TrainOptions options :
         {TrainOptions{.features = {.n_frequencies = 12, .scale = Scaling::minmax}, .trainer = Trainer::ridge, .seed = 3},
          TrainOptions{.features = {.n_frequencies = 12, .scale = Scaling::robust},
          .trainer = Trainer::ridge,
          .class_weights = {.balanced = true},
          .precision = Precision::float32},
          TrainOptions{.kernel = "linear", .features = {.scale = Scaling::standard}, .trainer = Trainer::ridge, .c = {2}}}) {
      const std::string wanted = problem.whole(options).to_bytes();
      for (const std::size_t n_parts : {1, 2, 4, 7}) {
        MemoryParts parts = problem.parts(n_parts);
        EXPECT_TRUE(train(parts, options).to_bytes() == wanted) << n_parts;
        EXPECT_EQ(parts.n_runs, options.c.empty() ? 4u : 3u);  // one for probabilities
      }
    }
  }
}

TEST(PartedTraining, RegressionOfSeveralTargets) {
  const PartedProblem problem;
  std::vector<double> targets;
  for (std::size_t i = 0; i < n_rows; ++i) {
    targets.push_back(1e5 + problem.rows.X(i, 0));
    targets.push_back(std::sin(problem.rows.X(i, 1)));
  }
  const TrainOptions options{.features = {.n_frequencies = 16}, .trainer = Trainer::ridge, .task = Task::regression};
  std::string wanted;
  for (const std::size_t n_parts : {1, 5}) {
    MemoryParts parts(problem.rows.X, targets, {}, even_cuts(n_rows, n_parts));
    parts.targets = 2;
    const std::string model = train(parts, options).to_bytes();
    if (wanted.empty()) wanted = model;
    EXPECT_TRUE(model == wanted);
  }
}

TEST(PartedTraining, SvmIsTheModelOfOneProcess) {
  for (const bool weighted : {false, true}) {
    const PartedProblem problem(weighted);
    const TrainOptions options{
        .features = {.n_frequencies = 16, .scale = Scaling::minmax}, .c = {0.1, 10}, .class_weights = {.balanced = weighted}, .seed = 2};
    const TrainedModel wanted = problem.whole(options);
    for (const std::size_t n_parts : {1, 2, 4, 7}) {
      MemoryParts parts = problem.parts(n_parts);
      const TrainedModel got = train(parts, options);
      EXPECT_EQ(got.map.to_bytes(), wanted.map.to_bytes());
      EXPECT_EQ(got.training.c, wanted.training.c);
      EXPECT_EQ(got.report.class_sizes, wanted.report.class_sizes);
      ASSERT_EQ(got.training.cv_c, wanted.training.cv_c);
      for (std::size_t i = 0; i < got.training.cv_c.size(); ++i)  // shares of weights, summed in another order
        EXPECT_NEAR(got.training.cv_scores[i], wanted.training.cv_scores[i], 1e-12);
      EXPECT_NEAR(*got.report.accuracy, *wanted.report.accuracy, 1e-12);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(got.report.objectives[k] / wanted.report.objectives[k], 1, 1e-8);
      EXPECT_NEAR(got.output_scale->scale / wanted.output_scale->scale, 1, 1e-3);
    }
  }
}

TEST(PartedTraining, TunesAndFindsSizesOnTheSameSample) {
  const PartedProblem problem;
  const TrainOptions options{.kernel = {"gaussian", {{"sigma", 0.5}}},
                             .features = {.tolerance = 0.02, .max_frequencies = 64, .scale = Scaling::minmax},
                             .tuned = {"sigma"},
                             .trainer = Trainer::ridge,
                             .c = {0.1, 10}};
  MemoryParts parts = problem.parts(4);
  const TrainedModel got = train(parts, options);
  EXPECT_TRUE(got.to_bytes() == problem.whole(options).to_bytes());
  EXPECT_GT(got.report.tuning->points.size(), 4u);
}

TEST(PartedTraining, MapsAreTheSameBits) {
  const PartedProblem problem;
  for (const Scaling scaling : {Scaling::none, Scaling::minmax, Scaling::standard, Scaling::robust, Scaling::maxabs})
    for (const Estimator estimator : {Estimator::automatic, Estimator::nystrom}) {
      const MapOptions options{.estimator = estimator, .n_features = 32, .scale = scaling, .seed = 5};
      MemoryRows stream(problem.rows.X);
      const std::string wanted = make_map("shift-gaussian", stream, options).to_bytes();
      for (const std::size_t n_parts : {1, 2, 4, 7}) {
        MemoryParts parts(problem.rows.X, {}, {}, even_cuts(n_rows, n_parts));
        EXPECT_TRUE(make_map("shift-gaussian", parts, options).to_bytes() == wanted) << n_parts;
      }
    }
}

const TrainOptions quick{.features = {.n_frequencies = 8}, .trainer = Trainer::ridge, .c = {1}};

TEST(PartedTraining, WhatIsWrongInAPartIsNamed) {
  const PartedProblem problem;
  const auto refusal = [&](const auto& spoil) {
    MemoryParts parts = problem.parts(4);
    spoil(parts);
    return message_of<DataError>([&] { train(parts, quick); });
  };
  EXPECT_EQ(refusal([](MemoryParts& parts) { parts.X(2501, 1) = NAN; }),
            "partition 2: row 501, column 1 is nan (counted from 0), expected finite numbers");
  EXPECT_TRUE(contains(refusal([](MemoryParts& parts) { parts.labels[3500] = 3; }), "partition 3: the label of row 500"));
  EXPECT_TRUE(contains(refusal([](MemoryParts& parts) { parts.labels[3500] = NAN; }), "partition 3: the label of row 500"));
  EXPECT_TRUE(contains(refusal([](MemoryParts& parts) { parts.weights.assign(n_rows, -1); }), "partition 0: row 1 has the weight -1"));
  EXPECT_TRUE(contains(refusal([](MemoryParts& parts) { parts.weights.assign(n_rows, 0); }), "no rows that count"));
  EXPECT_TRUE(contains(refusal([](MemoryParts& parts) { parts.cuts = {0, 0, 0}; }), "no rows that count"));
  EXPECT_TRUE(contains(refusal([](MemoryParts& parts) { parts.cuts = {0}; }), "no parts"));
  EXPECT_TRUE(contains(refusal([](MemoryParts& parts) { parts.labels.clear(); }), "label"));
}

TEST(PartedTraining, RowsThatChangeBetweenPassesAreRefused) {
  const PartedProblem problem;
  MemoryParts parts = problem.parts(4);
  std::size_t n_calls = 0;
  parts.tamper = [&](std::vector<std::string>&) {
    if (++n_calls == 1) parts.cuts[3] += 1;  // a row moves from one part to the next
  };
  EXPECT_TRUE(contains(message_of<DataError>([&] { train(parts, quick); }), "other rows than in an earlier pass"));
}

TEST(PartedTraining, ValuesThatChangeBetweenPassesAreRefused) {
  const PartedProblem problem;
  MemoryParts parts = problem.parts(4);
  parts.spoil = [&](std::size_t part, Matrix<double>& X) {
    if (part == 2 && parts.n_runs == 3) std::swap(X(0, 0), X(1, 0));
  };
  EXPECT_TRUE(contains(message_of<DataError>([&] { train(parts, quick); }), "partition 2: other rows than in an earlier pass"));
}

TEST(PartedTraining, AllWeightsOfAPartMayBeZero) {
  const PartedProblem problem;
  const TrainOptions options{.features = {.n_frequencies = 8}, .trainer = Trainer::ridge, .task = Task::regression, .c = {1}};
  MemoryParts parts = problem.parts(4, false), whole = problem.parts(1, false);
  for (std::size_t i = 0; i < n_rows; ++i) parts.weights.push_back(i / 1000 == 2 ? 0 : 1);
  whole.weights = parts.weights;
  EXPECT_TRUE(train(parts, options).to_bytes() == train(whole, options).to_bytes());
}

TEST(PartedTraining, APartThatIsComputedTwiceCountsOnce) {
  const PartedProblem problem;
  for (const Trainer trainer : {Trainer::ridge, Trainer::svm}) {
    TrainOptions options = quick;
    options.trainer = trainer;
    MemoryParts parts = problem.parts(4), repeating = problem.parts(4);
    repeating.tamper = [](std::vector<std::string>& results) { results.insert(results.begin() + 2, results[2]); };
    const TrainedModel once = train(parts, options), twice = train(repeating, options);
    if (trainer == Trainer::ridge) {
      EXPECT_TRUE(once.to_bytes() == twice.to_bytes());
    } else {  // joined in another tree: sums of doubles
      EXPECT_NEAR(once.report.objectives[0] / twice.report.objectives[0], 1, 1e-9);
    }
    parts.tamper = [](std::vector<std::string>& results) { results.pop_back(); };
    EXPECT_TRUE(contains(message_of<DataError>([&] { train(parts, options); }), "names 3 parts, expected all 4"));
    parts.tamper = [](std::vector<std::string>& results) { std::swap(results[0], results[1]); };
    EXPECT_THROW(train(parts, options), InvalidArgument);
  }
}

TEST(PartedTraining, OptionsThatPartsDoNotHaveAreRefused) {
  MemoryParts parts = PartedProblem().parts(2);
  TrainOptions options = quick;
  options.leave_one_out = true;
  EXPECT_THROW(train(parts, options), InvalidArgument);
}

}  // namespace
}  // namespace askrff::test
