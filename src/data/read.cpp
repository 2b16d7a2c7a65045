// read_data: all rows of a source at once.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "askrff/data.hpp"
#include "askrff/labels.hpp"
#include "data/messages.hpp"
#include "data/open.hpp"

namespace askrff {

Dataset data::read_growing(RowSource& source) {
  constexpr std::size_t block_bytes = std::size_t{8} << 20;
  const std::size_t cols = source.n_columns(), block_rows = std::max<std::size_t>(1, block_bytes / sizeof(double) / cols);
  struct Block {
    Matrix<double> X;
    std::size_t rows;
  };
  std::vector<Block> blocks;
  RowBlock labels;
  std::size_t n_rows = 0;
  for (;;) {
    Matrix<double> X(block_rows, cols);
    const std::size_t rows = source.read(X, labels);
    if (rows == 0) break;
    blocks.push_back({std::move(X), rows});
    n_rows += rows;
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
  return data::open_rows(source, options, libsvm_width, data::Reading::whole)->read_all();
}

}  // namespace askrff
