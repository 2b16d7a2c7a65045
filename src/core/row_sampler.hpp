// A uniform choice among rows whose number is not known before the last of them (reservoir sampling).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "askrff/random.hpp"

namespace askrff {

/// All rows up to `size`. A row's part in the choice depends on the seed, the purpose and its number only, not on blocks or threads. So the
/// choice of all rows is found in parts, each of which knows the number of its first row: at every place, the last row that went there.
class RowSampler {
 public:
  RowSampler(std::size_t size, std::uint64_t seed, Purpose purpose = Purpose::sampled_rows, std::uint64_t first_row = 0)
      : size_(size), seed_(seed), next_row_(first_row), purpose_(purpose) {}

  /// Where the next row goes in the sample, in place of an earlier one or, of rows from 0 on, after the last; nothing if it is not taken.
  std::optional<std::size_t> next() {
    const std::uint64_t row = next_row_++;
    if (row < size_) return row;
    const std::uint64_t place = RandomStream(seed_, purpose_, row).below(row + 1);
    return place < size_ ? std::optional<std::size_t>(place) : std::nullopt;
  }

  std::size_t size() const { return size_; }
  /// The number of the row that the next call of next() is about.
  std::uint64_t next_row() const { return next_row_; }
  /// Leaves out rows that somebody else has seen.
  void go_to(std::uint64_t row) { next_row_ = row; }

 private:
  std::size_t size_;
  std::uint64_t seed_, next_row_;
  Purpose purpose_;
};

}  // namespace askrff
