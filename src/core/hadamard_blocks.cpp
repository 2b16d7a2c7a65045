// Structured frequencies: their checks, and the dense matrix they stand for.
#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "askrff/structure.hpp"
#include "askrff/errors.hpp"

namespace askrff {
namespace {

void require_sizes(const HadamardBlocks& blocks) {
  constexpr std::size_t least = HadamardBlocks::min_padded_dim, largest = HadamardBlocks::max_padded_dim;
  if (blocks.dim == 0 || blocks.size() == 0)
    throw InvalidArgument("HadamardBlocks",
                          fmt::format("{} frequencies of dimension {}, expected at least one of each", blocks.size(), blocks.dim));
  if (!std::has_single_bit(blocks.padded_dim) || blocks.padded_dim < least || blocks.padded_dim > largest || blocks.padded_dim < blocks.dim)
    throw InvalidArgument("HadamardBlocks", fmt::format("padded_dim is {}, expected a power of two from {} to {}, at least {}",
                                                        blocks.padded_dim, least, largest, blocks.dim));
  const std::size_t n_signs = blocks.n_blocks() * 3 * blocks.padded_dim;
  if (blocks.signs.size() != n_signs)
    throw InvalidArgument("HadamardBlocks", fmt::format("{} signs, expected {}", blocks.signs.size(), n_signs));
}

/// x ← H x without normalisation.
void hadamard(std::vector<double>& x) {
  for (std::size_t half = 1; half < x.size(); half *= 2)
    for (std::size_t first = 0; first < x.size(); first += 2 * half)
      for (std::size_t k = first; k < first + half; ++k) {
        const double a = x[k], b = x[k + half];
        x[k] = a + b;
        x[k + half] = a - b;
      }
}

/// Row j of H D₃ H D₂ H D₁ without normalisation: the transposed product D₁ H D₂ H D₃ H with the j-th unit vector. Every number on the way
/// is a whole one of at most padded_dim² ≤ 2^48.
void row_of_block(const signed char* signs, std::size_t j, std::vector<double>& row) {
  std::fill(row.begin(), row.end(), 0.0);
  row[j] = 1;
  for (std::size_t round = 3; round-- > 0;) {
    hadamard(row);
    for (std::size_t k = 0; k < row.size(); ++k) row[k] *= signs[round * row.size() + k];
  }
}

}  // namespace

void HadamardBlocks::check() const {
  require_sizes(*this);
  for (std::size_t i = 0; i < signs.size(); ++i)
    if (signs[i] != 1 && signs[i] != -1)
      throw InvalidArgument("HadamardBlocks", fmt::format("sign {} is {}, expected 1 or -1", i, static_cast<int>(signs[i])));
  for (std::size_t j = 0; j < scales.size(); ++j)
    if (!std::isfinite(scales[j]))
      throw InvalidArgument("HadamardBlocks", fmt::format("scale {} is {}, expected a finite number", j, scales[j]));
}

Matrix<double> HadamardBlocks::frequencies() const {
  check();
  Matrix<double> dense(size(), dim);
  std::vector<double> row(padded_dim);
  const double padded = static_cast<double>(padded_dim), norm = padded * std::sqrt(padded);
  for (std::size_t j = 0; j < size(); ++j) {
    row_of_block(signs.data() + j / padded_dim * 3 * padded_dim, j % padded_dim, row);
    for (std::size_t k = 0; k < dim; ++k) dense(j, k) = scales[j] / norm * row[k];
  }
  return dense;
}

}  // namespace askrff
