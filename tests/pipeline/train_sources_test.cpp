// train(): the same rows give the same bytes, whatever they come from and however many threads there are; what no model can be made of is
// refused with a sentence.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "askrff/data.hpp"
#include "askrff/errors.hpp"
#include "askrff/train.hpp"
#include "io/temporary_files.hpp"
#include "pipeline/training_data.hpp"
#include "support/plain_kernels.hpp"

namespace askrff::test {
namespace {

class TrainSources : public TemporaryFiles {
 protected:
  /// Rows and labels as a CSV file without a header, numbers to the last digit.
  std::string csv_of(const LabelledRows& rows) const {
    std::string text;
    for (std::size_t i = 0; i < rows.X.rows(); ++i) text += fmt::format("{},{},{}\n", rows.X(i, 0), rows.X(i, 1), rows.numbers[i]);
    return write("rows.csv", text);
  }
  /// The same as an array of three columns.
  std::string npy_of(const LabelledRows& rows) const {
    Matrix<double> all(rows.X.rows(), 3);
    for (std::size_t i = 0; i < all.rows(); ++i) {
      std::ranges::copy(rows.X.row(i), all.row(i).begin());
      all(i, 2) = rows.numbers[i];
    }
    NpyWriter writer(path("rows.npy"), all.rows(), 3, NpyWriter::Type::float64);
    writer.append(std::as_const(all).view());
    writer.finish();
    return path("rows.npy");
  }

