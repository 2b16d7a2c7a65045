// A counting sort by boxes of cells, slab by slab; points of a box keep their order.
#include "nufft/sorted_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "askrff/errors.hpp"
#include "core/ceil_div.hpp"

namespace askrff::nufft {
namespace {

/// Boxes whose cells, with what windows reach beyond them, stay in the first caches. Along the first axis of space they are slabs; in one
/// dimension those are thicker than the vectors windows are written in. Sides are powers of two: a division would take most of the time.
class Boxes {
 public:
  Boxes(const GridShape& shape, std::size_t width) {
    constexpr std::array<std::array<unsigned, 3>, 3> shifts{{{0, 0, 9}, {0, 4, 6}, {3, 3, 4}}};
    shifts_ = shifts[shape.dim - 1];
    const std::size_t first = 3 - shape.dim;
    while ((std::size_t{1} << shifts_[first]) < width) ++shifts_[first];
    for (std::size_t axis = 0; axis < 3; ++axis) counts_[axis] = ceil_div(shape.cells[axis], std::size_t{1} << shifts_[axis]);
    slabs_ = counts_[first];
  }

  std::size_t count() const { return counts_[0] * counts_[1] * counts_[2]; }
  std::size_t n_slabs() const { return slabs_; }
  std::size_t of(const std::array<double, 3>& at) const {
    const auto box = [&](std::size_t axis) { return static_cast<std::size_t>(at[axis]) >> shifts_[axis]; };
    return (box(0) * counts_[1] + box(1)) * counts_[2] + box(2);
  }

 private:
  std::array<unsigned, 3> shifts_;
  std::array<std::size_t, 3> counts_;
  std::size_t slabs_;
};

/// Where points lie, in cells of the three axes: from 0 to less than there are.
class Placement {
 public:
  Placement(const Torus& torus, const GridShape& shape) : torus_(torus), first_(3 - shape.dim) {
    for (std::size_t k = 0; k < shape.dim; ++k) {
      n_[k] = static_cast<double>(shape.cells[first_ + k]);
      scale_[k] = n_[k] / torus.period[k];
    }
  }

  template <class T>
  std::array<double, 3> operator()(std::span<const T> point) const {
    std::array<double, 3> at{0, 0, 0};
    for (std::size_t k = 0; k < point.size(); ++k) {
      double z = (static_cast<double>(point[k]) - torus_.origin[k]) * scale_[k];
      if (!(z >= 0 && z < n_[k])) {
        z -= n_[k] * std::floor(z / n_[k]);
        if (!(z >= 0 && z < n_[k])) z = 0;  // rounding
      }
      at[first_ + k] = z;
    }
    return at;
  }

 private:
  const Torus& torus_;
  std::size_t first_;
  std::array<double, 3> n_{}, scale_{};
};

}  // namespace

Torus Torus::of(const FrequencyGrid& grid) {
  Torus torus{std::vector<double>(grid.dim(), 0.0), {}};
  for (std::size_t k = 0; k < grid.dim(); ++k) torus.period.push_back(grid.period(k));
  return torus;
}

template <class T>
SortedPoints<T>::SortedPoints(MatrixView<const T> X, const Torus& torus, const GridPlan<T>& plan, std::size_t width, const StopToken& stop)
    : dim_(X.cols()), order_(X.rows()), cells_(X.rows()), beyond_(X.rows() * dim_) {
  constexpr std::size_t look = 65536;
  if (X.rows() >= std::numeric_limits<std::uint32_t>::max())
    throw InvalidArgument("grid", fmt::format("{} points in one call, expected fewer than 2^32", X.rows()));
  const Boxes boxes(plan.shape(), width);
  const Placement placement(torus, plan.shape());
  const GridBorders& borders = plan.borders();
  std::vector<std::uint32_t> box_of(X.rows()), starts(boxes.count() + 1);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    if (i % look == 0) stop.check();
    box_of[i] = static_cast<std::uint32_t>(boxes.of(placement(X.row(i))));
    ++starts[box_of[i] + 1];
  }
  for (std::size_t box = 0; box < boxes.count(); ++box) starts[box + 1] += starts[box];
  const std::size_t of_slab = boxes.count() / boxes.n_slabs();
  for (std::size_t slab = 0; slab <= boxes.n_slabs(); ++slab) slab_starts_.push_back(starts[slab * of_slab]);
  const double half_width = static_cast<double>(width) / 2;
  for (std::size_t i = 0; i < X.rows(); ++i) {
    if (i % look == 0) stop.check();
    const std::size_t to = starts[box_of[i]]++;
    const std::array<double, 3> at = placement(X.row(i));
    std::array<std::size_t, 3> first{0, 0, 0};
    for (std::size_t axis = 3 - dim_; axis < 3; ++axis) {
      const double from = at[axis] - half_width + static_cast<double>(borders.before[axis]);  // not negative
      first[axis] = static_cast<std::size_t>(from);
      if (static_cast<double>(first[axis]) < from) ++first[axis];
      beyond_[to * dim_ + axis + dim_ - 3] = static_cast<T>(static_cast<double>(first[axis]) - from);
    }
    order_[to] = static_cast<std::uint32_t>(i);
    cells_[to] = static_cast<std::uint32_t>(borders.place(first));
  }
}

template class SortedPoints<float>;
template class SortedPoints<double>;

}  // namespace askrff::nufft
