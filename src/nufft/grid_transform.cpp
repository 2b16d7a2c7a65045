// Axis by axis, a cache line of lines at a time. Two real lines are the parts of a complex one; after each axis only the modes that are
// kept go on: of 2n cells an axis, 7/24 of the work of a complex transform of the whole grid.
#include "nufft/grid_transform.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "core/ceil_div.hpp"
#include "core/threads.hpp"
#include "nufft/fourier_line.hpp"

namespace askrff::nufft {
namespace {

template <class T>
inline constexpr std::size_t lines_at_once = backend::fourier_lines<T>;

/// A divisor of n = 2^a·3^b·5^c near its root.
std::size_t divisor_near_root(std::size_t n) {
  auto divisor = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)));
  while (n % divisor != 0) --divisor;
  return divisor;
}

}  // namespace

GridBorders::GridBorders(const GridShape& shape, std::size_t width) {
  constexpr std::size_t vector_room = backend::GridWindow<double>::max_width;  // windows are written in whole vectors
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool used = axis + shape.dim >= 3;
    before[axis] = used ? (width + 1) / 2 : 0;
    length[axis] = used ? before[axis] + shape.cells[axis] + width : 1;
  }
  if (width > 0) length[2] += vector_room;
  strides[1] = padded_stride<double>(length[2]);
  strides[0] = padded_stride<double>(length[1] * strides[1]);
  size = length[0] * strides[0] + vector_room;
}

template <class T>
GridPlan<T>::GridPlan(const GridShape& shape, std::size_t width, const StopToken& stop) : shape_(shape), borders_(shape, width) {
  for (std::size_t axis = 3 - shape.dim; axis < 3; ++axis)
    if (shape.dim > 1) lines_[axis] = fourier_line<T>(shape.cells[axis]);
  if (shape.dim > 1) return;
  const std::size_t n = shape.cells[2], rows = divisor_near_root(n);
  long_lines_ = {fourier_line<T>(rows), fourier_line<T>(n / rows)};
  long_turns_.resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    if (k % 65536 == 0) stop.check();
    const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    long_turns_[k] = {static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
  }
}

template <class T>
GridTransform<T>::GridTransform(const GridPlan<T>& plan, const Execution& execution)
    : plan_(plan),
      execution_(execution),
      primitives_(backend::select(execution.backend).template grid_of<T>()),
      row_(ceil_div(plan.shape().modes(2), lines_at_once<T>) * lines_at_once<T>),
      cells_(plan.borders().size),
      re_(plan.shape().dim > 1 ? plan.shape().cells[0] * plan.shape().cells[1] * row_ : std::max(row_, plan.shape().cells[2])),
      im_(re_.size()) {}

/// Every task gets memory for lines of `length` numbers, transformed and at work.
template <class T>
void GridTransform<T>::for_tasks(std::size_t n_tasks, std::size_t length, const std::function<void(std::size_t, AlignedBuffer<T>&)>& task) {
  const double work = static_cast<double>(n_tasks) * static_cast<double>(length) * lines_at_once<T>;
  parallel_for(n_tasks, team_for(work, execution_), [&](std::size_t number) {
    AlignedBuffer<T> scratch(4 * length * lines_at_once<T>);
    task(number, scratch);
  });
}

template <class T>
void GridTransform<T>::clear_cells() {
  std::fill_n(cells_.data(), cells_.size(), T{0});
}

template <class T>
T* GridTransform<T>::cell_line(std::size_t line) {
  const GridBorders& borders = plan_.borders();
  const std::size_t second = plan_.shape().cells[1];
  return cells_.data() + borders.first_cell() + line / second * borders.strides[0] + line % second * borders.strides[1];
}

