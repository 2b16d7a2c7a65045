// From a sampler's name to its points: what the sets need to know of the measure is asked here.
#include "sampling/point_sets.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/vectors.hpp"
#include "askrff/errors.hpp"

namespace askrff {

namespace sampling {
namespace {

double sigma_of(const ComplexMeasure& measure, Sampler sampler) {
  const auto sigma = measure.gaussian_sigma();
  if (!sigma)
    throw InvalidArgument(fmt::format(
        "{} sampler: it is a rule for Gaussian measures, and this measure is none; use orthogonal, mub or sobol", name_of(sampler)));
  return *sigma;
}

double extent_of(const SamplingOptions& options, std::size_t k) { return options.extent.empty() ? 1.0 : options.extent[k]; }

// e^{iω·δ}·h(a·ω) oscillates like e^{iτ·z} with |τ_k| up to (|δ_k| + |a_k|)/σ, z = σω.
NormalPoints quadrature_points(const ComplexMeasure& measure, std::size_t n, const SamplingOptions& options) {
  check_extent(measure, options);
  const double sigma = sigma_of(measure, options.sampler);
  const auto ridge = measure.ridge();
  std::vector<double> reach(measure.dim());
  for (std::size_t k = 0; k < reach.size(); ++k) reach[k] = (extent_of(options, k) + (ridge.empty() ? 0 : std::fabs(ridge[k]))) / sigma;
  return hermite_points(n, reach, options.stop);
}

// a/‖a‖, empty without a ridge.
std::vector<double> ridge_direction(const ComplexMeasure& measure) {
  std::vector<double> direction(measure.ridge().begin(), measure.ridge().end());
  const double length = scaled_norm<double>(direction);
  for (double& value : direction) value /= length;
  return direction;
}

NormalPoints points_along_ridge(const ComplexMeasure& measure, std::size_t n, const SamplingOptions& options, SetSeed seed) {
  const double sigma = sigma_of(measure, options.sampler);
  const auto direction = ridge_direction(measure);
  if (direction.empty())
    throw InvalidArgument("ridge sampler: this measure is the same in all directions, it has no ridge; use mub or orthogonal");
  check_extent(measure, options);
  if (direction.size() < 4) return quadrature_points(measure, n, options);
  if (n < 3) throw InvalidArgument(fmt::format("ridge sampler: {} frequencies, expected at least 3", n));
  double reach = scaled_norm<double>(measure.ridge());
  for (std::size_t k = 0; k < direction.size(); ++k) reach += std::fabs(direction[k]) * extent_of(options, k);
  return ridge_points(n, direction, reach / sigma, seed, options.stop);
}

}  // namespace

void check_extent(const ComplexMeasure& measure, const SamplingOptions& options) {
  if (!options.extent.empty() && options.extent.size() != measure.dim())
    throw InvalidArgument("SamplingOptions",
                          fmt::format("extent has {} numbers, the measure {} dimensions", options.extent.size(), measure.dim()));
  for (const double value : options.extent)
    if (!(value >= 0) || !std::isfinite(value))
      throw InvalidArgument("SamplingOptions", fmt::format("an extent is {}, expected a finite number of at least 0", value));
}

void require_room(const char* who, std::size_t n, std::size_t dim) {
  constexpr std::uint64_t max_numbers = std::uint64_t{1} << 31, beside = 4;  // a complex weight and what it is made of
  if (dim == 0 || dim > max_numbers || n > max_numbers / (dim + beside))
    throw InvalidArgument(who, fmt::format("{} frequencies in dimension {} do not fit into memory", n, dim));
}

NormalPoints point_set(const ComplexMeasure& measure, std::size_t n, const SamplingOptions& options, std::uint64_t number) {
  const SetSeed seed{options.seed, number};
  switch (options.sampler) {
    case Sampler::orthogonal:
      return orthogonal_points(n, measure.dim(), seed, options.stop);
    case Sampler::mub:
      return mub_points(n, measure.dim(), seed, options.stop);
    case Sampler::sobol:
      return sobol_points(n, measure.dim(), measure.gaussian_sigma() ? ridge_direction(measure) : std::vector<double>(), seed,
                          options.stop);
    case Sampler::quadrature:
      return quadrature_points(measure, n, options);
    case Sampler::ridge:
      return points_along_ridge(measure, n, options, seed);
    default:
      throw InvalidArgument(fmt::format("{} sampler: it has no point set", name_of(options.sampler)));
  }
}

}  // namespace sampling
}  // namespace askrff
