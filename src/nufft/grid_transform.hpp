// Between the cells of a grid and the modes of its Fourier series: real values, half of the modes, and of each axis only those kept.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "askrff/execution.hpp"
#include "backend/backend.hpp"
#include "core/aligned.hpp"

namespace askrff::nufft {

/// Three axes; of fewer dimensions the first ones have one cell and one mode.
struct GridShape {
  std::size_t dim = 0;
  std::array<std::size_t, 3> cells = {1, 1, 1};  ///< even numbers that smooth_size() gives, at least 4·half
  std::array<std::size_t, 3> half = {0, 0, 0};   ///< modes -half … half are kept; of the last axis 0 … half, the others are conjugates

  std::size_t modes(std::size_t axis) const { return axis == 2 ? half[2] + 1 : 2 * half[axis] + 1; }
  std::size_t n_modes() const { return modes(0) * modes(1) * modes(2); }
  bool operator==(const GridShape&) const = default;
};

/// Calls visit(place, j, conjugate, a, b, c) for every mode that is kept, the place-th, with its numbers from 0 on the axes: it is
/// frequency j of a FrequencyGrid of the same half numbers, or the conjugate of that.
template <class Visit>
void for_each_mode(const GridShape& shape, const Visit& visit) {
  const std::size_t last = 2 * shape.half[2] + 1, middle = (shape.modes(0) * shape.modes(1) * last - 1) / 2;
  std::size_t place = 0;
  for (std::size_t a = 0; a < shape.modes(0); ++a)
    for (std::size_t b = 0; b < shape.modes(1); ++b)
      for (std::size_t c = 0; c < shape.modes(2); ++c, ++place) {
        const std::size_t number = (a * shape.modes(1) + b) * last + shape.half[2] + c;
        visit(place, number >= middle ? number - middle : middle - number, number < middle, a, b, c);
      }
}

/// Memory around the cells for a window of `width` cells that reaches over the border; 0: none.
struct GridBorders {
  GridBorders(const GridShape& shape, std::size_t width);

  std::array<std::size_t, 3> before, length;  ///< cells in front, and in all, of every axis
  std::array<std::size_t, 2> strides;
  std::size_t size;  ///< of all the memory

  /// Of the first cell of a window; at: -before … cells - 1, counted from 0.
  std::size_t place(const std::array<std::size_t, 3>& at) const { return at[0] * strides[0] + at[1] * strides[1] + at[2]; }
  std::size_t first_cell() const { return place(before); }
};

/// How all the lines of a shape are transformed. Immutable.
template <class T>
class GridPlan {
 public:
  /// Throws Stopped.
  GridPlan(const GridShape& shape, std::size_t width, const StopToken& stop = {});

  const GridShape& shape() const { return shape_; }
  const GridBorders& borders() const { return borders_; }
  const backend::FourierLine<T>& line(std::size_t axis) const { return lines_[axis]; }
  /// In one dimension the only line is a matrix, transformed along its columns and then its rows: lines side by side are fast.
  const std::array<backend::FourierLine<T>, 2>& long_lines() const { return long_lines_; }
  const std::vector<std::complex<T>>& long_turns() const { return long_turns_; }

 private:
  GridShape shape_;
  GridBorders borders_;
  std::array<backend::FourierLine<T>, 3> lines_;
  std::array<backend::FourierLine<T>, 2> long_lines_;
  std::vector<std::complex<T>> long_turns_;  // e^{-2πi·k/n}
};

/// The memory of one transform, there and back. Work is cut into lines: the same bits for any number of threads.
template <class T>
class GridTransform {
 public:
  GridTransform(const GridPlan<T>& plan, const Execution& execution);

  void clear_cells();
  backend::GridCells<T> cells() { return {cells_.data(), {plan_.borders().strides[0], plan_.borders().strides[1]}}; }
  /// f_m = Σ cells_l e^{-2πi·m·l/n}; what windows left beyond the borders is carried to the other side first. Spoils the cells.
  void to_modes();
  /// cells_l = Σ f_m e^{2πi·m·l/n} over all modes, the conjugates included, and beyond the borders once more. Spoils the modes.
  void to_cells();
  /// Real and imaginary parts of modes (first, second, 0 …), numbered from -half.
  T* re(std::size_t first, std::size_t second) { return re_.data() + (first * plan_.shape().cells[1] + second) * row_; }
  T* im(std::size_t first, std::size_t second) { return im_.data() + (first * plan_.shape().cells[1] + second) * row_; }

 private:
  enum class Way { forwards, backwards };

  void fold_borders();
  void fill_borders();
  void transform_axis(std::size_t axis, Way way);
  void transform_column(std::size_t axis, T* re, T* im, std::size_t step, Way way, AlignedBuffer<T>& scratch) const;
  void transform_last(Way way);
  void last_forwards(std::size_t first_line, std::size_t count, AlignedBuffer<T>& scratch);
  void last_backwards(std::size_t first_line, std::size_t count, AlignedBuffer<T>& scratch);
  void transform_long_line(Way way);
  void long_line(T* re, T* im);
  T* cell_line(std::size_t line);
  void for_tasks(std::size_t n_tasks, std::size_t length, const std::function<void(std::size_t, AlignedBuffer<T>&)>& task);

  const GridPlan<T>& plan_;
  Execution execution_;
  const backend::GridPrimitives<T>& primitives_;
  std::size_t row_;  // of a line of modes, whole cache lines
  AlignedBuffer<T> cells_, re_, im_;
};

extern template class GridPlan<float>;
extern template class GridPlan<double>;
extern template class GridTransform<float>;
extern template class GridTransform<double>;

}  // namespace askrff::nufft
