// NPY files as numpy writes them, and as it would not.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "data/compressed.hpp"
#include "data/npy_files.hpp"
#include "io/temporary_files.hpp"

namespace askrff::test {
namespace {

using Values = std::vector<double>;

class NpyRead : public TemporaryFiles {
 protected:
  Dataset npy(const std::string& content, const ReadOptions& options = {}) const { return read("f.npy", content, options); }
  std::string error(const std::string& content, const ReadOptions& options = {}) const { return error_of("f.npy", content, options); }

  template <class T>
  void check_type(const std::string& code, const std::vector<T>& values) const {
    const Values expected(values.begin(), values.end());
    const std::string shape = "(" + std::to_string(values.size()) + ",)";
    EXPECT_EQ(elements(npy(with_header(header("<" + code, shape), bytes_of(values))).X), expected) << code;
    EXPECT_EQ(elements(npy(with_header(header(">" + code, shape), bytes_of(values, true))).X), expected) << code;
  }
};

TEST_F(NpyRead, ElementTypes) {
  check_type<float>("f4", {1.5f, -0.1f, 3e38f});
  check_type<double>("f8", {1.5, -0.1, 1e308, 5e-324});
  check_type<std::int8_t>("i1", {-128, 127});
  check_type<std::int16_t>("i2", {-32768, 258});
  check_type<std::int32_t>("i4", {-2147483647 - 1, 16909060});
  check_type<std::int64_t>("i8", {std::numeric_limits<std::int64_t>::min(), 72623859790382856});
  check_type<std::uint8_t>("u1", {0, 255});
  check_type<std::uint16_t>("u2", {65535, 258});
  check_type<std::uint32_t>("u4", {4294967295u, 16909060u});
  check_type<std::uint64_t>("u8", {std::numeric_limits<std::uint64_t>::max(), 72623859790382856u});
  EXPECT_EQ(elements(npy(with_header(header("|b1", "(3,)"), std::string("\0\1\2", 3))).X), (Values{0, 1, 1}));
  EXPECT_EQ(elements(npy(with_header(header("|u1", "(1,)"), "A")).X), Values{65});
}

TEST_F(NpyRead, ShapesAndOrders) {
  const std::string data = bytes_of<double>({1, 2, 3, 4, 5, 6});
  const Dataset rows = npy(with_header(header("<f8", "(2, 3)"), data));
  EXPECT_EQ(rows.X.rows(), 2u);
  EXPECT_EQ(rows.X.cols(), 3u);
  EXPECT_EQ(elements(rows.X), (Values{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(elements(npy(with_header(header("<f8", "(2, 3)", true), data)).X), (Values{1, 3, 5, 2, 4, 6}));
  const Dataset vector = npy(with_header(header("<f8", "(6,)", true), data));
  EXPECT_EQ(vector.X.rows(), 6u);
  EXPECT_EQ(vector.X.cols(), 1u);
}

TEST_F(NpyRead, HeaderSpellings) {
  const std::string data = bytes_of<double>({1, 2});
  for (const char* dictionary : {
           "{'shape':(2,1),'descr':'<f8','fortran_order':False}",
           "  { \"fortran_order\" : False ,\n 'shape' : ( 2 , 1 , ) , 'descr' : \"<f8\" , }  \n",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (2L, 1L), }",
       })
    for (const int version : {1, 2, 3}) EXPECT_EQ(elements(npy(with_header(dictionary, data, version)).X), (Values{1, 2})) << dictionary;
}

TEST_F(NpyRead, BadHeaders) {
  const std::string data = bytes_of<double>({1, 2});
  for (const char* dictionary : {
           "",
           "{}",
           "{'descr': '<f8', 'fortran_order': False}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)} x",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), 'more': 1}",
           "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '<f8', 'fortran_order': 0, 'shape': (2,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': 2}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (2)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (-2,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,)}",
           "{'descr': '<f8' 'fortran_order': False, 'shape': (2,)}",
           "{'descr': '<f8, 'fortran_order': False, 'shape': (2,)}",
           "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,)}",
       })
    EXPECT_TRUE(starts_with(error(with_header(dictionary, data)), "f.npy: the NPY ")) << dictionary;
  for (const char* type : {"<f2", "<c16", "f8", "|f8", "<f16", "|O", "<U3", "|S8", "<M8[ns]", "", "<i3", "<b2"})
    EXPECT_TRUE(starts_with(error(with_header(header(type, "(2,)"), data)), "f.npy: the NPY elements have type '")) << type;
}

TEST_F(NpyRead, BadShapes) {
  const std::string data = bytes_of<double>({1});
  EXPECT_EQ(error(with_header(header("<f8", "()"), data)), "f.npy: an NPY array of shape (), expected (rows,) or (rows, columns)");
  EXPECT_EQ(error(with_header(header("<f8", "(1, 1, 1)"), data)),
            "f.npy: an NPY array of shape (1, 1, 1), expected (rows,) or (rows, columns)");
  for (const char* shape : {"(0,)", "(0, 3)", "(3, 0)"})
    EXPECT_TRUE(contains(error(with_header(header("<f8", shape), "")), "expected at least one row and one column")) << shape;
  EXPECT_EQ(error(with_header(header("<f8", "(1000000, 1000000)"), data)),
            "f.npy: 1000000 rows and 1000000 columns would need 7.276 TiB of memory, the limit is 16 GiB");
  EXPECT_TRUE(contains(error(with_header(header("<f8", "(4294967296, 4294967296)"), data)), "would need 128 EiB"));
  EXPECT_TRUE(contains(error(with_header(header("|u1", "(18446744073709551615, 2)"), data)), "of memory, the limit is"));
}

TEST_F(NpyRead, MagicVersionAndLength) {
  const std::string good = with_header(header("<f8", "(1,)"), bytes_of<double>({1}));
  EXPECT_EQ(error("1,2\n"), "f.npy: does not start with the NPY magic bytes, expected \\x93NUMPY");
  std::string version = good;
  version[6] = 4;
  EXPECT_EQ(error(version), "f.npy: NPY format version 4.0, expected 1.0, 2.0 or 3.0");
  std::string huge("\x93NUMPY\x02\0\xFF\xFF\xFF\xFF", 12);
  EXPECT_EQ(error(huge), "f.npy: the NPY header claims 4294967295 bytes, expected at most 1048576");
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_NE(error(good.substr(0, size)), "accepted") << size;
}

TEST_F(NpyRead, TruncatedAndTrailing) {
  const std::string data = bytes_of<double>({1, 2, 3});
  EXPECT_EQ(error(with_header(header("<f8", "(4, 1)"), data)), "f.npy: the data end after 3 elements, expected 4 as the NPY header says");
  EXPECT_EQ(error(with_header(header("<f8", "(3, 1)"), data.substr(0, 23))),
            "f.npy: the data end after 2 elements, expected 3 as the NPY header says");
  EXPECT_EQ(error(with_header(header("<f8", "(3,)"), data + "x")),
            "f.npy: more bytes follow the data, expected 3 elements as the NPY header says");
}

// A header that claims 8 GiB over a few bytes of data must not allocate them.
TEST_F(NpyRead, MemoryGrowsWithTheData) {
  EXPECT_EQ(error(with_header(header("<f8", "(1073741824,)"), bytes_of<double>({1}))),
            "f.npy: the data end after 1 elements, expected 1073741824 as the NPY header says");
}

TEST_F(NpyRead, NotFiniteValues) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error(with_header(header("<f8", "(2, 2)"), bytes_of<double>({1, 2, 3, nan}))),
            "f.npy: row 2, column 2 is nan, expected a finite number");
  EXPECT_EQ(error(with_header(header("<f4", "(2, 3)", true), bytes_of<float>({1, 2, 3, 4, -INFINITY, 6}))),
            "f.npy: row 1, column 3 is -inf, expected a finite number");
}

