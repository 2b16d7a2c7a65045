// Points of space as places in a grid, sorted so that neighbours come one after the other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "askrff/structure.hpp"
#include "askrff/views.hpp"
#include "backend/grid.hpp"
#include "core/aligned.hpp"
#include "nufft/grid_transform.hpp"

namespace askrff::nufft {

/// The torus a grid lies on: a point x is at the cell (x - origin)·cells/period, modulo cells, of every axis.
struct Torus {
  std::vector<double> origin, period;  ///< one for each dimension

  /// On which the waves of the grid are periodic.
  static Torus of(const FrequencyGrid& grid);
};

/// Slabs are pieces of the first axis at least as thick as the window: two that are not neighbours touch no cell in common.
template <class T>
class SortedPoints {
 public:
  /// X: finite. Throws InvalidArgument for 2^32 points or more, Stopped.
  SortedPoints(MatrixView<const T> X, const Torus& torus, const GridPlan<T>& plan, std::size_t width, const StopToken& stop);

  std::size_t size() const { return order_.size(); }
  std::size_t n_slabs() const { return slab_starts_.size() - 1; }
  std::size_t slab_start(std::size_t slab) const { return slab_starts_[slab]; }
  backend::GridPoints<T> points() const { return {cells_.data(), beyond_.data(), size(), dim_}; }
  /// Which point is the i-th.
  std::uint32_t original(std::size_t i) const { return order_[i]; }

 private:
  std::size_t dim_;
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> slab_starts_;
  AlignedBuffer<std::uint32_t> cells_;
  AlignedBuffer<T> beyond_;
};

extern template class SortedPoints<float>;
extern template class SortedPoints<double>;

}  // namespace askrff::nufft
