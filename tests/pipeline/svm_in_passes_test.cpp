// The SVM of rows that are not kept: the same model to the tolerance of both solvers, where the limit lies, how often rows are read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/train.hpp"
#include "io/temporary_files.hpp"
#include "pipeline/training_data.hpp"

namespace askrff::test {
namespace {

TrainOptions svm_options(std::uint64_t max_row_bytes) {
  return {.kernel = "shift-gaussian",
          .features = {.n_frequencies = 24, .scale = Scaling::minmax},
          .c = {0.5, 4, 32},
          .n_folds = 4,
          .max_row_bytes = max_row_bytes,
          .seed = 3};
}

constexpr std::uint64_t enough = std::uint64_t{1} << 30;

void expect_same_solution(const LabelledRows& rows, const std::vector<double>& weights, TrainOptions options) {
  MemoryRows stream(rows.X, std::span<const double>(rows.numbers));
  if (!weights.empty()) stream.set_weights(weights);
  options.task = Task::classification;
  options.max_row_bytes = enough;
  const TrainedModel kept = train(stream, options);
  options.max_row_bytes = 0;
  const TrainedModel passed = train(stream, options);
  EXPECT_EQ(kept.report.n_passes, 0u);
  EXPECT_GT(passed.report.n_passes, 0u);
  EXPECT_EQ(passed.training.c, kept.training.c);
  ASSERT_EQ(passed.report.objectives.size(), kept.report.objectives.size());
  for (std::size_t k = 0; k < kept.report.objectives.size(); ++k)
    EXPECT_NEAR(passed.report.objectives[k] / kept.report.objectives[k], 1, 1e-8) << k;
  ASSERT_EQ(passed.report.validation.c, kept.report.validation.c);
  for (std::size_t i = 0; i < kept.report.validation.c.size(); ++i)
    for (std::size_t fold = 0; fold < options.n_folds; ++fold) {
      EXPECT_NEAR(passed.report.validation.scores(i, fold), kept.report.validation.scores(i, fold), 1e-12) << i << " " << fold;
      EXPECT_NEAR(passed.report.validation.objectives(i, fold) / kept.report.validation.objectives(i, fold), 1, 1e-8) << i << " " << fold;
    }
  EXPECT_NEAR(*passed.report.accuracy, *kept.report.accuracy, 1e-12);
  EXPECT_EQ(passed.report.class_sizes, kept.report.class_sizes);
  ASSERT_EQ(passed.output_scale.has_value(), kept.output_scale.has_value());
  if (kept.output_scale) {
    EXPECT_NEAR(passed.output_scale->scale / kept.output_scale->scale, 1, 1e-4);
  }
}

TEST(SvmInPasses, SameSolution) {
  expect_same_solution(rings(1500, 2, 1), {}, svm_options(0));
  expect_same_solution(rings(900, 3, 2), {}, svm_options(0));
}

TEST(SvmInPasses, SameSolutionWithWeights) {
  const LabelledRows rows = rings(900, 3, 4);
  std::vector<double> weights;
  for (std::size_t i = 0; i < 900; ++i) weights.push_back(static_cast<double>(i % 4));  // some 0
  TrainOptions options = svm_options(0);
  options.class_weights.balanced = true;
  expect_same_solution(rows, weights, options);
}

TEST(SvmInPasses, OneCWithoutBias) {
  const LabelledRows rows = rings(700, 2, 5);
  TrainOptions options = svm_options(enough);
  options.c = {2};
  options.bias = false;
  const TrainedModel kept = train(MemoryRows(rows.X, std::span<const double>(rows.numbers)), options);
  options.max_row_bytes = 0;
  const TrainedModel passed = train(MemoryRows(rows.X, std::span<const double>(rows.numbers)), options);
  EXPECT_NEAR(passed.report.objectives[0] / kept.report.objectives[0], 1, 1e-8);
  EXPECT_EQ(passed.linear.bias[0], 0);
  EXPECT_FALSE(passed.output_scale);
}

TEST(SvmInPasses, TheLimitIsOfRowsThatCount) {
  const LabelledRows rows = rings(200, 2, 6);
  std::vector<double> weights(200, 1.0);
  for (std::size_t i = 0; i < 50; ++i) weights[4 * i] = 0;
  const auto n_passes = [&](std::uint64_t limit) {
    MemoryRows stream(rows.X, std::span<const double>(rows.numbers));
    stream.set_weights(weights);
    return train(stream, svm_options(limit)).report.n_passes;
  };
  constexpr std::uint64_t bytes = 150 * 2 * 8;
  EXPECT_EQ(n_passes(bytes), 0u);
  EXPECT_GT(n_passes(bytes - 1), 0u);
}

// A pass over the rows is a rewind: the survey, the steps, and the outputs that probabilities are found by. Rows that are kept are read
// once more after the survey, unless their number is known before.
TEST(SvmInPasses, RowsAreReadOncePerPass) {
  const LabelledRows rows = rings(400, 2, 7);
  std::size_t n_rewound = 0;
  PlainStream stream(rows.X, rows.numbers, {.block_rows = 37, .on_rewind = [&](std::vector<double>&) { ++n_rewound; }});
  const TrainedModel model = train(stream, svm_options(1000));
  EXPECT_EQ(n_rewound, model.report.n_passes + 2);
  n_rewound = 0;
  train(stream, svm_options(enough));
  EXPECT_EQ(n_rewound, 2u);
}

TEST(SvmInPasses, LabelsThatChangeAreFound) {
  const LabelledRows rows = rings(60, 2, 8);
  std::size_t n_rewound = 0;
  PlainStream stream(rows.X, rows.numbers, {.on_rewind = [&](std::vector<double>& numbers) {
                       if (++n_rewound == 5) numbers[11] = 5;
                     }});
  EXPECT_TRUE(contains(message_of<DataError>([&] { train(stream, svm_options(0)); }), "have changed"));
}

TEST(SvmInPasses, TheLimitIsInTheRecord) {
  const LabelledRows rows = rings(200, 2, 9);
  const auto command = [&](std::uint64_t limit) {
    return train(MemoryRows(rows.X, std::span<const double>(rows.numbers)), svm_options(limit)).training.command;
  };
  EXPECT_TRUE(contains(command(12345), " --model svm --memory 12345 "));
  EXPECT_FALSE(contains(command(default_row_bytes), "--memory"));
}

}  // namespace
}  // namespace askrff::test
