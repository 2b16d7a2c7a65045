// Splits, classes and scaling of the trials; the real files where they are at hand.
#include "experiments/datasets/paper_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "io/temporary_files.hpp"
#include "support/environment.hpp"
#include "support/shared.hpp"

namespace askrff::experiments {
namespace {

namespace fs = std::filesystem;
using test::EnvironmentVariable;

std::size_t n_positive(const LabelledRows& rows) {
  return static_cast<std::size_t>(std::count(rows.labels.of_rows.begin(), rows.labels.of_rows.end(), 1u));
}

/// Rows whose only value is their number, the second half of class +1; with a split of their own: numbers from 1000 on are the test rows.
PaperData numbered(std::size_t n_training, std::size_t n_test, bool has_split) {
  const auto rows = [](std::size_t n, double first) {
    LabelledRows out{Matrix<double>(n, 1), {.names = {"-1", "+1"}, .of_rows = {}}};
    for (std::size_t i = 0; i < n; ++i) {
      out.X(i, 0) = first + static_cast<double>(i);
      out.labels.of_rows.push_back(i >= n / 2 ? 1 : 0);
    }
    return out;
  };
  PaperData data;
  data.record.n_training = n_training;
  data.record.n_test = n_test;
  data.training = rows(has_split ? n_training : n_training + n_test + 10, 0);
  data.test = rows(has_split ? n_test : 0, 1000);
  return data;
}

TEST(RowsOfTrial, WithoutASplitEveryTrialDrawsAnother) {
  const PaperData data = numbered(60, 40, false);
  const TrialRows a = rows_of_trial(data, 1), again = rows_of_trial(data, 1), b = rows_of_trial(data, 2);
  EXPECT_EQ(a.training.X.rows(), 60u);
  EXPECT_EQ(a.test.X.rows(), 40u);
  EXPECT_EQ(test::elements(a.training.X), test::elements(again.training.X));
  EXPECT_NE(test::elements(a.training.X), test::elements(b.training.X));
  std::set<double> seen;  // scaling keeps different rows different
  for (const LabelledRows* rows : {&a.training, &a.test})
    for (const double value : test::elements(rows->X)) EXPECT_TRUE(seen.insert(value).second) << "a row twice";
  EXPECT_GT(n_positive(a.training), 15u);  // sorted by class, yet mixed
  EXPECT_LT(n_positive(a.training), 45u);
}

TEST(RowsOfTrial, ClassesStayWithTheirRows) {
  const PaperData data = numbered(60, 40, false);
  const TrialRows rows = rows_of_trial(data, 3);
  double largest_negative = -1e300, smallest_positive = 1e300;
  for (const LabelledRows* part : {&rows.training, &rows.test})
    for (std::size_t i = 0; i < part->X.rows(); ++i) {
      double& bound = part->labels.of_rows[i] == 1 ? smallest_positive : largest_negative;
      bound = part->labels.of_rows[i] == 1 ? std::min(bound, part->X(i, 0)) : std::max(bound, part->X(i, 0));
    }
  EXPECT_LT(largest_negative, smallest_positive);
}

TEST(RowsOfTrial, ScalingIsThatOfTheTrainingRows) {
  const TrialRows rows = rows_of_trial(numbered(50, 20, true), 1);
  const auto training = test::elements(rows.training.X);
  EXPECT_EQ(*std::min_element(training.begin(), training.end()), 0);
  EXPECT_EQ(*std::max_element(training.begin(), training.end()), 1);
  EXPECT_DOUBLE_EQ(rows.test.X(0, 0), 1000.0 / 49);
  EXPECT_TRUE(std::is_sorted(training.begin(), training.end())) << "a split of the source keeps its order";
}

TEST(RowsOfTrial, FewRowsForQuickRuns) {
  for (const bool has_split : {true, false}) {
    const PaperData data = numbered(60, 40, has_split);
    const TrialRows rows = rows_of_trial(data, 5, 10);
    EXPECT_EQ(rows.training.X.rows(), 10u);
    EXPECT_EQ(rows.test.X.rows(), 10u);
    EXPECT_EQ(rows.test.labels.of_rows.size(), 10u);
    EXPECT_EQ(rows_of_trial(data, 5, 50).training.X.rows(), 50u);
    EXPECT_EQ(rows_of_trial(data, 5, 50).test.X.rows(), 40u);
  }
}

TEST(BuiltInData, IsSplitLikeSpambase) {
  const PaperData data = built_in_data();
  EXPECT_TRUE(data.record.is_built_in);
  EXPECT_EQ(data.record.n_training, 1200u);
  EXPECT_EQ(data.record.n_test, 800u);
  EXPECT_EQ(data.training.X.rows(), 2000u);
  EXPECT_EQ(n_positive(data.training), 1000u);
  EXPECT_EQ(data.record.content_sha256.size(), 64u);
  EXPECT_EQ(rows_of_trial(data, 1).test.X.rows(), 800u);
  EXPECT_EQ(rows_of_trial(built_in_data(2), 1).test.X.rows(), 1u);
  EXPECT_THROW(built_in_data(1), std::invalid_argument);
}

class PaperFiles : public test::TemporaryFiles {
 protected:
  const EnvironmentVariable data_{"ASKRFF_DATA", std::nullopt}, cache_{"XDG_CACHE_HOME", folder() / "cache"};
};

TEST_F(PaperFiles, WhatIsNotHereIsAbsent) {
  for (const std::string& name : paper_dataset_names()) EXPECT_FALSE(find_paper_data(name, {})) << name;
  EXPECT_THROW(find_paper_data("mnist", {}), std::invalid_argument);
  EXPECT_THROW(find_paper_data("letter", {path("nowhere")}), std::invalid_argument);
}

TEST_F(PaperFiles, WhatIsHereAndWrongIsAnError) {
  write("spambase.libsvm", "1 1:2\n-1 3:4\n");
  const std::string message = test::message_of<DataError>([&] { find_paper_data("spambase", {folder()}); });
  EXPECT_TRUE(test::ends_with(message, "spambase.libsvm: 2 rows, expected 4601 rows"));
}

TEST_F(PaperFiles, TheRealOnesAreAsThePaperSays) {
  ASKRFF_NEED_SHARED("data/spambase.libsvm.xz");
  const DataPlaces places{test::shared_dir() / "data"};
  const auto spambase = find_paper_data("Spambase", places);
  ASSERT_TRUE(spambase);
  EXPECT_EQ(spambase->record.dim, 57u);
  EXPECT_EQ(n_positive(spambase->training), 1813u);
  EXPECT_EQ(spambase->record.files.at(0).name, "spambase.libsvm.xz");
  const TrialRows trial = rows_of_trial(*spambase, 1);
  EXPECT_EQ(trial.training.X.rows(), 2760u);
  EXPECT_NEAR(static_cast<double>(n_positive(trial.training)) / 2760, 1813.0 / 4601, 0.03);  // 5 deviations

  const auto letter = find_paper_data("letter", places);
  ASSERT_TRUE(letter);
  EXPECT_EQ(letter->training.X.rows(), 12'000u);
  EXPECT_EQ(letter->test.X.rows(), 6000u);
}

/// The published files could be had from any format: they give the same rows as the local copies.
TEST_F(PaperFiles, TheContentDoesNotDependOnTheFormat) {
  ASKRFF_NEED_SHARED("data/ijcnn1.train.libsvm.xz");
  const fs::path shared = test::shared_dir() / "data";
  const Dataset training = read_data((shared / "ijcnn1.train.libsvm.xz").string(), {.n_columns = 22});
  std::string parts[2];
  for (std::size_t i = 0; i < training.X.rows(); ++i) {
    std::string& text = parts[i < 35'000 ? 0 : 1];
    text += training.labels[i] == "1" ? "+1" : "-1.0";
    for (std::size_t j = 0; j < 22; ++j) text += fmt::format(" {}:{}", j + 1, training.X(i, j));
    text += '\n';
  }
  write("ijcnn1.tr", parts[0]), write("ijcnn1.val", parts[1]);
  fs::create_symlink(shared / "ijcnn1.test.libsvm.xz", path("ijcnn1.t.xz"));
  const auto published = find_paper_data("ijcnn1", {folder()}), local = find_paper_data("ijcnn1", {shared});
  ASSERT_TRUE(published && local);
  EXPECT_EQ(published->record.files.size(), 3u);
  EXPECT_EQ(published->record.content_sha256, local->record.content_sha256);
}

}  // namespace
}  // namespace askrff::experiments
