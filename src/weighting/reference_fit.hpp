// Atoms for a kernel whose Fourier transform nobody gave us: generic frequencies, every weight fitted to the data.
#pragma once

#include "askrff/approximate.hpp"

namespace askrff::weighting {

/// n_frequencies atoms on generic frequencies, complex weights by calibration from zero. How the frequencies lie is what is best on pairs
/// held out of the fit: Gaussian, the same in all directions at one of five multiples of 1/median distance or shaped by frequency_shape();
/// or, up to 12 dimensions, lattice_points() of that shape. A lattice suits smooth kernels that are narrow beside
/// the data: k has to be right where it is 0, too. Good for smooth kernels within the range of the data, no promise outside it.
/// Throws std::invalid_argument for fewer than 4 rows or rows that are all equal, and as calibrate does.
SpectralAtoms fit_reference_atoms(const Kernel& kernel, const RowsView<double>& data, std::size_t n_frequencies,
                                  const CalibrationOptions& options);

}  // namespace askrff::weighting
