// How far a map on a grid of frequencies can be asked.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "askrff/map.hpp"

namespace askrff::pipeline {

/// Whether features of this map are waves at the frequencies of a grid.
inline bool is_on_grid(const Map& map) { return map.atoms() && map.atoms()->grid() && map.content().side == FeatureSide::left; }

/// A grid reaches as far from the rows it was made for as they may be from each other: a tenth of their extent beyond them. Further out
/// its waves repeat themselves, so that nothing they say means anything there.
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

  /// Rows, those out of reach replaced by the nearest point within: the rows themselves if there are none, else `storage`.
  template <class T>
  MatrixView<const T> within(MatrixView<const T> rows, Matrix<T>& storage) const {
    std::size_t first = 0;
    while (first < rows.rows() && includes(rows.row(first))) ++first;
    if (first == rows.rows()) return rows;
    storage = Matrix<T>(rows.rows(), rows.cols());
    for (std::size_t i = 0; i < rows.rows(); ++i)
      for (std::size_t k = 0; k < rows.cols(); ++k)
        storage(i, k) = lowest_.empty() ? rows(i, k) : static_cast<T>(std::clamp<double>(rows(i, k), lowest_[k], highest_[k]));
    return std::as_const(storage).view();
  }

 private:
  std::vector<double> lowest_, highest_;  // of every column; empty where nobody knows
};

}  // namespace askrff::pipeline
