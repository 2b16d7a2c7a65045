// Streams give the rows of read_data, bit for bit, whatever the block, the number of threads and the format.
#include "askrff/data.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>

#include "askrff/random.hpp"
#include "data/compressed.hpp"
#include "io/temporary_files.hpp"

namespace askrff::test {
namespace {

std::string text_of(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// Rows of a stream gathered; label numbers as text.
Dataset rows_gathered(DataStream& stream, std::size_t block_rows) {
  Dataset data;
  std::vector<double> values;
  std::size_t rows = 0;
  RowBlock block;
  while (stream.next(block, block_rows)) {
    EXPECT_LE(block.X.rows(), block_rows);
    for (std::size_t i = 0; i < block.X.rows(); ++i)
      values.insert(values.end(), block.X.dense().row(i).begin(), block.X.dense().row(i).end());
    data.labels.insert(data.labels.end(), block.labels.begin(), block.labels.end());
    for (const double number : block.label_numbers) data.labels.push_back(text_of(number));
    rows += block.X.rows();
  }
  EXPECT_EQ(block.X.rows(), 0u);
  EXPECT_FALSE(stream.next(block, block_rows));
  data.X = Matrix<double>(rows, stream.n_columns(), values);
  data.column_names = stream.column_names();
  return data;
}

void expect_same(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.X.rows(), b.X.rows());
  ASSERT_EQ(a.X.cols(), b.X.cols());
  EXPECT_EQ(std::memcmp(a.X.data(), b.X.data(), a.X.rows() * a.X.cols() * sizeof(double)), 0);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.column_names, b.column_names);
}

class Stream : public TemporaryFiles {
 protected:
  /// All block sizes and numbers of threads against read_data on one thread.
  void check(const std::string& source, ReadOptions options = {}, std::vector<std::size_t> blocks = {7, 8192}) {
    SCOPED_TRACE(source);
    options.execution.n_threads = 1;
    const Dataset expected = read_data(source, options);
    for (const std::size_t n_threads : {1, 2, 5}) {
      options.execution.n_threads = n_threads;
      expect_same(read_data(source, options), expected);
      DataStream stream(source, options);
      EXPECT_EQ(stream.has_labels(), !expected.labels.empty());
      EXPECT_TRUE(stream.can_rewind());
      for (const std::size_t block : blocks) {
        SCOPED_TRACE(std::to_string(n_threads) + " threads, blocks of " + std::to_string(block));
        expect_same(rows_gathered(stream, block), expected);
        stream.rewind();
      }
    }
  }
  std::string stream_error(const std::string& source, const ReadOptions& options = {}) const {
    try {
      DataStream stream(source, options);
      RowBlock block;
      while (stream.next(block)) {
      }
    } catch (const DataError& error) {
      std::string message = error.what();
      const std::string prefix = folder().string() + "/";
      for (std::size_t at; (at = message.find(prefix)) != std::string::npos;) message.erase(at, prefix.size());
      return message;
    }
    return "accepted";
  }
};

double some_number(RandomStream& random) {
  const double x = random.normal();
  return random.uniform() < 0.3 ? 0 : random.uniform() < 0.5 ? x : std::round(1000 * x) / 1000;
}

/// Several pieces of text, with comments, blank lines and both line ends.
std::string libsvm_text(std::size_t rows) {
  std::string text = "# made by a test\n";
  for (std::size_t i = 0; i < rows; ++i) {
    RandomStream random(3, Purpose::builtin_data, i);
    text += i % 3 == 0 ? "+1" : i % 3 == 1 ? "-1" : "class-with-a-longer-name";
    for (std::size_t j = 1; j <= 9; ++j)
      if (random.uniform() < 0.8) text += " " + std::to_string(j * j) + ":" + text_of(some_number(random));
    text += i % 50 == 0 ? " # 99:1\r\n\n" : "\n";
  }
  return text;
}

std::string csv_text(std::size_t rows, bool quotes) {
  std::string text = quotes ? "\"a\nb\",kind,c,d\n" : "a,kind,c,d\r\n";
  for (std::size_t i = 0; i < rows; ++i) {
    RandomStream random(4, Purpose::builtin_data, i);
    const std::string kind = !quotes || i % 5 != 0 ? "k" + std::to_string(i % 4) : i % 10 == 0 ? "\"two\nlines, \"\"q\"\"\"" : "\" x\"";
    text += text_of(some_number(random)) + ", " + kind + " ," + text_of(some_number(random)) + "," + text_of(some_number(random)) +
            (i % 7 == 0 ? "\r\n\n" : "\n");
  }
  return text;
}

TEST_F(Stream, Libsvm) {
  check(write("small.libsvm", libsvm_text(100)), {}, {1, 7, 8192});
  const std::string text = libsvm_text(30000);
  ASSERT_GT(text.size(), std::size_t{2} << 20);  // more than a round of pieces on one thread
  check(write("big.libsvm", text));
  check(write("big.libsvm", text), {.n_columns = 100});
  check(write("big.libsvm.gz", compressed(text, "gz")), {}, {8192});
  write("no-end.libsvm", "1 1:2\n2 3:4");
  check(path("no-end.libsvm"), {}, {1});
}

TEST_F(Stream, Csv) {
  for (const bool quotes : {false, true}) {
    check(write("small.csv", csv_text(100, quotes)), {.label = "kind"}, {1, 7, 8192});
    check(write("big.csv", csv_text(40000, quotes)), {.label = "2"});
  }
  check(write("plain.csv", "1,2\n3,4"), {}, {1, 2});
  check(write("big.csv.zst", compressed(csv_text(20000, true), "zst")), {.label = "kind"}, {8192});
}

TEST_F(Stream, Builtin) {
  check("builtin:moons:1000", {}, {1, 7, 8192});
  check("builtin:uniform:5:20000", {}, {8192});
}

TEST_F(Stream, RowsThatAreKnownBeforeTheyAreRead) {
  EXPECT_EQ(DataStream("builtin:uniform:3:40").known_rows(), 40u);
  NpyWriter writer(path("x.npy"), 2, NpyWriter::Type::float64);
  const Matrix<double> X(3, 2, {1, 2, 3, 4, 5, 6});
  writer.append(X.view());
  writer.finish();
  EXPECT_EQ(DataStream(path("x.npy")).known_rows(), 3u);
  EXPECT_EQ(DataStream(path("x.npy"), {.label_file = write("y.txt", "a\nb\na\n")}).known_rows(), 3u);
  DataStream csv(write("x.csv", "1,2\n3,4\n"));
  EXPECT_EQ(csv.known_rows(), std::nullopt);
  for (RowBlock block; csv.next(block);) continue;
  EXPECT_EQ(csv.known_rows(), 2u);
  csv.rewind();
  EXPECT_EQ(csv.known_rows(), 2u);
}

TEST_F(Stream, RewindAfterAPart) {
  for (const std::string& source :
       {write("f.libsvm", libsvm_text(50)), write("f.csv", "1,2\n3,4\n5,6\n"), std::string("builtin:moons:9")}) {
    DataStream stream(source);
    RowBlock block;
    ASSERT_TRUE(stream.next(block, 2));
    stream.rewind();
    expect_same(rows_gathered(stream, 4), read_data(source));
  }
}

TEST_F(Stream, TheFirstBadLineIsTheOneNamed) {
  std::string text;
  std::vector<std::size_t> starts;
  for (int i = 0; i < 60000; ++i) {
    starts.push_back(text.size());
    text += "1 1:0.123456 2:0.25 3:7 4:0.00390625\n";
  }
  for (const std::size_t bad : {0, 7000, 59999}) {
    std::string damaged = text;
    for (const std::size_t line : {bad, std::size_t{30000}, std::size_t{59999}}) damaged[starts[line] + 2] = 'x';
    const std::string line = std::to_string(std::min<std::size_t>(bad, 30000) + 1);
    for (const std::size_t n_threads : {1, 2, 5}) {
      const ReadOptions options{.execution = {n_threads}};
      const std::string expected = "f.libsvm:" + line + ": 'x' is no index, expected a whole number from 1";
      EXPECT_EQ(error_of("f.libsvm", damaged, options), expected);
      EXPECT_EQ(stream_error(path("f.libsvm"), options), expected);
    }
  }
  std::string csv = "a,b\n";
  for (int i = 0; i < 100000; ++i) csv += i == 77776 || i == 90000 ? "1,NA\n" : "1,2\n";
  for (const std::size_t n_threads : {1, 5})
    EXPECT_EQ(error_of("f.csv", csv, {.execution = {n_threads}}),
              "f.csv:77778: column 2 ('b'): 'NA' is a missing value, expected a finite number");
}

TEST_F(Stream, ErrorsAreThoseOfReadData) {
  const std::pair<const char*, const char*> files[] = {{"a.libsvm", ""},
                                                       {"a.libsvm", "1\n2\n"},
                                                       {"a.libsvm", "1 1:1\n1 20000000:1\n"},
                                                       {"a.csv", ""},
                                                       {"a.csv", "a,b\n"},
                                                       {"a.csv", "1,2\n3\n"},
                                                       {"a.csv", "1,2\n\"3,4\n"},
                                                       {"a.npy", "\x93NUMPY"},
                                                       {"a.csv", "\n\n\n1,x2\n"},
                                                       {"a.libsvm", "1 1:1 1:2\n"}};
  for (const auto& [name, text] : files) {
    const std::string expected = error_of(name, text);
    EXPECT_NE(expected, "accepted");
    EXPECT_EQ(stream_error(path(name)), expected);
  }
  EXPECT_EQ(stream_error("builtin:swiss").substr(0, 14), "builtin:swiss:");
}

TEST_F(Stream, PipesAreReadOnce) {
  const auto through_pipe = [](const std::string& text, const ReadOptions& options, const std::function<void(DataStream&)>& use) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(ends[1]);
    DataStream stream("/dev/fd/" + std::to_string(ends[0]), options);
    ::close(ends[0]);
    use(stream);
  };
  through_pipe("1,2\n3,4\n", {}, [](DataStream& stream) {
    EXPECT_FALSE(stream.can_rewind());
    EXPECT_EQ(elements(rows_gathered(stream, 10).X), (std::vector<double>{1, 2, 3, 4}));
    EXPECT_THROW(stream.rewind(), DataError);
  });
  through_pipe("1 2:3\n", {.n_columns = 3}, [](DataStream& stream) {
    EXPECT_EQ(elements(rows_gathered(stream, 10).X), (std::vector<double>{0, 3, 0}));
  });
  // How wide the rows are is known at the end: all are held, and given out in blocks.
  through_pipe("a 2:3\nb\nc 1:4 3:5\n", {}, [](DataStream& stream) {
    EXPECT_FALSE(stream.can_rewind());
    EXPECT_EQ(stream.n_columns(), 3u);
    EXPECT_EQ(stream.known_rows(), 3u);
    const Dataset data = rows_gathered(stream, 2);
    EXPECT_EQ(elements(data.X), (std::vector<double>{0, 3, 0, 0, 0, 0, 4, 0, 5}));
    EXPECT_EQ(data.labels, (std::vector<std::string>{"a", "b", "c"}));
  });
  const auto nothing = [](DataStream&) {};
  EXPECT_THROW(through_pipe("1\n2\n", {.format = DataFormat::libsvm}, nothing), DataError);
  EXPECT_THROW(through_pipe("", {.format = DataFormat::libsvm}, nothing), DataError);
  EXPECT_THROW(through_pipe("1 1000:1\n2 1:1\n", {.max_bytes = 4000}, nothing), DataError);
}

