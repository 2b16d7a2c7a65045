// How far a map on a grid of frequencies can be asked.
#pragma once

#include <span>
#include <vector>

#include "askrff/map.hpp"

namespace askrff::pipeline {

/// Whether features of this map are waves at the frequencies of a grid.
inline bool is_on_grid(const Map& map) { return map.atoms() && map.atoms()->grid() && map.content().side == FeatureSide::left; }

/// A grid reaches as far from the rows it was made for as they may be from each other. Beyond, its waves repeat themselves; a kernel for
/// whose tolerance it was made has fallen to nothing there.
class GridReach {
 public:
  /// map: on a grid.
  explicit GridReach(const Map& map) {
    const auto& range = map.content().range;
    const std::vector<double>& extent = map.atoms()->grid()->extent;
    for (std::size_t k = 0; range && k < extent.size(); ++k) {
      lowest_.push_back(range->highest[k] - extent[k]);
      highest_.push_back(range->lowest[k] + extent[k]);
    }
  }

  /// row: scaled.
  template <class T>
  bool includes(std::span<const T> row) const {
    for (std::size_t k = 0; k < lowest_.size(); ++k)
      if (!(row[k] >= lowest_[k] && row[k] <= highest_[k])) return false;
    return true;
  }

 private:
  std::vector<double> lowest_, highest_;  // of every column; empty where nobody knows
};

}  // namespace askrff::pipeline
