// Scalers fitted in parts: the bits of one pass, whatever the parts, also after a journey as bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "askrff/errors.hpp"
#include "askrff/random.hpp"
#include "io/finish_scaler.hpp"
#include "io/record_format.hpp"
#include "io/temporary_files.hpp"
#include "support/special_values.hpp"

namespace askrff::test {
namespace {

using io::ColumnQuantiles;
using io::ColumnSums;
using io::Records;
using io::RecordWriter;
using Counts = std::vector<std::uint64_t>;

constexpr Scaling all_kinds[] = {Scaling::none, Scaling::minmax, Scaling::standard, Scaling::robust, Scaling::maxabs};

/// Columns of different size and place; one constant, one with zeros of both signs, one of all sizes.
Matrix<double> mixed_rows(std::size_t rows) {
  Matrix<double> X(rows, 6);
  for (std::size_t i = 0; i < rows; ++i) {
    RandomStream random(17, Purpose::builtin_data, i);
    X(i, 0) = random.normal();
    X(i, 1) = 1e9 + 1e-3 * random.normal();
    X(i, 2) = random.exponential() * (i % 97 == 3 ? 1e12 : 1);
    X(i, 3) = 0.1;
    X(i, 4) = random.coin() ? 0.0 : random.coin() ? -0.0 : 1.0;
    X(i, 5) = std::ldexp(random.normal(), static_cast<int>(random.below(2000)) - 1000);
  }
  return X;
}

/// Where n rows are cut into parts of odd sizes, some of them empty.
std::vector<std::size_t> cuts(std::size_t n, std::size_t n_parts, std::uint64_t seed) {
  std::vector<std::size_t> ends{0, n};
  RandomStream random(seed, Purpose::builtin_data, n_parts);
  while (ends.size() <= n_parts) ends.push_back(ends.size() % 3 == 1 ? ends.back() : random.below(n + 1));
  std::sort(ends.begin(), ends.end());
  return ends;
}

MatrixView<const double> part_of(const Matrix<double>& X, const std::vector<std::size_t>& ends, std::size_t part) {
  return X.view().middle_rows(ends[part], ends[part + 1] - ends[part]);
}

template <class Sums>
Sums after_journey(const Sums& sums) {
  RecordWriter writer;
  sums.write(writer, "part");
  const Sums back = Sums::read(Records("bytes", writer.finish()), "part");
  RecordWriter again, first;
  back.write(again, "part");
  sums.write(first, "part");
  EXPECT_EQ(again.finish(), first.finish());
  return back;
}

/// Fits of parts first … end-1 put together by halves.
ScalerFit tree(std::vector<ScalerFit>& fits, std::size_t first, std::size_t end) {
  if (end - first == 1) return std::move(fits[first]);
  ScalerFit left = tree(fits, first, (first + end) / 2);
  left.merge(tree(fits, (first + end) / 2, end));
  return left;
}

// More rows than robust keeps of one column, so that rows of later parts replace those of earlier ones.
class Parts : public testing::TestWithParam<std::size_t> {};

TEST_P(Parts, OfAFitAreOnePass) {
  const std::size_t n_parts = GetParam();
  Matrix<double> tall(150'001, 1);
  for (std::size_t i = 0; i < tall.rows(); ++i) tall(i, 0) = RandomStream(3, Purpose::builtin_data, i).normal();
  for (const Matrix<double>& X : {mixed_rows(1003), tall})
    for (const Scaling kind : all_kinds) {
      const Scaler whole = Scaler::fitted_to(X, kind);
      const auto ends = cuts(X.rows(), n_parts, 5);
      ScalerFit chain(X.cols(), kind);
      std::vector<ScalerFit> fits;
      for (std::size_t part = 0; part < n_parts; ++part) {
        for (const bool for_chain : {true, false}) {
          ScalerFit fit(X.cols(), kind, ends[part]);
          fit.add(part_of(X, ends, part));
          EXPECT_EQ(fit.n_rows(), ends[part + 1] - ends[part]);
          if (for_chain) chain.merge(std::move(fit));
          if (!for_chain) fits.push_back(std::move(fit));
        }
      }
      EXPECT_EQ(chain.n_rows(), X.rows());
      EXPECT_EQ(chain.finish(), whole) << name_of(kind);
      EXPECT_EQ(tree(fits, 0, n_parts).finish(), whole) << name_of(kind);
    }
}

TEST_P(Parts, OfTwoPassesAsBytesAreOnePass) {
  const Matrix<double> X = mixed_rows(1003);
  const std::size_t n_parts = GetParam();
  const auto ends = cuts(X.rows(), n_parts, 7);
  for (const Scaling kind : all_kinds) {
    ColumnSums sums(6, kind), whole(6, kind);
    ColumnQuantiles quantiles(6);
    whole.add(X);
    for (std::size_t part = n_parts; part-- > 0;) {  // any order will do
      ColumnSums own(6, kind);
      own.add(part_of(X, ends, part));
      sums.merge(after_journey(own));
    }
    for (std::size_t part = 0; part < n_parts; ++part) {
      ColumnQuantiles own(6, ends[part]);
      own.add(part_of(X, ends, part));
      quantiles.merge(after_journey(own));
    }
    EXPECT_EQ(sums, whole);
    EXPECT_EQ(finish_scaler(sums, kind == Scaling::robust ? &quantiles : nullptr), Scaler::fitted_to(X, kind)) << name_of(kind);
  }
}

INSTANTIATE_TEST_SUITE_P(Numbers, Parts, testing::Values(1, 2, 4, 7));

// Beyond the rows that are kept, bytes of parts hold places that are not in a row.
TEST(ScalerParts, SparseSamplesTravel) {
  constexpr std::size_t n_rows = 100'000, cut = 90'001;
  ASSERT_LT(Scaler::exact_rows(1), cut);
  Matrix<double> X(n_rows, 1);
  for (std::size_t i = 0; i < n_rows; ++i) X(i, 0) = static_cast<double>((77'777 * i) % n_rows);
  ColumnQuantiles first(1), second(1, cut);
  first.add(X.view().middle_rows(0, cut));
  second.add(X.view().middle_rows(cut, n_rows - cut));
  first = after_journey(first);
  first.merge(after_journey(second));
  ColumnSums sums(1, Scaling::robust);
  sums.add(X);
  EXPECT_EQ(finish_scaler(sums, &first), Scaler::fitted_to(X, Scaling::robust));
}

TEST(ScalerParts, RangesSoFar) {
  ScalerFit fit(2, Scaling::minmax);
  EXPECT_EQ(fit.n_rows(), 0u);
  EXPECT_EQ(fit.lowest(), std::vector<double>(2, infinity));
  EXPECT_EQ(fit.highest(), std::vector<double>(2, -infinity));
  fit.add(Matrix<double>(2, 2, {1, -2, 3, -0.0}));
  EXPECT_EQ(fit.n_rows(), 2u);
  EXPECT_EQ(fit.lowest(), (std::vector<double>{1, -2}));
  EXPECT_EQ(fit.highest(), (std::vector<double>{3, 0}));
  EXPECT_FALSE(std::signbit(fit.highest()[1]));
}

ScalerFit fit_of(std::size_t n_columns, Scaling kind, std::uint64_t first_row, std::size_t n_rows) {
  ScalerFit fit(n_columns, kind, first_row);
  fit.add(Matrix<double>(n_rows, n_columns));
  return fit;
}

TEST(ScalerParts, WhatDoesNotFitIsRefused) {
  ScalerFit fit = fit_of(2, Scaling::robust, 0, 10);
  EXPECT_EQ(message_of<InvalidArgument>([&] { fit.merge(fit_of(2, Scaling::minmax, 10, 1)); }),
            "Scaler: a part is scaled minmax, expected robust as before");
  EXPECT_EQ(message_of<InvalidArgument>([&] { fit.merge(fit_of(3, Scaling::robust, 10, 1)); }),
            "Scaler: a part has 3 columns, expected 2 as before");
  EXPECT_EQ(message_of<InvalidArgument>([&] { fit.merge(fit_of(2, Scaling::robust, 11, 1)); }),
            "Scaler: a part starts with row 11, expected row 10");
  fit.merge(fit_of(2, Scaling::robust, 77, 0));  // no rows, no matter
  EXPECT_EQ(fit.n_rows(), 10u);
  EXPECT_EQ(message_of<InvalidArgument>([&] { fit_of(2, Scaling::robust, 5, 3).finish(); }),
            "Scaler: quantiles without the 5 rows before, expected those of all rows");
  ColumnSums sums(1, Scaling::robust);
  sums.add(Matrix<double>(3, 1));
  const ColumnQuantiles none(1), wide(2);
  EXPECT_EQ(message_of<InvalidArgument>([&] { finish_scaler(sums, nullptr); }), "Scaler: no quantiles, expected them for scaling robust");
  EXPECT_EQ(message_of<InvalidArgument>([&] { finish_scaler(sums, &none); }), "Scaler: quantiles of 0 rows, expected those of all 3");
  EXPECT_EQ(message_of<InvalidArgument>([&] { finish_scaler(sums, &wide); }), "Scaler: quantiles of 2 columns, expected 1");
  EXPECT_EQ(message_of<InvalidArgument>([&] { sums.add(Matrix<double>(1, 1, {infinity})); }),
            "Scaler: row 4, column 1 is inf, expected a finite number");
  EXPECT_EQ(sums.n_rows(), 3u);
}

/// The records of the sums 1 + 3 and 1 + 9 of one column, some of them replaced.
struct SumRecords {
  std::string scaling = "standard";
  std::uint64_t n_rows = 2;
  std::vector<double> lowest{1}, highest{3};
  Counts places{0, 33, 1, 0, 33, 1}, words{std::uint64_t{4} << 36, std::uint64_t{10} << 36};

  std::string refusal() const {
    RecordWriter writer;
    writer.text("p/scaling", scaling);
    writer.count("p/rows", n_rows);
    writer.numbers("p/lowest", lowest);
    writer.numbers("p/highest", highest);
    writer.counts("p/sums", places, 3);
    writer.counts("p/words", words, 1);
    const std::string bytes = writer.finish();
    return message_of<InvalidArgument>([&] { ColumnSums::read(Records("f", bytes), "p"); });
  }
};

TEST(ScalerParts, SumsOfNoRowsAreRefused) {
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(SumRecords().refusal(), "accepted");
  EXPECT_EQ(SumRecords{.scaling = "other"}.refusal(), "f: record 'p/scaling' is not none, minmax, standard, robust or maxabs");
  EXPECT_EQ(SumRecords{.n_rows = huge}.refusal(), "f: record 'p/rows' is 18446744073709551615, expected 0 to 9223372036854775808");
  EXPECT_EQ(SumRecords{.n_rows = 0}.refusal(), "f: record 'p/lowest' of column 1 is 1, the highest number 3");
  EXPECT_EQ((SumRecords{.lowest = {4}}.refusal()), "f: record 'p/lowest' of column 1 is 4, the highest number 3");
  EXPECT_EQ((SumRecords{.highest = {infinity}}.refusal()), "f: record 'p/lowest' of column 1 is 1, the highest number inf");
  EXPECT_EQ((SumRecords{.highest = {3, 4}}.refusal()), "f: record 'p/highest' is 1 x 2, expected 1 x 1");
  const std::string impossible = "f: record 'p/sums' of column 1 are not those of 2 numbers from 1 to 3";
  EXPECT_EQ((SumRecords{.words = {std::uint64_t{8} << 36, std::uint64_t{32} << 36}}.refusal()), impossible);
  EXPECT_EQ((SumRecords{.words = {std::uint64_t{4} << 36, std::uint64_t{8} << 36}}.refusal()), impossible);
  EXPECT_EQ((SumRecords{.words = {std::uint64_t{4} << 36, std::uint64_t{14} << 36}}.refusal()), impossible);
  EXPECT_EQ((SumRecords{.places = {0, 33, 1, 1, 33, 1}}.refusal()), impossible);
  EXPECT_EQ((SumRecords{.n_rows = 0, .lowest = {infinity}, .highest = {-infinity}}.refusal()),
            "f: record 'p/sums' of column 1 are not those of 0 numbers from inf to -inf");
  EXPECT_EQ((SumRecords{.places = {0, 33, huge, 0, 33, 1}}.refusal()),
            "f: record 'p/sums' asks for 18446744073709551615 words, 2 are left");
  EXPECT_EQ((SumRecords{.places = {0, 33, 2, 0, 33, 1}}.refusal()), "f: record 'p/sums' asks for 1 words, 0 are left");
  EXPECT_EQ((SumRecords{.places = {0, huge, 1, 0, 33, 1}}.refusal()), "f: record 'p/sums' holds a number that is not in its shortest form");
  EXPECT_EQ((SumRecords{.places = {2, 33, 1, 0, 33, 1}}.refusal()), "f: record 'p/sums' holds a number that is not in its shortest form");
  EXPECT_EQ((SumRecords{.words = {0, 1}}.refusal()), "f: record 'p/sums' holds a number that is not in its shortest form");
  EXPECT_EQ((SumRecords{.words = {std::uint64_t{4} << 36, std::uint64_t{10} << 36, 1}}.refusal()),
            "f: record 'p/sums' leaves 1 words, expected none");
  EXPECT_EQ((SumRecords{.places = {0, 33, 1}}.refusal()), "f: record 'p/sums' is 1 x 3, expected 2 x 3");
}

std::string refused_sample(const Counts& rows, const Counts& places, const Matrix<double>& sample) {
  RecordWriter writer;
  writer.counts("p/rows", rows, 2);
  writer.counts("p/places", places, 1);
  writer.matrix("p/sample", sample);
  const std::string bytes = writer.finish();
  return message_of<InvalidArgument>([&] { ColumnQuantiles::read(Records("f", bytes), "p"); });
}

TEST(ScalerParts, SamplesOfNoRowsAreRefused) {
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  const Matrix<double> two(2, 1, {1, 2});
  EXPECT_EQ(refused_sample({3, 2}, {3, 4}, two), "accepted");
  EXPECT_EQ(refused_sample({70'000, 2}, {3, 4}, two), "accepted");
  EXPECT_EQ(refused_sample({70'000, 2}, {}, Matrix<double>(0, 1)), "accepted");
  EXPECT_EQ(refused_sample({3, 2}, {3, 5}, two), "f: record 'p/places' has no row at place 4");
  EXPECT_EQ(refused_sample({3, 3}, {3, 4}, two), "f: record 'p/places' has no row at place 5");
  EXPECT_EQ(refused_sample({3, 1}, {3, 4}, two), "f: record 'p/places' has 2 rows, there were 1");
  EXPECT_EQ(refused_sample({3, 2}, {4, 3}, two), "f: record 'p/places' holds 3 at place 1, expected growing numbers below 65536");
  EXPECT_EQ(refused_sample({3, 2}, {3, 65536}, two), "f: record 'p/places' holds 65536 at place 1, expected growing numbers below 65536");
  EXPECT_EQ(refused_sample({3, huge}, {3, 4}, two), "f: record 'p/rows' are 18446744073709551615 after 3, expected 2^63 at most");
  EXPECT_EQ(refused_sample({huge, 2}, {3, 4}, two), "f: record 'p/rows' are 2 after 18446744073709551615, expected 2^63 at most");
  EXPECT_EQ(refused_sample({3, 2}, {3, 4}, Matrix<double>(3, 1)), "f: record 'p/sample' is 3 x 1, expected 2 x any");
  EXPECT_EQ(refused_sample({3, 2}, {3, 4}, Matrix<double>(2, 1, {1, infinity})),
            "f: record 'p/sample' holds inf at place 1, expected a finite number");
}

/// With its checksum made right again, every byte in turn: refused, or good for a Scaler of finite numbers.
TEST(ScalerParts, ChangedBytesAreRefusedOrHarmless) {
  const Matrix<double> X(3, 2, {1, -2, 1.5, 7, 0.25, 0.1});
  RecordWriter writer;
  ColumnSums sums(2, Scaling::standard);
  sums.add(X);
  sums.write(writer, "s");
  ColumnQuantiles quantiles(2);
  quantiles.add(X);
  quantiles.write(writer, "q");
  const std::string good = writer.finish();
  std::size_t n_refused = 0;
  for (std::size_t at = 0; at + io::checksum_bytes < good.size(); ++at)
    for (const char change : {'\x01', '\x80', '\xff'}) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(bytes[at] ^ change);
      const std::uint64_t checksum = io::crc64(std::string_view(bytes).substr(0, bytes.size() - io::checksum_bytes));
      for (std::size_t i = 0; i < 8; ++i) bytes[bytes.size() - 8 + i] = static_cast<char>(checksum >> (8 * i) & 0xFF);
      try {
        const Records file("f", bytes);
        ColumnSums other = ColumnSums::read(file, "s");
        const ColumnQuantiles sample = ColumnQuantiles::read(file, "q");
        const Scaler scaler = finish_scaler(other, &sample);
        for (const double width : scaler.width) EXPECT_TRUE(std::isfinite(width) && width >= 0);
        for (const double offset : scaler.offset) EXPECT_TRUE(std::isfinite(offset));
        other.merge(sums);
      } catch (const InvalidArgument&) {
        ++n_refused;
      }
    }
  EXPECT_GT(n_refused, good.size());
}

}  // namespace
}  // namespace askrff::test
