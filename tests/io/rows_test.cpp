// MemoryRows: rows in memory as a stream, with labels of either kind, and the ways of being wrong.
#include "askrff/rows.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <utility>

namespace askrff {
namespace {

const std::vector<std::string> names{"a", "b", "c", "d", "e"};
const std::vector<double> numbers{1, 2, 3, 4, 5};

Matrix<double> five_rows() { return Matrix<double>(5, 2, {0, 1, 10, 11, 20, 21, 30, 31, 40, 41}); }

/// The error of reading the stream to its end, or nothing.
std::string error_of(RowStream& rows) {
  RowBlock block;
  try {
    while (rows.next(block, 2)) continue;
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

template <class... Arguments>
std::string refused(Arguments&&... arguments) {
  try {
    const MemoryRows rows(std::forward<Arguments>(arguments)...);
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST(MemoryRows, GiveEveryRowOnceAndAgainAfterRewinding) {
  const Matrix<double> X = five_rows();
  MemoryRows rows(X, std::span(names));
  EXPECT_TRUE(rows.can_rewind());
  EXPECT_TRUE(rows.has_labels());
  EXPECT_EQ(rows.n_rows(), 5u);
  EXPECT_EQ(rows.n_columns(), 2u);
  EXPECT_TRUE(rows.column_names().empty());
  for (int pass = 0; pass < 2; ++pass) {
    RowBlock block;
    std::size_t seen = 0;
    while (rows.next(block, 2)) {
      ASSERT_EQ(block.labels.size(), block.X.rows());
      EXPECT_TRUE(block.label_numbers.empty());
      for (std::size_t i = 0; i < block.X.rows(); ++i, ++seen) {
        EXPECT_EQ(block.X.dense()(i, 0), X(seen, 0));
        EXPECT_EQ(block.X.dense()(i, 1), X(seen, 1));
        EXPECT_EQ(block.labels[i], names[seen]);
      }
    }
    EXPECT_EQ(seen, 5u);
    EXPECT_FALSE(rows.next(block, 2));
    EXPECT_EQ(block.X.rows(), 0u);
    EXPECT_TRUE(block.labels.empty());
    rows.rewind();
  }
}

TEST(MemoryRows, TakeLabelsThatAreNumbersAndViewsWithGaps) {
  const Matrix<double> X = five_rows();
  MemoryRows rows(MatrixView<const double>(X.data(), 5, 1, 2), std::span(numbers));
  RowBlock block;
  ASSERT_TRUE(rows.next(block));
  EXPECT_EQ(block.X.rows(), 5u);
  EXPECT_EQ(block.X.cols(), 1u);
  EXPECT_EQ(block.X.dense()(3, 0), 30);
  EXPECT_EQ(block.label_numbers, numbers);
  EXPECT_TRUE(block.labels.empty());
}

TEST(MemoryRows, OwnADatasetAndSurviveAMove) {
  MemoryRows first(Dataset{five_rows(), names, {"u", "v"}}, "here");
  RowBlock block;
  ASSERT_TRUE(first.next(block, 1));
  MemoryRows rows = std::move(first);
  EXPECT_EQ(rows.name(), "here");
  EXPECT_EQ(rows.column_names(), (std::vector<std::string>{"u", "v"}));
  ASSERT_TRUE(rows.next(block));
  EXPECT_EQ(block.X.rows(), 4u);
  EXPECT_EQ(block.X.dense()(0, 1), 11);
  EXPECT_EQ(block.labels.front(), "b");
  EXPECT_FALSE(MemoryRows(Dataset{five_rows(), {}, {}}).has_labels());
}

TEST(MemoryRows, RefuseSizesThatDoNotFit) {
  const Matrix<double> X = five_rows();
  EXPECT_EQ(refused(X.view(), std::span(names).first(4)), "rows in memory: 4 labels, expected one for each of 5 rows");
  EXPECT_EQ(refused(X.view(), std::span(numbers).first(1), "y"), "y: 1 labels, expected one for each of 5 rows");
  EXPECT_EQ(refused(Dataset{five_rows(), {"a"}, {}}), "rows in memory: 1 labels, expected none or one for each of 5 rows");
  EXPECT_EQ(refused(Dataset{five_rows(), {}, {"u"}}), "rows in memory: 1 names of columns, expected none or one for each of 2 columns");
  EXPECT_EQ(refused(MatrixView<const double>{}), "rows in memory: no columns, expected at least one");
  RowBlock block;
  MemoryRows rows(X);
  EXPECT_THROW(rows.next(block, 0), std::invalid_argument);
}

TEST(MemoryRows, NameTheNumberThatIsNotFinite) {
  Matrix<double> X = five_rows();
  X(3, 1) = std::numeric_limits<double>::quiet_NaN();
  MemoryRows rows(X);
  EXPECT_EQ(error_of(rows), "rows in memory: row 4, column 2 is nan, expected a finite number");
  std::vector<double> labels = numbers;
  labels[2] = std::numeric_limits<double>::infinity();
  const Matrix<double> good = five_rows();
  MemoryRows labelled(good, std::span(std::as_const(labels)));
  EXPECT_EQ(error_of(labelled), "rows in memory: the label of row 3 is inf, expected a finite number");
}

TEST(MemoryRows, WideRowsComeInSmallBlocks) {
  const Matrix<double> X(20, 1'000'000);
  MemoryRows rows(X);
  RowBlock block;
  ASSERT_TRUE(rows.next(block));
  EXPECT_EQ(block.X.rows(), 16u);  // 128 MiB
}

TEST(MemoryRows, HandOverWhatTheyOwn) {
  MemoryRows rows(Dataset{five_rows(), names, {"u", "v"}});
  const auto taken = rows.take();
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->X.rows(), 5u);
  EXPECT_EQ(taken->X(4, 1), 41);
  EXPECT_EQ(taken->labels, names);
  EXPECT_EQ(rows.n_columns(), 2u);
  EXPECT_EQ(rows.column_names(), (std::vector<std::string>{"u", "v"}));
  EXPECT_FALSE(rows.take());
  rows.rewind();
  RowBlock block;
  EXPECT_FALSE(rows.next(block));
  const Matrix<double> X = five_rows();
  EXPECT_FALSE(MemoryRows(X, std::span(names)).take());  // somebody else's
  Matrix<double> holes = five_rows();
  holes(2, 0) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(MemoryRows(Dataset{std::move(holes), {}, {}}).take(), DataError);
}

TEST(BlockLabels, TextAndNumbersWhicheverWayTheyAreHeld) {
  RowBlock texts, numbers_only, none;
  texts.labels = {"+1", "cat", "1e400", ""};
  EXPECT_FALSE(BlockLabels(texts).empty());
  EXPECT_FALSE(BlockLabels(texts).are_numbers());
  EXPECT_EQ(BlockLabels(texts).text(0), "+1");
  EXPECT_EQ(BlockLabels(texts).number(0), 1.0);
  for (const std::size_t row : {1u, 2u, 3u}) EXPECT_EQ(BlockLabels(texts).number(row), std::nullopt) << row;
  numbers_only.label_numbers = {1, -0.5, 0.1, 9007199254740993.0};
  EXPECT_TRUE(BlockLabels(numbers_only).are_numbers());
  EXPECT_EQ(BlockLabels(numbers_only).text(0), "1");
  EXPECT_EQ(BlockLabels(numbers_only).text(1), "-0.5");
  EXPECT_EQ(BlockLabels(numbers_only).text(2), "0.1");
  EXPECT_EQ(BlockLabels(numbers_only).number(3), 9007199254740992.0);
  EXPECT_TRUE(BlockLabels(none).empty());
}

/// A stream of somebody else's, which fills blocks as it likes.
class AnyStream final : public RowStream {
 public:
  explicit AnyStream(std::function<void(RowBlock&)> fill) : fill_(std::move(fill)) {}
  const std::string& name() const override { return name_; }
  std::size_t n_columns() const override { return 2; }
  const std::vector<std::string>& column_names() const override { return none_; }
  bool has_labels() const override { return true; }
  std::size_t n_targets() const override { return 2; }
  bool can_rewind() const override { return false; }
  void rewind() override { throw DataError(name_, "cannot be rewound"); }

 private:
  void read_block(RowBlock& block, std::size_t) override { fill_(block); }
  std::function<void(RowBlock&)> fill_;
  std::string name_ = "any";
  std::vector<std::string> none_;
};

TEST(RowStream, BlocksThatDoNotFitTogetherAreRefused) {
  Matrix<double> five = five_rows(), narrow(5, 1);
  RowBlock block;
  const auto read = [&](const std::function<void(RowBlock&)>& fill) { return AnyStream(fill).next(block); };
  EXPECT_TRUE(read([&](RowBlock& rows) { rows.X = five; }));
  EXPECT_TRUE(read([&](RowBlock& rows) {
    rows.X = five;
    rows.label_numbers.resize(10);
  }));
  EXPECT_FALSE(read([](RowBlock&) {}));
  EXPECT_THROW(read([&](RowBlock& rows) { rows.X = narrow; }), DataError);
  for (const std::size_t n : {1u, 5u, 9u, 11u})
    EXPECT_THROW(read([&](RowBlock& rows) {
                   rows.X = five;
                   rows.label_numbers.resize(n);
                 }),
                 DataError);
  EXPECT_THROW(read([&](RowBlock& rows) {
                 rows.X = five;
                 rows.labels = {"a"};
               }),
               DataError);
}

TEST(RowStream, SaysNothingOfClassesUnlessItKnows) {
  const Matrix<double> X = five_rows();
  const MemoryRows rows(X, std::span(numbers));
  EXPECT_TRUE(rows.class_names().empty());
  EXPECT_EQ(rows.n_targets(), 1u);
}

}  // namespace
}  // namespace askrff
