// CSV text.
#include <gtest/gtest.h>

#include "data/csv_record.hpp"
#include "io/temporary_files.hpp"

namespace askrff::test {
namespace {

using data::CsvRecords;
using Names = std::vector<std::string>;
using Values = std::vector<double>;

class Csv : public TemporaryFiles {
 protected:
  Dataset csv(const std::string& text, const ReadOptions& options = {}) const { return read("f.csv", text, options); }
  std::string error(const std::string& text, const ReadOptions& options = {}) const { return error_of("f.csv", text, options); }
};

TEST_F(Csv, Plain) {
  const Dataset data = csv("1,2.5,-3\n4,+5,6e1\n");
  EXPECT_EQ(data.X.rows(), 2u);
  EXPECT_EQ(data.X.cols(), 3u);
  EXPECT_EQ(elements(data.X), (Values{1, 2.5, -3, 4, 5, 60}));
  EXPECT_TRUE(data.labels.empty());
  EXPECT_TRUE(data.column_names.empty());
}

TEST_F(Csv, Delimiters) {
  EXPECT_EQ(elements(csv("1;2\n3;4\n").X), (Values{1, 2, 3, 4}));
  EXPECT_EQ(elements(csv("1\t2\n3\t4\n").X), (Values{1, 2, 3, 4}));
  EXPECT_EQ(elements(read("f.tsv", "1\t2\n3\t4\n").X), (Values{1, 2, 3, 4}));
  EXPECT_EQ(elements(csv("1\n2\n").X), (Values{1, 2}));
  EXPECT_EQ(csv("\"a,b,c\";d\n1;2\n").column_names, (Names{"a,b,c", "d"}));
}

TEST_F(Csv, SpacingLineEndsAndByteOrderMark) {
  const Dataset data = csv("\xEF\xBB\xBFx, y\r\n\r\n 1 ,\t2\r\n   \n3,4");
  EXPECT_EQ(data.column_names, (Names{"x", "y"}));
  EXPECT_EQ(elements(data.X), (Values{1, 2, 3, 4}));
}

TEST_F(Csv, Quotes) {
  const Dataset data = csv("\"first\nname\",\"say \"\"x\"\"\",\"c,d\" , \"\"\n\"1\",2, \"3\" ,4\n");
  EXPECT_EQ(data.column_names, (Names{"first\nname", "say \"x\"", "c,d", ""}));
  EXPECT_EQ(elements(data.X), (Values{1, 2, 3, 4}));
  EXPECT_EQ(csv("a,label\n1,\"x \"\"y\"\",\n z\"\n", {.label = "label"}).labels, Names{"x \"y\",\n z"});
}

TEST_F(Csv, BadQuotes) {
  EXPECT_EQ(error("1,2\n\"3,4\n5,6\n"), "f.csv:2: a quote is opened and never closed, expected '\"' at the end of the field");
  EXPECT_EQ(error("1,2\n\"3\"x,4\n"), "f.csv:2: 'x' follows a quoted field, expected the delimiter");
  EXPECT_EQ(error("1,2\n3\"\",4\n"), "f.csv:2: field '3\"\"' contains a quote, expected it at the start of the field or doubled");
}

TEST_F(Csv, HeaderIsFoundByItsNames) {
  EXPECT_EQ(csv("a,b\n1,2\n").column_names, (Names{"a", "b"}));
  EXPECT_EQ(csv("id,1,2\n7,8,9\n", {.label = "id"}).column_names, (Names{"1", "2"}));
  EXPECT_EQ(csv(",a\n0,2\n").column_names, (Names{"", "a"}));
  EXPECT_EQ(csv("1,2\n3,4\n").X.rows(), 2u);
}

TEST_F(Csv, BadNumbersOfTheFirstLineAreNoHeader) {
  for (const char* field : {"NA", "", "?", "nan", "inf", "1e999"})
    EXPECT_TRUE(starts_with(error(std::string("1,") + field + ",3\n4,5,6\n"), "f.csv:1: column 2: '")) << field;
}

TEST_F(Csv, LabelColumn) {
  const Dataset by_name = csv("a,kind,b\n1,cat,2\n3,dog,4\n", {.label = "kind"});
  EXPECT_EQ(by_name.labels, (Names{"cat", "dog"}));
  EXPECT_EQ(by_name.column_names, (Names{"a", "b"}));
  EXPECT_EQ(elements(by_name.X), (Values{1, 2, 3, 4}));
  const Dataset by_number = csv("a,kind,b\n1,cat,2\n3,dog,4\n", {.label = "2"});
  EXPECT_EQ(by_number.labels, by_name.labels);
  EXPECT_EQ(by_number.column_names, by_name.column_names);
  EXPECT_EQ(elements(by_number.X), elements(by_name.X));
  EXPECT_EQ(csv("1.50,2\n-1,4\n", {.label = "1"}).labels, (Names{"1.50", "-1"}));
  EXPECT_EQ(csv("1,2,kind\n3,4,cat\n", {.label = "kind"}).column_names, (Names{"1", "2"}));
  EXPECT_EQ(csv("a,b,1\n5,6,7\n", {.label = "1"}).labels, Names{"7"});  // a name goes before a number
}

TEST_F(Csv, TextLabelsWithoutHeaderAreRows) {
  const Dataset data = csv("5.1,3.5,setosa\n4.9,3.0,virginica\n", {.label = "3"});
  EXPECT_EQ(data.labels, (Names{"setosa", "virginica"}));
  EXPECT_EQ(elements(data.X), (Values{5.1, 3.5, 4.9, 3.0}));
  EXPECT_TRUE(data.column_names.empty());
}

TEST_F(Csv, LabelColumnNotFound) {
  EXPECT_EQ(error("a,b\n1,2\n", {.label = "c"}), "f.csv: there is no label column 'c', expected a number from 1 to 2 or one of 'a', 'b'");
  EXPECT_EQ(error("1,2\n", {.label = "c"}), "f.csv: there is no label column 'c', expected a number from 1 to 2 (the file has no header)");
  for (const char* number : {"0", "3", "-1"})
    EXPECT_TRUE(contains(error("1,2\n", {.label = number}), "there is no label column")) << number;
  EXPECT_EQ(error("a,a,b\n1,2,3\n", {.label = "a"}), "f.csv:1: two columns are called 'a', expected one label column");
  EXPECT_EQ(error("a\n1\n", {.label = "a"}), "f.csv: no columns beside the labels, expected at least one");
}

TEST_F(Csv, RaggedRows) {
  EXPECT_EQ(error("\na,b\n1,2\n3\n"), "f.csv:4: 1 field, expected 2 as in line 2");
  EXPECT_EQ(error("1,2\n3,4,5\n"), "f.csv:2: 3 fields, expected 2 as in line 1");
  EXPECT_EQ(error("\"a\n\nb\",c\n1,2\n\n3,4,5\n"), "f.csv:6: 3 fields, expected 2 as in line 1");
}

TEST_F(Csv, MissingAndBadValues) {
  for (const char* field : {"", " ", "NA", "?", "nan", "NaN", "N/A", "null", "\"\""}) {
    const std::string message = error(std::string("1,2\n3,") + field + "\n");
    EXPECT_TRUE(starts_with(message, "f.csv:2: column 2: '")) << field;
    EXPECT_TRUE(contains(message, "is a missing value, expected")) << field;
  }
  EXPECT_EQ(error("a,b\n1,2\n3,x\n"), "f.csv:3: column 2 ('b'): 'x' is not a number, expected a finite number");
  EXPECT_EQ(error("l,a,b\nu,1,2\nv,3,inf\n", {.label = "l"}), "f.csv:3: column 3 ('b'): 'inf' is not finite, expected a finite number");
  EXPECT_EQ(error("1,2\n1e999,2\n"), "f.csv:2: column 1: '1e999' is too large for a double, expected a finite number");
  EXPECT_EQ(error("l,a\n,1\n", {.label = "l"}), "f.csv:2: column 1: '' is a missing value, expected a label");
  EXPECT_EQ(error("x;y\n1,5;2\n"), "f.csv:2: column 1 ('x'): '1,5' is not a number, expected a finite number");
}

TEST_F(Csv, Empty) {
  for (const char* text : {"", "\n \n", "\xEF\xBB\xBF"})
    EXPECT_EQ(error(text), "f.csv: no rows, expected lines of comma-separated numbers");
  EXPECT_EQ(error("a,b\n"), "f.csv: no rows after the header, expected at least one");
}

TEST_F(Csv, NumberOfColumnsAndMemory) {
  EXPECT_EQ(csv("1,2\n", {.n_columns = 2}).X.cols(), 2u);
  EXPECT_EQ(csv("a,1,2\nx,3,4\n", {.n_columns = 2, .label = "a"}).X.cols(), 2u);
  EXPECT_EQ(error("1,2\n", {.n_columns = 3}), "f.csv: the data have 2 columns, expected 3 as asked for");
  EXPECT_EQ(csv("1,2\n3,4\n", {.max_bytes = 32}).X.rows(), 2u);
  EXPECT_EQ(error("1,2\n3,4\n5,6\n", {.max_bytes = 32}), "f.csv:3: the data up to here need 48 bytes of memory, the limit is 32 bytes");
}

/// Memory for what is kept, not for what a line of nothing but delimiters could be.
TEST_F(Csv, FieldsBeyondAllLimits) {
  const std::string commas(12'000'000, ',');
  EXPECT_EQ(error(commas + "\n"), "f.csv: 12000001 columns, expected at most 10000000");
  EXPECT_EQ(error("1,2\n" + commas + "\n"), "f.csv:2: 12000001 fields, expected 2 as in line 1");
  EXPECT_EQ(error("1,2\n\"\"" + commas + "\n"), "f.csv:2: 12000001 fields, expected 2 as in line 1");
  CsvRecords records(commas, 5);
  std::vector<std::string_view> fields;
  ASSERT_TRUE(records.next(fields));
  EXPECT_EQ(records.n_fields(), 12000001u);
  EXPECT_EQ(fields.size(), 5u);
  EXPECT_LT(fields.capacity(), 100u);
}

TEST_F(Csv, OneEndlessLineIsRefused) {
  EXPECT_EQ(error(std::string(3000000, '1'), {.max_bytes = 1000000}), "f.csv: one line needs more memory than the limit of 976.6 KiB");
}

TEST_F(Csv, ManyRowsOverManyChunks) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + "," + std::to_string(i * 0.5) + "\r\n";
  const Dataset data = csv(text);
  ASSERT_EQ(data.X.rows(), 100000u);
  for (std::size_t i = 0; i < data.X.rows(); ++i) {
    ASSERT_EQ(data.X(i, 0), static_cast<double>(i));
    ASSERT_EQ(data.X(i, 1), static_cast<double>(i) * 0.5);
  }
}

TEST_F(Csv, NamesAndNumbersInTheFirstLineAreRefused) {
  EXPECT_TRUE(
      starts_with(error("1,2x\n3,4\n"), "f.csv:1: column 2 holds '2x' and column 1 '1', expected a line of numbers or a header of names"));
  EXPECT_TRUE(starts_with(error("5.1,setosa\n4.9,virginica\n"), "f.csv:1: "));
  EXPECT_EQ(csv("0,1,target\n7,8,a\n", {.label = "target"}).X.rows(), 1u);  // the label's name says that it is a header
}

}  // namespace
}  // namespace askrff::test
