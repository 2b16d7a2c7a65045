// read_data: all rows of a source at once.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "askrff/data.hpp"
#include "askrff/labels.hpp"
#include "data/messages.hpp"
#include "data/open.hpp"

namespace askrff {

namespace {

/// Of the labels a block holds, as text or as numbers; from label `first` on.
std::uint64_t bytes_of_labels(const RowBlock& block, std::size_t first) {
  std::uint64_t bytes = block.label_numbers.size() > first ? (block.label_numbers.size() - first) * sizeof(double) : 0;
  for (std::size_t i = first; i < block.labels.size(); ++i) bytes += sizeof(std::string) + block.labels[i].size();
  return bytes;
}

}  // namespace

Dataset data::read_growing(RowSource& source, std::uint64_t max_bytes) {
  constexpr std::size_t block_bytes = std::size_t{8} << 20;
  const std::size_t cols = source.n_columns(), block_rows = std::max<std::size_t>(1, block_bytes / sizeof(double) / cols);
  struct Block {
    Matrix<double> X;
    std::size_t rows;
  };
  std::vector<Block> blocks;
  RowBlock labels;
  std::size_t n_rows = 0;
  std::uint64_t held_bytes = 0;
  for (;;) {
    Matrix<double> X(block_rows, cols);
    const std::size_t rows = source.read(X, labels);
    if (rows == 0) break;
    blocks.push_back({std::move(X), rows});
    held_bytes += std::uint64_t{rows} * cols * sizeof(double) + bytes_of_labels(labels, n_rows);
    n_rows += rows;
    if (held_bytes > max_bytes)
      fail(source.name(), fmt::format("the first {} rows need {} of memory, the limit is {}", n_rows,
                                      in_bytes(static_cast<double>(held_bytes)), in_bytes(static_cast<double>(max_bytes))));
  }
  Dataset data;
  data.column_names = source.column_names();
  data.labels = std::move(labels.labels);
  for (const double number : labels.label_numbers) data.labels.push_back(label_key(number));
  data.X = Matrix<double>(n_rows, cols);
  double* out = data.X.data();
  for (Block& block : blocks) {
    out = std::copy_n(block.X.data(), block.rows * cols, out);
    block.X = {};  // rows are not in memory twice
  }
  return data;
}

Dataset read_data(const std::string& source, const ReadOptions& options) {
  std::size_t libsvm_width = 0;
  const auto rows = data::open_rows(data::find_files(source, options), options, libsvm_width, data::Reading::whole);
  Dataset data = rows->read_all();
  if (data.X.rows() == 0) data::fail(rows->name(), rows->no_rows());
  return data;
}

}  // namespace askrff
