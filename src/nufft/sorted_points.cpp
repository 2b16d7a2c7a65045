// A counting sort by boxes of cells, slab by slab; points of a box keep their order. Twice through the points: where they lie is sooner
// computed again than written down and read.
#include "nufft/sorted_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "askrff/errors.hpp"
#include "core/ceil_div.hpp"

namespace askrff::nufft {
namespace {

/// The axes of space, the first one first.
template <std::size_t dim, class Number>
std::array<Number, dim> axes_of_space(const std::array<Number, 3>& of_axes) {
  std::array<Number, dim> out;
  std::copy_n(of_axes.begin() + (3 - dim), dim, out.begin());
  return out;
}

/// Where points lie, in cells along every axis: from 0 to less than there are.
template <std::size_t dim>
class Placement {
 public:
  Placement(const Torus& torus, const GridShape& shape) {
    const std::array<std::size_t, dim> cells = axes_of_space<dim>(shape.cells);
    for (std::size_t k = 0; k < dim; ++k) {
      n_[k] = static_cast<double>(cells[k]);
      origin_[k] = torus.origin[k];
      scale_[k] = n_[k] / torus.period[k];
    }
  }

  template <class T>
  std::array<double, dim> operator()(const T* point) const {
    std::array<double, dim> at;
    for (std::size_t k = 0; k < dim; ++k) {
      const double z = (static_cast<double>(point[k]) - origin_[k]) * scale_[k];
      // The origin may be among the points, as many of them on one side as on the other, in no order: a branch would be guessed wrongly
      // every other time, which takes longer than both sums.
      double near = z + (z < 0 ? n_[k] : 0.0);
      near -= near >= n_[k] ? n_[k] : 0.0;
      at[k] = near >= 0 && near < n_[k] ? near : from_far(z, n_[k]);
    }
    return at;
  }

 private:
  static double from_far(double z, double n) {
    z -= n * std::floor(z / n);
    return z >= 0 && z < n ? z : 0;  // rounding
  }

  std::array<double, dim> n_, origin_, scale_;
};

/// Boxes whose cells, with what windows reach beyond them, stay in the first caches. Along the first axis of space they are slabs; in one
/// dimension those are thicker than the vectors windows are written in. Sides are powers of two: a division would take most of the time.
template <std::size_t dim>
class Boxes {
 public:
  Boxes(const GridShape& shape, std::size_t width) {
    constexpr std::array<std::array<unsigned, 3>, 3> shifts{{{0, 0, 9}, {0, 4, 6}, {3, 3, 4}}};
    shifts_ = axes_of_space<dim>(shifts[dim - 1]);
    while ((std::size_t{1} << shifts_[0]) < width) ++shifts_[0];
    const std::array<std::size_t, dim> cells = axes_of_space<dim>(shape.cells);
    for (std::size_t k = 0; k < dim; ++k) counts_[k] = ceil_div(cells[k], std::size_t{1} << shifts_[k]);
  }

  std::size_t n_slabs() const { return counts_[0]; }
  std::size_t of_slab() const {
    std::size_t n = 1;
    for (std::size_t k = 1; k < dim; ++k) n *= counts_[k];
    return n;
  }
  std::size_t of(const std::array<double, dim>& at) const {
    std::size_t box = 0;
    for (std::size_t k = 0; k < dim; ++k) box = box * counts_[k] + static_cast<std::size_t>(static_cast<std::int64_t>(at[k]) >> shifts_[k]);
    return box;
  }

 private:
  std::array<unsigned, dim> shifts_;
  std::array<std::size_t, dim> counts_;
};

/// The cells that windows around points begin at.
template <class T, std::size_t dim>
class WindowStarts {
 public:
  WindowStarts(const GridBorders& borders, std::size_t width) : half_width_(static_cast<double>(width) / 2) {
    const std::array<std::size_t, dim> before = axes_of_space<dim>(borders.before);
    for (std::size_t k = 0; k < dim; ++k) before_[k] = static_cast<double>(before[k]);
    strides_ = axes_of_space<dim>(std::array<std::size_t, 3>{borders.strides[0], borders.strides[1], 1});
  }

  backend::GridPoint<T, dim> operator()(const std::array<double, dim>& at, std::size_t number) const {
    backend::GridPoint<T, dim> point;
    std::size_t cell = 0;
    for (std::size_t k = 0; k < dim; ++k) {
      const double from = at[k] - half_width_ + before_[k];  // not negative
      auto first = static_cast<std::int64_t>(from);
      if (static_cast<double>(first) < from) ++first;
      point.beyond[k] = static_cast<T>(static_cast<double>(first) - from);
      cell += static_cast<std::size_t>(first) * strides_[k];
    }
    point.number = static_cast<std::uint32_t>(number);
    point.cell = static_cast<std::uint32_t>(cell);
    return point;
  }

 private:
  double half_width_;
  std::array<double, dim> before_;
  std::array<std::size_t, dim> strides_;
};

/// visit(0), …, visit(n - 1), with a look at the token now and then.
template <class Visit>
void for_each_point(std::size_t n, const StopToken& stop, const Visit& visit) {
  constexpr std::size_t between_looks = 65536;
  for (std::size_t first = 0; first < n; first += between_looks) {
    stop.check();
    const std::size_t end = std::min(n, first + between_looks);
    for (std::size_t i = first; i < end; ++i) visit(i);
  }
}

}  // namespace

Torus Torus::of(const FrequencyGrid& grid) {
  Torus torus{std::vector<double>(grid.dim(), 0.0), {}};
  for (std::size_t k = 0; k < grid.dim(); ++k) torus.period.push_back(grid.period(k));
  return torus;
}

template <class T>
template <std::size_t dim>
typename SortedPoints<T>::template Sorted<dim> SortedPoints<T>::sorted(MatrixView<const T> X, const Torus& torus, const GridPlan<T>& plan,
                                                                       std::size_t width, const StopToken& stop) {
  const Placement<dim> placement(torus, plan.shape());
  const Boxes<dim> boxes(plan.shape(), width);
  const WindowStarts<T, dim> window_starts(plan.borders(), width);
  std::vector<std::uint32_t> starts(boxes.n_slabs() * boxes.of_slab() + 1);
  for_each_point(X.rows(), stop, [&](std::size_t i) { ++starts[boxes.of(placement(X.data() + i * X.stride())) + 1]; });
  for (std::size_t box = 1; box < starts.size(); ++box) starts[box] += starts[box - 1];
  for (std::size_t slab = 0; slab <= boxes.n_slabs(); ++slab) slab_starts_.push_back(starts[slab * boxes.of_slab()]);
  Sorted<dim> points(X.rows());
  for_each_point(X.rows(), stop, [&](std::size_t i) {
    const std::array<double, dim> at = placement(X.data() + i * X.stride());
    points[starts[boxes.of(at)]++] = window_starts(at, i);
  });
  return points;
}

template <class T>
SortedPoints<T>::SortedPoints(MatrixView<const T> X, const Torus& torus, const GridPlan<T>& plan, std::size_t width,
                              const StopToken& stop) {
  if (X.rows() >= std::numeric_limits<std::uint32_t>::max())
    throw InvalidArgument("grid", fmt::format("{} points in one call, expected fewer than 2^32", X.rows()));
  if (X.cols() == 1)
    points_ = sorted<1>(X, torus, plan, width, stop);
  else if (X.cols() == 2)
    points_ = sorted<2>(X, torus, plan, width, stop);
  else
    points_ = sorted<3>(X, torus, plan, width, stop);
}

template class SortedPoints<float>;
template class SortedPoints<double>;

}  // namespace askrff::nufft
