// Compressed sources: complete ones give the data, damaged ones an error, never a part of the data.
#include <fstream>

#include "data/compressed.hpp"
#include "io/temporary_files.hpp"
#include "data/zstd_frames.hpp"

namespace askrff::test {
namespace {

class Compression : public TemporaryFiles {};

/// Numbers that do not compress well: consecutive values of a linear congruence.
std::string numbers_text(int rows) {
  std::string text;
  unsigned state = 1;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < 3; ++j) {
      state = state * 1664525u + 1013904223u;
      text += (j == 0 ? "" : ",") + std::to_string(state);
    }
    text += '\n';
  }
  return text;
}

TEST_F(Compression, RoundTrip) {
  for (const int rows : {1, 50, 60000}) {
    const std::string text = numbers_text(rows);
    const Dataset plain = read("plain.csv", text);
    ASSERT_EQ(plain.X.rows(), static_cast<std::size_t>(rows));
    for (const std::string& ending : compressions()) {
      EXPECT_EQ(elements(read("data.csv." + ending, compressed(text, ending)).X), elements(plain.X)) << ending << " " << rows;
      EXPECT_EQ(elements(read("no-ending", compressed(text, ending)).X), elements(plain.X)) << ending << " " << rows;
    }
  }
}

TEST_F(Compression, ContentDecidesNotTheName) {
  EXPECT_EQ(elements(read("data.csv.gz", "1,2\n").X), (std::vector<double>{1, 2}));
  EXPECT_EQ(elements(read("data.csv", compressed("1,2\n", "zst")).X), (std::vector<double>{1, 2}));
  EXPECT_EQ(elements(read("data.csv.gz", compressed("1,2\n", "xz")).X), (std::vector<double>{1, 2}));
}

TEST_F(Compression, ConcatenatedMembers) {
  for (const std::string& ending : compressions()) {
    const std::string parts = compressed("1,2\n3,", ending) + compressed("", ending) + compressed("4\n5,6\n", ending);
    EXPECT_EQ(elements(read("data.csv", parts).X), (std::vector<double>{1, 2, 3, 4, 5, 6})) << ending;
    const std::string big = compressed(numbers_text(20000), ending) + compressed(numbers_text(20000), ending);
    EXPECT_EQ(read("data.csv", big).X.rows(), 40000u) << ending;
  }
}

TEST_F(Compression, ZstdSkippableFrames) {
  const std::string skipped("\x53\x2A\x4D\x18\x05\x00\x00\x00hello", 13), nothing("\x50\x2A\x4D\x18\x00\x00\x00\x00", 8);
  const std::string data = compressed("1,2\n", "zst");
  EXPECT_EQ(elements(read("data.csv", skipped + data + nothing).X), (std::vector<double>{1, 2}));
  for (std::size_t size = 1; size < skipped.size(); ++size)
    EXPECT_NE(error_of("data.csv", data + skipped.substr(0, size)), "accepted") << size;
}

TEST_F(Compression, TruncatedAnywhere) {
  for (const std::string& ending : compressions()) {
    const std::string whole = compressed(numbers_text(12), ending);
    ASSERT_GT(whole.size(), 100u);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const std::string message = error_of("data.csv", whole.substr(0, size));
      EXPECT_EQ(message.find("data.csv:"), 0u) << ending << " " << size << ": " << message;
      if (size >= 6) {
        EXPECT_NE(message.find("data end early"), std::string::npos) << ending << " " << size << ": " << message;
      }
      // A complete member before the truncated one must not hide it.
      if (size > 0) {
        EXPECT_NE(error_of("data.csv", whole + whole.substr(0, size)), "accepted") << ending << " second member " << size;
      }
    }
  }
}

TEST_F(Compression, BigFilesTruncated) {
  const std::string text = numbers_text(40000);  // many blocks and buffers
  for (const std::string& ending : compressions()) {
    const std::string whole = compressed(text, ending);
    ASSERT_GT(whole.size(), 300000u);
    for (const std::size_t removed : {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 28, 100, 1000, 65536, 131072})
      EXPECT_NE(error_of("data.csv", whole.substr(0, whole.size() - removed)), "accepted") << ending << " " << removed;
    for (std::size_t size = 1000; size < whole.size(); size += whole.size() / 17)
      EXPECT_NE(error_of("data.csv", whole.substr(0, size)), "accepted") << ending << " " << size;
  }
}

TEST_F(Compression, TrailingBytes) {
  for (const std::string& ending : compressions())
    for (const std::string garbage : {"g", "garbage!", "garbage that is longer than any header"}) {
      const std::string message = error_of("data.csv", compressed("1,2\n", ending) + garbage);
      const bool is_told = message.find("follow") != std::string::npos || message.find("damaged") != std::string::npos;
      EXPECT_TRUE(is_told) << ending << ": " << message;  // "end early" alone would be false
    }
}

// gzip, bzip2 and xz check their contents; zstd as Boost writes it has no checksum: a flipped bit of a stored block is another text.
TEST_F(Compression, FlippedBits) {
  const std::string text = numbers_text(12);
  const std::vector<double> expected = elements(read("plain.csv", text).X);
  for (const std::string& ending : compressions()) {
    const std::string whole = compressed(text, ending);
    for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
      std::string damaged = whole;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
      write("data.csv", damaged);
      try {
        const Dataset data = read_data(path("data.csv"));
        if (ending != "zst") {
          EXPECT_EQ(elements(data.X), expected) << ending << " bit " << bit;
        }
      } catch (const DataError&) {
      }
    }
  }
}

TEST_F(Compression, DamagedInTheMiddle) {
  for (const std::string ending : {"gz", "bz2", "xz"}) {
    std::string damaged = compressed(numbers_text(40000), ending);
    for (std::size_t i = 0; i < 64; ++i) damaged[damaged.size() / 2 + i] = static_cast<char>(~damaged[damaged.size() / 2 + i]);
    EXPECT_EQ(error_of("data.csv", damaged).find("data.csv"), 0u) << ending;
  }
}

TEST(ZstdFrames, EndsOnlyAtTheEnd) {
  const std::string whole = compressed(numbers_text(30000), "zst");
  data::ZstdFrames frames;
  EXPECT_TRUE(frames.between_frames());
  for (const char& byte : whole) {
    frames.feed({&byte, 1});
    ASSERT_EQ(frames.between_frames(), &byte == &whole.back()) << &byte - whole.data();
  }
}

}  // namespace
}  // namespace askrff::test