TEST_F(Stream, LinesLongerThanPieces) {
  std::string text = "1 1:1\n2";
  for (int j = 1; j <= 150000; ++j) text += " " + std::to_string(j) + ":" + std::to_string(j % 97 + 1);
  text += "\n3 1:4\n";
  check(write("wide.libsvm", text), {}, {1, 2});
  EXPECT_EQ(stream_error(write("long.libsvm", "1 1:1\n2 " + std::string(1 << 20, ' ') + "1:2\n"), {.max_bytes = 300000}),
            "long.libsvm: one line needs more memory than the limit of 293 KiB");
}

TEST_F(Stream, WideRowsMakeSmallBlocks) {
  write("wide.libsvm", "1 5000000:1\n2 1:1\n3 2:1\n4 3:1\n5 1:1\n");
  DataStream stream(path("wide.libsvm"));
  RowBlock block;
  std::size_t rows = 0;
  while (stream.next(block)) {
    EXPECT_LE(block.X.rows() * block.X.cols() * sizeof(double), std::size_t{128} << 20);
    rows += block.X.rows();
  }
  EXPECT_EQ(rows, 5u);
}

TEST_F(Stream, Progress) {
  write("f.libsvm", libsvm_text(30000));
  std::vector<double> parts;
  const auto note = [&](const Progress& progress) {
    EXPECT_EQ(progress.stage, "read");
    parts.push_back(progress.done);
  };
  const ReadOptions options{.execution = {.n_threads = 2, .progress = note}};
  read_data(path("f.libsvm"), options);
  ASSERT_GE(parts.size(), 2u);
  EXPECT_TRUE(std::is_sorted(parts.begin(), parts.end()));
  EXPECT_EQ(parts.back(), 1.0);
  const ReadOptions stopping{.execution = {.progress = [](const Progress&) { throw std::runtime_error("enough"); }}};
  EXPECT_THROW(read_data(path("f.libsvm"), stopping), std::runtime_error);
  EXPECT_THROW(read_data("builtin:moons", stopping), std::runtime_error);
}

