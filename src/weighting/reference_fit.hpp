// Atoms for a kernel whose Fourier transform nobody gave us: generic Gaussian frequencies, every weight fitted on a subset.
#pragma once

#include <cstdint>

#include "askrff/atoms.hpp"
#include "askrff/kernel.hpp"
#include "askrff/views.hpp"

namespace askrff::weighting {

/// n_frequencies atoms on N(0, I/ℓ²) frequencies, complex weights by ridge least squares on all pairs of rows of `subset`; ℓ and the ridge
/// are chosen on pairs held out of the fit. Good for smooth kernels within the range of the data, no promise outside it. Cost O(N_s² M² +
/// M³) for each of five scales. Throws std::invalid_argument for fewer than 3 rows or rows that are all equal.
SpectralAtoms fit_reference_atoms(const Kernel& kernel, MatrixView<const double> subset, std::size_t n_frequencies, std::uint64_t seed);

}  // namespace askrff::weighting