/// Axis by axis, the last first: what lies beyond one border of an axis may lie beyond another's, too.
template <class T>
void GridTransform<T>::fold_borders() {
  const GridBorders& borders = plan_.borders();
  const GridShape& shape = plan_.shape();
  const auto add = [](const T* from, T* to, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) to[i] += from[i];
  };
  for (std::size_t a = 0; a < borders.length[0]; ++a)
    for (std::size_t b = 0; b < borders.length[1]; ++b) {
      T* row = cells_.data() + a * borders.strides[0] + b * borders.strides[1];
      const std::size_t first = borders.before[2], n = shape.cells[2];
      add(row, row + n, first);
      add(row + first + n, row + first, borders.length[2] - first - n);
    }
  for (const std::size_t axis : {1, 0}) {
    const std::size_t first = borders.before[axis], n = shape.cells[axis], stride = borders.strides[axis];
    const std::size_t outer = axis == 1 ? borders.length[0] : 1, inner = axis == 1 ? borders.length[2] : stride;
    for (std::size_t o = 0; o < outer; ++o) {
      T* const plane = cells_.data() + o * borders.strides[0];
      for (std::size_t i = 0; i < first; ++i) add(plane + i * stride, plane + (i + n) * stride, inner);
      for (std::size_t i = first + n; i < borders.length[axis]; ++i) add(plane + i * stride, plane + (i - n) * stride, inner);
    }
  }
}

template <class T>
void GridTransform<T>::fill_borders() {
  const GridBorders& borders = plan_.borders();
  const GridShape& shape = plan_.shape();
  for (std::size_t line = 0; line < shape.cells[0] * shape.cells[1]; ++line) {
    T* const row = cell_line(line);
    const std::size_t first = borders.before[2], n = shape.cells[2];
    std::copy_n(row + n - first, first, row - first);
    std::copy_n(row, borders.length[2] - first - n, row + n);
  }
  for (const std::size_t axis : {1, 0}) {
    const std::size_t first = borders.before[axis], n = shape.cells[axis], stride = borders.strides[axis];
    const std::size_t outer = axis == 1 ? borders.length[0] : 1, inner = axis == 1 ? borders.length[2] : stride;
    for (std::size_t o = 0; o < outer; ++o) {
      T* const plane = cells_.data() + o * borders.strides[0];
      for (std::size_t i = 0; i < first; ++i) std::copy_n(plane + (i + n) * stride, inner, plane + i * stride);
      for (std::size_t i = first + n; i < borders.length[axis]; ++i) std::copy_n(plane + (i - n) * stride, inner, plane + i * stride);
    }
  }
}

/// A cache line of columns of modes, `step` numbers from one place of the axis to the next.
template <class T>
void GridTransform<T>::transform_column(std::size_t axis, T* re, T* im, std::size_t step, Way way, AlignedBuffer<T>& scratch) const {
  constexpr std::size_t lines = lines_at_once<T>;
  const std::size_t n = plan_.shape().cells[axis], half = plan_.shape().half[axis], size = n * lines;
  T *const tile_re = scratch.data(), *const tile_im = tile_re + size, *const work = tile_im + size;
  const auto place_of_mode = [&](std::size_t m) { return m < half ? n + m - half : m - half; };
  if (way == Way::forwards) {
    for (std::size_t i = 0; i < n; ++i) {
      std::copy_n(re + i * step, lines, tile_re + i * lines);
      std::copy_n(im + i * step, lines, tile_im + i * lines);
    }
    primitives_.transform_lines(plan_.line(axis), tile_re, tile_im, work);
    for (std::size_t m = 0; m <= 2 * half; ++m) {
      std::copy_n(tile_re + place_of_mode(m) * lines, lines, re + m * step);
      std::copy_n(tile_im + place_of_mode(m) * lines, lines, im + m * step);
    }
  } else {
    std::fill_n(tile_re, 2 * size, T{0});
    for (std::size_t m = 0; m <= 2 * half; ++m) {
      std::copy_n(re + m * step, lines, tile_re + place_of_mode(m) * lines);
      std::copy_n(im + m * step, lines, tile_im + place_of_mode(m) * lines);
    }
    primitives_.transform_lines(plan_.line(axis), tile_im, tile_re, work);
    for (std::size_t i = 0; i < n; ++i) {
      std::copy_n(tile_re + i * lines, lines, re + i * step);
      std::copy_n(tile_im + i * lines, lines, im + i * step);
    }
  }
}

/// One of the first two axes; of the second there are as many lines as cells of the first, of the first as many as modes of the second.
template <class T>
void GridTransform<T>::transform_axis(std::size_t axis, Way way) {
  const GridShape& shape = plan_.shape();
  const std::size_t of_line = row_ / lines_at_once<T>, others = axis == 1 ? shape.cells[0] : shape.modes(1);
  const std::size_t plane = shape.cells[1] * row_, step = axis == 1 ? row_ : plane, other = axis == 1 ? plane : row_;
  for_tasks(others * of_line, shape.cells[axis], [&](std::size_t task, AlignedBuffer<T>& scratch) {
    const std::size_t first = task / of_line * other + task % of_line * lines_at_once<T>;
    transform_column(axis, re_.data() + first, im_.data() + first, step, way, scratch);
  });
}

