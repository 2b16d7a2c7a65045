// From a kernel to its atoms: where the frequencies are (sampling) and how much each counts (weighting).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "askrff/atoms.hpp"
#include "askrff/execution.hpp"
#include "askrff/kernels.hpp"
#include "askrff/sampling.hpp"
#include "askrff/views.hpp"
#include "askrff/words.hpp"

namespace askrff {

struct CalibrationOptions {
  std::size_t n_pairs = 0;  ///< pairs the weights are fitted on; 0: ten for every frequency, at least 2000
  /// Demand k̂(0) = k(0) exactly.
  bool pin_origin = false;
  /// Weights of either sign also for a positive definite kernel.
  bool unconstrained = false;
  std::uint64_t seed = 0;
  Execution execution = {};
  /// Up to so many frequencies the normal equations are formed (2 · 8 bytes · their square) and solved for several ridges; beyond,
  /// conjugate gradients on products that store nothing, stopped when pairs held out of the fit no longer gain.
  std::size_t direct_limit = 6144;
};

/// The weights c_j that minimise Σ(k̂ - k)² over pairs of rows of `data`, plus ridge · Σ|c_j - prior_j|², prior_j the weights of `atoms`.
/// k's symmetric part decides the real parts, its skew part the imaginary parts: two problems, each with the ridge that is best on pairs of
/// rows held out (a fifth of the rows), each left as it was if no ridge improves it there. Where rows are scarce the fit is repeated with
/// those ridges on all of them. Of a symmetric kernel the weights are real; of one that is positive definite as well they are ≥ 0, so that
/// left and right features are the same and Z·Zᵀ is the kernel matrix. What was done is in the result's provenance.
/// Jordan parts are forgotten: their masses no longer say what the weights are. Holds for data like `data`; ColumnRange::rows_outside of
/// its range tells when rows are not. Same bits for any number of threads. Throws std::invalid_argument for fewer than 4 rows, rows or
/// kernel values that are not finite, a wrong number of columns, or if the matrices do not fit into 16 GiB.
SpectralAtoms calibrate(const Kernel& kernel, const SpectralAtoms& atoms, const RowsView<double>& data,
                        const CalibrationOptions& options = {});

/// What a map is made of. approximate() makes jordan, polar and fourier (which automatic is there); make_map() all of them.
enum class Estimator { automatic, fourier, jordan, polar, nystrom, best, paper };

inline constexpr Word<Estimator> estimator_words[] = {
    {Estimator::automatic, "auto", "best with a tolerance, else fourier"},
    {Estimator::fourier, "fourier", "jordan or polar, whichever varies less on the data"},
    {Estimator::jordan, "jordan", "the parts of the Fourier measure are sampled one by one, as in the paper"},
    {Estimator::polar, "polar", "the whole measure is sampled once, phases are in the weights"},
    {Estimator::nystrom, "nystrom", "kernel values at landmarks among the rows"},
    {Estimator::best, "best", "Fourier and Nyström maps are tried and the best is kept, with a certificate"},
    {Estimator::paper, "paper", "Algorithms 1 and 2 of the paper: jordan, independent draws, masses fitted on 50 rows"}};
constexpr std::span<const Word<Estimator>> words_of(Estimator) { return estimator_words; }

enum class Weights { exact, subset, calibrated, unconstrained };

inline constexpr Word<Weights> weights_words[] = {
    {Weights::exact, "exact", "the known masses"},
    {Weights::subset, "subset", "masses fitted on a few rows, Algorithm 2 of the paper"},
    {Weights::calibrated, "calibrated",
     "every weight fitted on pairs of rows, from the exact ones as prior; none is negative if the kernel is positive definite"},
    {Weights::unconstrained, "unconstrained", "the same of any sign: for left times right only, which it may bring nearer to the kernel"}};
constexpr std::span<const Word<Weights>> words_of(Weights) { return weights_words; }

/// Whether every weight is fitted on pairs of rows.
constexpr bool is_calibrated(Weights weights) { return weights == Weights::calibrated || weights == Weights::unconstrained; }

/// How the jordan estimator shares frequencies among parts.
enum class Allocation { equal, mass, variance };

inline constexpr Word<Allocation> allocation_words[] = {
    {Allocation::equal, "equal", "as many for each part, as in the paper"},
    {Allocation::mass, "mass", "in proportion to the masses"},
    {Allocation::variance, "variance",
     "in proportion to what each part contributes to the standard deviation on the data, which makes it smallest"}};
constexpr std::span<const Word<Allocation>> words_of(Allocation) { return allocation_words; }

struct ApproximateOptions {
  /// jordan: of each part (the paper's M), or on average if allocation is not equal; polar: in all.
  std::size_t n_frequencies = 512;
  /// Columns of the features in all, two for every frequency, whatever the estimator: takes the place of n_frequencies. 0: not given.
  std::size_t n_features = 0;
  Estimator estimator = Estimator::jordan;
  /// Orthogonal gives way to exact, or to rejection, where a measure does not make its frequencies from normal vectors: the provenance says
  /// so.
  Sampler sampler = Sampler::exact;
  Weights weights = Weights::exact;
  Allocation allocation = Allocation::equal;
  std::size_t n_subset = 50;  ///< rows for Weights::subset
  std::size_t n_pairs = 0;    ///< pairs for calibrated weights; 0: ten for every frequency
  bool pin_origin = false;    ///< calibrated weights: demand k̂(0) = k(0)
  std::uint64_t seed = 0;
  double min_acceptance = 1e-5;
  /// How far apart rows may be in each coordinate, for the quadrature, ridge and grid samplers. Empty: that of the data, or 1 without data.
  std::vector<double> extent = {};
  /// A part with mass ≤ this times ‖μ‖ is dropped and recorded as such. Unset: 0 for the rejection sampler, which is the paper's and knows
  /// no masses; 1e-12 for all others.
  std::optional<double> drop_tolerance = {};
  Execution execution = {};
};

/// Atoms of `kernel` in `dim` dimensions, with exact weights. What needs data (Weights other than exact, Estimator::automatic where parts
/// and polar differ, Allocation::variance) is refused: std::invalid_argument. The provenance of the result says what was done.
SpectralAtoms approximate(const Kernel& kernel, std::size_t dim, const ApproximateOptions& options = {});

/// The same with data. A kernel without a measure gets Gaussian frequencies and a weight for each of them, fitted on n_subset rows
/// (Weights::subset) or on pairs of all rows (calibrated, unconstrained).
SpectralAtoms approximate(const Kernel& kernel, const RowsView<double>& data, const ApproximateOptions& options = {});

/// What Algorithm 2 of the paper, with its sign corrected, finds on the rows `subset`.
struct MassFit {
  double real_positive = 0, real_negative = 0, imaginary_positive = 0;  ///< ξ₁, ξ₂, ξ₃ ≥ 0, ξ₁ - ξ₂ = k(0)
  double unconstrained_real_negative = 0;                               ///< ξ₂ before it is cut at its bound
  double unconstrained_imaginary_positive = 0;                          ///< ξ₃ before it is cut at its bound
  double residual = 0;                                                  ///< ‖K - K̃‖_F on the subset
};

/// Fits the masses of the parts of `draws` (their frequencies; their weights are not looked at) to k on all pairs of rows of `subset`.
/// Solved exactly by cases. Cost O(N_s² M), memory O(N_s²). Throws std::invalid_argument if draws has no parts or dimensions differ.
MassFit fit_masses(const Kernel& kernel, const SpectralAtoms& draws, const RowsView<double>& subset, const Execution& execution = {});

}  // namespace askrff
