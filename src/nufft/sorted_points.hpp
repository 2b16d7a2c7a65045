// Points of space as places in a grid, sorted so that neighbours come one after the other.
#pragma once

#include <cstddef>
#include <variant>
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
  /// X: finite, as many columns as the plan has dimensions. Throws InvalidArgument for 2^32 points or more, Stopped.
  SortedPoints(MatrixView<const T> X, const Torus& torus, const GridPlan<T>& plan, std::size_t width, const StopToken& stop);

  std::size_t size() const { return slab_starts_.back(); }
  std::size_t n_slabs() const { return slab_starts_.size() - 1; }
  std::size_t slab_start(std::size_t slab) const { return slab_starts_[slab]; }
  /// Those from the first-th on, in their order here.
  backend::GridPoints<T> from(std::size_t first, std::size_t count) const {
    return std::visit([&](const auto& points) -> backend::GridPoints<T> { return std::span(points.data() + first, count); }, points_);
  }

 private:
  template <std::size_t dim>
  using Sorted = AlignedBuffer<backend::GridPoint<T, dim>>;

  template <std::size_t dim>
  Sorted<dim> sorted(MatrixView<const T> X, const Torus& torus, const GridPlan<T>& plan, std::size_t width, const StopToken& stop);

  std::vector<std::size_t> slab_starts_;
  std::variant<Sorted<1>, Sorted<2>, Sorted<3>> points_;
};

extern template class SortedPoints<float>;
extern template class SortedPoints<double>;

}  // namespace askrff::nufft
