// Bases with entries e^{2πi(a j² + b j)/p}/√p, a = 0 … p-1, beside the standard one.
#include <fmt/format.h>

#include <cmath>

#include "askrff/sampling.hpp"
#include "askrff/errors.hpp"
#include "core/portable_math.hpp"
#include "sampling/unbiased_bases.hpp"

namespace askrff {
namespace sampling {

void fill_unbiased_direction(std::size_t p, std::size_t basis, std::size_t vector, std::size_t twelfths, std::span<double> direction) {
  const double scale = basis == 0 ? 1.0 : 1 / std::sqrt(static_cast<double>(p));
  for (std::size_t j = 0; j < p; ++j) {
    const bool zero = basis == 0 && j != vector;
    // In twelfths of 1/p of a turn, reduced while it is a whole number: the angle keeps all its digits.
    const std::size_t quadratic = basis == 0 ? 0 : ((basis - 1) * (j * j % p) + vector * j) % p;
    const std::size_t turn = (12 * quadratic + twelfths * p) % (12 * p);
    const auto at = portable::sincos_turns(static_cast<double>(turn) / static_cast<double>(12 * p));
    direction[j] = zero ? 0.0 : scale * at.cos;
    direction[p + j] = zero ? 0.0 : scale * at.sin;
  }
}

bool is_odd_prime(std::size_t p) {
  bool prime = p >= 3 && p % 2 == 1;
  for (std::size_t q = 3; q * q <= p && prime; q += 2) prime = p % q != 0;
  return prime;
}

}  // namespace sampling

Matrix<double> mutually_unbiased_directions(std::size_t p) {
  if (p > 1000 || !sampling::is_odd_prime(p))
    throw InvalidArgument("mutually_unbiased_directions", fmt::format("p is {}, expected an odd prime up to 1000", p));
  Matrix<double> directions(3 * p * (p + 1), 2 * p);
  for (std::size_t row = 0; row < directions.rows(); ++row)
    sampling::fill_unbiased_direction(p, row / (3 * p), row % p, 2 * (row / p % 3), directions.row(row));
  return directions;
}

}  // namespace askrff
