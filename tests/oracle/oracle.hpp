// The slow judge: direct sums in long double, straight from the definitions.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "askrff/atoms.hpp"
#include "askrff/views.hpp"

namespace askrff::oracle {

using Real = long double;

/// ω·x.
Real phase(std::span<const double> omega, std::span<const double> x);
/// k̂(x,y) = Re Σ c_j e^{iω_j·(x-y)}.
Real approximate_kernel(const SpectralAtoms& atoms, std::span<const double> x, std::span<const double> y);
/// left features √|c_j| [cos(ω_j·x + θ_j) …, sin(ω_j·x + θ_j) …].
std::vector<Real> left(const SpectralAtoms& atoms, std::span<const double> x);
/// right features √|c_j| [cos(ω_j·y) …, sin(ω_j·y) …].
std::vector<Real> right(const SpectralAtoms& atoms, std::span<const double> y);

}  // namespace askrff::oracle