TEST_F(NpyRead, Options) {
  const std::string good = with_header(header("<f8", "(1, 2)"), bytes_of<double>({1, 2}));
  EXPECT_EQ(npy(good, {.n_columns = 2}).X.cols(), 2u);
  EXPECT_EQ(error(good, {.n_columns = 3}), "f.npy: the data have 2 columns, expected 3 as asked for");
  EXPECT_EQ(error(good, {.label = "a"}), "f.npy: there is no label column 'a', expected a number from 1 to 2");
  EXPECT_EQ(npy(good, {.max_bytes = 16}).X.cols(), 2u);
  EXPECT_EQ(error(good, {.max_bytes = 15}), "f.npy: 1 rows and 2 columns would need 16 bytes of memory, the limit is 15 bytes");
}

TEST_F(NpyRead, LargeAndCompressed) {
  std::vector<float> values(300001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i) * 0.25f;
  const std::string file = with_header(header("<f4", "(300001,)"), bytes_of(values));
  for (const std::string& ending : compressions())
    EXPECT_EQ(elements(read("f.npy." + ending, compressed(file, ending)).X), Values(values.begin(), values.end())) << ending;
  EXPECT_EQ(elements(read("unnamed", file).X), Values(values.begin(), values.end()));
}

}  // namespace
}  // namespace askrff::test
