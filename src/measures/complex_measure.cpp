// What a measure does that overrides nothing: it knows no exact integral and has no proposal.
#include "askrff/measure.hpp"
#include "askrff/errors.hpp"

namespace askrff {

std::optional<double> ComplexMeasure::proposal_bound(Part) const { return std::nullopt; }

void ComplexMeasure::propose(RandomStream&, std::span<double>) const {
  throw InvalidArgument("ComplexMeasure::propose", "this measure gives a proposal_bound but no propose()");
}

std::complex<double> ComplexMeasure::proposal_ratio(std::span<const double>) const {
  throw InvalidArgument("ComplexMeasure::proposal_ratio", "this measure gives a proposal_bound but no proposal_ratio()");
}

std::optional<PartMoments> ComplexMeasure::exact_moments(Part) const { return std::nullopt; }

std::optional<std::complex<double>> ComplexMeasure::exact_transform(Part, std::span<const double>) const { return std::nullopt; }

std::optional<std::complex<double>> ComplexMeasure::exact_polar_transform(std::span<const double>) const { return std::nullopt; }

void ComplexMeasure::draw(Part, RandomStream&, std::span<double>) const {
  throw InvalidArgument("ComplexMeasure::draw", "this measure has no exact sampler");
}

std::complex<double> ComplexMeasure::draw_weighted(RandomStream& random, std::span<double> omega) const {
  propose(random, omega);
  return proposal_ratio(omega);
}

std::complex<double> ComplexMeasure::draw_weighted_from(std::span<const double> normals, RandomStream& random,
                                                        std::span<double> omega) const {
  propose_from(normals, random, omega);
  return proposal_ratio(omega);
}

void ComplexMeasure::propose_from(std::span<const double>, RandomStream&, std::span<double>) const {
  throw InvalidArgument("ComplexMeasure::propose_from", "this measure makes no proposals from normal vectors");
}

void ComplexMeasure::draw_from(Part, std::span<const double>, RandomStream&, std::span<double>) const {
  throw InvalidArgument("ComplexMeasure::draw_from", "this measure makes no draws from normal vectors");
}

std::optional<double> ComplexMeasure::mass_beyond(std::size_t, double) const { return std::nullopt; }

std::optional<double> ComplexMeasure::largest_beyond(std::span<const double>) const { return std::nullopt; }

}  // namespace askrff
