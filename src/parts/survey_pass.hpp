// What the first pass over rows in parts finds.
#pragma once

#include <vector>

#include "askrff/errors.hpp"
#include "core/exact_sum.hpp"
#include "io/column_sums.hpp"
#include "parts/pass.hpp"

namespace askrff::parts {

struct PartSurvey {
  io::ColumnSums columns{1, Scaling::none};
  std::vector<std::vector<std::uint64_t>> n_of_part;  ///< of every part, rows of every class
  std::vector<std::uint64_t> hashes;                  ///< of every part, of its values, labels and weights
  std::vector<ExactSum> totals;                       ///< weights of every class
  std::vector<double> first_row, first_label;         ///< raw; empty if there are no rows

  PartSurvey() = default;
  PartSurvey(const RowFacts& facts, Scaling scaling) : columns(facts.n_columns, scaling), totals(facts.n_counted()) {}
  /// Adds the parts that come next.
  void merge(const PartSurvey& next);
  void write(io::RecordWriter& file) const;
  static PartSurvey read(const io::Records& file);
};

}  // namespace askrff::parts
