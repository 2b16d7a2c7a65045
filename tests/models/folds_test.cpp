// Classes of labels as they are written, and folds that have their share of every class.
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "askrff/linear.hpp"

namespace askrff::test {
namespace {

TEST(ClassLabels, KeepsTheUsersWordsInTheirOrder) {
  const std::vector<std::string> labels = {"+1", "-1", "1", "dog", "10", "2", "cat", "1.0", "-1"};
  const ClassLabels found = ClassLabels::of(labels);
  EXPECT_EQ(found.names, (std::vector<std::string>{"-1", "+1", "2", "10", "cat", "dog"}));
  EXPECT_EQ(found.of_rows, (std::vector<std::uint32_t>{1, 0, 1, 5, 3, 2, 4, 1, 0}));
}

TEST(ClassLabels, NumbersAreTheSameOnlyWhereADoubleTellsThemApart) {
  const ClassLabels found =
      ClassLabels::of(std::vector<std::string>{"9007199254740993", "9007199254740992", "+9007199254740993", "0.10", "1e-1"});
  EXPECT_EQ(found.names, (std::vector<std::string>{"0.10", "9007199254740992", "9007199254740993"}));
  EXPECT_EQ(found.of_rows, (std::vector<std::uint32_t>{2, 1, 2, 0, 0}));
}

TEST(Folds, HaveTheirShareOfEveryClass) {
  std::vector<std::string> labels;
  for (int i = 0; i < 103; ++i) labels.emplace_back(i < 11 ? "rare" : i < 40 ? "some" : "many");  // sorted by class, as files are
  const ClassLabels classes = ClassLabels::of(labels);
  const auto folds = stratified_folds(classes, 5, 42);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> count;
  std::map<std::uint32_t, int> size;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    ++count[{folds[i], classes.of_rows[i]}];
    ++size[folds[i]];
  }
  const std::map<std::string, int> rows = {{"rare", 11}, {"some", 29}, {"many", 63}};
  for (std::uint32_t fold = 0; fold < 5; ++fold) {
    EXPECT_NEAR(size[fold], 103 / 5.0, 3);
    for (std::uint32_t k = 0; k < 3; ++k) EXPECT_NEAR((count[{fold, k}]), rows.at(classes.names[k]) / 5.0, 1);
  }
  EXPECT_EQ(folds, stratified_folds(classes, 5, 42));
  EXPECT_NE(folds, stratified_folds(classes, 5, 43));
}

TEST(Folds, RefuseWhatCannotBeShared) {
  const ClassLabels classes = ClassLabels::of(std::vector<std::string>{"a", "a", "a", "b", "b"});
  EXPECT_NO_THROW(stratified_folds(classes, 2, 0));
  EXPECT_THROW(stratified_folds(classes, 3, 0), std::invalid_argument);  // class b would be absent from a fold
  EXPECT_THROW(stratified_folds(classes, 6, 0), std::invalid_argument);
  EXPECT_THROW(stratified_folds(classes, 1, 0), std::invalid_argument);
}

TEST(Folds, AreRandomWithinTheirGroups) {
  FoldDealer dealer(4, 1);
  std::vector<int> first(4);
  for (int group = 0; group < 10'000; ++group) {
    std::vector<int> seen(4);
    for (int row = 0; row < 4; ++row) {
      const std::uint32_t fold = dealer.next(7);
      ++seen[fold];
      if (row == 0) ++first[fold];
    }
    ASSERT_EQ(seen, std::vector<int>(4, 1));
  }
  for (const int n : first) EXPECT_NEAR(n, 2'500, 5 * 43.3);  // five standard deviations: false alarm 6e-7 each
}

TEST(Folds, OfAnyNumberOfAClass) {
  FoldDealer dealer(2, 1);
  const std::uint32_t last = std::numeric_limits<std::uint32_t>::max(), first = dealer.next(last);  // no memory for those before it
  EXPECT_EQ(first + dealer.next(last), 1U);
}

TEST(Folds, GoOnWhereAnotherDealerEnded) {
  FoldDealer dealer(3, 5);
  for (std::uint64_t n_dealt = 0; n_dealt < 20; ++n_dealt) {  // rows of class 1, and twice as many of class 2
    FoldDealer other(3, 5);
    other.skip(n_dealt, 1);
    other.skip(n_dealt, 2);
    other.skip(n_dealt, 2);
    FoldDealer same = dealer;
    for (std::uint32_t row = 0; row < 12; ++row) ASSERT_EQ(other.next(1 + row % 2), same.next(1 + row % 2)) << n_dealt;
    dealer.next(1);
    dealer.next(2);
    dealer.next(2);
  }
}

TEST(CrossValidation, WhatIsNotFiniteIsNeverBest) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const Score measure : {Score::accuracy, Score::squared_error}) {
    const CrossValidation validation{{1, 2, 4, 8}, Matrix<double>(4, 1, {nan, -infinity, 0.5, infinity}), measure, {}};
    EXPECT_EQ(validation.best(), 2U) << name_of(measure);
  }
}

TEST(CrossValidation, TakesTheBestMeanAndTheSmallestCAmongEquals) {
  CrossValidation validation{{1, 2, 4}, Matrix<double>(3, 2, {0.5, 0.7, 0.8, 0.6, 0.7, 0.7}), Score::accuracy, {}};
  EXPECT_EQ(validation.best(), 1U);
  validation.measure = Score::squared_error;
  EXPECT_EQ(validation.best(), 0U);
  EXPECT_DOUBLE_EQ(validation.mean(0), 0.6);
  EXPECT_THROW(checked_c_grid({}), std::invalid_argument);
  EXPECT_THROW(checked_c_grid({1, -1}), std::invalid_argument);
  EXPECT_EQ(checked_c_grid({2, 1, 2}), (std::vector<double>{1, 2}));
  EXPECT_EQ(default_c_grid().size(), 11U);
}

}  // namespace
}  // namespace askrff::test
