// Structured frequencies as the fast transform wants them. The same for every target.
#pragma once

#include <cstddef>
#include <vector>

#include "askrff/structure.hpp"
#include "backend/backend.hpp"
#include "core/aligned.hpp"

namespace askrff::backend::simd {

/// H D₃ H D₂ H D₁ of every block with Hadamard matrices of plain ±1: 2^-2p goes into D₁, where P = 2^p is padded_dim, so that no number on
/// the way exceeds max|x|, and what is left of the normalisation into the scales. Blocks are padded with ones and scales with zeros.
template <class T>
struct HadamardFactors {
  AlignedBuffer<T> diagonals;  ///< n_blocks × 3 × P
  AlignedBuffer<T> scales;     ///< in turns; n_blocks × P
};

class HadamardProjection final : public Projection {
 public:
  /// The blocks have been checked.
  explicit HadamardProjection(const HadamardBlocks& blocks);

  template <class T>
  const HadamardFactors<T>& factors() const {
    if constexpr (sizeof(T) == sizeof(float))
      return in_float;
    else
      return in_double;
  }

  std::size_t n, dim, padded_dim;
  std::size_t n_blocks;  ///< whole panels of floats
  HadamardFactors<float> in_float;
  HadamardFactors<double> in_double;
  /// |scale_j| in turns, padded with zeros: |phase| ≤ this · ‖x‖₂. Infinite above 2^64, where the smallest floats x could matter.
  std::vector<double> reach;
  std::vector<double> block_reach;  ///< the largest of each block
};

}  // namespace askrff::backend::simd
