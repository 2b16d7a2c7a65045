// From a kernel to its atoms: where the frequencies are (sampling) and how much each counts (weighting).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "askrff/atoms.hpp"
#include "askrff/kernel.hpp"
#include "askrff/sampling.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// jordan: the parts of the measure are sampled one by one, as in the paper.
enum class Estimator { jordan };
/// exact: masses known exactly; subset: masses fitted on a few rows (Algorithm 2 of the paper).
enum class Weights { exact, subset };

struct ApproximateOptions {
  std::size_t n_frequencies = 512;  ///< per part: the paper's M
  Estimator estimator = Estimator::jordan;
  Sampler sampler = Sampler::exact;
  Weights weights = Weights::exact;
  std::size_t n_subset = 50;  ///< rows for Weights::subset
  std::uint64_t seed = 0;
  double min_acceptance = 1e-5;
  /// A part with mass ≤ this times ‖μ‖ is dropped and recorded as such. Unset: 1e-12 for the exact sampler; 0 for the rejection
  /// sampler, which is the paper's and knows no masses.
  std::optional<double> drop_tolerance = {};
};

/// Atoms of `kernel` in `dim` dimensions, with exact weights (Weights::subset needs data: std::invalid_argument).
SpectralAtoms approximate(const Kernel& kernel, std::size_t dim, const ApproximateOptions& options = {});

/// The same with data: Weights::subset fits on options.n_subset of its rows, drawn by options.seed. A kernel without a measure gets
/// Gaussian frequencies and a weight for each of them, fitted on those rows.
SpectralAtoms approximate(const Kernel& kernel, MatrixView<const double> data, const ApproximateOptions& options = {});

/// What Algorithm 2 of the paper, with its sign corrected, finds on the rows `subset`.
struct MassFit {
  double real_positive = 0, real_negative = 0, imaginary_positive = 0;  ///< ξ₁, ξ₂, ξ₃ ≥ 0, ξ₁ - ξ₂ = k(0)
  double unconstrained_real_negative = 0;                               ///< ξ₂ before it is cut at its bound
  double unconstrained_imaginary_positive = 0;                          ///< ξ₃ before it is cut at its bound
  double residual = 0;                                                  ///< ‖K - K̃‖_F on the subset
};

/// Fits the masses of the parts of `draws` (their frequencies; their weights are not looked at) to k on all pairs of rows of `subset`.
/// Solved exactly by cases. Cost O(N_s² M), memory O(N_s²). Throws std::invalid_argument if draws has no parts or dimensions differ.
MassFit fit_masses(const Kernel& kernel, const SpectralAtoms& draws, MatrixView<const double> subset);

}  // namespace askrff
