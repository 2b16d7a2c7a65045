// Arrow's IPC format: what pyarrow and polars wrote (fuzz/corpus/arrow), read whole, in blocks and through compression, and damaged.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "askrff/data.hpp"
#include "data/compressed.hpp"
#include "data/lz4.hpp"
#include "io/temporary_files.hpp"

namespace askrff::test {
namespace {

using Names = std::vector<std::string>;
using Values = std::vector<double>;

/// The rows of most files: columns x, f (float32), i (int8), b (truth values).
const Values five_rows = {1.5, 0.1F, 1, 1, -2, 2, -2, 0, 3, 3, 3, 1, 4e10, 4, -4, 1, 0.1, 5, 5, 0};
const Names five_labels = {"hi", "lo", "hi", "a label of more than twelve", "lo"};

/// A file that stays open: thousands of contents in a second.
class OpenFile {
 public:
  explicit OpenFile(std::string path) : descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)), path_(std::move(path)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() { close(descriptor_); }
  const std::string& with(const std::string& content) const {
    const bool is_written =
        ftruncate(descriptor_, 0) == 0 && pwrite(descriptor_, content.data(), content.size(), 0) == static_cast<ssize_t>(content.size());
    EXPECT_TRUE(is_written);
    return path_;
  }

 private:
  int descriptor_;
  std::string path_;
};

class Arrow : public TemporaryFiles {
 protected:
  static std::string corpus(const std::string& name) { return std::string(ASKRFF_SOURCE_DIR) + "/fuzz/corpus/arrow/" + name; }
  static std::string bytes(const std::string& name) {
    std::ifstream in(corpus(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string refusal(const std::string& name, const ReadOptions& options = {}) const { return error_of("f", bytes(name), options); }
};

TEST_F(Arrow, StreamsAndFilesOfAnyWriterAreTheSameRows) {
  for (const char* const name : {"stream", "file", "lz4-file", "zstd-file", "polars-file"}) {
    SCOPED_TRACE(name);
    const Dataset data = read_data(corpus(name));
    EXPECT_EQ(elements(data.X), five_rows);
    EXPECT_EQ(data.column_names, (Names{"x", "f", "i", "b"}));
    EXPECT_TRUE(data.labels.empty());
    for (const std::size_t block_rows : {1, 2, 3, 5, 100}) {
      DataStream stream(corpus(name));
      for (int pass = 0; pass < 2; ++pass, stream.rewind()) {
        Values values;
        RowBlock block;
        while (stream.next(block, block_rows))
          values.insert(values.end(), block.X.dense().data(), block.X.dense().data() + block.X.rows() * block.X.cols());
        EXPECT_EQ(values, five_rows) << block_rows;
      }
    }
  }
}

TEST_F(Arrow, EveryWidthOfInteger) {
  const Dataset data = read_data(corpus("integers"));
  ASSERT_EQ(data.X.cols(), 8U);
  for (std::size_t j = 0; j < 8; ++j) {
    EXPECT_EQ(data.X(0, j), 1);
    EXPECT_EQ(data.X(2, j), 100);
  }
}

TEST_F(Arrow, CompressedBuffers) {
  for (const char* const name : {"lz4", "zstd"}) {
    const Dataset data = read_data(corpus(name));
    ASSERT_EQ(data.X.rows(), 600U);
    for (std::size_t i = 0; i < 600; ++i) {
      EXPECT_EQ(data.X(i, 0), i < 300 ? 1 : 2);
      EXPECT_EQ(data.X(i, 1), static_cast<double>(i));
    }
  }
}

TEST_F(Arrow, IsFoundByEndingAndByContent) {
  for (const char* const ending : {"f.arrow", "f.feather", "f.ipc", "f.arrows", "f.bin", "f"})
    EXPECT_EQ(elements(read(ending, bytes("stream")).X), five_rows) << ending;
  EXPECT_EQ(elements(read("f.arrow.gz", compressed(bytes("stream"), "gz")).X), five_rows);
  EXPECT_EQ(elements(read("g", compressed(bytes("file"), "gz")).X), five_rows);
  EXPECT_EQ(elements(read("f.csv", "ARROW1,PAR1\n1,2\n").X), (Values{1, 2}));
}

TEST_F(Arrow, LabelsAreTextOrNumbers) {
  for (const char* const name :
       {"label-text", "label-large", "label-view", "label-dictionary", "label-dictionary-file", "polars-label-file", "polars-categories"}) {
    SCOPED_TRACE(name);
    const Dataset data = read_data(corpus(name), {.label = "l"});
    EXPECT_EQ(data.labels, five_labels);
    EXPECT_EQ(elements(data.X), five_rows);
    EXPECT_EQ(read_data(corpus(name), {.label = "5"}).labels, five_labels);
  }
  for (const char* const name : {"label-number", "label-number_dictionary"})
    EXPECT_EQ(read_data(corpus(name), {.label = "l"}).labels, (Names{"1", "2", "1", "2", "1"})) << name;
  const Dataset of_floats = read_data(corpus("stream"), {.label = "f"});
  EXPECT_EQ(of_floats.labels, (Names{"0.1", "2", "3", "4", "5"}));
  EXPECT_EQ(of_floats.column_names, (Names{"x", "i", "b"}));
}

TEST_F(Arrow, SaysWhichColumnIsNoDataAndWhatToDo) {
  const std::string one_hot =
      ", expected numbers: turn categories into columns of 0 and 1 first (one-hot; scikit-learn's OneHotEncoder does), or leave the column "
      "out";
  EXPECT_EQ(refusal("label-text"), "f: column 'l' holds text" + one_hot);
  EXPECT_EQ(refusal("label-dictionary"), "f: column 'l' holds categories (a dictionary of text)" + one_hot);
  EXPECT_EQ(
      refusal("lists"),
      "f: column 'm' holds lists, expected one number in a row: give every element a column of its own first, or leave the column out");
  EXPECT_EQ(refusal("nulls"), "f: column 'm' holds missing values only, expected numbers: leave the column out");
  EXPECT_EQ(
      refusal("timestamps"),
      "f: column 'm' holds timestamps, expected float32 or float64 numbers, integers or truth values: turn them into such numbers first, "
      "or leave the column out");
  const std::string fill =
      " in row 2, expected a number in every row: fill the gaps first (scikit-learn's SimpleImputer does), or leave such rows out";
  EXPECT_EQ(refusal("missing"), "f: column 'm' has no value" + fill);
  EXPECT_EQ(refusal("nan"), "f: column 'm' has NaN" + fill);
  EXPECT_EQ(refusal("label-missing", {.label = "l"}), "f: column 'l' has no value in row 2, expected a label");
  EXPECT_EQ(refusal("lists", {.label = "m"}), "f: column 'm' holds lists, expected labels that are numbers or text");
}

TEST_F(Arrow, RefusesWhatIsNotThere) {
  EXPECT_EQ(refusal("stream", {.label = "z"}), "f: there is no label column 'z', expected a name or a number from 1 to 4");
  EXPECT_EQ(refusal("stream", {.n_columns = 5}), "f: the data have 4 columns, expected 5 as asked for");
  EXPECT_EQ(refusal("no-rows"), "f: no rows, expected at least one");
  EXPECT_EQ(refusal("no-columns"), "f: no columns, expected at least one");
  EXPECT_EQ(refusal("more"), "f: bytes follow the end of the Arrow stream, expected nothing after it");
  EXPECT_EQ(
      refusal("no-end"),
      "f: the Arrow data end without the mark of their end, expected it: the writer may not have come to its end, or has not been closed");
  EXPECT_EQ(refusal("cut"), "f: the Arrow data end within a batch, after 10 of 32 bytes");
  EXPECT_EQ(refusal("cut-file"), "f: the Arrow file ends early, expected ARROW1 at its end");
  EXPECT_EQ(error_of("g", compressed(bytes("polars-file"), "gz")),
            "g: an Arrow file that can only be read from its end, expected it neither compressed as a whole nor through a pipe");
  EXPECT_EQ(error_of("f.arrow", "x,y\n1,2\n"),
            "f.arrow: no Arrow data, expected a stream or file of Arrow IPC (Feather version 2) as Arrow 0.15 and later write it");
  EXPECT_EQ(
      refusal("parquet"),
      "f: a Parquet file, which is not read here, expected an Arrow stream of it: a line of Python with pyarrow makes one, for a pipe "
      "(docs/data.md, Parquet)");
  EXPECT_EQ(refusal("feather-1"), "f: a Feather file of version 1, expected version 2, which pyarrow.feather.write_feather writes");
}

/// Rows or a DataError, nothing else: wherever the data are cut, and whatever single byte is another.
TEST_F(Arrow, DamageIsRefusedOrHarmless) {
  const OpenFile file(path("damaged"));
  for (const char* const name : {"stream", "polars-file", "lz4-file", "label-dictionary", "label-view"}) {
    const std::string good = bytes(name);
    const ReadOptions options = {
        .format = DataFormat::arrow, .label = std::string(name).starts_with("label") ? "l" : "", .max_bytes = 1 << 22};
    const auto is_accepted = [&](const std::string& content) {
      try {
        DataStream stream(file.with(content), options);
        RowBlock block;
        while (stream.next(block, 4)) continue;
        return true;
      } catch (const DataError&) {
        return false;
      }
    };
    for (std::size_t size = 9; size + 8 < good.size(); size += 3) EXPECT_FALSE(is_accepted(good.substr(0, size))) << name << size;
    for (std::size_t at = 0; at < good.size(); ++at)
      for (const char flip : {'\x01', '\xFF'}) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ flip);
        is_accepted(bad);
      }
  }
}

TEST_F(Arrow, ManyFilesAreOne) {
  write("a-1.arrow", bytes("stream"));
  write("a-2.arrow", bytes("polars-file"));
  const Dataset data = read_data(path("a-*.arrow"));
  ASSERT_EQ(data.X.rows(), 10U);
  EXPECT_EQ(data.X(5, 0), 1.5);
  write("a-3.arrow", bytes("integers"));
  EXPECT_THROW(read_data(path("a-*.arrow")), DataError);
}

TEST(Lz4, CopiesOverlapAndSizesAreChecked) {
  const std::string header("\x04\x22\x4D\x18\x40\x40\xC0", 7);
  // One block: the literals "ab", a copy of 10 bytes from 2 back, the literals "cdefg", with which a block has to end.
  const std::string block(
      "\x26"
      "ab\x02\x00\x50"
      "cdefg",
      11);
  const std::string frame = header + std::string("\x0B\0\0\0", 4) + block + std::string("\0\0\0\0", 4);
  const std::string plain = "ababababababcdefg";
  const auto text = [](const std::string& bytes, std::size_t size) {
    const auto found = data::decompress_lz4(bytes, size);
    return found ? std::string(found->begin(), found->end()) : "damaged";
  };
  EXPECT_EQ(text(frame, 17), plain);
  EXPECT_EQ(text(frame + frame, 34), plain + plain);
  EXPECT_EQ(text(frame, 16), "damaged");
  EXPECT_EQ(text(frame, 18), "damaged");
  const std::string stored = header + std::string("\x02\0\0\x80xy\0\0\0\0", 10);
  EXPECT_EQ(text(stored, 2), "xy");
  for (std::size_t size = 1; size < frame.size(); ++size) EXPECT_EQ(text(frame.substr(0, size), 17), "damaged") << size;
  // However much a file says there is, no more memory is taken than what comes fills.
  EXPECT_EQ(text(frame, std::size_t{1} << 60), "damaged");
  EXPECT_EQ(text("", 0), "");
  EXPECT_EQ(text("", 1), "damaged");
  EXPECT_EQ(text(frame + "x", 17), "damaged");
  // 100 000 zeros, more than the memory starts with, in a block of their own: literal, copies, five literals.
  const std::string zeros = std::string("\x1F\0\x01\0", 4) + std::string(392, '\xFF') + '\x14' + std::string("\x50\0\0\0\0\0", 6);
  const std::string four_megabytes("\x04\x22\x4D\x18\x60\x70\x73", 7);
  const std::size_t n_zeros = 1 + (15 + 392 * 255 + 0x14 + 4) + 5;
  const std::string long_frame = four_megabytes + std::string{static_cast<char>(zeros.size() & 255), static_cast<char>(zeros.size() >> 8)} +
                                 std::string(2, '\0') + zeros + std::string(4, '\0');
  EXPECT_EQ(text(long_frame, n_zeros), std::string(n_zeros, '\0'));
  EXPECT_EQ(text(long_frame, n_zeros - 1), "damaged");
  std::string too_far = frame;
  too_far[7 + 4 + 3] = 3;
  EXPECT_EQ(text(too_far, 17), "damaged");
}

}  // namespace
}  // namespace askrff::test
