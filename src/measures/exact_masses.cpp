// Masses from the measure's own exact integrals.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "askrff/measure.hpp"
#include "askrff/errors.hpp"

namespace askrff {

double& Masses::of(Part part) {
  return part == Part::real_positive ? real_positive : part == Part::real_negative ? real_negative : imaginary_positive;
}
double Masses::of(Part part) const { return const_cast<Masses*>(this)->of(part); }

Masses exact_masses(const ComplexMeasure& measure) {
  Masses masses;
  for (const Part part : measure.parts()) {
    const auto moments = measure.exact_moments(part);
    if (!moments)
      throw InvalidArgument(
          fmt::format("exact masses: the measure does not know the mass of its part {}; use quadrature (up to 3 dimensions) "
                      "or the subset fit",
                      traits(part).name));
    if (!std::isfinite(moments->mass) || moments->mass < 0)
      throw InvalidArgument(
          fmt::format("exact masses: part {} has mass {}: a kernel without finite total mass (one with a jump, say) has no "
                      "Fourier features",
                      traits(part).name, moments->mass));
    masses.of(part) = moments->mass;
    masses.total += std::abs(traits(part).coefficient) * moments->mass;
  }
  masses.total_variation = measure.exact_total_variation().value_or(std::numeric_limits<double>::quiet_NaN());
  return masses;
}

}  // namespace askrff