  void expect_same_bytes(const LabelledRows& rows, const TrainOptions& options) const {
    const std::string expected = train(MemoryRows(rows.X, std::span<const double>(rows.numbers)), options).to_bytes();
    const auto same = [&](const char* what, RowStream&& stream, std::size_t n_threads = 0) {
      TrainOptions with_threads = options;
      with_threads.execution.n_threads = n_threads;
      EXPECT_TRUE(train(stream, with_threads).to_bytes() == expected) << what;
    };
    same("one thread", MemoryRows(rows.X, std::span<const double>(rows.numbers)), 1);
    same("three threads", MemoryRows(rows.X, std::span<const double>(rows.numbers)), 3);
    same("blocks of 13", PlainStream(rows.X, rows.numbers, {.block_rows = 13}));
    same("a pipe", PlainStream(rows.X, rows.numbers, {.can_rewind = false, .block_rows = 13}));
    same("CSV", open_data(csv_of(rows), {.label = "3"}));
    same("NPY", open_data(npy_of(rows), {.label = "3"}));
    if (rows.texts.empty()) return;
    same("texts", MemoryRows(rows.X, std::span<const std::string>(rows.texts)));
    same("rows that are handed over", MemoryRows(Dataset{rows.X, rows.texts, {}}), 3);
  }
};

TrainOptions shifted_options(Trainer trainer) {
  return {.kernel = "shift-gaussian",
          .features = {.n_frequencies = 16, .scale = Scaling::minmax},
          .trainer = trainer,
          .c = {1, 8},
          .n_folds = 3};
}

TEST_F(TrainSources, SameBytesFromEverySource) {
  for (const Trainer trainer : {Trainer::svm, Trainer::ridge}) {
    SCOPED_TRACE(name_of(trainer));
    expect_same_bytes(rings(300, 2, 1), shifted_options(trainer));
  }
}

TEST_F(TrainSources, SameBytesOfRegression) { expect_same_bytes(waves(300, 2), shifted_options(Trainer::ridge)); }

TEST_F(TrainSources, SameBytesOfTunedModelsInFloat) {
  for (const Trainer trainer : {Trainer::svm, Trainer::ridge}) {
    SCOPED_TRACE(name_of(trainer));
    TrainOptions options = shifted_options(trainer);
    options.precision = Precision::float32;
    options.tuned = {"shift"};
    options.task = Task::classification;
    expect_same_bytes(rings(200, 3, 3), options);
  }
}

TEST_F(TrainSources, SameBytesBeyondTheSampleAndTheBlocks) {
  TrainOptions options = shifted_options(Trainer::ridge);
  options.features.n_frequencies = 8;
  options.c = {1};
  expect_same_bytes(rings(20'100, 2, 4), options);
}

// 300 rows of two columns are 4800 bytes: in passes from every source, pipes included.
TEST_F(TrainSources, SameBytesInPasses) {
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    TrainOptions options = shifted_options(Trainer::svm);
    options.max_row_bytes = 4799;
    options.precision = precision;
    expect_same_bytes(rings(300, 3, 10), options);
  }
}

TEST_F(TrainSources, NamesOfColumnsAreKept) {
  const std::string file = write("named.csv", "size,weight,kind\n0,1,a\n1,0,b\n0.5,1,a\n1,0.5,b\n0.2,0.9,a\n0.9,0.1,b\n");
  TrainOptions options = shifted_options(Trainer::svm);
  options.kernel = "linear";
  options.c = {1};
  const TrainedModel model = train(open_data(file, {.label = "kind"}), options);
  EXPECT_EQ(model.map.content().column_names, (std::vector<std::string>{"size", "weight"}));
  EXPECT_EQ(model.predict(Matrix<double>(2, 2, {0, 1, 1, 0})), (std::vector<std::string>{"a", "b"}));
}

std::string refusal(const LabelledRows& rows, const TrainOptions& options) {
  return message_of<InvalidArgument>([&] { train(MemoryRows(rows.X, std::span<const std::string>(rows.texts), "here"), options); });
}

TEST(TrainRefusals, OfLabels) {
  const LabelledRows good = rings(60, 2, 5);
  const auto with = [&](const std::function<std::string(std::size_t)>& label) {
    LabelledRows rows = good;
    for (std::size_t i = 0; i < rows.texts.size(); ++i) rows.texts[i] = label(i);
    return rows;
  };
  const TrainOptions svm = shifted_options(Trainer::svm), ridge = shifted_options(Trainer::ridge);
  for (const TrainOptions& options : {svm, ridge}) {
    EXPECT_EQ(refusal(good, options), "accepted");
    EXPECT_TRUE(contains(refusal(with([](std::size_t) { return "a"; }), options), "here: all 60 rows have the label 'a'"));
    EXPECT_TRUE(contains(refusal(with([](std::size_t i) { return i % 2 ? "1" : "+1.0"; }), options), "at least two classes"));
    EXPECT_TRUE(contains(refusal(with([](std::size_t i) { return i == 31 ? "a\nb" : "c"; }), options), "row 32 has the label"));
    EXPECT_TRUE(contains(message_of<DataError>([&] { train(MemoryRows(good.X, "bare"), options); }), "bare: no labels"));
    EXPECT_TRUE(contains(message_of<DataError>([&] { train(MemoryRows(Matrix<double>(0, 2), "none"), options); }), "none: no rows"));
  }
  const LabelledRows typo = with([](std::size_t i) { return i == 7 ? "1.o" : std::to_string(0.5 * static_cast<double>(i)); });
  EXPECT_TRUE(contains(refusal(typo, ridge), "row 8 has the label '1.o', but 59 of 60 labels are numbers"));
  TrainOptions regression = ridge;
  regression.task = Task::regression;
  EXPECT_TRUE(contains(refusal(typo, regression), "row 8 has the label '1.o', expected numbers for regression"));
  EXPECT_TRUE(contains(refusal(with([](std::size_t i) { return i < 2 ? "rare" : "common"; }), svm), "rare"));  // fewer rows than folds
}

TEST(TrainRefusals, OfOptions) {
  const LabelledRows rows = rings(60, 2, 6);
  const auto refused = [&](Trainer trainer, const std::string& words, const std::function<void(TrainOptions&)>& change) {
    TrainOptions options = shifted_options(trainer);
    change(options);
    EXPECT_TRUE(contains(refusal(rows, options), words));
  };
  refused(Trainer::svm, "svm is a classifier", [](TrainOptions& options) { options.task = Task::regression; });
  refused(Trainer::svm, "only ridge has", [](TrainOptions& options) { options.leave_one_out = true; });
  for (const Trainer trainer : {Trainer::svm, Trainer::ridge}) {
    refused(trainer, "C", [](TrainOptions& options) { options.c = {-1}; });
    refused(trainer, "C", [](TrainOptions& options) { options.c = {std::nan("")}; });
    refused(trainer, "folds", [](TrainOptions& options) { options.n_folds = 1; });
    refused(trainer, "folds", [](TrainOptions& options) { options.n_folds = 61; });
    refused(trainer, "gausian", [](TrainOptions& options) { options.kernel = "gausian"; });
    refused(trainer, "no parameter 'gamma' to be tuned, expected sigma, shift", [](TrainOptions& options) { options.tuned = {"gamma"}; });
    refused(trainer, "twice", [](TrainOptions& options) { options.tuned = {"sigma", "sigma"}; });
    refused(trainer, "at most 3", [](TrainOptions& options) { options.tuned = {"sigma", "shift", "sigma", "shift"}; });
    refused(trainer, "its multiples", [](TrainOptions& options) {
      options.kernel = KernelChoice("shift-gaussian", {{"shift", 0.0}});
      options.tuned = {"shift"};
    });
    refused(trainer, "no kernel to tune", [](TrainOptions& options) {
      options.kernel = "linear";
      options.tuned = {"sigma"};
    });
    refused(trainer, "one's own", [](TrainOptions& options) {
      options.kernel = std::shared_ptr<const Kernel>(std::make_shared<SkewedGaussian>(0.5));
      options.tuned = {"sigma"};
    });
    refused(trainer, "n_frequencies is 0", [](TrainOptions& options) { options.features.n_frequencies = 0; });
  }
}

TEST(TrainRefusals, OfRows) {
  for (const Trainer trainer : {Trainer::svm, Trainer::ridge}) {
    LabelledRows rows = rings(60, 2, 7);
    rows.X(40, 1) = std::nan("");
    EXPECT_TRUE(contains(refusal(rows, shifted_options(trainer)), "here: row 41, column 2 is nan"));
    EXPECT_TRUE(contains(message_of<DataError>([&] {
                           train(MemoryRows(Dataset{rows.X, rows.texts, {}}, "owned"), shifted_options(trainer));
                         }),
                         "owned: row 41"));
  }
}

// Ridge reads its rows twice: they must be the same.
TEST(TrainRefusals, OfLabelsThatChangeBetweenTwoPasses) {
  const LabelledRows rows = rings(60, 2, 8);
  int n_passes = 0;
  PlainStream stream(rows.X, rows.numbers, {.on_rewind = [&](std::vector<double>& numbers) {
                       if (++n_passes == 2) numbers[11] = 5;
                     }});
  EXPECT_TRUE(contains(message_of<DataError>([&] { train(stream, shifted_options(Trainer::ridge)); }), "have changed"));
}

TEST(TrainStops, OnRequest) {
  StopSource source;
  source.request_stop();
  for (const Trainer trainer : {Trainer::svm, Trainer::ridge}) {
    TrainOptions options = shifted_options(trainer);
    options.execution.stop = source.token();
    const LabelledRows rows = rings(60, 2, 9);
    EXPECT_THROW(train(MemoryRows(rows.X, std::span<const double>(rows.numbers)), options), Stopped);
  }
}

}  // namespace
}  // namespace askrff::test
