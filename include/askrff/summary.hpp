// summarise: what is in a data source, found in one pass over its blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "askrff/data_stream.hpp"
#include "askrff/execution.hpp"

namespace askrff {

struct ColumnSummary {
  double lowest = 0, mean = 0, highest = 0;
  std::uint64_t n_zeros = 0;

  bool is_constant() const { return lowest == highest; }
};

struct ClassCount {
  std::string label;
  std::uint64_t n_rows = 0;
};

struct DataSummary {
  std::uint64_t n_rows = 0;
  std::vector<ColumnSummary> columns;
  std::vector<std::string> column_names;  ///< one per column, or empty
  std::uint64_t n_repeated = 0;           ///< rows whose values are those of an earlier row, by a 64-bit hash; labels are not looked at
  bool has_labels = false;
  std::vector<ClassCount> classes;  ///< numbers by size, then words; empty without labels or with more than options.most_classes
  std::optional<std::pair<double, double>> label_range;  ///< smallest and largest label, if all are numbers

  std::uint64_t n_zeros() const;
  /// Of the values; 0 … 1.
  double zero_share() const;
};

struct SummaryOptions {
  std::size_t most_classes = 100;  ///< with more different labels than this they are not counted
  Execution execution = {};
};

/// From where the stream stands to its end. Memory: a block, and 8 bytes for every row to find those that repeat. Throws DataError.
DataSummary summarise(DataStream& stream, const SummaryOptions& options = {});

}  // namespace askrff
