// A function of the distance as a sum of Gaussians of many widths, by least squares with one sign or with both.
//
// Why not a Hankel transform: in d dimensions it multiplies what is not known of the function by the ((d-1)/2)-th power of distance times
// frequency, and nothing is left in 10 dimensions. A sum of Gaussians is as exact in any dimension, because it is the same one; those
// functions that are kernels in every dimension are such sums, with positive weights (Schoenberg).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "found_measures/line_profile.hpp"

namespace askrff::found_measures {

/// Σ_j weights[j] e^{-(widths[j] r)²/2}; widths ascending, in 1/x_unit of the profile, weights in its f_unit.
struct GaussianSum {
  std::vector<double> widths, weights;
  double error = 0;  ///< largest difference at points between those of the fit

  double operator()(double r) const;
};

/// The sum for an even profile whose error is least, or at most tolerance · max|f|; first with weights of the sign of f(0), then of any.
/// Empty if the error stays above a thousandth of max|f|, Σ|weights| gets above twenty times max|f|, or the profile has too many octaves.
/// Portable arithmetic.
std::optional<GaussianSum> fit_gaussian_sum(const LineProfile& profile, double tolerance, const Search& search);

}  // namespace askrff::found_measures
