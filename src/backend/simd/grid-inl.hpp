// Spreading points over the cells of a grid and interpolating between them: vectors along the last axis, whose cells lie side by side.
// Compiled once per target.
#if defined(ASKRFF_BACKEND_SIMD_GRID_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_GRID_INL
#undef ASKRFF_BACKEND_SIMD_GRID_INL
#else
#define ASKRFF_BACKEND_SIMD_GRID_INL
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <span>
#include <variant>

#include "backend/grid.hpp"
#include "backend/simd/tile-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// No more lanes than the widest window has cells.
template <class T>
using WindowTag = hn::CappedTag<T, GridWindow<T>::max_width / 2>;
template <class T>
inline constexpr std::size_t window_lanes = hn::MaxLanes(WindowTag<T>());

// The window of one point along every axis: numbers for the first two, vectors for the last.
template <class T, std::size_t dim, std::size_t n_vectors>
class PointWindow {
 public:
  explicit HWY_INLINE PointWindow(const GridWindow<T>& window) : window_(window) {}

  HWY_INLINE void Evaluate(const GridPoint<T, dim>& point) {
    if constexpr (dim >= 3) Put(point.beyond[dim - 3], first_);
    if constexpr (dim >= 2) Put(point.beyond[dim - 2], second_);
    Polynomials(point.beyond[dim - 1], last);
  }
  HWY_INLINE std::size_t planes() const { return dim >= 3 ? window_.width : 1; }
  HWY_INLINE std::size_t rows() const { return dim >= 2 ? window_.width : 1; }
  HWY_INLINE T first(std::size_t a) const { return dim >= 3 ? first_[a] : T{1}; }
  HWY_INLINE T second(std::size_t b) const { return dim >= 2 ? second_[b] : T{1}; }

  hn::Vec<WindowTag<T>> last[n_vectors];

 private:
  using V = hn::Vec<WindowTag<T>>;

  HWY_INLINE void Polynomials(T beyond, V* HWY_RESTRICT values) const {
    const WindowTag<T> d;
    const auto t = hn::Set(d, 2 * beyond - 1);
    const T* HWY_RESTRICT at = window_.coefficients + window_.degree * GridWindow<T>::max_width;
#pragma GCC unroll 16
    for (std::size_t v = 0; v < n_vectors; ++v) values[v] = hn::Load(d, at + v * window_lanes<T>);
    for (std::size_t p = window_.degree; p-- > 0;) {
      at -= GridWindow<T>::max_width;
#pragma GCC unroll 16
      for (std::size_t v = 0; v < n_vectors; ++v) values[v] = hn::MulAdd(values[v], t, hn::Load(d, at + v * window_lanes<T>));
    }
  }
  HWY_INLINE void Put(T beyond, T* HWY_RESTRICT values) const {
    const WindowTag<T> d;
    V made[n_vectors];
    Polynomials(beyond, made);
#pragma GCC unroll 16
    for (std::size_t v = 0; v < n_vectors; ++v) hn::Store(made[v], d, values + v * window_lanes<T>);
  }

  const GridWindow<T>& window_;
  HWY_ALIGN T first_[GridWindow<T>::max_width] = {};
  HWY_ALIGN T second_[GridWindow<T>::max_width] = {};
};

template <std::size_t n_vectors, class T, std::size_t dim>
void SpreadPoints(std::span<const GridPoint<T, dim>> points, const GridWindow<T>& window, const T* HWY_RESTRICT values,
                  GridCells<T> cells) {
  const WindowTag<T> d;
  PointWindow<T, dim, n_vectors> at(window);
  for (std::size_t i = 0; i < points.size(); ++i) {
    at.Evaluate(points[i]);
    T* HWY_RESTRICT plane = cells.data + points[i].cell;
    for (std::size_t a = 0; a < at.planes(); ++a, plane += cells.strides[0]) {
      const T of_plane = values[i] * at.first(a);
      T* HWY_RESTRICT row = plane;
      for (std::size_t b = 0; b < at.rows(); ++b, row += cells.strides[1]) {
        const auto weight = hn::Set(d, of_plane * at.second(b));
#pragma GCC unroll 16
        for (std::size_t v = 0; v < n_vectors; ++v) {
          T* HWY_RESTRICT to = row + v * window_lanes<T>;
          hn::StoreU(hn::MulAdd(weight, at.last[v], hn::LoadU(d, to)), d, to);
        }
      }
    }
  }
}

