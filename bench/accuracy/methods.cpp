// Calls of the library as a user would write them.
#include "methods.hpp"

#include <algorithm>

#include "askrff/choose.hpp"
#include "askrff/operators.hpp"
#include "spread.hpp"

namespace askrff::accuracy {

double error_of(const Kernel& kernel, const FeatureMap& map, const Problem& problem) {
  return approximation_error(kernel, map, problem.evaluation, problem.evaluation).frobenius;
}

double error_of(const Kernel& kernel, const SpectralAtoms& atoms, const Problem& problem) {
  return error_of(kernel, FeatureMap(atoms), problem);
}

SpectralAtoms paper_atoms(const Kernel& kernel, const Problem& problem, std::size_t per_part, std::uint64_t seed) {
  return approximate(kernel, problem.training,
                     {.n_frequencies = per_part,
                      .estimator = Estimator::jordan,
                      .sampler = Sampler::exact,
                      .weights = Weights::subset,
                      .allocation = Allocation::equal,
                      .n_subset = 50,
                      .seed = seed});
}

std::size_t n_parts_of(const Kernel& kernel, std::size_t dim) {
  return approximate(kernel, dim, {.n_frequencies = 1, .estimator = Estimator::jordan}).size();
}

SpectralAtoms paper_atoms_in_all(const Kernel& kernel, const Problem& problem, std::size_t n_frequencies, std::uint64_t seed) {
  const std::size_t n_parts = n_parts_of(kernel, problem.dim());
  return paper_atoms(kernel, problem, std::max<std::size_t>(1, n_frequencies / n_parts), seed);
}

SpectralAtoms plain_atoms(const Kernel& kernel, const Problem& problem, Estimator estimator, Sampler sampler, std::size_t n_frequencies,
                          std::uint64_t seed) {
  const std::size_t shares = estimator == Estimator::jordan ? n_parts_of(kernel, problem.dim()) : 1;
  return approximate(
      kernel, problem.training,
      {.n_frequencies = std::max<std::size_t>(1, n_frequencies / shares), .estimator = estimator, .sampler = sampler, .seed = seed});
}

SpectralAtoms chosen_atoms(std::shared_ptr<const Kernel> kernel, const Problem& problem, std::size_t n_frequencies, std::uint64_t seed) {
  Choice choice =
      choose_features(std::move(kernel), problem.training, {.n_frequencies = n_frequencies, .estimator = Estimator::fourier, .seed = seed});
  return std::get<SpectralAtoms>(std::move(choice.source));
}

double mean_of(std::span<const double> values) { return cli::spread_of(values).mean; }

double deviation_of(std::span<const double> values) { return cli::spread_of(values).deviation; }

Figures figures_of(std::span<const double> values) {
  return {.value = mean_of(values), .deviation = deviation_of(values), .trials = values.size()};
}

Figures ratio_figures(std::span<const double> a, std::span<const double> b) {
  std::vector<double> ratios(a.size());
  std::transform(a.begin(), a.end(), b.begin(), ratios.begin(), [](double x, double y) { return x / y; });
  return {.value = mean_of(a) / mean_of(b), .deviation = deviation_of(ratios), .trials = ratios.size()};
}

}  // namespace askrff::accuracy
