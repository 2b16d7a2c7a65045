// Range, mean and deviation of every column, the same bits in whatever order rows come and parts of them are put together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "askrff/rows.hpp"
#include "core/exact_sum.hpp"
#include "io/records.hpp"

namespace askrff::io {

/// What a Scaler needs of its rows but for quantiles: the range of every column, for standard also exact sums of numbers and squares.
class ColumnSums {
 public:
  /// Rows of a block, see add().
  static constexpr std::size_t block_rows = 256;

  ColumnSums(std::size_t n_columns, Scaling kind);

  /// Throws InvalidArgument for another number of columns, and for a number that is not finite; rows are counted from the first of these
  /// sums in the message. What is thrown leaves whole blocks of rows added, and none of the block where it happened.
  void add(const RowsView<double>& X, const StopToken& stop = {});
  /// Adds the rows of other sums, in any order. Throws InvalidArgument for another kind or number of columns, or more than 2^64 rows.
  void merge(const ColumnSums& other);
  /// Throws what merge would.
  void check_like(const ColumnSums& other) const;

  Scaling kind() const { return kind_; }
  std::size_t n_columns() const { return lowest_.size(); }
  std::uint64_t n_rows() const { return n_rows_; }
  /// Of every column; +∞ and -∞ without rows.
  const std::vector<double>& lowest() const { return lowest_; }
  const std::vector<double>& highest() const { return highest_; }
  /// The nearest doubles; of sums for standard, n_rows() ≥ 1.
  double mean(std::size_t column) const { return exact_mean(sums_[column], n_rows_); }
  double deviation(std::size_t column) const { return exact_deviation(sums_[column], squares_[column], n_rows_); }
  bool operator==(const ColumnSums&) const = default;

  /// Records "prefix/…". Equal sums give equal bytes.
  void write(RecordWriter& file, const std::string& prefix) const;
  /// Throws DataError for records that are no sums of any rows: sizes, ranges, means outside of them.
  static ColumnSums read(const Records& file, const std::string& prefix);

 private:
  void add_block(MatrixView<const double> X);
  void add_range(const double* x);
  void add_moments(MatrixView<const double> X);
  void add_sparse_block(SparseView<double> X);
  void read_moments(const Records& file, const std::string& prefix);

  Scaling kind_;
  std::uint64_t n_rows_ = 0;
  std::vector<double> lowest_, highest_;
  std::vector<ExactSum> sums_, squares_;  // empty unless standard
};

}  // namespace askrff::io
