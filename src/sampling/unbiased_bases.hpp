// Single directions of the mutually unbiased bases: a design in many dimensions is too large to be made whole.
#pragma once

#include <cstddef>
#include <span>

namespace askrff::sampling {

bool is_odd_prime(std::size_t p);

/// Vector `vector` < p of basis `basis` ≤ p of C^p, turned by twelfths of a turn and made real: 2p coordinates, by portable arithmetic.
void fill_unbiased_direction(std::size_t p, std::size_t basis, std::size_t vector, std::size_t twelfths, std::span<double> direction);

}  // namespace askrff::sampling
