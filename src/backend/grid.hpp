// What the primitives of non-uniform Fourier transforms work on: points among the cells of a grid, a window, lines of numbers.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace askrff::backend {

/// Values on a grid of up to three axes, the last of which is contiguous; strides of the first two. Around the cells there is room for
/// windows that reach over the border.
template <class T>
struct GridCells {
  T* data = nullptr;
  std::size_t strides[2] = {0, 0};
};

/// A point among the cells. What is known of it lies together: sorting writes points to distant places.
template <class T, std::size_t dim>
struct GridPoint {
  std::uint32_t number;  ///< among the points as they were given
  std::uint32_t cell;    ///< the first one its window reaches, a place in GridCells::data
  T beyond[dim];         ///< how far that cell is beyond the window's border along every axis, 0 … 1 of a cell
};

/// Points of one, two or three dimensions.
template <class T>
using GridPoints = std::variant<std::span<const GridPoint<T, 1>>, std::span<const GridPoint<T, 2>>, std::span<const GridPoint<T, 3>>>;

/// A window of `width` cells along every axis, as one polynomial for each cell: its value at the l-th cell of a point is
/// Σ_p coefficients[p · max_width + l] t^p, t = 2·beyond - 1; zero for l ≥ width.
template <class T>
struct GridWindow {
  static constexpr std::size_t max_width = 16;
  const T* coefficients = nullptr;
  std::size_t width = 0, degree = 0;
};

/// Lines of numbers are transformed side by side, as many as a cache line holds.
template <class T>
inline constexpr std::size_t fourier_lines = 64 / sizeof(T);

/// One factor of a fast Fourier transform of n numbers. Before it come factors with the product `stride`; n = stride · radix · count.
template <class T>
struct FourierStep {
  std::size_t radix = 0, count = 0, stride = 0;
  std::vector<std::complex<T>> turns;  ///< count × (radix - 1): e^{-2πi·p·q/(radix·count)} for p < count and q = 1 … radix - 1
};

/// How lines of n = 2^a·3^b·5^c numbers are transformed.
template <class T>
struct FourierLine {
  std::size_t n = 0;
  std::vector<FourierStep<T>> steps;  ///< radix 2, 3, 4 or 5
};

/// Spreading, interpolating, transforming. On the thread that calls them, without state.
template <class T>
struct GridPrimitives {
  /// cells += Σ_i values[i] · window around point i, point by point.
  void (*spread)(const GridPoints<T>&, const GridWindow<T>&, const T* values, GridCells<T> cells);
  /// out[i] = Σ cells · window around point i.
  void (*interpolate)(const GridPoints<T>&, const GridWindow<T>&, GridCells<const T> cells, T* out);
  /// x_k = Σ_j x_j e^{-2πi·jk/n} for the lines in the columns of re + i·im, both n × fourier_lines; work: as much memory as both. Backwards
  /// with re and im exchanged. Error: about 2^-53 (2^-24) times the number of steps, relative to the root mean square.
  void (*transform_lines)(const FourierLine<T>&, T* re, T* im, T* work);
};

}  // namespace askrff::backend
