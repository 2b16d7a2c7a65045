// What summarise finds.
#include "askrff/data.hpp"

#include <gtest/gtest.h>

#include "io/temporary_files.hpp"
#include "support/shared.hpp"

namespace askrff::test {
namespace {

class Summary : public TemporaryFiles {
 protected:
  DataSummary of(const std::string& source, const ReadOptions& options = {}, const SummaryOptions& how = {}) const {
    DataStream stream(source, options);
    return summarise(stream, how);
  }
};

TEST_F(Summary, RangesZerosAndConstants) {
  const DataSummary summary = of(write("f.csv", "a,b,c\n1,0,7\n-3,-0,7\n1,2,7\n1,0,7\n"));
  EXPECT_EQ(summary.n_rows, 4u);
  ASSERT_EQ(summary.columns.size(), 3u);
  EXPECT_EQ(summary.columns[0].lowest, -3.0);
  EXPECT_EQ(summary.columns[0].mean, 0.0);
  EXPECT_EQ(summary.columns[0].highest, 1.0);
  EXPECT_EQ(summary.columns[1].n_zeros, 3u);
  EXPECT_TRUE(summary.columns[2].is_constant());
  EXPECT_FALSE(summary.columns[0].is_constant());
  EXPECT_EQ(summary.n_zeros(), 3u);
  EXPECT_EQ(summary.zero_share(), 0.25);
  EXPECT_EQ(summary.n_repeated, 1u);
  EXPECT_EQ(summary.column_names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_FALSE(summary.has_labels);
  EXPECT_TRUE(summary.classes.empty());
  EXPECT_FALSE(summary.label_range.has_value());
}

TEST_F(Summary, RowsThatRepeat) {
  // -0 is 0, order of columns counts, labels do not.
  EXPECT_EQ(of(write("f.libsvm", "1 1:1 2:2\n2 1:1 2:2\n1 1:2 2:1\n1 1:-0 2:3\n1 2:3\n")).n_repeated, 2u);
  std::string text;
  for (int i = 0; i < 30000; ++i) text += std::to_string(i % 1000) + "," + std::to_string(i % 1000 * 7) + "\n";
  EXPECT_EQ(of(write("f.csv", text), {}, {.execution = {3}}).n_repeated, 29000u);
}

TEST_F(Summary, ClassesInOrder) {
  const DataSummary summary = of(write("f.libsvm", "b 1:1\n10 1:2\n9 1:3\na 1:4\n9 1:5\n-1 1:6\n"));
  std::vector<std::string> labels;
  for (const ClassCount& one : summary.classes) labels.push_back(one.label);
  EXPECT_EQ(labels, (std::vector<std::string>{"-1", "9", "10", "a", "b"}));
  EXPECT_EQ(summary.classes[1].n_rows, 2u);
  EXPECT_FALSE(summary.label_range.has_value());
}

TEST_F(Summary, ClassesAreThoseOfATrainer) {
  const DataSummary summary = of(write("f.libsvm", "1 1:1\n+1 1:2\n1.0 1:3\n-1 1:4\n"));
  ASSERT_EQ(summary.classes.size(), 2u);
  EXPECT_EQ(summary.classes[1].label, "1");
  EXPECT_EQ(summary.classes[1].n_rows, 3u);
  EXPECT_EQ(*summary.label_range, std::pair(-1.0, 1.0));
}

TEST_F(Summary, ManyLabelsAreARange) {
  std::string numbers, words;
  for (int i = 0; i < 500; ++i) {
    numbers += std::to_string(i - 20) + ".5 1:1\n";
    words += "w" + std::to_string(i) + " 1:1\n";
  }
  const DataSummary of_numbers = of(write("n.libsvm", numbers)), of_words = of(write("w.libsvm", words));
  EXPECT_TRUE(of_numbers.classes.empty());
  ASSERT_TRUE(of_numbers.label_range.has_value());
  EXPECT_EQ(*of_numbers.label_range, std::pair(-20.5, 479.5));
  EXPECT_TRUE(of_words.classes.empty());
  EXPECT_FALSE(of_words.label_range.has_value());
  EXPECT_EQ(of(path("n.libsvm"), {}, {.max_classes = 500}).classes.size(), 500u);
  EXPECT_TRUE(of(path("n.libsvm"), {}, {.max_classes = 499}).classes.empty());
}

TEST_F(Summary, MeansDoNotOverflow) { EXPECT_EQ(of(write("f.csv", "1e308\n1e308\n1e308\n")).columns[0].mean, 1e308); }

TEST_F(Summary, Builtin) {
  const DataSummary summary = of("builtin:moons:1001");
  ASSERT_EQ(summary.classes.size(), 2u);
  EXPECT_EQ(summary.classes[0].label, "-1");
  EXPECT_EQ(summary.classes[0].n_rows, 500u);
  EXPECT_EQ(summary.classes[1].n_rows, 501u);
  EXPECT_EQ(summary.n_repeated, 0u);
}

TEST_F(Summary, RealData) {
  ASKRFF_NEED_SHARED("data/spambase.libsvm.xz");
  const DataSummary summary = of((shared_dir() / "data/spambase.libsvm.xz").string());
  EXPECT_EQ(summary.n_rows, 4601u);
  EXPECT_EQ(summary.columns.size(), 57u);
  ASSERT_EQ(summary.classes.size(), 2u);
  EXPECT_EQ(summary.classes[0].n_rows, 2788u);
  EXPECT_EQ(summary.classes[1].n_rows, 1813u);
  EXPECT_EQ(summary.columns[56].highest, 15841.0);
  EXPECT_NEAR(summary.columns[56].mean, 283.289285, 1e-5);
}

}  // namespace
}  // namespace askrff::test
