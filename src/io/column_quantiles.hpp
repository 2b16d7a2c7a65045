// Median and 5 % to 95 % range of every column, of rows that go by once, all of them or a part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/views.hpp"
#include "core/row_sampler.hpp"
#include "io/records.hpp"

namespace askrff::io {

/// All rows are kept up to a number, beyond it a sample of so many: see Scaler. Of a part of the rows, those are kept that would be in the
/// sample of all if no row came after; so parts put together in the order of rows are the same bits as one pass.
class ColumnQuantiles {
 public:
  /// first_row: the number of its first row among all.
  explicit ColumnQuantiles(std::size_t n_columns, std::uint64_t first_row = 0);

  /// Numbers must be finite. Throws InvalidArgument for another number of columns.
  void add(MatrixView<const double> X, const StopToken& stop = {});
  /// Adds the rows that come next, or none. Throws InvalidArgument for another number of columns or rows that are not the next ones.
  void merge(const ColumnQuantiles& next);

  std::size_t n_columns() const { return n_columns_; }
  std::uint64_t first_row() const { return first_row_; }
  std::uint64_t n_rows() const { return sampler_.next_row() - first_row_; }

  struct Quantiles {
    double low, median, high;
  };
  /// Of a column of the rows so far, which begin with row 0 and are at least one; between two values by their distance, as numpy.quantile
  /// has it.
  Quantiles of(std::size_t column) const;

  /// Records "prefix/…". The same rows give the same bytes, whatever the parts.
  void write(RecordWriter& file, const std::string& prefix) const;
  /// Throws DataError for records that are no sample of any rows.
  static ColumnQuantiles read(const Records& file, const std::string& prefix);

 private:
  static constexpr std::uint32_t no_slot = 0xFFFFFFFF;

  void check_kept(const Records& file, const std::string& prefix) const;
  void put(std::size_t place, std::span<const double> row);
  std::span<const double> row_in(std::size_t slot) const { return {values_.data() + slot * n_columns_, n_columns_}; }

  std::size_t n_columns_;
  std::uint64_t first_row_;
  RowSampler sampler_;
  std::size_t n_kept_ = 0;
  std::vector<std::uint32_t> slots_;  // of every place in the sample up to the last one taken: which row of values_ it is
  std::vector<double> values_;        // row by row, in the order in which their places were first taken
};

}  // namespace askrff::io
