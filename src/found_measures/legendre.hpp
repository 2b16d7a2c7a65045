// Legendre polynomials on panels: nodes, coefficients of values there, derivatives at the ends, and transforms of the polynomials.
// Portable arithmetic only: the same bits everywhere.
#pragma once

#include <array>
#include <complex>
#include <cstddef>

#include "found_measures/line_profile.hpp"

namespace askrff::found_measures {

/// Nodes and weights of Gauss's rule with panel_order nodes on [-1, 1], nodes increasing.
struct GaussRule {
  PanelValues nodes, weights;
};
const GaussRule& gauss_rule();

/// Coefficients of the polynomial with these values at the nodes.
PanelValues legendre_coefficients(const PanelValues& values);

/// Σ coefficients[n] P_n(t).
double legendre_sum(const PanelValues& coefficients, double t);

/// Derivatives of every order at t = -1 and at t = 1.
void end_derivatives(const PanelValues& coefficients, PanelValues& at_start, PanelValues& at_end);

/// Spherical Bessel functions j_0(κ) … j_15(κ), κ ≥ 0: ∫ P_n(t) e^{-iκt} dt over [-1, 1] is 2 (-i)^n j_n(κ). Absolute error below 1e-15.
PanelValues spherical_bessel(double kappa);

/// Σ_m derivatives[m] (iκ)^-(m+1): with both ends, ∫ P(t) e^{-iκt} dt = e^{iκ}·(that at the start) - e^{-iκ}·(that at the end). For κ of
/// 128 or more, where its terms fall.
std::complex<double> end_series(const PanelValues& derivatives, double kappa);
inline constexpr double end_series_from = 128;

}  // namespace askrff::found_measures
