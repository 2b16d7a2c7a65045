// Spread, transform; transform, interpolate. Slabs with even numbers first, then the odd ones, so that threads touch no cell in common and
// every cell is summed in the same order, however many they are.
#include "nufft/nufft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "askrff/errors.hpp"
#include "core/ceil_div.hpp"
#include "core/threads.hpp"
#include "nufft/fourier_line.hpp"

namespace askrff::nufft {
namespace {

/// Twice as many cells as modes, and room for windows that do not meet themselves.
GridShape shape_for(const std::vector<std::size_t>& half, std::size_t width) {
  GridShape shape{half.size()};
  double cells = 1;
  for (std::size_t k = 0; k < half.size(); ++k) {
    const std::size_t axis = 3 - half.size() + k;
    shape.half[axis] = half[k];
    shape.cells[axis] = smooth_size(std::max(2 * (2 * half[k] + 1), 2 * width));
    cells *= static_cast<double>(shape.cells[axis] + 4 * backend::GridWindow<double>::max_width);
  }
  if (!(cells < static_cast<double>(std::numeric_limits<std::uint32_t>::max())))
    throw InvalidArgument("grid", fmt::format("{:.3g} cells, expected fewer than 2^32", cells));
  return shape;
}

constexpr std::size_t points_at_once = 8192;

/// Calls visit(i, number of the i-th point as it was given).
template <class T, class Visit>
void for_each_number(const backend::GridPoints<T>& all, const Visit& visit) {
  std::visit(
      [&](auto points) {
        for (std::size_t i = 0; i < points.size(); ++i) visit(i, points[i].number);
      },
      all);
}

}  // namespace

template <class T>
Nufft<T>::Nufft(const std::vector<std::size_t>& half, Torus torus, double tolerance, const StopToken& stop)
    : torus_(std::move(torus)), window_(tolerance), plan_(shape_for(half, window_.width()), window_.width(), stop) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t n = shape().half[axis], modes = shape().modes(axis);
    if (axis + shape().dim < 3) {
      corrections_[axis].assign(1, 1.0);
      continue;
    }
    const std::vector<double> transformed = window_.transform(shape().cells[axis], n + 1, stop);
    for (std::size_t m = 0; m < modes; ++m) {
      const std::size_t mode = axis == 2 ? m : m < n ? n - m : m - n;
      corrections_[axis].push_back(1 / transformed[mode]);
    }
  }
}

template <class T>
std::size_t Nufft<T>::n_bytes() const {
  constexpr std::size_t of_line = 6;  // numbers a cell takes in one dimension: parts of modes and of what lies between two steps, turns
  if (shape().dim == 1) return sizeof(T) * (plan_.borders().size + of_line * shape().cells[2]);
  return sizeof(T) * (plan_.borders().size + 2 * shape().cells[0] * shape().cells[1] * (shape().modes(2) + backend::fourier_lines<T>));
}

template <class T>
void Nufft<T>::spread(const SortedPoints<T>& points, const T* values, std::size_t stride, const backend::GridCells<T>& cells,
                      const Execution& execution) const {
  const auto& primitives = backend::select(execution.backend).template grid_of<T>();
  const Team team = team_for(static_cast<double>(points.size()) * 64, execution);
  for (const std::size_t parity : {0, 1})
    parallel_for((points.n_slabs() + 1 - parity) / 2, team, [&](std::size_t task) {
      const std::size_t slab = 2 * task + parity, end = points.slab_start(slab + 1);
      T sorted[points_at_once];
      for (std::size_t first = points.slab_start(slab); first < end; first += points_at_once) {
        team.stop.check();
        const std::size_t count = std::min(points_at_once, end - first);
        const backend::GridPoints<T> some = points.from(first, count);
        for_each_number(some, [&](std::size_t i, std::size_t number) { sorted[i] = values[number * stride]; });
        primitives.spread(some, window_.view(), sorted, cells);
      }
    });
}

template <class T>
void Nufft<T>::to_modes(const SortedPoints<T>& points, const T* values, std::size_t stride, GridTransform<T>& transform,
                        const Execution& execution) const {
  transform.clear_cells();
  spread(points, values, stride, transform.cells(), execution);
  transform.to_modes();
}

template <class T>
void Nufft<T>::to_points(GridTransform<T>& transform, const SortedPoints<T>& points, T* out, std::size_t stride,
                         const Execution& execution) const {
  const auto& primitives = backend::select(execution.backend).template grid_of<T>();
  transform.to_cells();
  const backend::GridCells<T> writable = transform.cells();
  const backend::GridCells<const T> cells{writable.data, {writable.strides[0], writable.strides[1]}};
  const Team team = team_for(static_cast<double>(points.size()) * 64, execution);
  parallel_for(ceil_div(points.size(), points_at_once), team, [&](std::size_t task) {
    const std::size_t first = task * points_at_once, count = std::min(points_at_once, points.size() - first);
    T found[points_at_once];
    const backend::GridPoints<T> some = points.from(first, count);
    primitives.interpolate(some, window_.view(), cells, found);
    for_each_number(some, [&](std::size_t i, std::size_t number) { out[number * stride] = found[i]; });
  });
}

template class Nufft<float>;
template class Nufft<double>;

}  // namespace askrff::nufft
