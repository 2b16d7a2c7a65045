// Grids of equispaced frequencies for kernels in 1 to 3 dimensions: how fine and how far, for a tolerance, and the atoms there.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "askrff/atoms.hpp"
#include "askrff/execution.hpp"
#include "askrff/kernels.hpp"
#include "askrff/structure.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// The largest difference of a row of X and one of Y, in every coordinate; of no rows 0. Throws InvalidArgument unless both have the same
/// columns and are finite.
std::vector<double> extent_of(MatrixView<const double> X, MatrixView<const double> Y);
std::vector<double> extent_of(MatrixView<const float> X, MatrixView<const float> Y);

struct GridOptions {
  double tolerance = 1e-6;                       ///< of k on the extent, relative to its largest value there
  std::size_t max_bytes = std::size_t{2} << 30;  ///< of the memory that transforms on the grid may take, what they keep included
};

/// A grid and how far its sum is from k at most, for all differences in the extent, relative to the largest |k| there.
struct ChosenGrid {
  FrequencyGrid grid;
  double truncation = 0;  ///< bound of what lies beyond the last frequencies
  double aliasing = 0;    ///< bound of the periodic copies of k
  double largest = 0;     ///< |k| they are relative to
};

/// The grid for differences up to `extent` in every coordinate: its period is as much longer as k takes to fall below two fifths of the
/// tolerance, it ends where no more than a fifth of it is left of |μ|; the rest is for the transform. Both are bounds by the measure
/// (mass_beyond, largest_beyond). Throws InvalidArgument for other than 1 to 3 dimensions, an extent that is negative or not finite, a
/// tolerance outside 1e-13 … 0.5, a kernel without measure or whose measure knows no bounds, a grid beyond max_bytes (with the number of
/// frequencies and bytes it would take), and a kernel whose parts cancel so far that rounding alone exceeds the tolerance.
ChosenGrid choose_grid(const Kernel& kernel, std::span<const double> extent, const GridOptions& options = {});

/// Atoms at all frequencies of the grid, each with μ there times a cell of it: k̂(δ) = Σ_n k(δ + n·period), cut off. Throws InvalidArgument
/// as FrequencyGrid::check(), and if dimensions differ or μ is not finite at a frequency; Stopped.
SpectralAtoms grid_atoms(const ComplexMeasure& measure, const FrequencyGrid& grid, const StopToken& stop = {});

}  // namespace askrff
