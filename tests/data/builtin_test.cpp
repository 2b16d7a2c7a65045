// Built-in data sets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/temporary_files.hpp"

namespace askrff::test {
namespace {

std::string error(const std::string& source, const ReadOptions& options = {}) {
  try {
    read_data(source, options);
  } catch (const DataError& failure) {
    return failure.what();
  }
  return "accepted";
}

TEST(Builtin, Gauss1d) {
  const Dataset data = read_data("builtin:gauss1d");
  ASSERT_EQ(data.X.rows(), 2000u);
  ASSERT_EQ(data.X.cols(), 1u);
  EXPECT_TRUE(data.labels.empty());
  double sum = 0, squares = 0;
  for (const double x : elements(data.X)) sum += x, squares += x * x;
  EXPECT_NEAR(sum / 2000, 0, 5 / std::sqrt(2000.0));
  EXPECT_NEAR(squares / 2000, 1, 5 * std::sqrt(2 / 2000.0));
}

TEST(Builtin, Uniform) {
  const Dataset data = read_data("builtin:uniform:3:5000");
  ASSERT_EQ(data.X.rows(), 5000u);
  ASSERT_EQ(data.X.cols(), 3u);
  for (std::size_t j = 0; j < 3; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < 5000; ++i) {
      ASSERT_GT(data.X(i, j), 0.0);
      ASSERT_LT(data.X(i, j), 1.0);
      sum += data.X(i, j);
    }
    EXPECT_NEAR(sum / 5000, 0.5, 5 / std::sqrt(12 * 5000.0));
  }
  EXPECT_EQ(read_data("builtin:uniform:4").X.rows(), 2000u);
}

TEST(Builtin, Moons) {
  const Dataset data = read_data("builtin:moons");
  ASSERT_EQ(data.X.rows(), 2000u);
  ASSERT_EQ(data.X.cols(), 2u);
  EXPECT_EQ(std::count(data.labels.begin(), data.labels.end(), "+1"), 1000);
  EXPECT_EQ(std::count(data.labels.begin(), data.labels.end(), "-1"), 1000);
  for (std::size_t i = 0; i < 2000; ++i) {
    const bool upper = data.labels[i] == "+1";
    const double x = data.X(i, 0) - (upper ? 0 : 1), y = data.X(i, 1) - (upper ? 0 : 0.5);
    ASSERT_NEAR(std::hypot(x, y), 1, 0.6);  // noise beyond 6 deviations: probability below 1e-5 in all
    ASSERT_GT(upper ? y : -y, -0.6);
  }
}

TEST(Builtin, MoreRowsStartWithTheSameRows) {
  for (const std::string name : {"gauss1d", "uniform:5", "moons"}) {
    const Dataset few = read_data("builtin:" + name + ":10"), many = read_data("builtin:" + name + ":1000");
    ASSERT_EQ(few.X.rows(), 10u);
    std::vector<double> start = elements(many.X);
    start.resize(10 * many.X.cols());
    EXPECT_EQ(elements(few.X), start) << name;
  }
}

TEST(Builtin, Refused) {
  const std::string expected = ", expected one of builtin:gauss1d[:ROWS], builtin:uniform:D[:ROWS], builtin:moons[:ROWS]";
  EXPECT_EQ(error("builtin:swiss"), "builtin:swiss: there is no built-in data set 'swiss'" + expected);
  EXPECT_EQ(error("builtin:"), "builtin:: there is no built-in data set ''" + expected);
  EXPECT_EQ(error("builtin:uniform"), "builtin:uniform: the number of columns is '', which is no whole number from 1" + expected);
  EXPECT_EQ(error("builtin:uniform:10000001:1"), "builtin:uniform:10000001:1: 10000001 columns, expected at most 10000000");
  EXPECT_EQ(error("builtin:uniform:0"), "builtin:uniform:0: the number of columns is '0', which is no whole number from 1" + expected);
  EXPECT_EQ(error("builtin:moons:0"), "builtin:moons:0: the number of rows is '0', which is no whole number from 1" + expected);
  EXPECT_EQ(error("builtin:moons:5:6"), "builtin:moons:5:6: ':6' is left over" + expected);
  for (const char* source : {"builtin:moons:", "builtin:moons:x", "builtin:moons:-1", "builtin:moons:1e3",
                             "builtin:uniform:2:", "builtin:uniform:2:3:4", "builtin:gauss1d:99999999999999999999", "builtin:Moons"})
    EXPECT_TRUE(ends_with(error(source), expected)) << source;
}

TEST(Builtin, SizesAndOptions) {
  EXPECT_TRUE(contains(error("builtin:uniform:10000000:1000000000000"), "would need 69.39 EiB of memory, the limit is 16 GiB"));
  EXPECT_TRUE(contains(error("builtin:gauss1d:10000000000"), "of memory, the limit is 16 GiB"));
  EXPECT_TRUE(contains(error("builtin:uniform:18446744073709551615:18446744073709551615"), "columns, expected at most"));
  EXPECT_EQ(error("builtin:moons", {.n_columns = 3}), "builtin:moons: the data have 2 columns, expected 3 as asked for");
  EXPECT_EQ(error("builtin:moons", {.n_columns = 2}), "accepted");
  EXPECT_EQ(error("builtin:moons", {.label = "1"}),
            "builtin:moons: a label column was asked for, expected only with CSV, NPY and Arrow data");
  EXPECT_EQ(error("builtin:moons", {.format = DataFormat::csv}),
            "builtin:moons: a file format was asked for, expected none with built-in data");
}

TEST(Builtin, Listed) {
  ASSERT_EQ(builtin_datasets().size(), 3u);
  for (const BuiltinInfo& info : builtin_datasets()) {
    EXPECT_TRUE(starts_with(info.usage, "builtin:"));
    EXPECT_FALSE(info.meaning.empty());
  }
}

}  // namespace
}  // namespace askrff::test
