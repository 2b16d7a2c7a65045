// NPY arrays block by block, and labels beside the data.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numeric>

#include "askrff/data.hpp"
#include "data/compressed.hpp"
#include "data/npy_files.hpp"
#include "io/temporary_files.hpp"

namespace askrff::test {
namespace {

using Names = std::vector<std::string>;
using Values = std::vector<double>;

struct Rows {
  Values values, numbers;
  Names labels;
};

Rows all_of(DataStream& stream, std::size_t block_rows) {
  Rows rows;
  RowBlock block;
  while (stream.next(block, block_rows)) {
    rows.values.insert(rows.values.end(), block.X.dense().data(), block.X.dense().data() + block.X.rows() * block.X.cols());
    rows.numbers.insert(rows.numbers.end(), block.label_numbers.begin(), block.label_numbers.end());
    rows.labels.insert(rows.labels.end(), block.labels.begin(), block.labels.end());
  }
  return rows;
}

class NpyStream : public TemporaryFiles {
 protected:
  void check(const std::string& source, const Values& expected, const std::vector<std::size_t>& blocks, const ReadOptions& given = {}) {
    for (const std::size_t n_threads : {1, 2, 5}) {
      ReadOptions options = given;
      options.execution.n_threads = n_threads;
      EXPECT_EQ(elements(read_data(source, options).X), expected);
      DataStream stream(source, options);
      for (const std::size_t block : blocks) {
        EXPECT_EQ(all_of(stream, block).values, expected) << block;
        stream.rewind();
      }
    }
  }
  std::string stream_error(const std::string& name, const std::string& content, const ReadOptions& options = {}) const {
    try {
      DataStream stream(write(name, content), options);
      all_of(stream, 2);
    } catch (const DataError& error) {
      return std::string(error.what()).substr(folder().string().size() + 1);
    }
    return "accepted";
  }
};

/// 300000 × 9 doubles are 21.6 MB, more than one window; rows do not end where windows do.
TEST_F(NpyStream, WindowsAndBlocks) {
  constexpr std::size_t rows = 300000, cols = 9;
  Values values(rows * cols), by_column(rows * cols);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<double>(k) * 0.25;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < cols; ++j) by_column[j * rows + i] = values[i * cols + j];
  check(write("c.npy", with_header(header("<f8", "(300000, 9)"), bytes_of(values))), values, {7777, 8192, 290000});
  check(write("big.npy", with_header(header(">f8", "(300000, 9)"), bytes_of(values, true))), values, {8192});
  check(write("f.npy", with_header(header("<f8", "(300000, 9)", true), bytes_of(by_column))), values, {8192, 290000});
}

TEST_F(NpyStream, SmallBlocksOfEveryOrder) {
  std::vector<float> values(21), by_column(21);
  std::iota(values.begin(), values.end(), 1.5f);
  for (std::size_t i = 0; i < 7; ++i)
    for (std::size_t j = 0; j < 3; ++j) by_column[j * 7 + i] = values[i * 3 + j];
  const Values expected(values.begin(), values.end());
  const std::string c = with_header(header("<f4", "(7, 3)"), bytes_of(values)),
                    f = with_header(header(">f4", "(7, 3)", true), bytes_of(by_column, true));
  check(write("c.npy", c), expected, {1, 2, 7, 100});
  check(write("f.npy", f), expected, {1, 2, 7, 100});
  check(write("c.npy.gz", compressed(c, "gz")), expected, {1, 2, 100});
  check(write("f.npy.xz", compressed(f, "xz")), expected, {1, 2, 100});
}

TEST_F(NpyStream, LabelColumn) {
  const std::string c = with_header(header("<f8", "(3, 3)"), bytes_of<double>({1, -1, 2, 3, 0.5, 4, 5, 1, 6})),
                    f = with_header(header("<f8", "(3, 3)", true), bytes_of<double>({1, 3, 5, -1, 0.5, 1, 2, 4, 6}));
  for (const std::string& content : {c, f, compressed(c, "gz"), compressed(f, "zst")}) {
    write("x.npy", content);
    const ReadOptions options{.label = "2"};
    const Dataset data = read_data(path("x.npy"), options);
    EXPECT_EQ(elements(data.X), (Values{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(data.labels, (Names{"-1", "0.5", "1"}));
    DataStream stream(path("x.npy"), options);
    EXPECT_TRUE(stream.has_labels());
    EXPECT_EQ(stream.n_columns(), 2u);
    const Rows rows = all_of(stream, 2);
    EXPECT_EQ(rows.values, elements(data.X));
    EXPECT_EQ(rows.numbers, (Values{-1, 0.5, 1}));
    EXPECT_TRUE(rows.labels.empty());
  }
  for (const char* column : {"1", "3"}) EXPECT_EQ(read_data(write("x.npy", c), {.label = column}).X.cols(), 2u);
  for (const char* column : {"0", "4", "a", "-1"})
    EXPECT_TRUE(contains(stream_error("x.npy", c, {.label = column}), "expected a number from 1 to 3")) << column;
  EXPECT_EQ(stream_error("x.npy", with_header(header("<f8", "(2,)"), bytes_of<double>({1, 2})), {.label = "1"}),
            "x.npy: no columns beside the labels, expected at least one");
  EXPECT_EQ(stream_error("x.npy", with_header(header("<f8", "(1, 2)"), bytes_of<double>({1, std::nan("")})), {.label = "2"}),
            "x.npy: row 1, column 2 is nan, expected a finite number");
}

TEST_F(NpyStream, Damaged) {
  const std::string data = bytes_of<double>({1, 2, 3, 4, 5, 6});
  for (const bool fortran : {false, true}) {
    const std::string good = with_header(header("<f8", "(3, 2)", fortran), data);
    EXPECT_EQ(stream_error("x.npy", good), "accepted");
    for (const std::size_t missing : {1, 8, 9, 47}) {
      const std::string expected = "x.npy: the data end after " + std::to_string((48 - missing) / 8) + " elements, expected 6";
      EXPECT_TRUE(starts_with(stream_error("x.npy", good.substr(0, good.size() - missing)), expected));
      EXPECT_TRUE(starts_with(stream_error("x.npy", compressed(good.substr(0, good.size() - missing), "gz")), expected));
    }
    EXPECT_TRUE(starts_with(stream_error("x.npy", good + "x"), "x.npy: more bytes follow"));
    EXPECT_TRUE(starts_with(stream_error("x.npy", compressed(good + "x", "gz")), "x.npy: more bytes follow"));
  }
  EXPECT_EQ(stream_error("x.npy", with_header(header("<f8", "(9000000000000000000, 1)"), data)),
            "x.npy: an NPY array of shape (9000000000000000000, 1), which no file can hold");
  EXPECT_EQ(stream_error("x.npy", with_header(header("<f8", "(1, 20000000)"), data)),
            "x.npy: an NPY array of 20000000 columns, expected at most 10000000");
}

/// A file that is cut while it is read is refused, wherever the cut is: also inside what one look at the file would have covered.
TEST_F(NpyStream, CutWhileItIsRead) {
  const Values values(5000000);
  for (const std::string shape : {"(5000000, 1)", "(2500000, 2)"})
    for (const bool fortran : {false, true})
      for (const std::uintmax_t bytes : {std::uintmax_t{1} << 20, std::uintmax_t{20} << 20}) {
        write("x.npy", with_header(header("<f8", shape, fortran), bytes_of(values)));
        DataStream stream(path("x.npy"));
        RowBlock block;
        ASSERT_TRUE(stream.next(block));
        std::filesystem::resize_file(path("x.npy"), bytes);
        EXPECT_TRUE(contains(message_of<DataError>([&] { all_of(stream, 8192); }), "expected 5000000 as the NPY header says"));
      }
}

class LabelFile : public NpyStream {};

TEST_F(LabelFile, Text) {
  const std::string labels = write("y.txt", "\xEF\xBB\xBF cat\r\n2\n two words \n");
  const Names expected{"cat", "2", "two words"};
  for (const std::string& source :
       {write("x.csv", "1\n2\n3\n"), write("x.libsvm", "7 1:1\n8 1:2\n9 1:3\n"),
        write("x.npy", with_header(header("<f8", "(3,)"), bytes_of<double>({1, 2, 3}))), std::string("builtin:moons:3")}) {
    EXPECT_EQ(read_data(source, {.label_file = labels}).labels, expected) << source;
    for (const std::size_t block : {1, 2, 3, 4}) {
      DataStream stream(source, {.label_file = labels});
      EXPECT_TRUE(stream.has_labels());
      EXPECT_EQ(all_of(stream, block).labels, expected);
      stream.rewind();
      EXPECT_EQ(all_of(stream, block).labels, expected);
    }
  }
}

TEST_F(LabelFile, Npy) {
  const std::string source = write("x.csv", "1\n2\n3\n");
  for (const std::string shape : {"(3,)", "(3, 1)"}) {
    const std::string labels = write("y.npy", with_header(header("<i4", shape), bytes_of<std::int32_t>({-1, 1, 10})));
    EXPECT_EQ(read_data(source, {.label_file = labels}).labels, (Names{"-1", "1", "10"}));
    DataStream stream(source, {.label_file = labels});
    EXPECT_EQ(all_of(stream, 2).numbers, (Values{-1, 1, 10}));
  }
  const std::string two = write("y.npy", with_header(header("<f8", "(3, 2)"), bytes_of<double>({1, 2, 3, 4, 5, 6})));
  EXPECT_TRUE(
      contains(stream_error("x.csv", "1\n2\n3\n", {.label_file = two}), "y.npy: an NPY array of 2 columns, expected one column of labels"));
}

TEST_F(LabelFile, AsManyAsRows) {
  const std::string rows = "1\n2\n3\n";
  const auto both = [&](const std::string& labels) {
    const std::string message = error_of("x.csv", rows, {.label_file = write("y", labels)});
    EXPECT_TRUE(contains(message, stream_error("x.csv", rows, {.label_file = path("y")}).substr(0, 20))) << message;
    return message;
  };
  EXPECT_EQ(both("a\nb\n"), "y: the labels end after 2, but x.csv has more rows");
  EXPECT_EQ(both("a\nb\nc\nd\n"), "y: more labels follow the first 3, but x.csv has only so many rows");
  EXPECT_EQ(both("a\n\nc\n"), "y:2: the line is blank, expected a label");
  EXPECT_EQ(both(""), "y: the labels end after 0, but x.csv has more rows");
  EXPECT_EQ(both("a\nb\nc"), "accepted");
  const std::string numbers = with_header(header("<f8", "(2,)"), bytes_of<double>({1, 2}));
  EXPECT_EQ(both(numbers), "y: the labels end after 2, but x.csv has more rows");
}

TEST_F(LabelFile, Refused) {
  const std::string labels = write("y", "a\n");
  EXPECT_EQ(error_of("x.csv", "1,2\n", {.label = "1", .label_file = labels}),
            "x.csv: a label column and a label file were asked for, expected one of them");
  EXPECT_TRUE(contains(error_of("x.csv", "1\n", {.label_file = path("none")}), "cannot read '"));
}

TEST_F(NpyStream, LabelsAreTheNumbersThatWereMeant) {
  const std::string floats = write("f.npy", with_header(header("<f4", "(3,)"), bytes_of<float>({0.1F, -2.5F, 1e-7F})));
  const Names expected = {"0.1", "-2.5", "1e-07"};
  EXPECT_EQ(read_data("builtin:uniform:2:3", {.label_file = floats}).labels, expected);
  DataStream stream("builtin:uniform:2:3", {.label_file = floats});
  EXPECT_EQ(all_of(stream, 2).numbers, (Values{0.1, -2.5, 1e-7}));
  const std::string column = write("c.npy", with_header(header("<f4", "(2, 2)"), bytes_of<float>({0.1F, 0.3F, 0.2F, 0.7F})));
  const Dataset data = read_data(column, {.label = "2"});
  EXPECT_EQ(data.labels, (Names{"0.3", "0.7"}));
  EXPECT_EQ(data.X(0, 0), static_cast<double>(0.1F));  // data are what they are
  const std::string shared = write("w.npy", with_header(header("<u8", "(2,)"), bytes_of<std::uint64_t>({1, (1ULL << 53) + 1})));
  EXPECT_TRUE(contains(message_of<DataError>([&] { read_data("builtin:uniform:2:2", {.label_file = shared}); }), "row 2"));
}

TEST_F(NpyStream, WhatCanBeReadAgainIsKnownBeforeItIsOpened) {
  const std::string file = write("x.csv", "1\n2\n"), labels = write("y.txt", "1\n2\n"), pipe = path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);  // to open it would wait for ever
  EXPECT_TRUE(DataStream::can_read_again(file));
  EXPECT_TRUE(DataStream::can_read_again("builtin:moons", {.label_file = labels}));
  EXPECT_FALSE(DataStream::can_read_again("-"));
  EXPECT_FALSE(DataStream::can_read_again(pipe));
  EXPECT_FALSE(DataStream::can_read_again(file, {.label_file = pipe}));
}

}  // namespace
}  // namespace askrff::test
