// The training rows, from a file of any size or from memory, and what is to be known of them before anything is fitted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "askrff/data.hpp"
#include "askrff/scaler.hpp"
#include "data_options.hpp"
#include "label_coding.hpp"

namespace askrff::cli {

/// Rows that can be gone through as often as wanted, block by block.
class TrainingRows {
 public:
  /// Streamed if the source can be read again and `in_memory` is false; else read whole.
  TrainingRows(const DataOptions& options, bool in_memory, const Execution& execution);
  /// Rows that are there already.
  TrainingRows(std::string source, Dataset data) : source_(std::move(source)), data_(std::move(data)) {}

  const std::string& source() const { return source_; }
  std::size_t dim() const;
  const std::vector<std::string>& column_names() const;
  /// Rows are scaled from now on. To be called once at most.
  void scale_by(const Scaler& scaler);
  /// Visits all rows in order.
  void visit(const std::function<void(const RowBlock&)>& visitor);
  /// Rows and labels, if they are in memory.
  Dataset& data() { return *data_; }

 private:
  std::string source_;
  std::optional<DataStream> stream_;
  std::optional<Dataset> data_;
  std::optional<Scaler> scaler_;  // of rows that are streamed; those in memory have been scaled
};

/// Some rows and what they are called.
struct SampledRows {
  Matrix<double> X;                    ///< scaled
  std::vector<std::string> labels;     ///< as written
  std::vector<std::uint64_t> numbers;  ///< from 0: which rows of the data
};

/// One look at all rows.
struct Survey {
  std::uint64_t n_rows = 0;
  Scaler scaler;
  LabelSurvey labels;
  SampledRows sample;   ///< drawn uniformly
  SampledRows reserve;  ///< the first rows of every class, for those that are rare in the sample
};

/// `reserved`: rows of every class in the reserve, if the classes are not too many. Throws DataError if there are no labels.
Survey survey(TrainingRows& rows, Scaling scaling, std::uint64_t seed, std::size_t reserved = 0);

}  // namespace askrff::cli