TEST_F(Stream, OpenDataGivesAStreamThatKnowsItsName) {
  const std::string file = write("f.csv", "a,class\n1,x\n");
  DataStream opened = open_data(file, {.label = "class"});
  RowStream& stream = opened;
  EXPECT_EQ(stream.name(), file);
  EXPECT_TRUE(stream.has_labels());
  RowBlock block;
  ASSERT_TRUE(stream.next(block));
  EXPECT_EQ(block.labels, std::vector<std::string>{"x"});
}

TEST_F(Stream, NoRowsAtOnceIsRefused) {
  DataStream stream("builtin:moons");
  RowBlock block;
  EXPECT_THROW(stream.next(block, 0), std::invalid_argument);
}

/// What has been read once must be the same when it is read again.
TEST_F(Stream, FilesThatChangeBetweenTwoPasses) {
  const std::string text = csv_text(3000, false), more = "1,cat,2,3\n";
  const std::string changed = "the file has changed while it was in use, expected the same rows every time it is read";
  const auto second_pass = [&](const std::function<void()>& change, const std::string& labels = "") {
    write("f.csv", text);
    DataStream stream(path("f.csv"), {.label = labels.empty() ? "kind" : "", .label_file = labels});
    rows_gathered(stream, 1000);
    change();
    return message_of<DataError>([&] {
      stream.rewind();
      rows_gathered(stream, 1000);
    });
  };
  EXPECT_EQ(second_pass([] {}), "accepted");
  EXPECT_EQ(second_pass([&] { write("f.csv", text + more); }), path("f.csv") + ": " + changed);
  EXPECT_EQ(second_pass([&] { write("f.csv", text.substr(0, text.rfind('\n', text.size() - 2) + 1)); }), path("f.csv") + ": " + changed);
  EXPECT_EQ(second_pass([&] {
              write("g.csv", text);
              std::filesystem::rename(path("g.csv"), path("f.csv"));
            }),
            path("f.csv") + ": " + changed);
}

