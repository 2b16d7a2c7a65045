// Rows drawn from a stream: those of rows in memory, whatever the blocks; columns that outliers squeeze are told of.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "askrff/map.hpp"
#include "io/temporary_files.hpp"
#include "pipeline/training_data.hpp"
#include "support/random_inputs.hpp"
#include "support/same_bits.hpp"

namespace askrff::test {
namespace {

std::vector<double> zeros(std::size_t n) { return std::vector<double>(n); }

TEST(DrawnRows, AllOfFewRows) {
  const Matrix<double> X = random_matrix(300, 3, 1);
  MemoryRows stream(X);
  const DrawnRows drawn = draw_rows(stream, Scaling::minmax, 7);
  Matrix<double> scaled = X;
  Scaler::fitted_to(X, Scaling::minmax).apply(scaled);
  EXPECT_EQ(drawn.n_rows, 300u);
  expect_same(drawn.X.dense(), scaled);
}

TEST(DrawnRows, TheSameForAnyBlocks) {
  const Matrix<double> X = random_matrix(25'000, 2, 2);
  const auto drawn_in = [&](std::size_t block_rows, std::size_t n_more) {
    PlainStream stream(X, zeros(X.rows()), {.can_rewind = false, .block_rows = block_rows});
    return draw_rows(stream, Scaling::standard, 5, n_more);
  };
  const DrawnRows drawn = drawn_in(8192, 100);
  EXPECT_EQ(drawn.n_rows, 25'000u);
  EXPECT_EQ(drawn.X.rows(), 20'100u);
  EXPECT_EQ(drawn.scaler, Scaler::fitted_to(X, Scaling::standard));
  expect_same(drawn_in(13, 100).X.dense(), drawn.X.dense());
  EXPECT_EQ(drawn_in(13, 6000).X.rows(), 25'000u);
}

TEST(DrawnRows, TheMapIsThatOfRowsInMemory) {
  const Matrix<double> X = random_matrix(21'000, 2, 3);
  const MapOptions options{.n_frequencies = 16, .scale = Scaling::maxabs, .seed = 4};
  PlainStream stream(X, zeros(X.rows()), {.can_rewind = false, .block_rows = 999});
  std::vector<Candidate> tried;
  const Map map = make_map("gaussian", draw_rows(stream, options.scale, options.seed), options, tried);
  EXPECT_TRUE(map.to_bytes() == make_map("gaussian", X, options).to_bytes());
  PlainStream again(X, zeros(X.rows()), {.block_rows = 10});
  EXPECT_TRUE(make_map("gaussian", again, options).to_bytes() == map.to_bytes());
}

/// Columns that a warning names: how many, and the first.
std::string warned(const Matrix<double>& X, Scaling scaling, std::vector<std::string> names = {}) {
  MemoryRows stream(Dataset{X, {}, std::move(names)});
  const DrawnRows drawn = draw_rows(stream, scaling, 0);
  const MapOptions options{.n_frequencies = 8, .scale = scaling};
  std::vector<Candidate> tried;
  const Map map = make_map("gaussian", drawn, options, tried);
  EXPECT_EQ(map.scaling_warning(), drawn.scaling_warning());
  EXPECT_EQ(Map::from_bytes(map.to_bytes()).scaling_warning(), "");
  return drawn.scaling_warning();
}

TEST(ScalingWarning, OfOutliers) {
  Matrix<double> X = random_matrix(500, 3, 5);
  const Scaling kinds[] = {Scaling::none, Scaling::minmax, Scaling::standard, Scaling::robust, Scaling::maxabs};
  for (const Scaling kind : kinds) EXPECT_EQ(warned(X, kind), "") << name_of(kind);
  X(17, 1) = 1e6;
  for (const Scaling kind : {Scaling::minmax, Scaling::standard, Scaling::maxabs})
    EXPECT_EQ(warned(X, kind),
              fmt::format("column 2 has outliers: scaled {}, nine of ten rows lie within a hundredth of each other there and hardly differ "
                          "for a kernel; robust scaling goes by quantiles instead (--scale robust, in Python scale=\"robust\")",
                          name_of(kind)));
  for (const Scaling kind : {Scaling::none, Scaling::robust}) EXPECT_EQ(warned(X, kind), "") << name_of(kind);
  EXPECT_TRUE(contains(warned(X, Scaling::minmax, {"a", "b", "c"}), "column 2 ('b') has outliers"));
  X(400, 2) = -1e9;
  EXPECT_TRUE(contains(warned(X, Scaling::minmax), "2 columns, column 2 for one, have outliers"));
}

TEST(ScalingWarning, NotOfColumnsThatAreNarrowByNature) {
  Matrix<double> X = random_matrix(500, 4, 6);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    X(i, 0) = 3;                           // constant
    X(i, 1) = i % 50 == 0 ? 1e6 : 0;       // hardly ever anything but 0
    X(i, 2) = 1e6 + X(i, 2);               // far from 0
    X(i, 3) = static_cast<double>(i % 2);  // two values
  }
  for (const Scaling kind : {Scaling::minmax, Scaling::standard, Scaling::maxabs}) EXPECT_EQ(warned(X, kind), "") << name_of(kind);
}

}  // namespace
}  // namespace askrff::test
