// Non-uniform fast Fourier transforms of real values: sums over points at the modes of a grid (type 1) and sums over modes at points
// (type 2).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "askrff/execution.hpp"
#include "nufft/grid_transform.hpp"
#include "nufft/sorted_points.hpp"
#include "nufft/window.hpp"

namespace askrff::nufft {

/// Modes -half … half of every dimension at multiples of 2π/period. Immutable, for many calls and threads.
template <class T>
class Nufft {
 public:
  /// tolerance: of the sums, relative. Throws InvalidArgument where the grid has 2^32 cells or more, Stopped.
  Nufft(const std::vector<std::size_t>& half, Torus torus, double tolerance, const StopToken& stop = {});

  const GridShape& shape() const { return plan_.shape(); }
  std::size_t width() const { return window_.width(); }
  /// Of the cells and modes of one transform.
  std::size_t n_bytes() const;

  SortedPoints<T> sorted(MatrixView<const T> X, const StopToken& stop = {}) const {
    return SortedPoints<T>(X, torus_, plan_, window_.width(), stop);
  }
  GridTransform<T> transform(const Execution& execution) const { return GridTransform<T>(plan_, execution); }

  /// Numbers that the cells of a transform take, borders included, and those cells in memory of one's own.
  std::size_t n_cells() const { return plan_.borders().size; }
  backend::GridCells<T> cells_at(T* data) const { return {data, {plan_.borders().strides[0], plan_.borders().strides[1]}}; }

  /// cells += Σ_i values[i] · window around point i. `stride`: from one value to the next.
  void spread(const SortedPoints<T>& points, const T* values, std::size_t stride, const backend::GridCells<T>& cells,
              const Execution& execution) const;
  /// Modes of the sum Σ_i values[i] e^{-iω·x_i}, before corrected() is multiplied.
  void to_modes(const SortedPoints<T>& points, const T* values, std::size_t stride, GridTransform<T>& transform,
                const Execution& execution) const;
  /// out[i] = Σ_m f_m e^{iω_m·x_i} for modes that were multiplied by corrected(). Spoils them.
  void to_points(GridTransform<T>& transform, const SortedPoints<T>& points, T* out, std::size_t stride, const Execution& execution) const;
  /// What undoes the window in a mode of one axis (0, 1, 2 as in GridShape), numbered from -half, of the last axis from 0.
  double corrected(std::size_t axis, std::size_t mode) const { return corrections_[axis][mode]; }

 private:
  Torus torus_;
  Window<T> window_;
  GridPlan<T> plan_;
  std::array<std::vector<double>, 3> corrections_;
};

extern template class Nufft<float>;
extern template class Nufft<double>;

}  // namespace askrff::nufft
