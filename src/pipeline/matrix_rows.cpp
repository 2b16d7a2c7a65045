// A kernel matrix from a stream of its rows, and its columns as rows.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/matrix_map.hpp"
#include "core/transpose.hpp"
#include "pipeline/collected_rows.hpp"

namespace askrff {

MatrixRows read_matrix(RowStream& rows, const StopToken& stop) {
  MatrixRows all;
  pipeline::CollectedRows collected(rows.n_columns());
  for (RowBlock block; rows.next_as_is(block);) {
    stop.check();
    collected.add(block.X);
    std::ranges::move(block.labels, std::back_inserter(all.labels));
    all.label_numbers.insert(all.label_numbers.end(), block.label_numbers.begin(), block.label_numbers.end());
    all.weights.insert(all.weights.end(), block.weights.begin(), block.weights.end());
  }
  if (collected.n_rows() == 0 || rows.n_columns() == 0)
    throw DataError(rows.name(),
                    fmt::format("a matrix of {} x {}, expected at least one row and one column", collected.n_rows(), rows.n_columns()));
  all.K = collected.finish();
  return all;
}

namespace {

SparseMatrix<double> turned_rows(const SparseView<double>& K) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  if (K.rows() > most)
    throw InvalidArgument("columns_as_rows", fmt::format("{} rows of sparse numbers, expected at most {}", K.rows(), most));
  std::vector<std::uint64_t> starts(K.cols() + 1);
  for (std::size_t i = 0; i < K.rows(); ++i)
    for (const std::uint32_t j : K.columns_of(i)) ++starts[j + 1];
  for (std::size_t j = 0; j < K.cols(); ++j) starts[j + 1] += starts[j];
  std::vector<std::uint32_t> rows(K.n_values());
  std::vector<double> values(K.n_values());
  std::vector<std::uint64_t> next(starts.begin(), starts.end() - 1);
  for (std::size_t i = 0; i < K.rows(); ++i)
    for (std::size_t k = 0; k < K.columns_of(i).size(); ++k) {
      const std::uint64_t place = next[K.columns_of(i)[k]]++;
      rows[place] = static_cast<std::uint32_t>(i);
      values[place] = K.values_of(i)[k];
    }
  const auto places = SparseView<double>::of_checked(starts.data(), rows.data(), values.data(), K.cols(), K.rows());
  return {places, std::move(values)};
}

}  // namespace

RowsMatrix<double> columns_as_rows(const RowsView<double>& K, const StopToken& stop) {
  if (K.is_sparse()) return turned_rows(K.sparse());
  return transposed<double>(K.dense(), stop);
}

}  // namespace askrff
