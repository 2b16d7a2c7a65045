// The matrix of normal equations on a grid written out: of small grids its factor is quicker than conjugate gradients, and safer.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "askrff/atoms.hpp"
#include "askrff/views.hpp"
#include "models/grid_toeplitz.hpp"

namespace askrff::models {

/// Features here have no phases: √|c_j| cos(ω_j·x), then √|c_j| sin(ω_j·x).
class GridGram {
 public:
  /// For which a matrix is written out, 288 MB of it.
  static constexpr std::size_t max_features = 6000;

  /// shape: that of sums at twice as many modes to each side.
  GridGram(const SpectralAtoms& atoms, const nufft::GridShape& shape, const nufft::GridShape& double_shape);

  std::size_t n_features() const { return 2 * roots_.size(); }
  /// Σ s φφᵀ of Σ s e^{-iω·x} at twice as many modes: its lower triangle.
  Matrix<double> products(const Spectrum& ones) const;
  /// Σ s y φ of Σ s y e^{-iω·x}.
  std::vector<double> moments(const Spectrum& modes) const;
  /// The modes of the function Σ u φ.
  Spectrum modes_of(std::span<const double> u) const;

 private:
  using Number = std::array<std::ptrdiff_t, 3>;  // of a frequency, on every axis

  nufft::GridShape shape_, double_shape_;
  std::vector<double> roots_;
  std::vector<Number> numbers_;
};

}  // namespace askrff::models