/// With Z the transform of a + ib: A_k = (Z_k + Z*_{n-k})/2, B_k = (Z_k - Z*_{n-k})/2i.
template <class T>
void GridTransform<T>::last_forwards(std::size_t first_line, std::size_t count, AlignedBuffer<T>& scratch) {
  constexpr std::size_t lines = lines_at_once<T>;
  const std::size_t n = plan_.shape().cells[2], size = n * lines;
  T *const tile_re = scratch.data(), *const tile_im = tile_re + size, *const work = tile_im + size;
  for (std::size_t l = 0; l < 2 * lines; ++l) {
    T* const to = (l % 2 == 0 ? tile_re : tile_im) + l / 2;
    const T* const from = cell_line(first_line + std::min(l, count - 1));
    for (std::size_t j = 0; j < n; ++j) to[j * lines] = from[j];
  }
  primitives_.transform_lines(plan_.line(2), tile_re, tile_im, work);
  for (std::size_t l = 0; l < count; ++l) {
    T *const re = re_.data() + (first_line + l) * row_, *const im = im_.data() + (first_line + l) * row_;
    for (std::size_t k = 0; k <= plan_.shape().half[2]; ++k) {
      const std::size_t at = k * lines + l / 2, mirrored = (k == 0 ? 0 : n - k) * lines + l / 2;
      if (l % 2 == 0) {
        re[k] = (tile_re[at] + tile_re[mirrored]) / 2;
        im[k] = (tile_im[at] - tile_im[mirrored]) / 2;
      } else {
        re[k] = (tile_im[at] + tile_im[mirrored]) / 2;
        im[k] = (tile_re[mirrored] - tile_re[at]) / 2;
      }
    }
    std::fill(re + plan_.shape().modes(2), re + row_, T{0});
    std::fill(im + plan_.shape().modes(2), im + row_, T{0});
  }
}

template <class T>
void GridTransform<T>::last_backwards(std::size_t first_line, std::size_t count, AlignedBuffer<T>& scratch) {
  constexpr std::size_t lines = lines_at_once<T>;
  const std::size_t n = plan_.shape().cells[2], size = n * lines;
  T *const tile_re = scratch.data(), *const tile_im = tile_re + size, *const work = tile_im + size;
  std::fill_n(tile_re, 2 * size, T{0});
  for (std::size_t l = 0; l < count; ++l) {
    const T *const re = re_.data() + (first_line + l) * row_, *const im = im_.data() + (first_line + l) * row_;
    T *const to_re = tile_re + l / 2, *const to_im = tile_im + l / 2;
    for (std::size_t k = 0; k <= plan_.shape().half[2]; ++k) {
      const std::size_t at = k * lines, mirrored = (n - k) * lines;
      const T imaginary = k == 0 ? T{0} : im[k];
      if (l % 2 == 0) {
        to_re[at] += re[k];
        to_im[at] += imaginary;
      } else {
        to_re[at] -= imaginary;
        to_im[at] += re[k];
      }
      if (k == 0) continue;
      to_re[mirrored] += l % 2 == 0 ? re[k] : imaginary;
      to_im[mirrored] += l % 2 == 0 ? -imaginary : re[k];
    }
  }
  primitives_.transform_lines(plan_.line(2), tile_im, tile_re, work);
  for (std::size_t l = 0; l < count; ++l) {
    const T* const from = (l % 2 == 0 ? tile_re : tile_im) + l / 2;
    T* const to = cell_line(first_line + l);
    for (std::size_t j = 0; j < n; ++j) to[j] = from[j * lines];
  }
}

template <class T>
void GridTransform<T>::transform_last(Way way) {
  constexpr std::size_t at_once = 2 * lines_at_once<T>;
  const std::size_t n_lines = plan_.shape().cells[0] * plan_.shape().cells[1];
  for_tasks(ceil_div(n_lines, at_once), plan_.shape().cells[2], [&](std::size_t task, AlignedBuffer<T>& scratch) {
    const std::size_t first = task * at_once, count = std::min(at_once, n_lines - first);
    if (way == Way::forwards)
      last_forwards(first, count, scratch);
    else
      last_backwards(first, count, scratch);
  });
}

