// RidgeAccumulator: sums of parts of the rows, made anywhere and merged in any order, are those of one go to the bit; a part counts once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/random.hpp"
#include "askrff/ridge.hpp"
#include "models/problem.hpp"
#include "support/linear_inputs.hpp"
#include "support/same_bits.hpp"

namespace askrff::test {
namespace {

constexpr std::size_t n_rows = 7000;  // several groups of three folds, and some rows more

template <class T>
Matrix<T> as(const Matrix<double>& X) {
  Matrix<T> result(X.rows(), X.cols());
  std::copy_n(X.data(), X.rows() * X.cols(), result.data());
  return result;
}

/// Rows with three folds and weights, and their sums.
template <class T>
struct SummedRows {
  Features features;
  Matrix<T> X;
  Matrix<double> Y;
  std::vector<std::uint32_t> folds = random_folds(n_rows, 3, 1);
  std::vector<double> weights;

  explicit SummedRows(Features of_rows, double offset = 0) : features(std::move(of_rows)), X(n_rows, 3), Y(n_rows, 2) {
    RandomStream random(7, Purpose::sampled_rows, 0);
    for (std::size_t i = 0; i < n_rows; ++i) {
      for (std::size_t j = 0; j < 3; ++j) X(i, j) = static_cast<T>(offset + random.uniform());
      Y(i, 0) = 1e5 + random.uniform();
      Y(i, 1) = static_cast<double>(X(i, 0)) * random.uniform();
      weights.push_back(0.1 + random.uniform());
    }
  }
  RidgeAccumulator<T> part(std::size_t first, std::size_t end, const Execution& execution = {}) const {
    RidgePart start{first, {Y(0, 0), Y(0, 1)}, {}};
    if (features.n_features() == 3) start.feature_origin.assign(X.row(0).begin(), X.row(0).end());
    RidgeAccumulator<T> sums(features, 2, 3, execution, start);
    add(sums, first, end);
    return sums;
  }
  void add(RidgeAccumulator<T>& sums, std::size_t first, std::size_t end) const {
    const std::size_t count = end - first;
    sums.add(X.view().middle_rows(first, count), Y.view().middle_rows(first, count), std::span(folds).subspan(first, count),
             std::span(weights).subspan(first, count));
  }
  RidgeAccumulator<T> whole() const {
    RidgeAccumulator<T> sums(features, 2, 3);
    add(sums, 0, n_rows);
    return sums;
  }
};

void expect_same_sums(const RidgeSums& got, const RidgeSums& wanted) {
  EXPECT_EQ(got.origin, wanted.origin);
  EXPECT_EQ(got.feature_origin, wanted.feature_origin);
  ASSERT_EQ(got.folds.size(), wanted.folds.size());
  for (std::size_t fold = 0; fold < got.folds.size(); ++fold) {
    const FoldSums &ours = got.folds[fold], &theirs = wanted.folds[fold];
    EXPECT_EQ(ours.n_rows, theirs.n_rows);
    EXPECT_EQ(ours.weight, theirs.weight);
    expect_same(ours.gram, theirs.gram);
    expect_same(ours.moments, theirs.moments);
    EXPECT_EQ(ours.feature_sums, theirs.feature_sums);
    EXPECT_EQ(ours.target_sums, theirs.target_sums);
    EXPECT_EQ(ours.target_norms, theirs.target_norms);
  }
}

/// Of rows cut at `cuts`, merged as they come, backwards, and the odd ones first.
template <class T>
void expect_parts_to_be_the_whole(const SummedRows<T>& rows, const std::vector<std::size_t>& cuts) {
  const RidgeSums wanted = rows.whole().moments();
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) order.push_back(k);
  const auto merged = [&] {
    RidgeAccumulator<T> all = rows.part(cuts[order[0]], cuts[order[0] + 1]);
    for (std::size_t k = 1; k < order.size(); ++k) all.merge(rows.part(cuts[order[k]], cuts[order[k] + 1], {2}));
    return all;
  };
  expect_same_sums(merged().moments(), wanted);
  std::ranges::reverse(order);
  expect_same_sums(merged().moments(), wanted);
  std::ranges::stable_partition(order, [](std::size_t k) { return k % 2 == 1; });
  const RidgeAccumulator<T> all = merged();
  expect_same_sums(all.moments(), wanted);
  EXPECT_EQ(all.counted(), (std::vector<RowRange>{{0, n_rows}}));
}

template <class T>
void expect_any_parts(const SummedRows<T>& rows) {
  expect_parts_to_be_the_whole<T>(rows, {0, n_rows});
  expect_parts_to_be_the_whole<T>(rows, {0, 3072, 6144, n_rows});  // at the ends of groups
  expect_parts_to_be_the_whole<T>(rows, {0, 1, 2, 3071, 3073, 5000, 5001, 6143, n_rows});
  expect_parts_to_be_the_whole<T>(rows, {0, 1750, 3500, 5250, n_rows});
  expect_parts_to_be_the_whole<T>(rows, {0, 0, 1000, 2000, 2000, 3000, 4000, 5000, 6000, n_rows, n_rows});  // empty ones
}

const Problem& waves() {
  static const Problem problem = Problem::with(400, 2, 8, 21);
  return problem;
}

// As many rows for every fold as make their sums worth adding, unless rows are wide: they wait in the results of parts.
TEST(RidgeSums, GroupsAreFixed) {
  const auto size = [](std::size_t n_folds, std::size_t n_features, std::size_t dim) {
    EXPECT_EQ(RidgeAccumulator<float>::group_rows(n_folds, n_features, dim),
              RidgeAccumulator<double>::group_rows(n_folds, n_features, dim));
    return RidgeAccumulator<double>::group_rows(n_folds, n_features, dim);
  };
  EXPECT_EQ(waves().map.left().n_features(), 48u);
  EXPECT_EQ(size(3, 48, 3), 1536u);
  EXPECT_EQ(size(1, 512, 22), 4096u);
  EXPECT_EQ(size(5, 512, 1000), 1280u);
}

TEST(RidgeSums, PartsAreTheWholeToTheBit) {
  expect_any_parts(SummedRows<double>(waves().map.left()));
  expect_any_parts(SummedRows<float>(waves().map.left()));
}

TEST(RidgeSums, PartsOfColumnsFarFromZeroAreTheWhole) {
  expect_any_parts(SummedRows<double>(ColumnFeatures(3), 1e6));
  expect_any_parts(SummedRows<float>(ColumnFeatures(3), 1e3));
}

// Large numbers that cancel: in double the small ones between them would be lost, and which ones depends on the order.
TEST(RidgeSums, AreMadeToMoreDigitsThanADoubleHas) {
  constexpr std::size_t n_groups = 40;
  const auto sum = [&](std::size_t step) {
    RidgeAccumulator<double> all(ColumnFeatures(1), 1, 1, {}, {0, {0}, {0}});
    for (std::size_t k = 0; k < n_groups; ++k) {
      const std::size_t group = k * step % n_groups;
      Matrix<double> X(1024, 1), Y(1024, 1);
      for (std::size_t i = 0; i < 1024; ++i) {
        X(i, 0) = 1;
        Y(i, 0) = group == 0 ? 0x1p60 : group == n_groups - 1 ? -0x1p60 : 1;
      }
      RidgeAccumulator<double> part(ColumnFeatures(1), 1, 1, {}, {1024 * group, {0}, {0}});
      part.add(X, Y);
      all.merge(part);
    }
    return all.moments().folds[0];
  };
  for (const std::size_t step : {1, 3, 39}) {
    EXPECT_EQ(sum(step).moments(0, 0), 38 * 1024);
    EXPECT_EQ(sum(step).target_sums[0], 38 * 1024);
  }
}

TEST(RidgeSums, GoOnFromTheirState) {
  const SummedRows<double> rows(waves().map.left());
  RidgeAccumulator<double> sums(rows.features, 2, 3);
  std::size_t first = 0;
  for (const std::size_t cut : {0UL, 1UL, 3000UL, 3072UL, 3073UL, 6999UL, 7000UL}) {
    rows.add(sums, first, cut);
    sums = RidgeAccumulator<double>(rows.features, sums.state(), {2});
    first = cut;
  }
  expect_same_sums(sums.moments(), rows.whole().moments());
}

TEST(RidgeSums, ARowCountsOnce) {
  const SummedRows<double> rows(waves().map.left());
  RidgeAccumulator<double> sums = rows.part(0, 2500);
  sums.merge(rows.part(0, 2500));
  sums.merge(rows.part(100, 2000));
  sums.merge(rows.part(5000, n_rows));
  EXPECT_EQ(sums.counted(), (std::vector<RowRange>{{0, 2500}, {5000, n_rows}}));
  EXPECT_THROW(sums.merge(rows.part(2000, 3000)), InvalidArgument);  // some of them are counted
  EXPECT_THROW(rows.add(sums, 2500, 2600), InvalidArgument);         // which would they be?
  RidgeAccumulator<double> beyond = rows.part(2500, 5000);
  beyond.merge(rows.part(0, 2500));
  sums.merge(rows.part(2500, 5000));
  sums.merge(beyond);
  expect_same_sums(sums.moments(), rows.whole().moments());
}

TEST(RidgeSums, OthersAreNotMerged) {
  const SummedRows<double> rows(waves().map.left());
  RidgeAccumulator<double> sums = rows.part(0, 100);
  const RidgeSums before = sums.moments();
  RidgeAccumulator<double> others_origin(rows.features, 2, 3, {}, {100, {1, 2}, {}});
  rows.add(others_origin, 100, 200);
  EXPECT_THROW(sums.merge(others_origin), InvalidArgument);
  EXPECT_THROW(sums.merge(RidgeAccumulator<double>(rows.features, 2, 2)), InvalidArgument);
  EXPECT_THROW(sums.merge(RidgeAccumulator<double>(rows.features, 1, 3)), InvalidArgument);
  EXPECT_THROW(sums.merge(RidgeAccumulator<double>(ColumnFeatures(3), 2, 3)), InvalidArgument);
  EXPECT_THROW(RidgeAccumulator<double>(rows.features, 2, 3, {}, {0, {1}, {}}), InvalidArgument);
  EXPECT_THROW(RidgeAccumulator<double>(rows.features, 2, 3, {}, {0, {1, 2}, {1, 2, 3}}), InvalidArgument);
  EXPECT_THROW(RidgeAccumulator<double>(rows.features, 2, 3, {}, {0, {1, NAN}, {}}), InvalidArgument);
  expect_same_sums(sums.moments(), before);
}

TEST(RidgeSums, GoOnOnlyFromAStateThatFits) {
  const SummedRows<double> rows(waves().map.left());
  const RidgeState good = rows.part(10, 6500).state();
  ASSERT_EQ(good.waiting.size(), 2u);
  const auto refuses = [&](const std::function<void(RidgeState&)>& spoil) {
    RidgeState bad = good;
    spoil(bad);
    EXPECT_THROW(RidgeAccumulator<double>(rows.features, bad), std::invalid_argument);
  };
  EXPECT_NO_THROW(RidgeAccumulator<double>(rows.features, good));
  refuses([](RidgeState& bad) { bad.folds.clear(); });
  refuses([](RidgeState& bad) { bad.folds.pop_back(); });
  refuses([](RidgeState& bad) { bad.folds[1].gram.high.pop_back(); });
  refuses([](RidgeState& bad) { bad.folds[1].gram.low[3] = NAN; });
  refuses([](RidgeState& bad) { bad.folds[1].targets.high[0] = -1; });
  refuses([](RidgeState& bad) { bad.folds[2].targets.high.push_back(0); });
  refuses([](RidgeState& bad) { ++bad.folds[2].n_rows; });
  refuses([](RidgeState& bad) { bad.counted[0].first = 9; });
  refuses([](RidgeState& bad) { bad.counted = {{10, 20}, {20, 6500}}; });
  refuses([](RidgeState& bad) { bad.counted = {{6500, 10}}; });
  refuses([](RidgeState& bad) { bad.waiting[0].folds[0] = 3; });
  refuses([](RidgeState& bad) { bad.waiting[0].weights[0] = 0; });
  refuses([](RidgeState& bad) { bad.waiting[0].X(5, 1) = INFINITY; });
  refuses([](RidgeState& bad) { bad.waiting[0].first = 20; });
  refuses([](RidgeState& bad) { std::swap(bad.waiting[0], bad.waiting[1]); });
  refuses([](RidgeState& bad) { bad.waiting.pop_back(); });
  refuses([](RidgeState& bad) { bad.origin.clear(); });
  refuses([](RidgeState& bad) { bad.feature_origin.push_back(1); });  // waves have none
  refuses([](RidgeState& bad) { bad.epsilon = 1; });
  EXPECT_THROW(RidgeAccumulator<float>(rows.features, good), std::invalid_argument);       // sums in double
  EXPECT_THROW(RidgeAccumulator<double>(ColumnFeatures(3), good), std::invalid_argument);  // other features
}

}  // namespace
}  // namespace askrff::test
