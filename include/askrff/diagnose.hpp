// What a kernel is on given rows, before anything is approximated: symmetric, definite, shift-invariant, integrable, smooth, of what rank,
// and which kind of map suits it; and the same of a kernel matrix, as far as it has a meaning. Beside choose_features(), which makes the
// map.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/kernel_matrix.hpp"
#include "askrff/kernels.hpp"
#include "askrff/measure.hpp"
#include "askrff/sparse.hpp"
#include "askrff/words.hpp"

namespace askrff {

/// What the eigenvalues of K say on the rows looked at: K is taken as symmetric if its skew part is below 1e-12 of it, as positive
/// definite if no eigenvalue is below -1e-12 of the largest.
enum class KernelClass { positive_definite, indefinite, asymmetric };

inline constexpr Word<KernelClass> kernel_class_words[] = {
    {KernelClass::positive_definite, "positive definite", "symmetric, no eigenvalue below 0"},
    {KernelClass::indefinite, "indefinite", "symmetric, eigenvalues of both signs"},
    {KernelClass::asymmetric, "asymmetric", "k(x, y) and k(y, x) differ"}};
constexpr std::span<const Word<KernelClass>> words_of(KernelClass) { return kernel_class_words; }

/// How k(δ) behaves where it is least smooth along the lines looked at: those of Diagnosis::lines, and as many through the difference of
/// rows at which |k| is largest.
enum class Smoothness { smooth, kink, jump };

inline constexpr Word<Smoothness> smoothness_words[] = {
    {Smoothness::smooth, "smooth", "two derivatives"},
    {Smoothness::kink, "kink", "continuous, with a corner: a spectrum that falls slowly"},
    {Smoothness::jump, "jump", "not continuous: no finite total mass, no Fourier features"}};
constexpr std::span<const Word<Smoothness>> words_of(Smoothness) { return smoothness_words; }

/// k along a line through 0, s ↦ k(s·u), |u| = 1, and, where the measure has a density, μ(w·u).
struct KernelLine {
  std::string name;                                ///< "x1", "x2", … or "diagonal", (1, …, 1)/√d
  std::vector<double> at, value, skew;             ///< s, k, and (k(s·u) - k(-s·u))/2
  std::vector<double> frequency, real, imaginary;  ///< w, Re μ, Im μ; empty without a density
};

struct DiagnoseOptions {
  std::size_t n_rows = 400;  ///< at most so many rows, drawn by the seed, make the matrix that is looked at; 2 to 2000
  std::uint64_t seed = 0;
  Execution execution = {};
};

/// Of a square K.
struct SymmetryFacts {
  KernelClass kernel_class = KernelClass::positive_definite;
  double symmetric_share = 1, skew_share = 0;  ///< ‖(K + Kᵀ)/2‖/‖K‖ and ‖(K - Kᵀ)/2‖/‖K‖; their squares add up to 1
  double negative_share = 0;                   ///< norm of the eigenvalues below 0 of (K + Kᵀ)/2, over that of all
  double smallest_eigenvalue = 0, largest_eigenvalue = 0;  ///< of (K + Kᵀ)/2
};

struct SpectrumFacts {
  std::vector<double> singular_values;  ///< of K, the largest first
  /// The fewest features that can leave a relative error ‖K - K̃‖/‖K‖ of 1e-2 and 1e-3: by the singular values. 0: more than those found.
  std::size_t features_for_1e_2 = 0, features_for_1e_3 = 0;
};

/// Everything is said of the rows looked at, the matrix K of all pairs of them, and of lines through 0; a kernel may differ elsewhere.
struct Diagnosis : SymmetryFacts, SpectrumFacts {
  std::size_t dim = 0, n_rows = 0;

  // k as a function.
  bool shift_invariant = true;
  /// Largest |k(x + h, y + h) - k(x, y)| over pairs of rows and steps h between rows, over the largest |k|: 0 for a kernel of differences.
  double shift_variation = 0;
  // The rest has no meaning for kernels that are not shift-invariant.
  Smoothness smoothness = Smoothness::smooth;
  /// p where the largest |k| at a distance falls like |δ|^-p far out; infinite if faster than any power; 0: it is not seen to fall; less:
  /// it grows.
  double decay = 0;
  /// ∫|k| is seen to be finite in boxes of 10^6 times the rows' extent, or in those of 10^18 times; false: as far as that it is not.
  bool integrable = true;
  bool has_measure = false;               ///< a Fourier measure is known or was found
  std::string measure_reason;             ///< what is known of it, or why it has none
  std::optional<double> total_variation;  ///< ∫|μ|
  std::vector<KernelLine> lines;          ///< at most four: coordinates and the diagonal

  std::string route;   ///< "fourier", "grid", "calibrated" or "nystrom": what suits this kernel and these rows
  std::string reason;  ///< why, in one sentence
};

/// Looks at `kernel` on rows like those of X (dense or sparse; scaled by the caller as for the map). Same bits for any number of threads.
/// Cost: n_rows² kernel values and about 30·n_rows³ operations. Throws InvalidArgument for fewer than 2 rows, numbers or kernel values that
/// are not finite, a kernel that is zero on all pairs, options out of range; Stopped.
Diagnosis diagnose(const Kernel& kernel, const RowsView<double>& X, const DiagnoseOptions& options = {});

/// Of a kernel matrix. Where K is large, eigenvalues and singular values are the largest of them.
struct MatrixDiagnosis : SpectrumFacts {
  std::size_t n_rows = 0, n_columns = 0;
  double norm = 0;                        ///< ‖K‖, Frobenius
  bool is_whole = true;                   ///< all singular values are known, else so many of the largest
  std::optional<SymmetryFacts> symmetry;  ///< of a square K; its eigenvalues are those largest in size unless is_whole
  std::size_t n_features = 0;             ///< recommended
  double best_error = 0;                  ///< ‖K - K̃‖/‖K‖ that so many leave at best
  std::string reason;                     ///< why so many, in one sentence
};

/// Looks at all of K. Up to 1000 rows and columns (or options.n_rows, if that is more) all of its spectrum is found; of more the n_rows
/// largest singular values, and the eigenvalues of (K + Kᵀ)/2 largest in size, by matrix_factors. Shares and norm are those of all
/// entries in either case. A sparse K stays sparse. Same bits for any number of threads. Throws InvalidArgument for no rows or columns,
/// numbers that are not finite or whose squares overflow, a K that is zero, options out of range; NumericalError; Stopped.
MatrixDiagnosis diagnose_matrix(const RowsView<double>& K, const DiagnoseOptions& options = {});
/// The same of products with K; its norms take as many as K has rows, in blocks.
MatrixDiagnosis diagnose_matrix(const LinearMap& K, const DiagnoseOptions& options = {});

}  // namespace askrff
