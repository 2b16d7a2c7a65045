// Asymmetric Nyström: K(X,Y) ≈ k(X,Z)·M·k(Z,Y) with landmarks Z among the training rows and the matrix M that is best on a sample of them.
// For every kernel, symmetric or not, definite or not, with a Fourier measure or without; FeatureMap makes features of it.
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

/// The most landmarks there can be.
inline constexpr std::size_t max_landmarks = 4096;  // a quarter of a gigabyte for k of them with a sample
/// Landmarks by default: 2.5 for every feature up to 256, fewer for each one more, 1.5 from 1024 on. Features take as much longer to apply;
/// with 2 for each errors are about a tenth larger, with 1.5 a third; where features are many the sample cannot tell so many landmarks
/// apart.
constexpr std::size_t default_landmarks(std::size_t n_features) {
  const std::size_t extra = n_features <= 256 ? n_features : n_features < 1024 ? (1024 - n_features) / 3 : 0;
  const std::size_t count = n_features + (n_features + 1) / 2 + extra;
  return count < max_landmarks ? count : max_landmarks;
}

struct NystromOptions {
  std::size_t n_features = 128;
  /// 0: default_landmarks(n_features), but of a kernel that is not positive definite no more than half of the rows, or three fourths where
  /// features are so many: the other rows tell how far to trust landmarks, and features are fewer than asked for rather than worse. Else at
  /// most 4096, at least n_features; fewer are used if there are fewer rows, or if more would add nothing but rounding. More landmarks than
  /// features pay: features are then the best combinations of more functions.
  std::size_t n_landmarks = 0;
  Landmarks landmarks = Landmarks::pivoted;
  /// A row of which less than this is left, relative to the largest, when those chosen before are taken out of it, is no landmark; never
  /// less than 2^-46.
  double cutoff = 1e-13;
  std::uint64_t seed = 0;
  Execution execution = {};
};

/// What nystrom() found; plain data. left(x) = k(x,Z)·left_factor, right(y) = k(Z,y)ᵀ·right_factor.
struct NystromFactors {
  std::shared_ptr<const Kernel> kernel;
  RowsMatrix<double> landmarks;              ///< L × dim, sparse if the data is
  std::vector<std::size_t> landmark_rows;    ///< which rows of the data they are
  Matrix<double> left_factor, right_factor;  ///< L × n_features(), balanced: left and right features have the same size
  std::vector<double> core_singular_values;  ///< of k(Z,Z), in maps from files of earlier versions; else none: k(Z,Z) is not inverted
  std::vector<double> singular_values;       ///< of the approximation on the rows S of nystrom(), the largest first, one per feature

  std::size_t n_landmarks() const { return landmarks.rows(); }
  /// As asked for, or fewer if there are fewer landmarks, or the numerical rank of k(Z,Z) is smaller: more would be noise.
  std::size_t n_features() const { return left_factor.cols(); }
};

/// Chooses landmarks Z among (at most 8192, drawn uniformly) rows of data, and the features between which k(S,Z)·M·k(Z,S) is closest to
/// K(S,S), M of rank n_features, S the landmarks (as half rows if L > 1024) and others of these rows. The same bits for any number of
/// threads. Cost for L landmarks and r features, of C candidates (8192, or 3L if L > 1024) and n = L + max(4096, 2.5L) rows S, or fewer if
/// there are: n² + 2nL + CL kernel values; about 2CL² operations for pivoted and greedy, 2n²L + 6nL² + 25L²r + 30r³ for the factors, half
/// of it if k is symmetric. Memory: 3nL + 1024n doubles. Where k is not positive definite, coefficients that S says little about
/// are kept small by a ridge, the best for rows held out, which takes up to as long again. Features then cost L kernel values and L·r
/// multiplications per row. Error on unseen rows against that of the best approximation of rank r to them: 1.2 to 12 times for 32 to 128
/// features on four real data sets (more for more features where unseen rows lie apart from all training rows: those it cannot know), down
/// to about 1e-12 of ‖K‖. Throws std::invalid_argument for no rows, data or kernel values that are not finite, a kernel that is zero on the
/// landmarks, n_features of 0, n_landmarks above 4096 or below n_features, a cutoff outside [0,1); NumericalError if the factorisation
/// fails.
NystromFactors nystrom(std::shared_ptr<const Kernel> kernel, const RowsView<double>& data, const NystromOptions& options = {});

}  // namespace askrff
