// Weights fitted to the data: every complex c_j by ridge least squares on random pairs of rows, never on all N² of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "askrff/atoms.hpp"
#include "askrff/execution.hpp"
#include "askrff/kernel.hpp"
#include "askrff/views.hpp"

namespace askrff {

struct CalibrationOptions {
  std::size_t n_pairs = 0;  ///< pairs the weights are fitted on; 0: ten for every frequency, at least 2000
  /// Demand k̂(0) = k(0) exactly.
  bool pin_origin = false;
  std::uint64_t seed = 0;
  Execution execution = {};
  /// Up to so many frequencies the normal equations are formed (2 · 8 bytes · their square) and solved for several ridges; beyond,
  /// conjugate gradients on products that store nothing, stopped when pairs held out of the fit no longer gain.
  std::size_t direct_limit = 6144;
};

/// The weights c_j that minimise Σ(k̂ - k)² over pairs of rows of `data`, plus ridge · Σ|c_j - prior_j|², prior_j the weights of `atoms`.
/// k's symmetric part decides the real parts, its skew part the imaginary parts: two problems, each with the ridge that is best on pairs of
/// rows held out (a fifth of the rows), each left as it was if no ridge improves it there. What was done is in the result's provenance.
/// Jordan parts are forgotten: their masses no longer say what the weights are. Holds for data like `data`; ColumnRange::rows_outside of its range tells
/// when rows are not. Same bits for any number of threads. Throws std::invalid_argument for fewer than 4 rows, rows or kernel values that
/// are not finite, a wrong number of columns, or if the matrices do not fit into 16 GiB.
SpectralAtoms calibrate(const Kernel& kernel, const SpectralAtoms& atoms, MatrixView<const double> data,
                        const CalibrationOptions& options = {});

}  // namespace askrff
