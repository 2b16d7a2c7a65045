// Products and the Cholesky factorisation, blocked so that nearly all of it is the backend's product of rows.
#include "askrff/dense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/errors.hpp"
#include "backend/backend.hpp"
#include "core/ceil_div.hpp"
#include "core/checks.hpp"
#include "core/threads.hpp"

namespace askrff {
namespace {

using backend::Rows;
using backend::Update;

// Rows of one task of a factorisation, and of a product at least; rows of the other side packed at a time, anew for every task.
constexpr std::size_t task_rows = 192, max_packed_rows = 1024, packed_bytes = std::size_t{64} << 20;
constexpr std::size_t step_work = std::size_t{1} << 31;  // multiplications between two looks at the token, about, in a task of many rows

double work_of(std::size_t rows, std::size_t cols, std::size_t depth) {
  return static_cast<double>(rows) * static_cast<double>(cols) * static_cast<double>(depth) / 32;
}

template <class T>
void product(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> out, const Execution& execution,
             const backend::Primitives& primitives) {
  constexpr const char* who = "product_of_rows";
  require_columns(B, A.cols(), who, "B", "A has");
  require_shape(out, A.rows(), B.rows(), who, "out");
  const Team team = team_for(work_of(A.rows(), B.rows(), A.cols()), execution);
  const std::size_t row_bytes = std::max<std::size_t>(1, A.cols()) * sizeof(T);
  const std::size_t packed_rows = std::clamp<std::size_t>(packed_bytes / row_bytes, 32, max_packed_rows);
  const std::size_t share = (A.rows() + 2 * team.n_threads - 1) / (2 * team.n_threads);
  const std::size_t rows = std::max(task_rows, std::min(share, step_work / (packed_rows * std::max<std::size_t>(1, A.cols()))));
  parallel_for(ceil_div(A.rows(), rows), team, [&](std::size_t task) {
    const std::size_t first = task * rows, count = std::min(rows, A.rows() - first);
    for (std::size_t j = 0; j < B.rows(); j += packed_rows) {
      team.stop.check();
      Rows<T> part = backend::rows_of(out).from(first, count);
      part.data += j;
      primitives.of<T>().product(backend::rows_of(A).from(first, count), backend::rows_of(B).from(j, std::min(packed_rows, B.rows() - j)),
                                 A.cols(), part, Update::set);
    }
  });
}

/// The block of A with the given corner.
template <class T>
MatrixView<T> block_of(MatrixView<T> A, std::size_t row, std::size_t col, std::size_t rows, std::size_t cols) {
  return {A.data() + row * A.stride() + col, rows, cols, A.stride()};
}

/// Factors a small block in place, plain loops; `first` is its place in the whole, for the message.
template <class T>
void factor_diagonal(MatrixView<T> A, std::size_t first) {
  for (std::size_t j = 0; j < A.rows(); ++j) {
    T pivot = A(j, j);
    for (std::size_t t = 0; t < j; ++t) pivot -= A(j, t) * A(j, t);
    if (!(pivot > 0) || !std::isfinite(pivot))
      throw NumericalError("cholesky", fmt::format("pivot {} is {:.3g}, the matrix is not positive definite", first + j, pivot));
    A(j, j) = std::sqrt(pivot);
    for (std::size_t i = j + 1; i < A.rows(); ++i) {
      T sum = A(i, j);
      for (std::size_t t = 0; t < j; ++t) sum -= A(i, t) * A(j, t);
      A(i, j) = sum / A(j, j);
    }
  }
}

/// Rows of X, `columns` of them from `first` on, with X·Lᵀ = B in place of B: forward substitution, several rows at a time. Multiplying by
/// the inverse of L would be simpler and lose as many digits as L is badly conditioned.
template <class T>
void substitute(MatrixView<const T> L, std::size_t first, std::size_t columns, MatrixView<T> rows) {
  constexpr std::size_t lanes = 8, max_columns = 16;
  T tile[max_columns][lanes];
  for (std::size_t i = 0; i < rows.rows(); i += lanes) {
    const std::size_t count = std::min(lanes, rows.rows() - i);
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t r = 0; r < lanes; ++r) tile[j][r] = r < count ? rows(i + r, first + j) : T{0};
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t t = 0; t < j; ++t)
        for (std::size_t r = 0; r < lanes; ++r) tile[j][r] -= L(first + j, first + t) * tile[t][r];
      for (std::size_t r = 0; r < lanes; ++r) tile[j][r] /= L(first + j, first + j);
    }
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t r = 0; r < count; ++r) rows(i + r, first + j) = tile[j][r];
  }
}

/// The same for all columns of L: substitution for 16 of them, the backend's product between those.
template <class T>
void solve_panel(MatrixView<const T> L, MatrixView<T> rows, const backend::Primitives& primitives) {
  constexpr std::size_t step = 16;
  for (std::size_t first = 0; first < L.cols(); first += step) {
    const std::size_t columns = std::min(step, L.cols() - first);
    if (first > 0) {
      const Rows<const T> solved{rows.data(), rows.rows(), rows.stride()};
      primitives.of<T>().product(solved, backend::rows_of(L.middle_rows(first, columns)), first,
                                 {rows.data() + first, rows.rows(), rows.stride()}, Update::subtract);
    }
    substitute(L, first, columns, rows);
  }
}

template <class T>
void require_finite_triangle(MatrixView<const T> A) {
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      if (!std::isfinite(A(i, j))) throw InvalidArgument("cholesky", fmt::format("A holds {} in row {}, column {}", A(i, j), i, j));
}

