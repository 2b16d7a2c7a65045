// Asymmetric Nyström: K(X,Y) ≈ k(X,Z)·pinv(k(Z,Z))·k(Z,Y) with landmarks Z among the training rows. For every kernel, symmetric or not,
// definite or not, with a Fourier measure or without; FeatureMap makes features of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/kernels.hpp"
#include "askrff/views.hpp"
#include "askrff/words.hpp"

namespace askrff {

/// How landmarks are chosen from a pool of training rows drawn uniformly. The last two look at what the landmarks so far leave of k(z,·)
/// and k(·,z) together, and never take the same point twice:
/// uniform: the first rows of the pool; pivoted: with probability in proportion to the square of the rest; greedy: the largest rest (to
/// within a factor of 2).
enum class Landmarks { uniform, pivoted, greedy };

inline constexpr Word<Landmarks> landmarks_words[] = {{Landmarks::uniform, "uniform", "rows drawn uniformly"},
                                                      {Landmarks::pivoted, "pivoted", "rows drawn by how much of k is left at them"},
                                                      {Landmarks::greedy, "greedy", "each time the row where most of k is left"}};
constexpr std::span<const Word<Landmarks>> words_of(Landmarks) { return landmarks_words; }

/// Landmarks by default, for every feature; and the most there can be.
inline constexpr std::size_t landmarks_per_feature = 3, max_landmarks = 4096;  // half a gigabyte of residuals, an eighth for k(Z,Z)

struct NystromOptions {
  std::size_t n_features = 128;
  /// 0: landmarks_per_feature times n_features. At most 4096, at least n_features; fewer are used if there are fewer rows, or if more would
  /// add nothing but rounding. More landmarks than features pay: features are then the best combinations of more functions, and an
  /// indefinite kernel needs them (with as many landmarks as features k(Z,Z) may be close to singular where K is not).
  std::size_t n_landmarks = 0;
  Landmarks landmarks = Landmarks::pivoted;
  /// Singular values of k(Z,Z) below this, relative to the largest, count as zero; never less than n_landmarks·2^-52.
  double cutoff = 1e-13;
  std::uint64_t seed = 0;
  Execution execution = {};
};

/// What nystrom() found; plain data. left(x) = k(x,Z)·left_factor, right(y) = k(Z,y)ᵀ·right_factor.
struct NystromFactors {
  std::shared_ptr<const Kernel> kernel;
  Matrix<double> landmarks;                  ///< L × dim
  std::vector<std::size_t> landmark_rows;    ///< which rows of the data they are
  Matrix<double> left_factor, right_factor;  ///< L × n_features(), balanced: left and right features have the same size
  std::vector<double> core_singular_values;  ///< of k(Z,Z), the largest first, those that were used
  std::vector<double> singular_values;       ///< of the approximation on a sample of rows, the largest first, one per feature

  std::size_t n_landmarks() const { return landmarks.rows(); }
  /// As asked for, or fewer if the numerical rank of k(Z,Z) is smaller: more would be noise.
  std::size_t n_features() const { return left_factor.cols(); }
};

/// Chooses landmarks among (at most 8192, drawn uniformly) rows of data, inverts k(Z,Z) on its leading singular vectors, and keeps the
/// combinations that matter most on those rows. The same bits for any number of threads. Cost for L landmarks, r features, n = min(rows,
/// 8192) and q = min(2r + 32, 2L/3): 6nL kernel values; about 8nL² operations for pivoted and greedy, 4nLq + 12L²q + 60q³ for the factors.
/// Memory: 16nL bytes for pivoted and greedy, and about 6L² doubles. Features then cost L kernel values and L·r multiplications per row.
/// Error on unseen rows against that of the best approximation of rank r to them: 1.2 to 12 times for 32 to 128 features on four real data
/// sets (more for more features where unseen rows lie apart from all training rows: those it cannot know), down to about 1e-12 of ‖K‖.
/// Throws std::invalid_argument for no rows, data or kernel values that are not finite, a kernel that is zero on the landmarks, n_features
/// of 0, n_landmarks above 4096 or below n_features, a cutoff outside [0,1); NumericalError if the factorisation fails.
NystromFactors nystrom(std::shared_ptr<const Kernel> kernel, MatrixView<const double> data, const NystromOptions& options = {});

}  // namespace askrff
