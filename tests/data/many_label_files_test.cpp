// Labels of several files: in a file for each of them, or in one for all.
#include <gtest/gtest.h>

#include <cstdint>

#include "data/pattern_files.hpp"

namespace askrff::test {
namespace {

class ManyLabelFiles : public ManyFiles {};

TEST_F(ManyLabelFiles, LabelFilesForEach) {
  write("all.svm", libsvm_rows(0, 9));
  write("all.txt", "a\nb\nc\nd\ne\nf\ng\nh\ni\n");
  write("x-1.svm", libsvm_rows(0, 4));
  write("x-2.svm", "");
  write("x-3.svm", libsvm_rows(4, 9));
  write("y-1.txt", "a\nb\nc\nd\n");
  write("y-2.txt", "");
  write("y-3.txt", "e\nf\ng\nh\ni\n");
  const Dataset expected = read_data(path("all.svm"), {.label_file = path("all.txt")});
  const Dataset data = read_data(path("x-*.svm"), {.label_file = path("y-*.txt")});
  EXPECT_EQ(elements(data.X), elements(expected.X));
  EXPECT_EQ(data.labels, expected.labels);
  DataStream stream(path("x-*.svm"), {.label_file = path("y-*.txt")});
  EXPECT_TRUE(stream.has_labels());
  for (const std::size_t block_rows : {1, 3, 100}) {
    EXPECT_EQ(gathered(stream, block_rows).labels, expected.labels);
    stream.rewind();
  }
}

TEST_F(ManyLabelFiles, NpyLabelsForEach) {
  write("x-1.npy", npy_rows(0, 2));
  write("x-2.npy", npy_rows(0, 0));
  write("x-3.npy", npy_rows(2, 5));
  write("y-1.npy", with_header(header("<f4", "(2,)"), bytes_of<float>({0.1F, 2})));
  write("y-2.npy", with_header(header("<i8", "(0,)"), ""));
  write("y-3.npy", with_header(header("<i8", "(3,)"), bytes_of<std::int64_t>({3, 4, 5})));
  const ReadOptions options{.label_file = path("y-*.npy")};
  EXPECT_EQ(read_data(path("x-*.npy"), options).labels, (Names{"0.1", "2", "3", "4", "5"}));
  DataStream stream(path("x-*.npy"), options);
  EXPECT_EQ(gathered(stream, 3).label_numbers, (Values{0.1, 2, 3, 4, 5}));
}

TEST_F(ManyLabelFiles, OneLabelFileForAll) {
  write("x-1.csv", "1\n2\n");
  write("x-2.csv", "3\n");
  write("y.txt", "a\nb\nc\n");
  EXPECT_EQ(read_data(path("x-*.csv"), {.label_file = path("y.txt")}).labels, (Names{"a", "b", "c"}));
  EXPECT_EQ(read_data(path("x-*.csv"), {.label_file = path("y*.txt")}).labels, (Names{"a", "b", "c"}));
  write("y.txt", "a\nb\n");
  EXPECT_EQ(error_of_all("x-*.csv", {.label_file = "y.txt"}), "y.txt: the labels end after 2, but x-*.csv has more rows");
  write("y.txt", "a\nb\nc\nd\n");
  EXPECT_EQ(error_of_all("x-*.csv", {.label_file = "y.txt"}), "y.txt: more labels follow the first 3, but x-*.csv has only so many rows");
}

TEST_F(ManyLabelFiles, LabelFilesThatDoNotFit) {
  write("x-1.csv", "1\n2\n");
  write("x-2.csv", "3\n");
  write("x-3.csv", "");
  write("y-1.txt", "a\nb\n");
  write("y-2.txt", "c\n");
  EXPECT_EQ(error_of_all("x-*.csv", {.label_file = "y-*.txt"}),
            "y-*.txt: 2 files match, but 3 of x-*.csv; expected as many, or one file with the labels of all rows");
  write("y-3.txt", "d\n");
  EXPECT_EQ(error_of_all("x-*.csv", {.label_file = "y-*.txt"}), "y-3.txt: there are labels, but x-3.csv has no rows");
  write("y-1.txt", "a\n");  // as many in all
  EXPECT_EQ(error_of_all("x-*.csv", {.label_file = "y-*.txt"}), "y-1.txt: the labels end after 1, but x-1.csv has more rows");
  write("y-1.txt", "a\nb\nc\n");
  EXPECT_EQ(error_of_all("x-*.csv", {.label_file = "y-*.txt"}),
            "y-1.txt: more labels follow the first 2, but x-1.csv has only so many rows");
  write("y-1.txt", "a\nNA\n");
  EXPECT_EQ(error_of_all("x-*.csv", {.label_file = "y-*.txt"}), "y-1.txt:2: 'NA' is a missing value, expected a label");
  EXPECT_EQ(error_of_all("x-1.csv", {.label_file = "y-*.txt"}),
            "y-*.txt: 3 files match, but 1 of x-1.csv; expected as many, or one file with the labels of all rows");
}

/// Whatever the blocks: the third row is in the first block, or begins one.
TEST_F(ManyLabelFiles, LabelsAreTextOrNumbers) {
  write("x-1.csv", "1\n2\n");
  write("x-2.csv", "3\n");
  write("y-1", "a\nb\n");
  write("y-2", with_header(header("<i8", "(1,)"), bytes_of<std::int64_t>({3})));
  const auto refusal = [&](std::size_t block_rows) {
    return shortened(message_of<DataError>([&] {
      DataStream stream(path("x-*.csv"), {.label_file = path("y-*")});
      gathered(stream, block_rows);
    }));
  };
  for (const std::size_t block_rows : {1, 2, 3})
    EXPECT_EQ(refusal(block_rows), "y-2: the labels are an NPY array, expected text as in y-1");
  write("y-0", with_header(header("<i8", "(2,)"), bytes_of<std::int64_t>({3, 4})));
  write("y-1", "a\n");
  std::filesystem::remove(path("y-2"));
  for (const std::size_t block_rows : {1, 2, 3})
    EXPECT_EQ(refusal(block_rows), "y-1: the labels are text, expected an NPY array as in y-0");
}

TEST_F(ManyLabelFiles, LabelColumnAndFile) {
  write("x-1.csv", "a,b\n1,2\n");
  write("x-2.csv", "a,b\n3,4\n");
  write("y.txt", "a\nb\n");
  EXPECT_EQ(error_of_all("x-*.csv", {.label = "a", .label_file = "y.txt"}),
            "x-1.csv: a label column and a label file were asked for, expected one of them");
}

}  // namespace
}  // namespace askrff::test
