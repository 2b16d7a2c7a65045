// What make_map() and train() share: the sample of rows a map is made on, and the map of rows that are scaled already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "askrff/map.hpp"

namespace askrff::pipeline {

/// Rows a map needs to see at most: 20 000, or fewer where rows are wide (half a gigabyte), but 500.
std::size_t sample_size(std::size_t n_columns);

/// A uniform choice among rows whose number is not known (reservoir sampling). A row's part in it depends on the seed and its number only.
class RowSampler {
 public:
  RowSampler(std::size_t size, std::uint64_t seed);
  /// Where the next row goes in the sample, in place of an earlier one or after the last; nothing if it is not taken.
  std::optional<std::size_t> next();

 private:
  std::size_t size_;
  std::uint64_t seed_, n_seen_ = 0;
};

/// make_map() for scaled rows, all of which may be looked at.
Map make_map_of_scaled(const KernelChoice& kernel, MatrixView<const double> rows, Scaler scaler, const MapOptions& options,
                       std::vector<Candidate>& tried);

}  // namespace askrff::pipeline
