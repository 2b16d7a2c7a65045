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
template <class T, std::size_t n_vectors>
class PointWindow {
 public:
  explicit HWY_INLINE PointWindow(const GridWindow<T>& window, std::size_t dim) : window_(window) {
    first_[0] = second_[0] = T{1};
    if (dim >= 2) rows_ = window.width;
    if (dim >= 3) planes_ = window.width;
  }

  HWY_INLINE void Evaluate(const T* HWY_RESTRICT beyond, std::size_t dim) {
    if (dim >= 3) Put(beyond[dim - 3], first_);
    if (dim >= 2) Put(beyond[dim - 2], second_);
    Polynomials(beyond[dim - 1], last);
  }
  HWY_INLINE std::size_t planes() const { return planes_; }
  HWY_INLINE std::size_t rows() const { return rows_; }
  HWY_INLINE T first(std::size_t a) const { return first_[a]; }
  HWY_INLINE T second(std::size_t b) const { return second_[b]; }

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
  std::size_t planes_ = 1, rows_ = 1;
  HWY_ALIGN T first_[GridWindow<T>::max_width] = {};
  HWY_ALIGN T second_[GridWindow<T>::max_width] = {};
};

template <class T, std::size_t n_vectors>
void SpreadPoints(const GridPoints<T>& points, const GridWindow<T>& window, const T* HWY_RESTRICT values, GridCells<T> cells) {
  const WindowTag<T> d;
  PointWindow<T, n_vectors> at(window, points.dim);
  for (std::size_t i = 0; i < points.count; ++i) {
    at.Evaluate(points.beyond + i * points.dim, points.dim);
    T* HWY_RESTRICT plane = cells.data + points.cells[i];
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

template <class T, std::size_t n_vectors>
void InterpolatePoints(const GridPoints<T>& points, const GridWindow<T>& window, GridCells<const T> cells, T* HWY_RESTRICT out) {
  const WindowTag<T> d;
  constexpr std::size_t chains = 4;  // sums that do not wait for each other
  PointWindow<T, n_vectors> at(window, points.dim);
  for (std::size_t i = 0; i < points.count; ++i) {
    at.Evaluate(points.beyond + i * points.dim, points.dim);
    hn::Vec<WindowTag<T>> sums[chains][n_vectors];
#pragma GCC unroll 64
    for (std::size_t c = 0; c < chains; ++c)
      for (std::size_t v = 0; v < n_vectors; ++v) sums[c][v] = hn::Zero(d);
    const T* HWY_RESTRICT plane = cells.data + points.cells[i];
    for (std::size_t a = 0; a < at.planes(); ++a, plane += cells.strides[0]) {
      const T* HWY_RESTRICT row = plane;
      const auto add = [&](std::size_t c, std::size_t b) HWY_ATTR {
        const auto weight = hn::Set(d, at.first(a) * at.second(b));
#pragma GCC unroll 16
        for (std::size_t v = 0; v < n_vectors; ++v) sums[c][v] = hn::MulAdd(weight, hn::LoadU(d, row + v * window_lanes<T>), sums[c][v]);
        row += cells.strides[1];
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
    auto total = hn::Zero(d);
#pragma GCC unroll 16
    for (std::size_t v = 0; v < n_vectors; ++v)
      total = hn::MulAdd(at.last[v], hn::Add(hn::Add(sums[0][v], sums[1][v]), hn::Add(sums[2][v], sums[3][v])), total);
    out[i] = hn::GetLane(hn::SumOfLanes(d, total));
  }
}

// As many vectors as the window's width needs.
template <class T, std::size_t n_vectors = 1>
void Spread(const GridPoints<T>& points, const GridWindow<T>& window, const T* values, GridCells<T> cells) {
  if constexpr (n_vectors * window_lanes<T> < GridWindow<T>::max_width)
    if (window.width > n_vectors * window_lanes<T>) return Spread<T, n_vectors + 1>(points, window, values, cells);
  SpreadPoints<T, n_vectors>(points, window, values, cells);
}
template <class T, std::size_t n_vectors = 1>
void Interpolate(const GridPoints<T>& points, const GridWindow<T>& window, GridCells<const T> cells, T* out) {
  if constexpr (n_vectors * window_lanes<T> < GridWindow<T>::max_width)
    if (window.width > n_vectors * window_lanes<T>) return Interpolate<T, n_vectors + 1>(points, window, cells, out);
  InterpolatePoints<T, n_vectors>(points, window, cells, out);
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
