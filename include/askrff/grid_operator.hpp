// GridOperator: sums of a kernel over points in 1 to 3 dimensions, to any accuracy and at any bandwidth, in time O(points + frequencies).
#pragma once

#include <cstddef>
#include <memory>

#include "askrff/atoms.hpp"
#include "askrff/execution.hpp"
#include "askrff/grid.hpp"
#include "askrff/kernels.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// K̃ ≈ K(X,Y), rows of X × rows of Y, as an operator on vectors, by frequencies on a grid and non-uniform fast Fourier transforms. Keeps
/// its own copy of the points, sorted; immutable, cheap to copy, safe to share among threads. Same bits for any number of threads. T: float
/// or double.
template <class T>
class GridOperator {
 public:
  /// For a kernel: the grid is chosen for the points (choose_grid). Then |K̃ - K| ≤ tolerance · max|k| entry by entry, the largest |k| over
  /// all differences up to the extent of the points, up to rounding: 1e-13 for double; float reaches about 3e-6. execution: of making it.
  /// Throws InvalidArgument as choose_grid and for 2^32 points or more.
  GridOperator(const Kernel& kernel, MatrixView<const T> X, MatrixView<const T> Y, const GridOptions& options = {},
               const Execution& execution = {});
  /// For atoms on a grid. Throws InvalidArgument if they have none, or points are further apart than its extent.
  GridOperator(const SpectralAtoms& atoms, MatrixView<const T> X, MatrixView<const T> Y, const Execution& execution = {});

  std::size_t rows() const;
  std::size_t cols() const;
  const FrequencyGrid& grid() const;
  /// Of a kernel's operator: how the grid was chosen; zeros for atoms.
  const ChosenGrid& chosen() const;
  /// K̃·V for V of cols() rows. Memory beside the result: the grid, 12 (float: 6) bytes for each of 2^dim cells a frequency of all, both
  /// signs counted; in one dimension 40 (20) bytes. Throws InvalidArgument for V of another size or not finite.
  Matrix<T> apply(MatrixView<const T> V, const Execution& execution = {}) const;
  /// K̃ᵀ·V for V of rows() rows.
  Matrix<T> apply_transposed(MatrixView<const T> V, const Execution& execution = {}) const;

 private:
  struct Plan;
  std::shared_ptr<const Plan> plan_;
};

extern template class GridOperator<float>;
extern template class GridOperator<double>;

}  // namespace askrff
