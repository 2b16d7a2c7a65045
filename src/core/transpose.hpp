// Transposing a matrix.
#pragma once

#include <algorithm>
#include <cstddef>

#include "askrff/execution.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// out(j,i) = in(i,j).
template <class T>
void transpose(MatrixView<const T> in, MatrixView<T> out, const StopToken& stop = {}) {
  constexpr std::size_t tile = 16;  // cache lines of both sides are used up before they are dropped
  for (std::size_t first = 0; first < in.rows(); first += tile) {
    stop.check();
    for (std::size_t j = 0; j < in.cols(); ++j)
      for (std::size_t i = first; i < std::min(first + tile, in.rows()); ++i) out(j, i) = in(i, j);
  }
}

template <class T>
Matrix<T> transposed(MatrixView<const T> in, const StopToken& stop = {}) {
  Matrix<T> out(in.cols(), in.rows());
  transpose<T>(in, out.view(), stop);
  return out;
}

}  // namespace askrff