// Σ of cells · window over the first two axes, as vectors along the last.
template <class T, std::size_t dim, std::size_t n_vectors>
HWY_INLINE void SumRows(const PointWindow<T, dim, n_vectors>& at, const T* HWY_RESTRICT plane, const std::size_t strides[2],
                        hn::Vec<WindowTag<T>>* HWY_RESTRICT out) {
  const WindowTag<T> d;
  constexpr std::size_t chains = 4;  // sums that do not wait for each other
  hn::Vec<WindowTag<T>> sums[chains][n_vectors];
#pragma GCC unroll 64
  for (std::size_t c = 0; c < chains; ++c)
    for (std::size_t v = 0; v < n_vectors; ++v) sums[c][v] = hn::Zero(d);
  for (std::size_t a = 0; a < at.planes(); ++a, plane += strides[0]) {
    const T* HWY_RESTRICT row = plane;
    const auto add = [&](std::size_t c, std::size_t b) HWY_ATTR {
      const auto weight = hn::Set(d, at.first(a) * at.second(b));
#pragma GCC unroll 16
      for (std::size_t v = 0; v < n_vectors; ++v) sums[c][v] = hn::MulAdd(weight, hn::LoadU(d, row + v * window_lanes<T>), sums[c][v]);
      row += strides[1];
    };
    std::size_t b = 0;
    for (; b + chains <= at.rows(); b += chains) {
      add(0, b);
      add(1, b + 1);
      add(2, b + 2);
      add(3, b + 3);
    }
    if (b < at.rows()) add(0, b);
    if (b + 1 < at.rows()) add(1, b + 1);
    if (b + 2 < at.rows()) add(2, b + 2);
  }
#pragma GCC unroll 16
  for (std::size_t v = 0; v < n_vectors; ++v) out[v] = hn::Add(hn::Add(sums[0][v], sums[1][v]), hn::Add(sums[2][v], sums[3][v]));
}

template <std::size_t n_vectors, class T, std::size_t dim>
void InterpolatePoints(std::span<const GridPoint<T, dim>> points, const GridWindow<T>& window, GridCells<const T> cells,
                       T* HWY_RESTRICT out) {
  const WindowTag<T> d;
  PointWindow<T, dim, n_vectors> at(window);
  for (std::size_t i = 0; i < points.size(); ++i) {
    at.Evaluate(points[i]);
    const T* HWY_RESTRICT plane = cells.data + points[i].cell;
    hn::Vec<WindowTag<T>> sums[n_vectors];
    if constexpr (dim > 1) SumRows(at, plane, cells.strides, sums);
    auto total = hn::Zero(d);
#pragma GCC unroll 16
    for (std::size_t v = 0; v < n_vectors; ++v) {
      if constexpr (dim == 1) sums[v] = hn::LoadU(d, plane + v * window_lanes<T>);
      total = hn::MulAdd(at.last[v], sums[v], total);
    }
    out[i] = hn::GetLane(hn::SumOfLanes(d, total));
  }
}

// As many vectors as the window's width needs; of single lanes up to twice as many, which spares much code.
template <class T, std::size_t n_vectors>
inline constexpr std::size_t more_vectors = window_lanes<T> == 1 ? 2 * n_vectors : n_vectors + 1;

template <std::size_t n_vectors, class T, std::size_t dim>
void SpreadInVectors(std::span<const GridPoint<T, dim>> points, const GridWindow<T>& window, const T* values, GridCells<T> cells) {
  if constexpr (n_vectors * window_lanes<T> < GridWindow<T>::max_width)
    if (window.width > n_vectors * window_lanes<T>) return SpreadInVectors<more_vectors<T, n_vectors>>(points, window, values, cells);
  SpreadPoints<n_vectors>(points, window, values, cells);
}
template <std::size_t n_vectors, class T, std::size_t dim>
void InterpolateInVectors(std::span<const GridPoint<T, dim>> points, const GridWindow<T>& window, GridCells<const T> cells, T* out) {
  if constexpr (n_vectors * window_lanes<T> < GridWindow<T>::max_width)
    if (window.width > n_vectors * window_lanes<T>) return InterpolateInVectors<more_vectors<T, n_vectors>>(points, window, cells, out);
  InterpolatePoints<n_vectors>(points, window, cells, out);
}

template <class T>
void Spread(const GridPoints<T>& points, const GridWindow<T>& window, const T* values, GridCells<T> cells) {
  std::visit([&](auto some) { SpreadInVectors<1>(some, window, values, cells); }, points);
}
template <class T>
void Interpolate(const GridPoints<T>& points, const GridWindow<T>& window, GridCells<const T> cells, T* out) {
  std::visit([&](auto some) { InterpolateInVectors<1>(some, window, cells, out); }, points);
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
