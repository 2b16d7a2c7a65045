// Atoms for a kernel whose Fourier transform nobody gave us: generic Gaussian frequencies, every weight fitted to the data.
#pragma once

#include "askrff/approximate.hpp"

namespace askrff::weighting {

/// n_frequencies atoms on Gaussian frequencies, complex weights by calibration from zero. The law of the frequencies, the same in all
/// directions at one of five multiples of 1/median distance, or shaped by frequency_shape(), is the one that is best on pairs held out of
/// the fit. Good for smooth kernels within the range of the data, no promise outside it.
/// Throws std::invalid_argument for fewer than 4 rows or rows that are all equal, and as calibrate does.
SpectralAtoms fit_reference_atoms(const Kernel& kernel, const RowsView<double>& data, std::size_t n_frequencies,
                                  const CalibrationOptions& options);

}  // namespace askrff::weighting
