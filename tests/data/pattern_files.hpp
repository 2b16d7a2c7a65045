// Files of a pattern for tests: rows of every format, and a comparison with one file that has them all.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "askrff/data.hpp"
#include "data/npy_files.hpp"
#include "io/temporary_files.hpp"

namespace askrff::test {

using Values = std::vector<double>;
using Names = std::vector<std::string>;

/// All blocks of a stream, and how large they were.
struct Gathered {
  Values values;
  Names labels;
  Values label_numbers;
  std::vector<std::size_t> block_rows;
  bool operator==(const Gathered&) const = default;
};

inline Gathered gathered(DataStream& stream, std::size_t block_rows) {
  Gathered all;
  RowBlock block;
  while (stream.next(block, block_rows)) {
    all.values.insert(all.values.end(), block.X.dense().data(), block.X.dense().data() + block.X.rows() * block.X.cols());
    all.labels.insert(all.labels.end(), block.labels.begin(), block.labels.end());
    all.label_numbers.insert(all.label_numbers.end(), block.label_numbers.begin(), block.label_numbers.end());
    all.block_rows.push_back(block.X.rows());
  }
  return all;
}

class ManyFiles : public TemporaryFiles {
 protected:
  /// Without the folder of the test.
  std::string shortened(std::string text) const {
    const std::string prefix = folder().string() + "/";
    for (std::size_t at; (at = text.find(prefix)) != std::string::npos;) text.erase(at, prefix.size());
    return text;
  }
  Names files(const std::string& pattern) const {
    Names names = data_files(path(pattern));
    for (std::string& name : names) name = shortened(name);
    return names;
  }
  /// What read_data and DataStream both say of a source.
  std::string error_of_all(const std::string& source, ReadOptions options = {}) const {
    if (!options.label_file.empty()) options.label_file = path(options.label_file);
    const std::string whole = shortened(message_of<DataError>([&] { read_data(path(source), options); }));
    EXPECT_EQ(shortened(message_of<DataError>([&] {
                DataStream stream(path(source), options);
                gathered(stream, 3);
              })),
              whole);
    EXPECT_EQ(whole.find('\n'), std::string::npos);
    return whole;
  }
  /// The files of a pattern against one file with all rows: values, labels, names and the sizes of blocks.
  void expect_same_as_one(const std::string& pattern, const std::string& one, ReadOptions options = {}) const {
    SCOPED_TRACE(pattern);
    for (const std::size_t n_threads : {1, 3}) {
      options.execution.n_threads = n_threads;
      const Dataset expected = read_data(path(one), options), data = read_data(path(pattern), options);
      EXPECT_EQ(elements(data.X), elements(expected.X));
      EXPECT_EQ(data.X.cols(), expected.X.cols());
      EXPECT_EQ(data.labels, expected.labels);
      EXPECT_EQ(data.column_names, expected.column_names);
      DataStream of_one(path(one), options), of_many(path(pattern), options);
      EXPECT_EQ(of_many.column_names(), of_one.column_names());
      EXPECT_EQ(of_many.has_labels(), of_one.has_labels());
      EXPECT_TRUE(of_many.can_rewind());
      for (const std::size_t block_rows : {1, 7, 8192}) {
        EXPECT_EQ(gathered(of_many, block_rows), gathered(of_one, block_rows));
        of_one.rewind();
        of_many.rewind();
      }
    }
  }
};

inline std::string csv_row(std::size_t i) {
  return std::to_string(i) + ",k" + std::to_string(i % 3) + "," + std::to_string(static_cast<double>(i) / 7) + "\n";
}

inline std::string csv_rows(std::size_t first, std::size_t end) {
  std::string text;
  for (std::size_t i = first; i < end; ++i) text += csv_row(i);
  return text;
}

inline std::string libsvm_rows(std::size_t first, std::size_t end) {
  std::string text;
  for (std::size_t i = first; i < end; ++i)
    text += std::to_string(i % 2) + " 1:" + std::to_string(i) + " " + std::to_string(2 + i % 50) + ":0.5\n";
  return text;
}

inline std::string npy_rows(std::size_t first, std::size_t end, bool fortran = false) {
  Values values;
  for (std::size_t i = first; i < end; ++i) values.push_back(static_cast<double>(i));
  for (std::size_t i = first; i < end; ++i) values.push_back(static_cast<double>(i % 4));
  Values by_row;
  const std::size_t n = end - first;
  for (std::size_t i = 0; i < n; ++i) by_row.insert(by_row.end(), {values[i], values[n + i]});
  return with_header(header("<f8", "(" + std::to_string(n) + ", 2)", fortran), bytes_of(fortran ? values : by_row));
}

}  // namespace askrff::test
