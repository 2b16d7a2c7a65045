// Counter-based random numbers (Philox4x32-10). A draw is (seed, purpose, index): the same bits on every machine, in any order, on any
// thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "askrff/sparse.hpp"

namespace askrff {

/// What a stream is for; streams of different purposes never share numbers. Values are part of the reproducibility contract: append only.
enum class Purpose : std::uint32_t {
  real_positive = 0,
  real_negative = 1,
  imaginary_positive = 2,
  subset_rows = 3,
  evaluation_rows = 4,
  builtin_data = 5,
  reference_frequencies = 6,
  derived_seed = 7,
  polar = 8,
  point_sets = 9,
  landmark_rows = 10,
  landmark_pivots = 11,
  structured_signs = 12,
  structured_radii = 13,
  calibration_rows = 14,
  calibration_pairs = 15,
  held_out_rows = 16,
  variance_pairs = 17,
  folds = 18,
  sampled_rows = 19,
  sampled_pairs = 20,
  trial_rows = 21,
  scaled_rows = 22,
  hawkes_events = 23,
  function_probes = 24,
};

/// An endless stream of random numbers that depends on its three arguments only. Cheap to make: one per drawn frequency.
/// Uses +, -, *, / and sqrt of IEEE doubles only (no libm), so every platform gives the same bits.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t index);

  std::uint64_t bits();                           ///< 64 random bits
  std::uint64_t below(std::uint64_t bound);       ///< uniform on 0 … bound-1, unbiased; bound ≥ 1
  double uniform();                               ///< uniform on (0, 1), never 0 or 1
  double normal();                                ///< standard normal
  void normals(std::span<double> out);            ///< the same numbers as out.size() calls of normal(), several times as fast
  double exponential();                           ///< exponential of mean 1
  double gamma(double shape);                     ///< Gamma(shape, scale 1), shape > 0
  double chi_squared(double degrees_of_freedom);  ///< degrees_of_freedom > 0
  bool coin() { return (bits() >> 63) != 0; }     ///< true or false, each with probability 1/2

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint64_t, 2> block_{};
  unsigned unused_in_block_ = 0;
  double spare_normal_ = 0;
  bool has_spare_normal_ = false;
};

/// The seed of the index-th independent repetition (trial) of a run with `seed`.
std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t index);

/// `count` different row numbers out of 0 … n_rows-1, uniformly at random, in random order; a longer choice starts with the shorter one.
/// Throws std::invalid_argument if count > n_rows.
std::vector<std::size_t> choose_rows(std::size_t n_rows, std::size_t count, std::uint64_t seed, Purpose purpose);

/// Rows of X that choose_rows draws, and all others in their order.
struct RowSplit {
  RowsMatrix<double> chosen, others;
};
RowSplit split_rows(const RowsView<double>& X, std::size_t n_chosen, std::uint64_t seed, Purpose purpose);

}  // namespace askrff