// Right-looking: a diagonal block of 96 rows, the panel below it, then the triangle that is left, which is where the work is.
template <class T>
void cholesky_in_place(MatrixView<T> A, const Execution& execution, const backend::Primitives& primitives) {
  if (A.rows() != A.cols()) throw InvalidArgument("cholesky", fmt::format("A is {} x {}, expected a square", A.rows(), A.cols()));
  require_finite_triangle<T>(A);
  constexpr std::size_t block = 96;
  const std::size_t n = A.rows();
  for (std::size_t k = 0; k < n; k += block) {
    execution.stop.check();
    const std::size_t width = std::min(block, n - k), below = n - k - width;
    const MatrixView<T> diagonal = block_of(A, k, k, width, width);
    factor_diagonal(diagonal, k);
    if (below == 0) break;
    const MatrixView<T> panel = block_of(A, k + width, k, below, width);
    const Rows<const T> solved{panel.data(), below, panel.stride()};
    const std::size_t tasks = ceil_div(below, task_rows);
    const Team team = team_for(work_of(below, below, width), execution);
    const auto rows_of_task = [&](std::size_t task) { return std::min(task_rows, below - task * task_rows); };
    parallel_for(tasks, team, [&](std::size_t task) {
      const std::size_t first = task * task_rows, count = rows_of_task(task);
      solve_panel<T>(diagonal, panel.middle_rows(first, count), primitives);
    });
    parallel_for(tasks, team, [&](std::size_t task) {
      const std::size_t first = task * task_rows, count = rows_of_task(task);
      // Up to the diagonal and a little past it: entries above the diagonal go into a copy that is thrown away.
      if (first > 0)
        primitives.of<T>().product(solved.from(first, count), solved.from(0, first), width,
                                   backend::rows_of(block_of(A, k + width + first, k + width, count, first)), Update::subtract);
      Matrix<T> corner(count, count);
      primitives.of<T>().product(solved.from(first, count), solved.from(first, count), width, backend::rows_of(corner.view()), Update::set);
      const MatrixView<T> target = block_of(A, k + width + first, k + width + first, count, count);
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j <= i; ++j) target(i, j) -= corner(i, j);
    });
  }
}

template <class T>
void solve_in_place(MatrixView<const T> L, MatrixView<T> B, const StopToken& stop) {
  if (L.rows() != L.cols()) throw InvalidArgument("solve_cholesky", fmt::format("L is {} x {}, expected a square", L.rows(), L.cols()));
  require_shape(B, L.rows(), B.cols(), "solve_cholesky", "B");
  const auto subtract = [&](std::size_t from, T factor, std::size_t to) {
    for (std::size_t c = 0; c < B.cols(); ++c) B(to, c) -= factor * B(from, c);
  };
  for (std::size_t i = 0; i < L.rows(); ++i) {
    stop.check();
    for (std::size_t t = 0; t < i; ++t) subtract(t, L(i, t), i);
    for (T& value : B.row(i)) value /= L(i, i);
  }
  for (std::size_t i = L.rows(); i-- > 0;) {
    stop.check();
    for (T& value : B.row(i)) value /= L(i, i);
    for (std::size_t t = 0; t < i; ++t) subtract(i, L(i, t), t);
  }
}

// Rows are independent; of each task's, 96 columns by substitution, then those are taken out of the columns after them.
void solve_rows_in_place(MatrixView<const double> L, MatrixView<double> B, const Execution& execution,
                         const backend::Primitives& primitives) {
  if (L.rows() != L.cols()) throw InvalidArgument("solve_rows", fmt::format("L is {} x {}, expected a square", L.rows(), L.cols()));
  require_columns(MatrixView<const double>(B), L.cols(), "solve_rows", "B", "L has");
  constexpr std::size_t block = 96;
  const Team team = team_for(work_of(B.rows(), L.rows(), L.rows()), execution);
  parallel_for(ceil_div(B.rows(), task_rows), team, [&](std::size_t task) {
    const MatrixView<double> rows = B.middle_rows(task * task_rows, std::min(task_rows, B.rows() - task * task_rows));
    for (std::size_t k = 0; k < L.rows(); k += block) {
      team.stop.check();
      const std::size_t width = std::min(block, L.rows() - k);
      const MatrixView<double> columns = block_of(rows, 0, k, rows.rows(), width);
      if (k > 0)
        primitives.for_double.product({rows.data(), rows.rows(), rows.stride()}, backend::rows_of(L.middle_rows(k, width)), k,
                                      backend::rows_of(columns), Update::subtract);
      solve_panel<double>(block_of(L, k, k, width, width), columns, primitives);
    }
  });
}

}  // namespace

void product_of_rows(MatrixView<const float> A, MatrixView<const float> B, MatrixView<float> out, const Execution& execution) {
  product(A, B, out, execution, backend::select(execution.backend));
}
void product_of_rows(MatrixView<const double> A, MatrixView<const double> B, MatrixView<double> out, const Execution& execution) {
  product(A, B, out, execution, backend::select(execution.backend));
}
void cholesky(MatrixView<float> A, const Execution& execution) { cholesky_in_place(A, execution, backend::select(execution.backend)); }
void cholesky(MatrixView<double> A, const Execution& execution) { cholesky_in_place(A, execution, backend::select(execution.backend)); }
void solve_cholesky(MatrixView<const float> L, MatrixView<float> B, const Execution& execution) { solve_in_place(L, B, execution.stop); }
void solve_cholesky(MatrixView<const double> L, MatrixView<double> B, const Execution& execution) { solve_in_place(L, B, execution.stop); }
void solve_rows(MatrixView<const double> L, MatrixView<double> B, const Execution& execution) {
  solve_rows_in_place(L, B, execution, backend::select(execution.backend));
}

}  // namespace askrff
