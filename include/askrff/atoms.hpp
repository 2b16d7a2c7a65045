// SpectralAtoms: the discrete complex measure in the middle of the house. Everything before makes them, everything after reads them.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "askrff/measure.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// Where one Jordan part stands among the atoms, and what became of it.
struct PartRecord {
  Part part = Part::real_positive;
  double mass = 0;                   ///< exact or fitted
  double log_mass = 0;               ///< log of the exact mass where it is known, else log(mass)
  std::size_t first = 0, count = 0;  ///< its atoms are first … first+count-1
  bool dropped = false;              ///< left out because its mass is negligible: the error in k is at most that mass
};

/// Atoms (ω_j, c_j): k̂(δ) = Re Σ_j c_j e^{iω_j·δ}. Immutable. Views and spans it hands out live as long as the atoms do.
class SpectralAtoms {
 public:
  /// Row j of frequencies is ω_j. Throws std::invalid_argument if sizes disagree, there are no atoms, a number is not finite, or a
  /// part lies outside the atoms.
  SpectralAtoms(Matrix<double> frequencies, std::vector<std::complex<double>> weights, std::vector<PartRecord> parts = {});

  std::size_t size() const { return weights_.size(); }
  std::size_t dim() const { return frequencies_.cols(); }
  MatrixView<const double> frequencies() const { return frequencies_; }
  std::span<const std::complex<double>> weights() const { return weights_; }
  /// Jordan parts in order, dropped ones included; empty for atoms that were not drawn part by part.
  std::span<const PartRecord> parts() const { return parts_; }
  /// Σ|c_j|, the bound of |k̂| and the stability of the features.
  double weight_sum() const;
  /// k̂(δ), by direct summation.
  double operator()(std::span<const double> delta) const;

 private:
  Matrix<double> frequencies_;
  std::vector<std::complex<double>> weights_;
  std::vector<PartRecord> parts_;
};

}  // namespace askrff
