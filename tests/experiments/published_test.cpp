// The published numbers and the rule of comparison.
#include "experiments/published.hpp"

#include <gtest/gtest.h>

namespace askrff::experiments {
namespace {

Cell compared(const std::string& dataset, const std::string& row, double mean) {
  Cell cell;
  cell.dataset = dataset;
  cell.row = row;
  cell.accuracy = {mean, 0.1, 10};
  compare_with_paper(cell);
  return cell;
}

TEST(Published, AccuraciesBelongToTheNamesOfTheDataSets) {
  EXPECT_EQ(published_accuracy("letter", "sinh-gaussian/asy")->mean, 82.455);
  EXPECT_EQ(published_accuracy("ijcnn1", "sinh-gaussian/asy")->mean, 93.683);
  EXPECT_EQ(published_accuracy("cod-RNA", "linear")->deviation, 0.002);
  EXPECT_FALSE(published_accuracy("letter", "rbf/2x"));
  EXPECT_FALSE(published_accuracy("moons", "rbf"));
}

TEST(Published, ARowPassesTwoDeviationsBelowTheMeanAndNotLower) {
  EXPECT_TRUE(*compared("letter", "rbf", 77.547 - 2 * 1.158 + 1e-9).pass);
  EXPECT_FALSE(*compared("letter", "rbf", 77.547 - 2 * 1.158 - 1e-9).pass);
  EXPECT_TRUE(*compared("letter", "rbf", 99).pass);
  EXPECT_NEAR(compared("letter", "rbf", 77.547 + 1.158).difference(), 1, 1e-12);
}

TEST(Published, AnImplausiblySmallDeviationCountsAsThreeTenths) {
  EXPECT_EQ(compared("cod-RNA", "sinh-gaussian/asy", 96).allowed_deviation, 0.3);
  EXPECT_TRUE(*compared("cod-RNA", "sinh-gaussian/asy", 95.932 - 0.59).pass);
  EXPECT_FALSE(*compared("cod-RNA", "sinh-gaussian/asy", 95.932 - 0.61).pass);
  EXPECT_EQ(compared("cod-RNA", "rbf", 96).allowed_deviation, 0.069);  // small, but not implausible
}

TEST(Published, LinearRowsPassWithinOnePointTwoOnEitherSide) {
  EXPECT_TRUE(*compared("spambase", "linear", 90.261 + 1.19).pass);
  EXPECT_FALSE(*compared("spambase", "linear", 90.261 + 1.21).pass);
  EXPECT_FALSE(*compared("spambase", "linear", 90.261 - 1.21).pass);
}

TEST(Published, RowsThePaperDoesNotHaveAreNotJudged) {
  const Cell cell = compared("letter", "shift-gaussian/nystrom", 80);
  EXPECT_FALSE(cell.paper);
  EXPECT_FALSE(cell.pass);
  EXPECT_TRUE(std::isnan(cell.difference()));
}

}  // namespace
}  // namespace askrff::experiments
