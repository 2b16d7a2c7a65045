// Causal kernels in time: k(t) = φ(t) for t > 0, else 0. They jump at 0, so no Fourier features come near them; sums of exponentials do,
// and their products with vectors take one ordered pass over the times.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// φ(t) = Σ_k amplitudes[k] e^{-rates[k] t} for t > 0, and 0 for t ≤ 0.
struct ExponentialSum {
  std::vector<double> amplitudes;  ///< of either sign
  std::vector<double> rates;       ///< ≥ 0; 0 is a constant that never ends

  std::size_t size() const { return rates.size(); }
  /// Throws std::invalid_argument unless there are as many amplitudes as rates, at least one, all finite, no rate negative.
  void check() const;
  double value(double t) const;
  /// Of φ from 0 to t; 0 for t ≤ 0. Without loss of digits for rates near 0.
  double integral(double t) const;
};

struct ExponentialFit {
  ExponentialSum sum;
  double error = 0;  ///< reached: max |φ - sum| / max |φ| over times between shortest and horizon, four times as many as were fitted to
};

struct ExponentialFitOptions {
  double tolerance = 1e-6;     ///< on that error, 1e-12 … 1
  double shortest = 0;         ///< earlier times than this are not looked at; 0: a millionth of the horizon
  std::size_t max_terms = 30;  ///< 1 … 100
};

/// φ at many times: writes out[i] = φ(t[i]), t[i] > 0.
using TimeFunction = std::function<void(std::span<const double> t, std::span<double> out)>;

/// Few exponentials that come within the tolerance of φ on [shortest, horizon]: one after the other is put where the rest of φ is best
/// fitted, and all of them are then moved to the least sum of squares. What the sum does beyond the horizon is decay. Calls `phi` on this
/// thread, twice. Throws std::invalid_argument for options out of range and values that are not finite, or NumericalError, with the error
/// that was reached, where max_terms do not suffice: functions that oscillate or jump take very many.
ExponentialFit fit_exponential_sum(const TimeFunction& phi, double horizon, const ExponentialFitOptions& options = {},
                                   const Execution& execution = {});

/// K_ij = φ(targets[i] - sources[j]), which is 0 unless the source is strictly earlier, as an operator on vectors: time and memory are
/// proportional to sources + targets, times the number of exponentials, after one sort. K is not stored. Keeps copies of the times.
///
/// Errors: every product φ_k(t-s)·v is within (5n + 4b_k(t-s) + 8)·2^-53 of its size, with n ≤ 2112 + (sources + targets)/32 factors
/// between the two times; nothing overflows, whatever the times. What is below 1e-290 of the largest number of a column is 0. Same bits for
/// any number of threads; columns are the same bits alone or among others.
class CausalOperator {
 public:
  /// Times in any order, from -1e300 to 1e300. Throws std::invalid_argument for others and as ExponentialSum::check.
  CausalOperator(ExponentialSum kernel, std::span<const double> targets, std::span<const double> sources);

  std::size_t rows() const { return n_targets_; }
  std::size_t cols() const { return n_sources_; }
  const ExponentialSum& kernel() const { return kernel_; }

  /// K·V for V of cols() rows. Throws std::invalid_argument for V of another size or not finite.
  Matrix<double> apply(MatrixView<const double> V, const Execution& execution = {}) const;
  /// Kᵀ·U for U of rows() rows.
  Matrix<double> apply_transposed(MatrixView<const double> U, const Execution& execution = {}) const;

 private:
  friend class CausalPass;
  /// Targets and sources in the order of time, targets before sources of the same time: walked forwards or backwards, no time sees its own.
  struct Moment {
    double time;
    std::size_t place;  // twice its number among the targets, or among the sources and 1 more
    std::size_t index() const { return place / 2; }
    bool is_source() const { return place % 2 != 0; }
  };
  Matrix<double> product(MatrixView<const double> V, bool transposed, const Execution& execution) const;

  ExponentialSum kernel_;
  std::size_t n_targets_, n_sources_;
  std::vector<Moment> moments_;
};

}  // namespace askrff
