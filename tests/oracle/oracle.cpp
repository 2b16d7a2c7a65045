// Direct sums in long double.
#include "oracle/oracle.hpp"

#include <cmath>

namespace askrff::oracle {

Real phase(std::span<const double> omega, std::span<const double> x) {
  Real sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<Real>(omega[i]) * x[i];
  return sum;
}

Real approximate_kernel(const SpectralAtoms& atoms, std::span<const double> x, std::span<const double> y) {
  Real sum = 0;
  for (std::size_t j = 0; j < atoms.size(); ++j) {
    const Real u = phase(atoms.frequencies().row(j), x) - phase(atoms.frequencies().row(j), y);
    sum += atoms.weights()[j].real() * std::cos(u) - atoms.weights()[j].imag() * std::sin(u);
  }
  return sum;
}

namespace {
std::vector<Real> side(const SpectralAtoms& atoms, std::span<const double> x, bool with_phase) {
  std::vector<Real> out(2 * atoms.size());
  for (std::size_t j = 0; j < atoms.size(); ++j) {
    const std::complex<Real> c(atoms.weights()[j].real(), atoms.weights()[j].imag());
    const Real u = phase(atoms.frequencies().row(j), x) + (with_phase ? std::arg(c) : Real{0}), root = std::sqrt(std::abs(c));
    out[j] = root * std::cos(u);
    out[atoms.size() + j] = root * std::sin(u);
  }
  return out;
}
}  // namespace

std::vector<Real> left(const SpectralAtoms& atoms, std::span<const double> x) { return side(atoms, x, true); }
std::vector<Real> right(const SpectralAtoms& atoms, std::span<const double> y) { return side(atoms, y, false); }

}  // namespace askrff::oracle
