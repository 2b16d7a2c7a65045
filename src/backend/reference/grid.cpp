// The primitives of grids as plain loops: direct sums, in double, rounded once.
#include "backend/reference/grid.hpp"

#include <cmath>
#include <numbers>

namespace askrff::backend::reference {
namespace {

/// Calls visit(place in the grid, value of the window there) for all cells of a point.
template <class T, std::size_t dim, class Visit>
void for_each_cell(const GridPoint<T, dim>& point, const GridWindow<T>& window, const std::size_t strides[2], const Visit& visit) {
  constexpr std::size_t max_width = GridWindow<T>::max_width;
  double values[3][max_width] = {{1}, {1}, {1}};
  std::size_t widths[3] = {1, 1, 1};
  for (std::size_t k = 0; k < dim; ++k) {
    const std::size_t axis = 3 - dim + k;
    const double t = 2 * static_cast<double>(point.beyond[k]) - 1;
    widths[axis] = window.width;
    for (std::size_t l = 0; l < window.width; ++l) {
      values[axis][l] = 0;
      for (std::size_t p = window.degree + 1; p-- > 0;)
        values[axis][l] = values[axis][l] * t + static_cast<double>(window.coefficients[p * max_width + l]);
    }
  }
  for (std::size_t a = 0; a < widths[0]; ++a)
    for (std::size_t b = 0; b < widths[1]; ++b)
      for (std::size_t c = 0; c < widths[2]; ++c)
        visit(point.cell + a * strides[0] + b * strides[1] + c, values[0][a] * values[1][b] * values[2][c]);
}

template <class T>
void spread(const GridPoints<T>& all, const GridWindow<T>& window, const T* values, GridCells<T> cells) {
  std::visit(
      [&](auto points) {
        for (std::size_t i = 0; i < points.size(); ++i)
          for_each_cell(points[i], window, cells.strides, [&](std::size_t place, double weight) {
            cells.data[place] = static_cast<T>(static_cast<double>(cells.data[place]) + weight * static_cast<double>(values[i]));
          });
      },
      all);
}

template <class T>
void interpolate(const GridPoints<T>& all, const GridWindow<T>& window, GridCells<const T> cells, T* out) {
  std::visit(
      [&](auto points) {
        for (std::size_t i = 0; i < points.size(); ++i) {
          double sum = 0;
          for_each_cell(points[i], window, cells.strides,
                        [&](std::size_t place, double weight) { sum += weight * static_cast<double>(cells.data[place]); });
          out[i] = static_cast<T>(sum);
        }
      },
      all);
}

template <class T>
void transform_lines(const FourierLine<T>& line, T* re, T* im, T*) {
  const std::size_t n = line.n, lines = fourier_lines<T>;
  std::vector<std::complex<double>> turns(n), values(n);
  for (std::size_t k = 0; k < n; ++k) turns[k] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  for (std::size_t l = 0; l < lines; ++l) {
    for (std::size_t j = 0; j < n; ++j) values[j] = {static_cast<double>(re[j * lines + l]), static_cast<double>(im[j * lines + l])};
    for (std::size_t k = 0; k < n; ++k) {
      std::complex<double> sum = 0;
      for (std::size_t j = 0, turn = 0; j < n; ++j, turn = (turn + k) % n) sum += values[j] * turns[turn];
      re[k * lines + l] = static_cast<T>(sum.real());
      im[k * lines + l] = static_cast<T>(sum.imag());
    }
  }
}

}  // namespace

template <class T>
GridPrimitives<T> grid_primitives() {
  return {spread<T>, interpolate<T>, transform_lines<T>};
}
template GridPrimitives<float> grid_primitives();
template GridPrimitives<double> grid_primitives();

}  // namespace askrff::backend::reference
