// Weights of the features of atoms on a grid as modes of one real function, and that function at points.
#pragma once

#include <complex>
#include <cstddef>

#include "askrff/atoms.hpp"
#include "askrff/execution.hpp"
#include "askrff/views.hpp"

namespace askrff::operators {

/// √|c|·e^{iθ}, θ = arg c.
inline std::complex<double> turned_root(std::complex<double> c) {
  const double modulus = std::abs(c);
  return modulus > 0 ? c / std::sqrt(modulus) : 0.0;
}

/// Left features of atom j times their weights, √|c|·(w_cos·cos(ω·x + θ) + w_sin·sin(ω·x + θ)), are v·e^{iω·x} + its conjugate, or v alone
/// for the frequency 0.
inline std::complex<double> mode_of_weights(const SpectralAtoms& atoms, std::size_t j, double w_cos, double w_sin) {
  const std::complex<double> v = turned_root(atoms.weights()[j]) * std::complex<double>(w_cos, -w_sin);
  return j == 0 ? v.real() : 0.5 * v;
}

/// The other way round: of all weights with that mode the smallest, w_cos - i·w_sin.
inline std::complex<double> weights_of_mode(const SpectralAtoms& atoms, std::size_t j, std::complex<double> v) {
  const std::complex<double> root = turned_root(atoms.weights()[j]);
  return root == 0.0 ? 0.0 : (j == 0 ? 1.0 : 2.0) * v / root;
}

/// left(X)·W for atoms on a grid in O(rows + atoms): multiply() of their features, to 1e-12 of Σ|W|√|c|. Sizes and
/// finiteness are the caller's business. Periodic like the waves themselves.
Matrix<double> multiply_on_grid(const SpectralAtoms& atoms, MatrixView<const double> X, MatrixView<const double> W,
                                const Execution& execution);

}  // namespace askrff::operators
