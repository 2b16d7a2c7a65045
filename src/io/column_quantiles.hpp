// Median and 5 % to 95 % range of every column, of rows that go by once.
#pragma once

#include <cstddef>
#include <vector>

#include "core/row_sampler.hpp"

namespace askrff::io {

/// All rows are kept up to a number, beyond it a sample of so many: see Scaler.
class ColumnQuantiles {
 public:
  explicit ColumnQuantiles(std::size_t n_columns);

  void add(const double* row);
  struct Quantiles {
    double low, median, high;
  };
  /// Of a column of the rows so far, of which there is at least one; between two values by their distance, as numpy.quantile has it.
  Quantiles of(std::size_t column) const;

 private:
  std::size_t n_columns_;
  RowSampler sampler_;
  std::vector<double> values_;  // row by row
};

}  // namespace askrff::io
