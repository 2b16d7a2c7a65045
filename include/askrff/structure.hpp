// Frequencies with a structure that makes sums over them fast: HadamardBlocks, whose products with x take a fast transform instead of a
// matrix, and FrequencyGrid, whose waves do. What samplers may make and later stages run.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "askrff/views.hpp"

namespace askrff {

/// Frequencies that are scaled rows of H D₃ H D₂ H D₁, H the orthonormal Hadamard matrix (Sylvester's order) and D diagonal matrices of
/// signs, one triple per block: frequency j is scales[j] times the first `dim` columns of row j % padded_dim of block j / padded_dim. All
/// products with one x take O(size() · log padded_dim). An aggregate to be filled by hand or by draw_hadamard_blocks.
struct HadamardBlocks {
  std::size_t dim = 0;
  std::size_t padded_dim = 0;      ///< a power of two from 16 to 2^24, at least dim
  std::vector<signed char> signs;  ///< n_blocks() × 3 × padded_dim of +1 or -1: D₁, D₂, D₃ of the first block, D₁ of the second …
  std::vector<double> scales;      ///< one per frequency: its length, but for the coordinates beyond dim

  static constexpr std::size_t min_padded_dim = 16, max_padded_dim = std::size_t{1} << 24;

  std::size_t size() const { return scales.size(); }
  /// The last one may be used in part.
  std::size_t n_blocks() const { return padded_dim == 0 ? 0 : (size() + padded_dim - 1) / padded_dim; }
  /// Throws std::invalid_argument unless sizes agree, there is a frequency, signs are ±1 and scales finite.
  void check() const;
  /// The frequencies themselves, size() × dim: sums of signs, which are exact, times scale/padded_dim^1.5; relative error below 2^-51. The
  /// same bits everywhere. Takes O(size() · padded_dim · log padded_dim). Throws as check().
  Matrix<double> frequencies() const;
};

/// Equispaced frequencies in 1 to 3 dimensions: n_k·spacing[k] with |n_k| ≤ half[k], and of every pair ±ω one, because k is real. Frequency
/// j is number j from the middle of all, in lexicographic order of n: the first is 0. Sums over points at all of them, and sums of all of
/// them at points, take a non-uniform fast Fourier transform each. Good for differences up to `extent`: beyond it the periodic copies of k
/// (one every 2π/spacing) come in.
struct FrequencyGrid {
  std::vector<double> spacing = {};
  std::vector<std::size_t> half = {};
  std::vector<double> extent = {};
  double tolerance = 1e-6;  ///< of what is computed with it, relative to the largest |k|

  std::size_t dim() const { return spacing.size(); }
  /// Frequencies: (Π(2·half + 1) + 1)/2.
  std::size_t size() const;
  double period(std::size_t k) const;
  /// Throws InvalidArgument unless there are 1 to 3 dimensions, sizes agree, spacings are positive, the extent is below the period, the
  /// tolerance from 1e-14 to below 1, and there are fewer than 2^31 frequencies.
  void check() const;
  /// Throws InvalidArgument, in the name of `who`, if rows may be further apart than the extent.
  void require_extent(std::span<const double> of_rows, std::string_view who) const;
  /// The frequencies themselves, size() × dim. The same bits everywhere. Throws as check().
  Matrix<double> frequencies() const;
};

}  // namespace askrff
