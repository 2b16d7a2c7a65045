// LIBSVM text.
#include <gtest/gtest.h>

#include "io/temporary_files.hpp"

namespace askrff::test {
namespace {

class Libsvm : public TemporaryFiles {
 protected:
  std::string error(const std::string& text, const ReadOptions& options = {}) const { return error_of("f.libsvm", text, options); }
};

TEST_F(Libsvm, RowsLabelsAndZeros) {
  const Dataset data = read("f.libsvm", "+1 1:0.5 3:-2\n-1 2:1e2\n0\n");
  EXPECT_EQ(data.X.rows(), 3u);
  EXPECT_EQ(data.X.cols(), 3u);
  EXPECT_EQ(elements(data.X), (std::vector<double>{0.5, 0, -2, 0, 100, 0, 0, 0, 0}));
  EXPECT_EQ(data.labels, (std::vector<std::string>{"+1", "-1", "0"}));
  EXPECT_TRUE(data.column_names.empty());
}

TEST_F(Libsvm, SpacingCommentsAndLineEnds) {
  const Dataset data = read("f.libsvm", "\xEF\xBB\xBF# a comment\r\n\r\n  1.0\t1:+1  2:2 # 3:4\r\n \t\n-1.0 2:5#x\n#\ncat 1:7");
  EXPECT_EQ(elements(data.X), (std::vector<double>{1, 2, 0, 5, 7, 0}));
  EXPECT_EQ(data.labels, (std::vector<std::string>{"1.0", "-1.0", "cat"}));
}

TEST_F(Libsvm, ExplicitZerosCountAsColumns) { EXPECT_EQ(read("f.libsvm", "1 1:2 4:0\n").X.cols(), 4u); }

TEST_F(Libsvm, NumberOfColumns) {
  EXPECT_EQ(read("f.libsvm", "1 1:2\n", {.n_columns = 5}).X.cols(), 5u);
  EXPECT_EQ(elements(read("f.libsvm", "1\n2\n", {.n_columns = 1}).X), (std::vector<double>{0, 0}));
  EXPECT_EQ(error("1 1:2\n1 3:1\n", {.n_columns = 2}), "f.libsvm:2: '3' is beyond the last column, expected indices up to 2");
}

TEST_F(Libsvm, BadLines) {
  EXPECT_EQ(error("1 1:1\n\n# c\n1 0:1\n"), "f.libsvm:4: '0' is no index, expected indices from 1");
  EXPECT_EQ(error("1 1:1\n1 2:1 1:1\n"), "f.libsvm:2: '1' follows index 2, expected increasing indices");
  EXPECT_EQ(error("1 2:1 2:1\n"), "f.libsvm:1: '2' follows index 2, expected increasing indices");
  EXPECT_EQ(error("1 -1:1\n"), "f.libsvm:1: '-1' is no index, expected a whole number from 1");
  EXPECT_EQ(error("1 qid:1\n"), "f.libsvm:1: 'qid' is no index, expected a whole number from 1");
  EXPECT_EQ(error("1 99999999999999999999:1\n"), "f.libsvm:1: '99999999999999999999' is no index, expected a whole number from 1");
  EXPECT_EQ(error("1 1:x\n"), "f.libsvm:1: 'x' is not a number (index 1), expected a finite number");
  EXPECT_EQ(error("1 1:\n"), "f.libsvm:1: '' is not a number (index 1), expected a finite number");
  EXPECT_EQ(error("1 1:2:3\n"), "f.libsvm:1: '2:3' is not a number (index 1), expected a finite number");
  EXPECT_EQ(error("1 1:nan\n"), "f.libsvm:1: 'nan' is not finite (index 1), expected a finite number");
  EXPECT_EQ(error("1 1:1\n1 2:-inf\n"), "f.libsvm:2: '-inf' is not finite (index 2), expected a finite number");
  EXPECT_EQ(error("1 1:1e999\n"), "f.libsvm:1: '1e999' is too large for a double (index 1), expected a finite number");
  EXPECT_EQ(error("1 1:1 7\n"), "f.libsvm:1: '7' is no pair, expected index:value");
  EXPECT_EQ(error("1:1 2:1\n"), "f.libsvm:1: the line starts with '1:1', expected a label");
}

TEST_F(Libsvm, UntrustedTextIsMadePrintable) {
  EXPECT_EQ(error(std::string("1 \x01\xFFz\0\n", 7)), "f.libsvm:1: '\\x01\\xffz\\x00' is no pair, expected index:value");
  EXPECT_LT(error("1 " + std::string(100000, 'x')).size(), 200u);
}

TEST_F(Libsvm, Empty) {
  for (const char* text : {"", "\n\n", "# nothing\n"}) EXPECT_EQ(error(text), "f.libsvm: no rows, expected lines of 'label index:value …'");
  EXPECT_EQ(error("1\n2\n"), "f.libsvm: 2 rows without a single index:value, expected at least one column");
}

TEST_F(Libsvm, HostileIndexDoesNotAllocate) {
  EXPECT_EQ(error("1 1:1\n1 2000000000:3\n"), "f.libsvm:2: index 2000000000 would make as many columns, expected at most 10000000");
  EXPECT_TRUE(contains(error("1 18446744073709551615:1\n"), "expected at most 10000000"));
  EXPECT_EQ(error("1 1:1\n", {.n_columns = std::size_t{1} << 61}),
            "f.libsvm: 2305843009213693952 columns asked for, expected at most 10000000");
  EXPECT_EQ(error("1 1:1\n1 4000000:1\n", {.max_bytes = 1 << 20}),
            "f.libsvm: 2 rows and 4000000 columns would need 61.04 MiB of memory, the limit is 1 MiB (the largest index is on line 2)");
}

TEST_F(Libsvm, MemoryLimit) {
  EXPECT_EQ(read("f.libsvm", "1 4:1\n1 1:1\n", {.max_bytes = 100}).X.cols(), 4u);
  EXPECT_TRUE(contains(error("1 7:1\n1 1:1\n", {.max_bytes = 100}), "would need 112 bytes of memory, the limit is 100 bytes"));
  EXPECT_TRUE(contains(error("1 1:1\n1 1:1\n1 1:1\n", {.max_bytes = 100}), "f.libsvm:3: the data up to here need"));
}

TEST_F(Libsvm, LabelColumnIsNotIgnored) {
  EXPECT_EQ(error("1 1:1\n", {.label = "1"}), "f.libsvm: a label column ('1') was asked for, expected only with CSV, NPY and Arrow data");
}

TEST_F(Libsvm, LinesLongerThanTheWindow) {
  std::string text = "1";
  for (int j = 1; j <= 200000; ++j) text += " " + std::to_string(j) + ":" + std::to_string(j % 97 + 1);
  const Dataset data = read("f.libsvm", "2 3:1\n" + text + "\n3 1:4\n");
  ASSERT_EQ(data.X.cols(), 200000u);
  for (std::size_t j = 1; j <= 200000; ++j) ASSERT_EQ(data.X(1, j - 1), static_cast<double>(j % 97 + 1));
  EXPECT_EQ(data.X(2, 0), 4.0);
}

}  // namespace
}  // namespace askrff::test
