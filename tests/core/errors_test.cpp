// Errors: place and message apart, what() both together; caught as the standard library's exceptions and as askrff::Error.
#include "askrff/errors.hpp"

#include <gtest/gtest.h>

#include <string>

namespace askrff::test {
namespace {

template <class Exception, class Standard>
void expect_parts() {
  try {
    throw Exception("train.csv:17", "two labels: expected one");
  } catch (const Standard& error) {
    EXPECT_STREQ(error.what(), "train.csv:17: two labels: expected one");
    const Error& same = dynamic_cast<const Error&>(error);
    EXPECT_EQ(same.where(), "train.csv:17");
    EXPECT_EQ(same.message(), "two labels: expected one");  // a colon in it is no place
    EXPECT_STREQ(same.what(), error.what());
  }
  try {
    throw Exception(std::string("got 0: expected more"));
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "");
    EXPECT_EQ(error.message(), "got 0: expected more");
    EXPECT_STREQ(error.what(), "got 0: expected more");
  }
  const Exception nowhere("", "alone");
  EXPECT_STREQ(nowhere.what(), "alone");
  EXPECT_EQ(nowhere.message(), "alone");
  EXPECT_EQ(Exception("somewhere", "").message(), "");
}

TEST(Errors, HavePlaceAndMessage) {
  expect_parts<InvalidArgument, std::invalid_argument>();
  expect_parts<InvalidArgument, std::exception>();
  expect_parts<DataError, std::invalid_argument>();
  expect_parts<DataError, InvalidArgument>();
  expect_parts<NumericalError, std::runtime_error>();
  expect_parts<WriteError, std::runtime_error>();
}

TEST(Errors, StoppedIsNoMistakeOfTheCaller) {
  try {
    throw Stopped();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "stopped on request");
    EXPECT_EQ(dynamic_cast<const Error&>(error).where(), "");
  }
  EXPECT_THROW(throw Stopped(), Error);
}

TEST(Errors, CopiesKeepTheirParts) {
  DataError original("a", "b");
  const DataError copy = original;
  original = DataError("longer", "text");
  EXPECT_EQ(copy.where(), "a");
  EXPECT_EQ(copy.message(), "b");
  EXPECT_EQ(original.where(), "longer");
  EXPECT_EQ(original.message(), "text");
}

TEST(Printable, IsOneLineOfText) {
  EXPECT_EQ(printable("δ = 1"), "δ = 1");
  EXPECT_EQ(printable("a\nb\x1b[31m"), "a\\x0ab\\x1b[31m");
  EXPECT_EQ(printable("\xc3("), "\\xc3(");         // a sequence that breaks off
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");  // a control character of two bytes
  EXPECT_EQ(printable("abcdef", 3), "abc…");
  EXPECT_EQ(printable("δδδ", 3), "δδ…");  // characters stay whole
  EXPECT_EQ(printable(""), "");
}

}  // namespace
}  // namespace askrff::test