/// x_k, k = k₁ + a·k₂, of x_j, j = j₁·b + j₂: lines of a numbers, turned by e^{-2πi·k₁j₂/ab}, then lines of b numbers.
template <class T>
void GridTransform<T>::long_line(T* re, T* im) {
  constexpr std::size_t lines = lines_at_once<T>;
  const backend::FourierLine<T>&along_rows = plan_.long_lines()[0], &along_columns = plan_.long_lines()[1];
  const std::size_t a = along_rows.n, b = along_columns.n, n = a * b;
  AlignedBuffer<T> between_re(n), between_im(n);
  for_tasks(ceil_div(b, lines), a, [&](std::size_t task, AlignedBuffer<T>& scratch) {
    const std::size_t first = task * lines, count = std::min(lines, b - first), size = a * lines;
    T *const tile_re = scratch.data(), *const tile_im = tile_re + size;
    std::fill_n(tile_re, 2 * size, T{0});
    for (std::size_t j = 0; j < a; ++j) {
      std::copy_n(re + j * b + first, count, tile_re + j * lines);
      std::copy_n(im + j * b + first, count, tile_im + j * lines);
    }
    primitives_.transform_lines(along_rows, tile_re, tile_im, tile_im + size);
    for (std::size_t k = 0; k < a; ++k)
      for (std::size_t l = 0; l < count; ++l) {
        const std::complex<T> turn = plan_.long_turns()[k * (first + l) % n];
        const T x = tile_re[k * lines + l], y = tile_im[k * lines + l];
        between_re[k * b + first + l] = x * turn.real() - y * turn.imag();
        between_im[k * b + first + l] = x * turn.imag() + y * turn.real();
      }
  });
  for_tasks(ceil_div(a, lines), b, [&](std::size_t task, AlignedBuffer<T>& scratch) {
    const std::size_t first = task * lines, count = std::min(lines, a - first), size = b * lines;
    T *const tile_re = scratch.data(), *const tile_im = tile_re + size;
    std::fill_n(tile_re, 2 * size, T{0});
    for (std::size_t l = 0; l < count; ++l)
      for (std::size_t j = 0; j < b; ++j) {
        tile_re[j * lines + l] = between_re[(first + l) * b + j];
        tile_im[j * lines + l] = between_im[(first + l) * b + j];
      }
    primitives_.transform_lines(along_columns, tile_re, tile_im, tile_im + size);
    for (std::size_t k = 0; k < b; ++k) {
      std::copy_n(tile_re + k * lines, count, re + k * a + first);
      std::copy_n(tile_im + k * lines, count, im + k * a + first);
    }
  });
}

template <class T>
void GridTransform<T>::transform_long_line(Way way) {
  const std::size_t n = plan_.shape().cells[2], half = plan_.shape().half[2];
  T* const cells = cell_line(0);
  if (way == Way::forwards) {
    std::copy_n(cells, n, re_.data());
    std::fill_n(im_.data(), n, T{0});
    long_line(re_.data(), im_.data());
    return;
  }
  std::fill(re_.data() + half + 1, re_.data() + n, T{0});
  std::fill(im_.data() + half + 1, im_.data() + n, T{0});
  im_[0] = 0;
  for (std::size_t k = 1; k <= half; ++k) {
    re_[n - k] = re_[k];
    im_[n - k] = -im_[k];
  }
  long_line(im_.data(), re_.data());
  std::copy_n(re_.data(), n, cells);
}

template <class T>
void GridTransform<T>::to_modes() {
  fold_borders();
  if (plan_.shape().dim == 1) return transform_long_line(Way::forwards);
  transform_last(Way::forwards);
  transform_axis(1, Way::forwards);
  if (plan_.shape().dim == 3) transform_axis(0, Way::forwards);
}

template <class T>
void GridTransform<T>::to_cells() {
  if (plan_.shape().dim == 1) {
    transform_long_line(Way::backwards);
  } else {
    if (plan_.shape().dim == 3) transform_axis(0, Way::backwards);
    transform_axis(1, Way::backwards);
    transform_last(Way::backwards);
  }
  fill_borders();
}

template class GridPlan<float>;
template class GridPlan<double>;
template class GridTransform<float>;
template class GridTransform<double>;

}  // namespace askrff::nufft
