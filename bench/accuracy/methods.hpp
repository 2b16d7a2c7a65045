// The methods that are compared, and their errors on rows outside every fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "askrff/approximate.hpp"
#include "askrff/features.hpp"
#include "row.hpp"

namespace askrff::accuracy {

/// ‖K-K̃‖_F/‖K‖_F on all pairs of the evaluation rows.
double error_of(const Kernel& kernel, const FeatureMap& map, const Problem& problem);
double error_of(const Kernel& kernel, const SpectralAtoms& atoms, const Problem& problem);

/// The paper's estimator: M frequencies of each Jordan part, masses fitted on 50 rows.
SpectralAtoms paper_atoms(const Kernel& kernel, const Problem& problem, std::size_t per_part, std::uint64_t seed);
/// Parts of the kernel that are not dropped: the paper's estimator has so many times M frequencies.
std::size_t n_parts_of(const Kernel& kernel, std::size_t dim);
/// The same with the number of frequencies given in all, shared by the parts.
SpectralAtoms paper_atoms_in_all(const Kernel& kernel, const Problem& problem, std::size_t n_frequencies, std::uint64_t seed);

/// Atoms with exact weights: no fit, no data but its extent. Of the jordan estimator n_frequencies are shared by the parts.
SpectralAtoms plain_atoms(const Kernel& kernel, const Problem& problem, Estimator estimator, Sampler sampler, std::size_t n_frequencies,
                          std::uint64_t seed);

/// What choose_features makes of the training rows within the Fourier family.
SpectralAtoms chosen_atoms(std::shared_ptr<const Kernel> kernel, const Problem& problem, std::size_t n_frequencies, std::uint64_t seed);

/// Results of trials 0 … n-1, `measure` called with the seed of each.
template <class Measure>
std::vector<double> trials(std::size_t n, Measure measure) {
  std::vector<double> values;
  for (std::size_t trial = 0; trial < n; ++trial) values.push_back(measure(trial_seed(trial)));
  return values;
}

double mean_of(std::span<const double> values);
/// Standard deviation; NaN for fewer than two values.
double deviation_of(std::span<const double> values);
/// Mean, deviation and number of trials.
Figures figures_of(std::span<const double> values);
/// The ratio of the means of a and b; its deviation is that of a_i / b_i.
Figures ratio_figures(std::span<const double> a, std::span<const double> b);

}  // namespace askrff::accuracy
