// Φ(X)·W, Φ(X)ᵀ·V and K̃·V, block by block. One column stays in registers from the phases to the sum; several go through blocks of
// features that fit into a cache, where a matrix product makes up for the detour.
#include "askrff/operators.hpp"
#include "askrff/errors.hpp"

#include <algorithm>
#include <vector>

#include "core/ceil_div.hpp"
#include "core/checks.hpp"
#include "core/threads.hpp"
#include "operators/feature_blocks.hpp"

namespace askrff {
namespace {

using backend::Rows;
using detail::FeaturePlan;
using operators::FeatureBlock;

template <class T>
std::vector<T> column_of(MatrixView<const T> matrix, std::size_t j) {
  std::vector<T> column(matrix.rows());
  for (std::size_t i = 0; i < matrix.rows(); ++i) column[i] = matrix(i, j);
  return column;
}

template <class T>
Matrix<T> transposed(MatrixView<const T> matrix) {
  Matrix<T> out(matrix.cols(), matrix.rows());
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    for (std::size_t j = 0; j < matrix.cols(); ++j) out(j, i) = matrix(i, j);
  return out;
}

double size_of(std::size_t rows, const FeaturePlan& plan) { return static_cast<double>(rows) * static_cast<double>(plan.n_features); }

template <class T>
Matrix<T> multiply_checked(const FeaturePlan& plan, MatrixView<const T> X, MatrixView<const T> W, const Execution& execution) {
  Matrix<T> out(X.rows(), W.cols());
  if (out.empty()) return out;
  const auto& primitives = plan.primitives->of<T>();
  const bool one_column = W.cols() == 1;
  const Matrix<T> columns = transposed(W);
  const std::size_t task_rows = plan.task_rows();
  parallel_for(ceil_div(X.rows(), task_rows), plan.team(size_of(X.rows(), plan), execution), [&](std::size_t task) {
    const std::size_t first = task * task_rows, count = std::min(task_rows, X.rows() - first);
    const Rows<const T> rows = backend::rows_of(X).from(first, count);
    if (one_column) {
      plan.times(rows, columns.data(), out.data() + first);
      return;
    }
    FeatureBlock<T> block(plan, count);
    for (std::size_t i = 0; i < count; i += block.capacity()) {
      execution.stop.check();
      const std::size_t n = std::min(block.capacity(), count - i);
      primitives.product(block.fill(rows.from(i, n)), backend::rows_of(columns.view()), plan.n_features,
                         backend::rows_of(out.view()).from(first + i, n), backend::Update::set);
    }
  });
  return out;
}

// Chunks of rows whose sum is one number of the total are worked on, four per thread, before they are added in order.
constexpr std::size_t chunks_per_thread = 4;

/// out += Φᵀ V for one chunk of rows.
template <class T>
void add_chunk(const FeaturePlan& plan, Rows<const T> X, MatrixView<const T> V, MatrixView<double> out, const StopToken& stop) {
  const auto& primitives = plan.primitives->of<T>();
  if (V.cols() == 1) {
    plan.transposed_times(X, column_of(V, 0).data(), out.data());
    return;
  }
  constexpr std::size_t rows_at_once = 512;  // fixed: a sum of T over these rows is part of the result
  FeatureBlock<T> block(plan, rows_at_once, rows_at_once);
  for (std::size_t i = 0; i < X.count; i += rows_at_once) {
    stop.check();
    const std::size_t n = std::min(rows_at_once, X.count - i);
    primitives.transposed_product(block.fill(X.from(i, n)), backend::rows_of(V.middle_rows(i, n)), nullptr, V.cols(), 0, false,
                                  backend::rows_of(out));
  }
}

template <class T>
Matrix<double> multiply_transposed_checked(const FeaturePlan& plan, MatrixView<const T> X, MatrixView<const T> V,
                                           const Execution& execution) {
  Matrix<double> out(plan.n_features, V.cols());
  if (out.empty()) return out;
  const std::size_t chunk_rows = plan.sum_rows(), n_chunks = ceil_div(X.rows(), chunk_rows);
  const Team team = plan.team(size_of(X.rows(), plan), execution);
  const std::size_t at_once = std::min(n_chunks, team.n_threads * chunks_per_thread);
  std::vector<Matrix<double>> partial(at_once, Matrix<double>(out.rows(), out.cols()));
  for (std::size_t first = 0; first < n_chunks; first += at_once) {
    const std::size_t count = std::min(at_once, n_chunks - first);
    parallel_for(count, team, [&](std::size_t task) {
      const std::size_t row = (first + task) * chunk_rows, rows = std::min(chunk_rows, X.rows() - row);
      std::fill_n(partial[task].data(), out.rows() * out.cols(), 0.0);
      add_chunk(plan, backend::rows_of(X).from(row, rows), V.middle_rows(row, rows), partial[task].view(), team.stop);
    });
    for (std::size_t task = 0; task < count; ++task)
      for (std::size_t k = 0; k < out.rows() * out.cols(); ++k) out.data()[k] += partial[task].data()[k];
  }
  return out;
}

template <class T>
Matrix<T> multiply_any(const Features& features, MatrixView<const T> X, MatrixView<const T> W, const Execution& execution) {
  features.plan().check(X, execution);
  if (W.rows() != features.n_features())
    throw InvalidArgument("multiply", fmt::format("W has {} rows, there are {} features", W.rows(), features.n_features()));
  require_finite<T>(W, "multiply", "W", execution.stop);
  return multiply_checked(features.plan(), X, W, execution);
}

template <class T>
Matrix<double> multiply_transposed_any(const Features& features, MatrixView<const T> X, MatrixView<const T> V, const Execution& execution) {
  features.plan().check(X, execution);
  if (V.rows() != X.rows()) throw InvalidArgument("multiply_transposed", fmt::format("V has {} rows, X has {}", V.rows(), X.rows()));
  require_finite<T>(V, "multiply_transposed", "V", execution.stop);
  return multiply_transposed_checked(features.plan(), X, V, execution);
}

/// out_features(A)·(in_features(B)ᵀ·V).
template <class T>
Matrix<T> apply_through(const Features& out_features, MatrixView<const T> A, const Features& in_features, MatrixView<const T> B,
                        MatrixView<const T> V, const Execution& execution) {
  const Matrix<double> sums = multiply_transposed(in_features, B, V, execution);
  Matrix<T> weights(sums.rows(), sums.cols());
  std::transform(sums.data(), sums.data() + sums.rows() * sums.cols(), weights.data(), [](double value) { return static_cast<T>(value); });
  return multiply(out_features, A, weights, execution);
}

}  // namespace

Matrix<float> multiply(const Features& features, MatrixView<const float> X, MatrixView<const float> W, const Execution& execution) {
  return multiply_any(features, X, W, execution);
}
Matrix<double> multiply(const Features& features, MatrixView<const double> X, MatrixView<const double> W, const Execution& execution) {
  return multiply_any(features, X, W, execution);
}
Matrix<double> multiply_transposed(const Features& features, MatrixView<const float> X, MatrixView<const float> V,
                                   const Execution& execution) {
  return multiply_transposed_any(features, X, V, execution);
}
Matrix<double> multiply_transposed(const Features& features, MatrixView<const double> X, MatrixView<const double> V,
                                   const Execution& execution) {
  return multiply_transposed_any(features, X, V, execution);
}

template <class T>
LowRankOperator<T>::LowRankOperator(FeatureMap map, MatrixView<const T> X, MatrixView<const T> Y, const Execution& execution)
    : map_(std::move(map)), X_(X), Y_(Y), execution_(execution) {
  require_columns(X_, map_.dim(), "LowRankOperator", "X", map_.left().plan().origin_of_dim);
  require_columns(Y_, map_.dim(), "LowRankOperator", "Y", map_.right().plan().origin_of_dim);
}

template <class T>
Matrix<T> LowRankOperator<T>::apply(MatrixView<const T> V) const {
  return apply_through(map_.left(), X_, map_.right(), Y_, V, execution_);
}

template <class T>
Matrix<T> LowRankOperator<T>::apply_transposed(MatrixView<const T> V) const {
  return apply_through(map_.right(), Y_, map_.left(), X_, V, execution_);
}

template class LowRankOperator<float>;
template class LowRankOperator<double>;

}  // namespace askrff
