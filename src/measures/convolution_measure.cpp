// Independent draws of all factors, added up.
#include "measures/convolution_measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "askrff/errors.hpp"

namespace askrff::measures {
namespace {

/// Calls draw(factor number, omega) for every factor and adds the frequencies up.
template <class Draw>
void add_up(std::size_t n_factors, std::span<double> omega, const Draw& draw) {
  std::vector<double> next(omega.size());
  draw(0, omega);
  for (std::size_t i = 1; i < n_factors; ++i) {
    draw(i, std::span<double>(next));
    for (std::size_t k = 0; k < next.size(); ++k) omega[k] += next[k];
  }
}

}  // namespace

ConvolutionMeasure::ConvolutionMeasure(std::vector<Factor> factors) : factors_(std::move(factors)) {
  // The first factor is the one that is drawn from given normal vectors.
  std::stable_partition(factors_.begin(), factors_.end(), [](const Factor& factor) { return factor->normal_vector_use().proposals; });
  for (const Factor& factor : factors_) {
    for (const Part part : factor->parts()) {
      is_positive_ = is_positive_ && part == Part::real_positive;
      is_real_ = is_real_ && part != Part::imaginary_positive;
    }
    const auto moments = factor->exact_moments(Part::real_positive);
    is_positive_ = is_positive_ && moments && factor->draws_exactly();
    if (moments) total_ *= moments->mass;
    const auto bound = factor->modulus_bound();
    if (!bound || !bound_)
      bound_.reset();
    else
      *bound_ *= *bound;
  }
}

std::vector<Part> ConvolutionMeasure::parts() const {
  if (is_positive_) return {Part::real_positive};
  if (is_real_) return {Part::real_positive, Part::real_negative};
  return {all_parts.begin(), all_parts.end()};
}

std::complex<double> ConvolutionMeasure::density(std::span<const double>) const {
  throw InvalidArgument("product_of",
                        "the density of a product of kernels is a convolution, which is not known pointwise: no quadrature and "
                        "no grid; use draws (exact, orthogonal, mub or sobol) and the polar estimator");
}

std::optional<double> ConvolutionMeasure::proposal_bound(Part part) const {
  return is_positive_ && part == Part::real_positive ? std::optional(total_) : std::nullopt;
}

void ConvolutionMeasure::propose(RandomStream& random, std::span<double> omega) const { draw(Part::real_positive, random, omega); }

std::complex<double> ConvolutionMeasure::proposal_ratio(std::span<const double> omega) const {
  return is_positive_ ? total_ : density(omega);
}

std::optional<PartMoments> ConvolutionMeasure::exact_moments(Part part) const {
  if (!is_positive_) return std::nullopt;
  if (part != Part::real_positive) return PartMoments{0.0, -std::numeric_limits<double>::infinity(), 0.0};
  PartMoments moments{total_, 0, 0.0};
  for (const Factor& factor : factors_) {
    const auto own = *factor->exact_moments(part);
    moments.log_mass += own.log_mass;
    if (!own.second_moment || !moments.second_moment)
      moments.second_moment.reset();
    else
      *moments.second_moment += *own.second_moment;  // independent, and symmetric about 0
  }
  return moments;
}

std::optional<std::complex<double>> ConvolutionMeasure::exact_transform(Part part, std::span<const double> delta) const {
  if (!is_positive_) return std::nullopt;
  if (part != Part::real_positive) return 0.0;
  std::complex<double> product = 1;
  for (const Factor& factor : factors_) {
    const auto own = factor->exact_transform(part, delta);
    if (!own) return std::nullopt;
    product *= *own;
  }
  return product;
}

std::optional<std::complex<double>> ConvolutionMeasure::exact_polar_transform(std::span<const double> delta) const {
  return exact_transform(Part::real_positive, delta);  // μ²/|μ| = μ where it is positive
}

void ConvolutionMeasure::draw(Part part, RandomStream& random, std::span<double> omega) const {
  if (!is_positive_) return ComplexMeasure::draw(part, random, omega);
  add_up(factors_.size(), omega, [&](std::size_t i, std::span<double> out) { factors_[i]->draw(part, random, out); });
}

std::complex<double> ConvolutionMeasure::draw_weighted(RandomStream& random, std::span<double> omega) const {
  std::complex<double> weight = 1;
  add_up(factors_.size(), omega, [&](std::size_t i, std::span<double> out) { weight *= factors_[i]->draw_weighted(random, out); });
  return weight;
}

// The first factor takes the given vector, the others draw for themselves.
NormalVectorUse ConvolutionMeasure::normal_vector_use() const {
  const NormalVectorUse first = factors_.front()->normal_vector_use();
  return {.proposals = first.proposals, .parts = is_positive_ && first.parts, .scaled_proposals = false, .scaled_parts = false};
}

std::complex<double> ConvolutionMeasure::draw_weighted_from(std::span<const double> normals, RandomStream& random,
                                                            std::span<double> omega) const {
  std::complex<double> weight = 1;
  add_up(factors_.size(), omega, [&](std::size_t i, std::span<double> out) {
    weight *= i == 0 ? factors_[i]->draw_weighted_from(normals, random, out) : factors_[i]->draw_weighted(random, out);
  });
  return weight;
}

void ConvolutionMeasure::propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const {
  draw_from(Part::real_positive, normals, random, omega);
}

void ConvolutionMeasure::draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const {
  if (!is_positive_) return ComplexMeasure::draw_from(part, normals, random, omega);
  add_up(factors_.size(), omega, [&](std::size_t i, std::span<double> out) {
    i == 0 ? factors_[i]->draw_from(part, normals, random, out) : factors_[i]->draw(part, random, out);
  });
}

std::optional<double> ConvolutionMeasure::largest_beyond(std::span<const double> distances) const {
  double product = 1;
  for (const Factor& factor : factors_) {
    const auto own = factor->largest_beyond(distances);
    if (!own) return std::nullopt;
    product *= *own;
  }
  return product;
}

}  // namespace askrff::measures
