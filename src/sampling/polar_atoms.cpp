// Frequencies of the whole measure, the phase in the weight.
#include <fmt/format.h>

#include <cmath>

#include "askrff/errors.hpp"
#include "askrff/grid.hpp"
#include "askrff/sampling.hpp"
#include "core/vectors.hpp"
#include "measures/rejection.hpp"
#include "sampling/grid_choice.hpp"
#include "sampling/point_sets.hpp"

namespace askrff {
namespace {

using Weights = std::vector<std::complex<double>>;

// |z| by portable arithmetic, without overflow of the squares.
double modulus_of(std::complex<double> z) {
  const double parts[] = {z.real(), z.imag()};
  return scaled_norm<double>(parts);
}

// Independent draws from |μ|/∫|μ| by rejection from the proposal; where |μ| is the proposal itself, as it is for most, every one is kept.
SpectralAtoms draw_moduli(const ComplexMeasure& measure, double bound, double total, std::size_t n, const SamplingOptions& options) {
  constexpr double min_share = 1e-4;  // ten thousand proposals for a frequency
  if (!(total >= min_share * bound))
    throw NumericalError(fmt::format(
        "polar sampling: ∫|μ| is {:.3g}, too little of its bound {:.3g} to be drawn by rejection; use the jordan estimator", total, bound));
  Matrix<double> frequencies(n, measure.dim());
  Weights weights(n);
  for (std::size_t j = 0; j < n; ++j) {
    options.stop.check();
    RandomStream random(options.seed, Purpose::polar, j);
    std::uint64_t proposals = 0;
    for (;;) {
      measure.propose(random, frequencies.row(j));
      const std::complex<double> ratio = measure.proposal_ratio(frequencies.row(j));
      const double modulus = modulus_of(ratio);
      if (!(modulus <= bound * (1 + 1e-9)))
        throw InvalidArgument(fmt::format("polar sampling: |μ/g| is {:.6g}, above the measure's modulus_bound {:.6g}", modulus, bound));
      if (random.uniform() * bound < modulus) {
        weights[j] = total / static_cast<double>(n) * (ratio / modulus);
        break;
      }
      if (++proposals >= measures::max_proposals) throw NumericalError("polar sampling: no proposal accepted; |μ| is far below its bound");
    }
  }
  return {std::move(frequencies), std::move(weights)};
}

// Independent draws, weighted: for measures whose ∫|μ| nobody knows.
SpectralAtoms draw_weighted(const ComplexMeasure& measure, std::size_t n, const SamplingOptions& options) {
  Matrix<double> frequencies(n, measure.dim());
  Weights weights(n);
  for (std::size_t j = 0; j < n; ++j) {
    options.stop.check();
    RandomStream random(options.seed, Purpose::polar, j);
    weights[j] = measure.draw_weighted(random, frequencies.row(j)) / static_cast<double>(n);
  }
  return {std::move(frequencies), std::move(weights)};
}

SpectralAtoms weigh_points(const ComplexMeasure& measure, const sampling::NormalPoints& set, const SamplingOptions& options) {
  const std::size_t n = set.weights.size();
  Matrix<double> frequencies(n, measure.dim());
  Weights weights(n);
  for (std::size_t j = 0; j < n; ++j) {
    options.stop.check();
    RandomStream random(options.seed, Purpose::polar, j);
    weights[j] = set.weights[j] * measure.draw_weighted_from(set.points.row(j), random, frequencies.row(j));
  }
  return {std::move(frequencies), std::move(weights)};
}

constexpr std::size_t min_structured_dim = 16;

// Structured frequencies stay structured when the measure only scales normal vectors: the scale goes into that of the blocks.
SpectralAtoms weigh_structured(const ComplexMeasure& measure, std::size_t n, const SamplingOptions& options) {
  if (!measure.normal_vector_use().scaled_proposals)
    throw InvalidArgument(
        "structured sampler: the frequencies of this measure are not multiples of normal vectors; use orthogonal, mub or sobol");
  if (measure.dim() < min_structured_dim)
    throw InvalidArgument(fmt::format(
        "structured sampler: {} dimensions, expected at least {}: directions of few signs are too coarse, and dense ones as fast; "
        "use orthogonal or mub",
        measure.dim(), min_structured_dim));
  HadamardBlocks blocks = draw_hadamard_blocks(n, measure.dim(), options.seed);
  const Matrix<double> points = blocks.frequencies();
  std::vector<double> omega(measure.dim());
  Weights weights(n);
  for (std::size_t j = 0; j < n; ++j) {
    options.stop.check();
    RandomStream random(options.seed, Purpose::polar, j);
    measure.propose_from(points.row(j), random, omega);
    weights[j] = measure.proposal_ratio(omega) / static_cast<double>(n);
    const double square = squared_norm(points.row(j));
    if (square > 0) blocks.scales[j] *= dot(points.row(j), omega) / square;
  }
  return {std::move(blocks), std::move(weights)};
}

bool has_draws(const ComplexMeasure& measure) {
  if (measure.draws_weighted()) return true;
  for (const Part part : measure.parts())
    if (!measure.proposal_bound(part)) return false;
  return true;
}

}  // namespace

SpectralAtoms draw_polar_atoms(const ComplexMeasure& measure, std::size_t n, const SamplingOptions& options) {
  sampling::require_room("draw_polar_atoms", n, measure.dim());
  if (n == 0) throw InvalidArgument("draw_polar_atoms", "0 frequencies, expected at least 1");
  if (options.sampler == Sampler::rejection)
    throw InvalidArgument("rejection sampler: it draws the parts of a measure one by one, as in the paper; use the jordan estimator");
  if (options.sampler == Sampler::grid) {
    sampling::check_extent(measure, options);
    std::vector<double> extent = options.extent.empty() ? std::vector<double>(measure.dim(), 1.0) : options.extent;
    for (double& value : extent) value *= sampling::grid_reserve;
    return grid_atoms(measure, sampling::grid_of_at_most(measure, n, extent), options.stop);
  }
  if (!has_draws(measure)) throw InvalidArgument("polar estimator: this measure has no proposal to draw from; use the jordan estimator");
  if (options.sampler == Sampler::exact) {
    const auto bound = measure.modulus_bound(), total = measure.exact_total_variation();
    return bound && total && !measure.draws_weighted() ? draw_moduli(measure, *bound, *total, n, options)
                                                       : draw_weighted(measure, n, options);
  }
  if (options.sampler == Sampler::structured) return weigh_structured(measure, n, options);
  if (!measure.normal_vector_use().proposals)
    throw InvalidArgument(
        fmt::format("{} sampler: this measure makes no frequencies from normal vectors; use the exact sampler", name_of(options.sampler)));
  return weigh_points(measure, sampling::point_set(measure, n, options, all_parts.size()), options);
}

}  // namespace askrff
