// Pairs of rows with the values of k in both directions: what weights are fitted to and judged by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/kernels.hpp"
#include "askrff/views.hpp"

namespace askrff::weighting {

/// What values of k up to this size are divided by so that their squares do not underflow: a power of two, 1 for all but tiny ones.
double unit_for(double largest);

struct PairSample {
  RowsMatrix<double> differences;  ///< δ_p, one per row
  std::vector<double> even, odd;   ///< (k(δ_p) ± k(-δ_p))/2
  std::vector<double> weights;     ///< how much each counts

  std::size_t size() const { return even.size(); }
};

/// `n_pairs` pairs of different rows (all of them if there are no more), each row about equally often; weight 1 each. With
/// `origin_share` > 0 also δ = 0, with that weight for every pair; with `beyond` also some longer differences, with little weight. Throws
/// std::invalid_argument if a value of k is not finite.
PairSample sample_pairs(const Kernel& kernel, const RowsView<double>& rows, std::size_t n_pairs, double origin_share, bool beyond,
                        std::uint64_t seed, const Execution& execution);

/// Rows for a fit and rows to judge it by, disjoint.
struct CalibrationRows {
  RowsMatrix<double> all;
  std::size_t n_held_out;

  RowsView<double> held_out() const { return all.view().middle_rows(0, n_held_out); }
  RowsView<double> fit() const { return all.view().middle_rows(n_held_out, all.rows() - n_held_out); }
};
/// At most `most` random rows of data, a fifth of them (at least 2) held out. data has at least 4 rows.
CalibrationRows calibration_rows(const RowsView<double>& data, std::size_t most, std::uint64_t seed);

}  // namespace askrff::weighting