/// The same while the second pass is under way.
TEST_F(Stream, FilesThatGrowInTheSecondPass) {
  const std::string text = csv_text(100000, false);
  DataStream stream(write("f.csv", text), {.label = "kind"});
  rows_gathered(stream, 8192);
  stream.rewind();
  RowBlock block;
  ASSERT_TRUE(stream.next(block));
  std::ofstream(path("f.csv"), std::ios::app) << "1,cat,2,3\n";
  EXPECT_TRUE(contains(message_of<DataError>([&] {
                         while (stream.next(block)) {
                         }
                       }),
                       "the file has changed while it was in use"));
}

/// Streams of LIBSVM text look for the largest index first; what is wrong is told as by read_data all the same.
TEST_F(Stream, LibsvmErrorsAreThoseOfWholeFiles) {
  for (const std::string bad : {"1 5:1 3:1", "1 0:1", "1 1.0:2", "1 99999999999999999999:1", "1 10000001:1", "1 x:1", "1 3:1 3:2", "1 3",
                                "1 3:x", "1 :1", "1:1 2:1", "nan 1:1", "1 2:1 1:", "1 1:1 -2:5"})
    for (const std::string& text : {bad + "\n", "1 1:1 2:1\n" + bad + "\n", bad + "\n-1 1:1 9:1\n", "1\n2\n" + bad + "\n"}) {
      const std::string expected = error_of("f.libsvm", text);
      EXPECT_NE(expected, "accepted") << text;
      EXPECT_EQ(stream_error(path("f.libsvm")), expected) << text;
    }
  EXPECT_EQ(stream_error(write("f.libsvm", "1\n2\n")), error_of("f.libsvm", "1\n2\n"));
  EXPECT_EQ(stream_error(write("f.libsvm", "\n")), error_of("f.libsvm", "\n"));
}

/// Of one column, a blank line is a value that is missing, also where pieces meet; at the end it is not.
TEST_F(Stream, BlankLinesOfOneColumn) {
  std::string text;
  std::size_t n_lines = 0;
  for (; text.size() < 700000; ++n_lines) text += "1.25\n";
  check(write("f.csv", text + "\n \n\n"));
  const std::string missing = ": column 1: '' is a missing value, expected a finite number";
  EXPECT_EQ(error_of("f.csv", "1\n\n2\n"), "f.csv:2" + missing);
  EXPECT_EQ(error_of("f.csv", "\n1\n2\n"), "f.csv:1" + missing);
  EXPECT_EQ(error_of("f.csv", "x\n\n2\n"), "f.csv:2: column 1 ('x'): '' is a missing value, expected a finite number");
  EXPECT_EQ(elements(read("f.csv", "\nx\n2\n\n").X), std::vector<double>{2});
  const std::string blank(400000, '\n');  // more than a piece
  EXPECT_EQ(error_of("f.csv", text + blank + "3\n"), "f.csv:" + std::to_string(n_lines + 1) + missing);
  EXPECT_EQ(error_of("f.csv", text + blank + "x\n"), "f.csv:" + std::to_string(n_lines + 1) + missing);
  EXPECT_EQ(stream_error(write("f.csv", text + blank + "3\n")), "f.csv:" + std::to_string(n_lines + 1) + missing);
  EXPECT_EQ(stream_error(write("f.csv", text + blank)), "accepted");
}

}  // namespace
}  // namespace askrff::test
