// The files of a pattern are read as if they were one; those that do not go together are refused.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <thread>

#include "data/compressed.hpp"
#include "data/pattern_files.hpp"

namespace askrff::test {
namespace {

// --- the same rows as one file ---------------------------------------------------------------------------------------------

TEST_F(ManyFiles, Csv) {
  write("all.csv", "a,kind,b\n" + csv_rows(0, 500));
  write("part-1.csv", "a,kind,b\n" + csv_rows(0, 7));
  write("part-2.csv", "\xEF\xBB\xBF\"a\", kind ,b\r\n" + csv_rows(7, 300));
  write("part-3.csv", "a,kind,b\n" + csv_rows(300, 499) + "499,k1,71.285714");
  expect_same_as_one("part-*.csv", "all.csv", {.label = "kind"});
  expect_same_as_one("part-*.csv", "all.csv", {.label = "2"});
  write("all", csv_rows(0, 20));
  write("rows-1", csv_rows(0, 7));
  write("rows-2", csv_rows(7, 20));
  expect_same_as_one("rows-*", "all", {.format = DataFormat::csv, .label = "2"});
}

/// Several rounds of pieces in every file.
TEST_F(ManyFiles, LargeFiles) {
  constexpr std::size_t n_rows = 300000;
  write("all.csv", csv_rows(0, n_rows));
  for (std::size_t k = 0; k < 3; ++k) write("part-" + std::to_string(k), csv_rows(k * n_rows / 3, (k + 1) * n_rows / 3));
  ASSERT_GT(std::filesystem::file_size(path("part-0")), std::uintmax_t{1} << 20);
  const ReadOptions options{.label = "2", .execution = {.n_threads = 2}};
  const Dataset expected = read_data(path("all.csv"), options), data = read_data(path("part-*"), options);
  EXPECT_EQ(elements(data.X), elements(expected.X));
  EXPECT_EQ(data.labels, expected.labels);
}

TEST_F(ManyFiles, Libsvm) {
  write("all.svm", libsvm_rows(0, 200));
  write("part-1.svm", libsvm_rows(0, 3));  // narrow
  write("part-2.svm", libsvm_rows(3, 120));
  write("part-3.svm", libsvm_rows(120, 200));
  expect_same_as_one("part-*.svm", "all.svm");
  expect_same_as_one("part-*.svm", "all.svm", {.n_columns = 60});
  expect_same_as_one("part-*.svm", "all.svm", {.libsvm_columns = 60});
  write("all.svm", "1\n2 3:1\n");
  write("zero-1.svm", "1\n");
  write("zero-2.svm", "2 3:1\n");
  expect_same_as_one("zero-*.svm", "all.svm");
}

TEST_F(ManyFiles, Npy) {
  write("all.npy", npy_rows(0, 100));
  write("part-1.npy", npy_rows(0, 9));
  write("part-2.npy", npy_rows(9, 60, true));
  write("part-3.npy", npy_rows(60, 61));
  write("part-4.npy", npy_rows(61, 100));
  expect_same_as_one("part-*.npy", "all.npy");
  expect_same_as_one("part-*.npy", "all.npy", {.label = "2"});
}

TEST_F(ManyFiles, Compressed) {
  const Names endings = compressions();
  for (std::size_t k = 0; k < endings.size(); ++k) {
    const std::string name = std::to_string(k) + "." + endings[k];
    write("part-" + name, compressed(npy_rows(10 * k, 10 * k + 10, k == 1), endings[k]));
    write("rows-" + name, compressed(csv_rows(10 * k, 10 * k + 10), endings[k]));
    write("lines-" + name, compressed(libsvm_rows(10 * k, 10 * k + 10), endings[k]));
  }
  write("all.npy", npy_rows(0, 10 * endings.size()));
  write("all.csv", csv_rows(0, 10 * endings.size()));
  write("all.svm", libsvm_rows(0, 10 * endings.size()));
  expect_same_as_one("part-*", "all.npy", {.label = "1"});
  expect_same_as_one("rows-*", "all.csv", {.label = "2"});
  expect_same_as_one("lines-*", "all.svm");
}

TEST_F(ManyFiles, OneMatchIsThatFile) {
  write("part-1.csv", "1,2\n3,x\n");
  EXPECT_EQ(error_of_all("part-*.csv"), "part-1.csv:2: column 2: 'x' is not a number, expected a finite number");
  write("part-1.csv", "1,2\n3,4\n");
  EXPECT_EQ(open_data(path("part-*.csv")).name(), path("part-1.csv"));
  expect_same_as_one("part-*.csv", "part-1.csv");
}

TEST_F(ManyFiles, TheNameIsThePattern) {
  for (const char* name : {"part-1.csv", "part-2.csv"}) write(name, "1,2\n");
  EXPECT_EQ(open_data(path("part-*.csv")).name(), path("part-*.csv"));
}

TEST_F(ManyFiles, Summaries) {
  write("all.csv", "a,kind,b\n" + csv_rows(0, 50));
  write("part-1.csv", "a,kind,b\n" + csv_rows(0, 20));
  write("part-2.csv", "a,kind,b\n" + csv_rows(20, 50));
  DataStream one(path("all.csv"), {.label = "kind"}), many(path("part-*.csv"), {.label = "kind"});
  const DataSummary a = summarise(one), b = summarise(many);
  EXPECT_EQ(a.n_rows, b.n_rows);
  EXPECT_EQ(a.column_names, b.column_names);
  EXPECT_EQ(a.columns[1].mean, b.columns[1].mean);
  EXPECT_EQ(a.classes.size(), b.classes.size());
}

TEST_F(ManyFiles, ProgressIsOfAllFiles) {
  for (const char* name : {"part-1.svm", "part-2.svm", "part-3.svm"}) write(name, libsvm_rows(0, 40000));
  Values parts;
  const ReadOptions options{.n_columns = 60,
                            .execution = {.n_threads = 1, .progress = [&](const Progress& p) { parts.push_back(p.done); }}};
  read_data(path("part-*.svm"), options);
  ASSERT_GE(parts.size(), 3u);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  EXPECT_LE(parts.front(), 1.0 / 3);
  EXPECT_EQ(parts.back(), 1.0);
}

// --- files that do not go together -----------------------------------------------------------------------------------------

TEST_F(ManyFiles, OtherColumns) {
  write("part-1.csv", "a,b\n1,2\n");
  write("part-2.csv", "a,b,c\n1,2,3\n");
  EXPECT_EQ(error_of_all("part-*.csv"), "part-2.csv: 3 columns, expected 2 as in part-1.csv");
  write("part-2.csv", "a\n1\n");
  EXPECT_EQ(error_of_all("part-*.csv"), "part-2.csv: 1 column, expected 2 as in part-1.csv");
  write("part-2.csv", "a,x\n1,2\n");
  EXPECT_EQ(error_of_all("part-*.csv"), "part-2.csv: column 2 of the data is called 'x', expected 'b' as in part-1.csv");
  write("part-2.csv", "b,a\n1,2\n");
  EXPECT_EQ(error_of_all("part-*.csv"), "part-2.csv: column 1 of the data is called 'b', expected 'a' as in part-1.csv");
  write("part-2.csv", "1,2\n");  // as `split` leaves it
  EXPECT_EQ(error_of_all("part-*.csv"), "part-2.csv: the file has no header, expected one as in part-1.csv");
  write("part-1.csv", "1,2\n");
  write("part-2.csv", "a,b\n1,2\n");
  EXPECT_EQ(error_of_all("part-*.csv"), "part-2.csv: the file has a header, expected none as in part-1.csv");
  write("part-1.npy", npy_rows(0, 2));
  write("part-2.npy", with_header(header("<f8", "(1, 3)"), bytes_of<double>({1, 2, 3})));
  EXPECT_EQ(error_of_all("part-*.npy"), "part-2.npy: 3 columns, expected 2 as in part-1.npy");
}

TEST_F(ManyFiles, ColumnsAsked) {
  write("part-1.csv", "1,2\n");
  write("part-2.csv", "1,2\n");
  EXPECT_EQ(error_of_all("part-*.csv", {.n_columns = 3}), "part-1.csv: the data have 2 columns, expected 3 as asked for");
  EXPECT_TRUE(starts_with(error_of_all("part-*.csv", {.label = "kind"}), "part-1.csv: there is no label column 'kind'"));
  write("rows-1.csv", "a,kind\n1,2\n");
  write("rows-2.csv", "a,sort\n1,2\n");
  EXPECT_TRUE(starts_with(error_of_all("rows-*.csv", {.label = "kind"}), "rows-2.csv: there is no label column 'kind'"));
  write("part-1.svm", "1 1:1\n");
  write("part-2.svm", "1 9:1\n");
  EXPECT_EQ(error_of_all("part-*.svm", {.n_columns = 3}), "part-2.svm:1: '9' is beyond the last column, expected indices up to 3");
}

TEST_F(ManyFiles, OtherFormats) {
  write("part-1.csv", "1,2\n");
  write("part-2.npy", npy_rows(0, 2));
  EXPECT_EQ(error_of_all("part-*"), "part-2.npy: the format is npy, expected csv as of part-1.csv");
  write("part-0.svm", "1 2:1\n");
  EXPECT_EQ(error_of_all("part-*"), "part-1.csv: the format is csv, expected libsvm as of part-0.svm");
}

TEST_F(ManyFiles, ErrorsNameTheFileAndItsLine) {
  write("part-1.csv", "a,b\n1,2\n3,4\n");
  write("part-2.csv", "a,b\n1,2\n3,NA\n");
  write("part-3.csv", "a,b\nx,2\n");
  EXPECT_EQ(error_of_all("part-*.csv"), "part-2.csv:3: column 2 ('b'): 'NA' is a missing value, expected a finite number");
  write("part-1.svm", "1 1:1\n");
  write("part-2.svm", "1 1:1\n1 2:1 1:1\n");
  EXPECT_EQ(error_of_all("part-*.svm"), "part-2.svm:2: '1' follows index 2, expected increasing indices");
  write("part-1.npy", npy_rows(0, 3));
  write("part-2.npy", with_header(header("<f8", "(2, 2)"), bytes_of<double>({1, 2, 3, std::numeric_limits<double>::infinity()})));
  EXPECT_EQ(error_of_all("part-*.npy"), "part-2.npy: row 2, column 2 is inf, expected a finite number");
  write("part-2.npy", npy_rows(0, 3).substr(0, 100));
  EXPECT_TRUE(starts_with(error_of_all("part-*.npy"), "part-2.npy: "));
  write("part-2.npy", "");
  EXPECT_TRUE(contains(error_of_all("part-*.npy"), "part-2.npy: does not start with the NPY magic bytes"));
}

TEST_F(ManyFiles, TheMemoryIsThatOfAllRows) {
  for (int k = 0; k < 10; ++k) write("part-" + std::to_string(k) + ".npy", npy_rows(0, 100));
  EXPECT_EQ(shortened(message_of<DataError>([&] { read_data(path("part-*.npy"), {.max_bytes = 10000}); })),
            "part-*.npy: the first 1000 rows need 15.62 KiB of memory, the limit is 9.766 KiB");
  EXPECT_EQ(read_data(path("part-*.npy"), {.max_bytes = 16000}).X.rows(), 1000u);
  DataStream stream(path("part-*.npy"), {.max_bytes = 10000});
  EXPECT_EQ(gathered(stream, 8192).values.size(), 2000u);
}

// --- files without rows ----------------------------------------------------------------------------------------------------

TEST_F(ManyFiles, FilesWithoutRowsAddNothing) {
  write("all.csv", "a,kind,b\n" + csv_rows(0, 20));
  write("part-0.csv", "");
  write("part-1.csv", "a,kind,b\n");
  write("part-2.csv", "a,kind,b\n" + csv_rows(0, 7));
  write("part-3.csv", "a,kind,b");
  write("part-4.csv.gz", compressed("", "gz"));
  write("part-5.csv", "a,kind,b\n" + csv_rows(7, 20));
  write("part-6.csv", "a,kind,b\n\n");
  expect_same_as_one("part-*", "all.csv", {.label = "kind"});
  write("all.npy", npy_rows(0, 20));
  write("part-0.npy", npy_rows(0, 0));
  write("part-1.npy", npy_rows(0, 20));
  write("part-2.npy", npy_rows(0, 0, true));
  write("part-3.npy", compressed(npy_rows(0, 0), "xz"));
  expect_same_as_one("part-*.npy", "all.npy", {.label = "2"});
  write("all.svm", libsvm_rows(0, 20));
  write("part-0.svm", "");
  write("part-1.svm", libsvm_rows(0, 20));
  write("part-2.svm", "# nothing\n");
  write("part-3.svm", "");
  expect_same_as_one("part-*.svm", "all.svm");
  expect_same_as_one("part-*.svm", "all.svm", {.n_columns = 60});
}

TEST_F(ManyFiles, FilesWithoutRowsHaveTheSameColumns) {
  write("part-1.csv", "a,b\n1,2\n");
  write("part-2.csv", "a,c\n");
  EXPECT_EQ(error_of_all("part-*.csv"), "part-2.csv: column 2 of the data is called 'c', expected 'b' as in part-1.csv");
  write("part-1.npy", npy_rows(0, 2));
  write("part-2.npy", compressed(npy_rows(0, 0) + "x", "gz"));
  EXPECT_TRUE(starts_with(error_of_all("part-*.npy"), "part-2.npy: more bytes follow the data"));
}

TEST_F(ManyFiles, NoRowsAtAll) {
  for (const char* name : {"part-1.csv", "part-2.csv"}) write(name, "a,b\n");
  EXPECT_EQ(error_of_all("part-*.csv"), "part-*.csv: no rows in any of 2 files, expected at least one");
  for (const char* name : {"part-1.csv", "part-2.csv"}) write(name, "");
  EXPECT_EQ(error_of_all("part-*.csv"), "part-*.csv: no rows in any of 2 files, expected at least one");
  for (const char* name : {"part-1.npy", "part-2.npy"}) write(name, npy_rows(0, 0));
  EXPECT_EQ(error_of_all("part-*.npy"), "part-*.npy: no rows in any of 2 files, expected at least one");
  for (const char* name : {"part-1.svm", "part-2.svm"}) write(name, "# nothing\n");
  EXPECT_EQ(error_of_all("part-*.svm"), "part-*.svm: no rows, expected lines of 'label index:value …'");
  EXPECT_EQ(error_of_all("part-*.svm", {.n_columns = 2}), "part-*.svm: no rows in any of 2 files, expected at least one");
  for (const char* name : {"part-1.svm", "part-2.svm"}) write(name, "1\n");
  EXPECT_EQ(error_of_all("part-*.svm"), "part-*.svm: 2 rows without a single index:value, expected at least one column");
}

// --- file by file -----------------------------------------------------------------------------------------------------------

TEST_F(ManyFiles, BlocksThatEndWithTheirFile) {
  write("all.csv", csv_rows(0, 30));
  write("part-1", "");
  write("part-2", csv_rows(0, 10));
  write("part-3", "");
  write("part-4", csv_rows(10, 30));
  write("part-5", "");
  DataStream one(path("all.csv"), {.label = "2"});
  const Gathered expected = gathered(one, 8);
  for (const std::size_t block_rows : {4, 7, 10, 8192}) {
    DataStream stream(path("part-*"), {.label = "2", .file_by_file = true});
    EXPECT_EQ(stream.part_names(), data_files(path("part-*")));
    const Gathered found = gathered(stream, block_rows);
    EXPECT_EQ(found.values, expected.values);
    EXPECT_EQ(found.labels, expected.labels);
    stream.rewind();
    std::vector<std::size_t> n_of_part(5);
    for (RowBlock block; stream.next(block, block_rows);) n_of_part[stream.part()] += block.X.rows();
    EXPECT_EQ(n_of_part, (std::vector<std::size_t>{0, 10, 0, 20, 0}));
  }
  DataStream as_one(path("part-*"), {.label = "2"});
  EXPECT_EQ(as_one.part_names(), std::vector<std::string>{path("part-*")});
  RowBlock block;
  ASSERT_TRUE(as_one.next(block, 8192));
  EXPECT_EQ(block.X.rows(), 30u);
}

TEST_F(ManyFiles, WhetherAFileHasRows) {
  write("none.csv", "");
  write("header.csv", "a,b\n");
  write("rows.csv", "a,b\n1,2\n");
  write("none.svm", "");
  write("comment.svm", "# nothing\n");
  write("rows.svm", "1 1:2\n");
  EXPECT_FALSE(has_rows(path("none.csv"), {.label = "b"}));
  EXPECT_FALSE(has_rows(path("header.csv"), {.label = "b"}));
  EXPECT_TRUE(has_rows(path("rows.csv"), {.label = "b"}));
  EXPECT_FALSE(has_rows(path("none.svm"), {.libsvm_columns = 3}));
  EXPECT_FALSE(has_rows(path("comment.svm"), {.libsvm_columns = 3}));
  EXPECT_TRUE(has_rows(path("rows.svm"), {.libsvm_columns = 3}));
  EXPECT_TRUE(has_rows("builtin:moons"));
  EXPECT_THROW(has_rows(path("absent.csv")), DataError);
  EXPECT_THROW(has_rows(path("rows.csv"), {.label = "c"}), DataError);
}

// --- several passes --------------------------------------------------------------------------------------------------------

TEST_F(ManyFiles, RewindInTheMiddle) {
  write("all.csv", csv_rows(0, 30));
  write("part-1", csv_rows(0, 10));
  write("part-2", csv_rows(10, 30));
  DataStream stream(path("part-*"), {.label = "2"}), one(path("all.csv"), {.label = "2"});
  const Gathered expected = gathered(one, 8);
  RowBlock block;
  for (const std::size_t n_blocks : {1, 2, 3}) {
    for (std::size_t i = 0; i < n_blocks; ++i) ASSERT_TRUE(stream.next(block, 8));
    stream.rewind();
    EXPECT_EQ(gathered(stream, 8), expected);
    EXPECT_FALSE(stream.next(block, 8));
    stream.rewind();
  }
}

TEST_F(ManyFiles, FilesThatChangeBetweenPasses) {
  const std::string changed = ": the file has changed while it was in use, expected the same rows every time it is read";
  const auto second_pass = [&](const std::function<void()>& change) {
    for (const char* name : {"part-1.csv", "part-2.csv", "part-3.csv"}) write(name, csv_rows(0, 10));
    DataStream stream(path("part-[0-9].csv"), {.label = "2"});
    const Gathered first = gathered(stream, 4);
    change();
    return shortened(message_of<DataError>([&] {
      stream.rewind();
      EXPECT_EQ(gathered(stream, 4), first);
    }));
  };
  EXPECT_EQ(second_pass([] {}), "accepted");
  EXPECT_EQ(second_pass([&] { write("part-2.csv", csv_rows(0, 11)); }), "part-2.csv" + changed);
  EXPECT_EQ(second_pass([&] { std::filesystem::remove(path("part-3.csv")); }), "part-3.csv" + changed);
  EXPECT_EQ(second_pass([&] { write("part-4.csv", csv_rows(0, 11)); }), "accepted");  // it was not there when the files were found
}

/// In the middle of a pass: the file that is to come next is gone.
TEST_F(ManyFiles, FilesThatVanishInTheFirstPass) {
  for (const char* name : {"part-1.csv", "part-2.csv"}) write(name, csv_rows(0, 10));
  DataStream stream(path("part-*"), {.label = "2"});
  RowBlock block;
  ASSERT_TRUE(stream.next(block, 4));
  std::filesystem::remove(path("part-2.csv"));
  EXPECT_EQ(shortened(message_of<DataError>([&] { gathered(stream, 100); })), "cannot read 'part-2.csv': No such file or directory");
}

TEST_F(ManyFiles, PipesAmongThemAreReadOnce) {
  write("part-1", "1,2\n");
  ASSERT_EQ(::mkfifo(path("part-2").c_str(), 0600), 0);
  EXPECT_FALSE(DataStream::can_read_again(path("part-*")));
  std::thread writer([&] { std::ofstream(path("part-2")) << "3,4\n"; });
  DataStream stream(path("part-*"));
  EXPECT_FALSE(stream.can_rewind());
  EXPECT_EQ(gathered(stream, 8).values, (Values{1, 2, 3, 4}));
  writer.join();
  EXPECT_EQ(shortened(message_of<DataError>([&] { stream.rewind(); })), "part-*: cannot be read a second time, expected a file");
}

/// More than may be open at once.
TEST_F(ManyFiles, ThousandsOfFiles) {
  constexpr std::size_t n_files = 3000;
  std::string all;
  for (std::size_t k = 0; k < n_files; ++k) {
    write("part-" + std::to_string(100000 + k), csv_row(k));
    all += csv_row(k);
  }
  write("all", all);
  DataStream one(path("all"), {.label = "2"}), many(path("part-*"), {.label = "2"});
  EXPECT_EQ(gathered(many, 1000), gathered(one, 1000));
}

}  // namespace
}  // namespace askrff::test
