// What eigenvalues and singular values say of a matrix: shares, class, and how many features can do at best.
#pragma once

#include <cstddef>
#include <span>

#include "askrff/diagnose.hpp"
#include "askrff/views.hpp"

namespace askrff::choosing {

/// Of values, relative to the largest: what is below is rounding.
inline constexpr double spectrum_rounding = 1e-12;

/// Throws InvalidArgument for options.n_rows out of range.
void check_n_rows(const DiagnoseOptions& options);

double frobenius_norm(const Matrix<double>& K);

/// Of a square K whose norm is known, finite and not 0.
SymmetryFacts symmetry_of(const Matrix<double>& K, double norm, const StopToken& stop);

/// Class and share of the eigenvalues below 0, from those found; norm: of all eigenvalues. Sets all fields but the shares of ‖K‖, of which
/// a skew share of rounding becomes 0.
void judge_eigenvalues(SymmetryFacts& facts, std::span<const double> eigenvalues, double norm);

/// All singular values.
SpectrumFacts spectrum_of(const Matrix<double>& K, const StopToken& stop);

/// The numbers of features that follow from the singular values; beyond: the sum of the squares of those that are not among them.
void count_features(SpectrumFacts& facts, double beyond = 0);

/// The relative error that n_features leave at best.
double best_error(std::span<const double> singular_values, std::size_t n_features, double beyond = 0);

}  // namespace askrff::choosing
