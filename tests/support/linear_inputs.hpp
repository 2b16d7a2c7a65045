// Inputs of linear models: maps that leave columns as they are, folds of rows that have no classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "askrff/linear.hpp"
#include "askrff/map.hpp"

namespace askrff::test {

inline Map column_map(std::size_t dim) { return Map(MapContent{.source = Columns{dim}}); }

inline std::vector<std::uint32_t> random_folds(std::size_t n_rows, std::size_t n_folds, std::uint64_t seed) {
  FoldDealer dealer(n_folds, seed);
  std::vector<std::uint32_t> folds(n_rows);
  for (std::uint32_t& fold : folds) fold = dealer.next();
  return folds;
}

}  // namespace askrff::test
