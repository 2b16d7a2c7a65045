// Draws from |μ| of any measure with a bounded proposal.
#include "measures/composite_measure.hpp"

#include <cmath>

#include "askrff/errors.hpp"
#include "core/vectors.hpp"
#include "measures/rejection.hpp"

namespace askrff::measures {

bool has_weighted_draws(const ComplexMeasure& measure) {
  if (measure.draws_weighted()) return true;
  for (const Part part : measure.parts())
    if (!measure.proposal_bound(part)) return false;
  return true;
}

bool draws_moduli(const ComplexMeasure& measure) {
  return !measure.draws_weighted() && has_weighted_draws(measure) && measure.modulus_bound() && measure.exact_total_variation() &&
         knows_density(measure);
}

std::complex<double> draw_modulus(const ComplexMeasure& measure, RandomStream& random, std::span<double> omega) {
  const double bound = *measure.modulus_bound();
  for (std::uint64_t n = 0; n < max_proposals; ++n) {
    measure.propose(random, omega);
    const std::complex<double> ratio = measure.proposal_ratio(omega);
    const double parts[] = {ratio.real(), ratio.imag()}, modulus = scaled_norm<double>(parts);
    if (random.uniform() * bound < modulus) return {ratio.real() / modulus, ratio.imag() / modulus};
  }
  throw NumericalError("a sum of kernels: no proposal of one of them was accepted; its |μ| is far below its bound");
}

}  // namespace askrff::measures
