// A uniform choice among rows whose number is not known before the last of them (reservoir sampling).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "askrff/random.hpp"

namespace askrff {

/// All rows up to `size`. A row's part in the choice depends on the seed, the purpose and its number only, not on blocks or threads.
class RowSampler {
 public:
  RowSampler(std::size_t size, std::uint64_t seed, Purpose purpose = Purpose::sampled_rows) : size_(size), seed_(seed), purpose_(purpose) {}

  /// Where the next row goes in the sample, in place of an earlier one or after the last; nothing if it is not taken.
  std::optional<std::size_t> next() {
    const std::uint64_t row = n_seen_++;
    if (row < size_) return row;
    const std::uint64_t place = RandomStream(seed_, purpose_, row).below(row + 1);
    return place < size_ ? std::optional<std::size_t>(place) : std::nullopt;
  }

 private:
  std::size_t size_;
  std::uint64_t seed_, n_seen_ = 0;
  Purpose purpose_;
};

}  // namespace askrff
