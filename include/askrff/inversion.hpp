// Which sources explain the readings: least squares with a penalty on a linear operator that is known by its products, with amplitudes of
// any sign or at least 0, and the penalty given, by the noise of the readings or by readings held out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/grid_operator.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// K, n_readings × n_sources, by its products with matrices of one column. They must be those of one matrix and its transpose up to
/// rounding, and the same bits for every call.
struct SourceOperator {
  using Product = std::function<Matrix<double>(MatrixView<const double>, const Execution&)>;
  std::size_t n_readings = 0, n_sources = 0;
  Product apply;             ///< K·v for v of n_sources rows
  Product apply_transposed;  ///< Kᵀ·u for u of n_readings rows
  double accuracy = 0;       ///< errors of entries of K, where known: a K that is no larger than such errors has no sources
};

/// Of anything with rows(), cols(), apply() and apply_transposed(): a GridOperator or LowRankOperator of double, of which a copy is kept.
/// The accuracy is known of a kernel's GridOperator.
template <class Operator>
SourceOperator source_operator(const Operator& K) {
  SourceOperator made{K.rows(), K.cols(), [K](MatrixView<const double> v, const Execution& execution) { return K.apply(v, execution); },
                      [K](MatrixView<const double> u, const Execution& execution) { return K.apply_transposed(u, execution); }};
  if constexpr (requires { K.chosen(); }) made.accuracy = K.chosen().grid.tolerance * K.chosen().largest;
  return made;
}

/// At most one of lambda and noise may be given; with neither λ is the one whose sources tell readings best that were held out.
struct InversionOptions {
  std::optional<double> lambda = {};  ///< ≥ 0
  std::optional<double> noise = {};  ///< standard deviation of the readings' errors, > 0: λ is such that ‖Ka - y‖ = noise·√n_readings
  bool non_negative = true;          ///< amplitudes at least 0
  double tolerance = 1e-6;           ///< of the gradient, relative to that at a = 0: where a solve ends; above 0, below 1
  std::size_t max_iterations = 5000;  ///< of one solve, two products each or the column of a source
  std::size_t n_folds = 5;            ///< of the readings held out, each once
  std::uint64_t seed = 0;             ///< deals readings to folds
  Execution execution = {};
};

/// A λ that was tried.
struct HeldOutReadings {
  double lambda = 0;
  double error = 0;  ///< root mean square over all readings, each told by sources found without it
};

struct Inversion {
  std::vector<double> amplitudes;     ///< one for every source
  double lambda = 0;                  ///< taken; infinity if it was to be found and no sources at all are the answer, or can be seen
  double residual = 0;                ///< ‖Ka - y‖
  std::size_t iterations = 0;         ///< of all solves
  bool converged = false;             ///< whether the last solve came to its tolerance
  std::vector<HeldOutReadings> path;  ///< in decreasing λ; empty unless readings were held out
};

/// Minimises ‖Ka - y‖² + λ‖a‖²: by LSQR, or over a ≥ 0 by accelerated projected gradients (FISTA), which begin anew where they overshoot,
/// in turns with the normal equations of the amplitudes above 0, or where those are many conjugate gradients among them. A solve ends by
/// the gradient Kᵀ(Ka - y) + λa; for a ≥ 0 by the part of it that a projected step goes along. λ by noise: found by bisection of log λ
/// until the residual is right to 0.1 %. Where no λ down to 1e-12 ‖K‖² has so small a residual, that one is taken, or a larger one if it is
/// above by no more than chance and falls no further; `residual` tells. Where readings are no larger than the noise there are no sources,
/// and none where sensors are so far from all of them that K is no larger than its own errors.
/// λ by readings held out: a path down from ‖K‖² by factors of √10, which ends with the fourth value that is not better by 0.1 % than the
/// one that will be taken.
/// Solves begin where the last one ended. Memory: some vectors, and up to 256 MiB of columns. Same bits for any number of threads if K's
/// products are. Progress is that of "search for lambda" and of "sources". Throws InvalidArgument for another number of readings, numbers
/// that are not finite or out of range, lambda and noise both, more folds than readings; NumericalError if products are not finite.
Inversion invert_sources(const SourceOperator& K, std::span<const double> readings, const InversionOptions& options = {});
Inversion invert_sources(const GridOperator<double>& K, std::span<const double> readings, const InversionOptions& options = {});

}  // namespace askrff
