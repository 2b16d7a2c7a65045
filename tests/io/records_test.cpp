// Records: every type comes back, and what is asked for in a wrong way is refused by name.
#include "io/records.hpp"

#include <gtest/gtest.h>

#include "askrff/errors.hpp"
#include "io/record_format.hpp"
#include "io/temporary_files.hpp"
#include "support/special_values.hpp"

namespace askrff::test {
namespace {

using io::Allow;
using io::any_size;
using io::Records;
using io::RecordWriter;

std::string some_file() {
  RecordWriter writer;
  writer.number("number", -0.1);
  writer.numbers("numbers", std::vector<double>{1, infinity});
  writer.matrix("matrix", Matrix<double>(2, 3, {1, 2, 3, 4, 5, 6}));
  writer.numbers("nothing", {});
  writer.count("count", 7);
  writer.counts("counts", std::vector<std::uint64_t>{1, 2, 3, 18446744073709551615u}, 2);
  writer.bytes("bytes", std::vector<signed char>{-1, 1, 127, -128, 0});
  writer.text("text", std::string("a\0b", 3));
  writer.texts("texts", std::vector<std::string>{"", "ä", "twelve bytes"});
  writer.texts("no texts", {});
  return writer.finish();
}

TEST(Records, EveryTypeComesBack) {
  const Records file("f", some_file());
  EXPECT_EQ(file.version(), io::first_record_version);
  EXPECT_EQ(file.number("number"), -0.1);
  EXPECT_EQ(file.numbers("numbers", 2, Allow::infinite), (std::vector<double>{1, infinity}));
  EXPECT_EQ(file.matrix("matrix", 2, any_size)(1, 2), 6);
  EXPECT_TRUE(file.numbers("nothing").empty());
  EXPECT_EQ(file.count("count", 1, 7), 7u);
  EXPECT_EQ(file.counts("counts", any_size, 2), (std::vector<std::uint64_t>{1, 2, 3, 18446744073709551615u}));
  EXPECT_EQ(file.bytes("bytes", 5), (std::vector<signed char>{-1, 1, 127, -128, 0}));
  EXPECT_EQ(file.text("text"), std::string("a\0b", 3));
  EXPECT_EQ(file.texts("texts"), (std::vector<std::string>{"", "ä", "twelve bytes"}));
  EXPECT_TRUE(file.texts("no texts").empty());
  EXPECT_TRUE(file.has("text"));
  EXPECT_FALSE(file.has("tex"));
}

TEST(Records, WrongQuestionsAreRefusedByName) {
  const Records file("f", some_file());
  EXPECT_EQ(message_of<DataError>([&] { file.number("absent"); }), "f: record 'absent' is missing");
  EXPECT_EQ(message_of<DataError>([&] { file.number("count"); }), "f: record 'count' holds whole numbers, expected numbers");
  EXPECT_EQ(message_of<DataError>([&] { file.number("matrix"); }), "f: record 'matrix' is 2 x 3, expected 1 x 1");
  EXPECT_EQ(message_of<DataError>([&] { file.matrix("matrix", any_size, 2); }), "f: record 'matrix' is 2 x 3, expected any x 2");
  EXPECT_EQ(message_of<DataError>([&] { file.numbers("numbers"); }), "f: record 'numbers' holds inf at place 1, expected a finite number");
  EXPECT_EQ(message_of<DataError>([&] { file.count("count", 8, 9); }), "f: record 'count' is 7, expected 8 to 9");
  EXPECT_EQ(message_of<DataError>([&] { file.text("texts"); }), "f: record 'texts' is 3 x 38, expected 1 x any");
}

// CRC-64/XZ of "123456789", as catalogued.
TEST(Records, TheChecksumIsTheOneOfXz) { EXPECT_EQ(io::crc64("123456789"), 0x995DC9BBDF1939FAu); }

TEST(Records, TheBytesAreThoseOfTheDescription) {
  RecordWriter writer;
  writer.text("key", "value");
  const std::string file = writer.finish();
  const std::string expected(
      "\x89"
      "ASK\r\n\x1a\n"
      "\x01\0\0\0\x01\0\0\0\x50\0\0\0\0\0\0\0"                    // version, records, bytes
      "\x03\0\0\0\x04\0\0\0\x01\0\0\0\0\0\0\0\x0d\0\0\0\0\0\0\0"  // a key of 3 bytes, type 4, one text, 13 bytes
      "key\0\0\0\0\0\x05\0\0\0\0\0\0\0value\0\0\0",
      72);
  EXPECT_EQ(file.substr(0, 72), expected);
  EXPECT_EQ(file.size(), 80u);
}

}  // namespace
}  // namespace askrff::test
