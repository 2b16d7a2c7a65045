// The rows a model is trained on, in memory or going by, and what one look at all of them tells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "askrff/rows.hpp"
#include "pipeline/labels.hpp"
#include "pipeline/row_sample.hpp"

namespace askrff::pipeline {

/// Rows in their order, as often as needed; those of weight 0 are left out, as if they were not there. A stream that cannot be rewound is
/// read once and kept.
class TrainingRows {
 public:
  /// max_kept: bytes; rows that are known to take no more before they are read, 8 for each number, are kept too.
  TrainingRows(RowStream& stream, std::uint64_t max_kept, const Execution& execution);

  /// What the stream says of itself: its name, columns, classes.
  const RowStream& stream() const { return stream_; }
  std::size_t dim() const { return stream_.n_columns(); }
  /// Calls visitor(block) for raw rows, sparse where the stream is.
  void visit(const std::function<void(const RowBlock&)>& visitor);
  /// Of all rows of the last visit, as they are kept: 8 for each number, of rows that stay sparse 12.
  std::uint64_t n_bytes() const { return is_written_out_ ? n_rows_ * dim() * sizeof(double) : n_bytes_; }
  /// From now on visitors get dense rows, written out a block at a time if the stream is sparse.
  void write_out() { is_written_out_ = true; }
  /// All rows, which are read now unless they are in memory.
  RowsMatrix<double>& X();

 private:
  void read_all();
  /// False if the stream does not own them.
  bool take_all();

  RowStream& stream_;
  StopToken stop_;
  bool in_memory_ = false, is_written_out_ = false;
  std::uint64_t n_rows_ = 0, n_bytes_ = 0;  // of the last visit
  RowsMatrix<double> X_;
  std::vector<std::string> labels_;
  std::vector<double> label_numbers_, weights_;
};

/// Leaves out rows of weight 0; what is left is then in `kept`. first: the number of the first row, for messages. Throws DataError for
/// weights out of range.
void keep_what_counts(RowBlock& block, RowsMatrix<double>& kept, std::uint64_t first, const std::string& source);

/// One look at all rows.
struct Survey {
  std::uint64_t n_rows = 0;
  Scaler scaler = {};
  ColumnRange box = {};  ///< the ends of all scaled rows
  LabelSurvey labels;
  SampledRows sample = {};   ///< drawn uniformly, for what depends on data but need not see all of it: the map, its kernel, tuning
  SampledRows reserve = {};  ///< the first rows of every class, for those that are rare in the sample
};

/// n_reserved: rows of every class in the reserve, if the classes are not too many. before: called with every block before its labels are
/// looked at. Throws DataError if there are no rows or labels.
Survey survey(TrainingRows& rows, Scaling scaling, std::uint64_t seed, std::size_t n_reserved = 0,
              const std::function<void(const RowBlock&, LabelSurvey&)>& before = {});

}  // namespace askrff::pipeline
