// Φ(X)·W, Φ(X)ᵀ·V and K̃·V, block by block. One column stays in registers from the phases to the sum; several go through blocks of
// features that fit into a cache, where a matrix product makes up for the detour. An operator on few rows makes their features once.
#include "askrff/operators.hpp"
#include "askrff/errors.hpp"

#include <algorithm>
#include <vector>

#include "core/ceil_div.hpp"
#include "core/checks.hpp"
#include "core/threads.hpp"
#include "core/transpose.hpp"
#include "operators/feature_blocks.hpp"

namespace askrff {
namespace {

using backend::InputRows;
using backend::Rows;
using detail::FeaturePlan;
using operators::FeatureBlock;

template <class T>
std::vector<T> column_of(MatrixView<const T> matrix, std::size_t j) {
  std::vector<T> column(matrix.rows());
  for (std::size_t i = 0; i < matrix.rows(); ++i) column[i] = matrix(i, j);
  return column;
}

double size_of(std::size_t rows, const FeaturePlan& plan) { return static_cast<double>(rows) * static_cast<double>(plan.n_features); }

template <class T>
Matrix<T> multiply_checked(const FeaturePlan& plan, const InputRows<T>& X, MatrixView<const T> W, const Execution& execution) {
  Matrix<T> out(X.count, W.cols());
  if (out.empty()) return out;
  const auto& primitives = plan.primitives->of<T>();
  const bool one_column = W.cols() == 1;
  const Matrix<T> columns = transposed(W);
  const std::size_t task_rows = plan.task_rows();
  parallel_for(ceil_div(X.count, task_rows), plan.team(size_of(X.count, plan), execution), [&](std::size_t task) {
    const std::size_t first = task * task_rows, count = std::min(task_rows, X.count - first);
    const InputRows<T> rows = X.from(first, count);
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
void add_chunk(const FeaturePlan& plan, const InputRows<T>& X, MatrixView<const T> V, MatrixView<double> out, const StopToken& stop) {
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
Matrix<double> multiply_transposed_checked(const FeaturePlan& plan, const InputRows<T>& X, MatrixView<const T> V,
                                           const Execution& execution) {
  Matrix<double> out(plan.n_features, V.cols());
  if (out.empty()) return out;
  const std::size_t chunk_rows = plan.sum_rows(), n_chunks = ceil_div(X.count, chunk_rows);
  const Team team = plan.team(size_of(X.count, plan), execution);
  const std::size_t at_once = std::min(n_chunks, team.n_threads * chunks_per_thread);
  std::vector<Matrix<double>> partial(at_once, Matrix<double>(out.rows(), out.cols()));
  for (std::size_t first = 0; first < n_chunks; first += at_once) {
    const std::size_t count = std::min(at_once, n_chunks - first);
    parallel_for(count, team, [&](std::size_t task) {
      const std::size_t row = (first + task) * chunk_rows, rows = std::min(chunk_rows, X.count - row);
      std::fill_n(partial[task].data(), out.rows() * out.cols(), 0.0);
      add_chunk(plan, X.from(row, rows), V.middle_rows(row, rows), partial[task].view(), team.stop);
    });
    for (std::size_t task = 0; task < count; ++task)
      for (std::size_t k = 0; k < out.rows() * out.cols(); ++k) out.data()[k] += partial[task].data()[k];
  }
  return out;
}

/// Input: MatrixView<const T> or SparseView<T>.
template <class T, class Input>
Matrix<T> multiply_any(const Features& features, Input X, MatrixView<const T> W, const Execution& execution) {
  features.plan().check(X, execution);
  if (W.rows() != features.n_features())
    throw InvalidArgument("multiply", fmt::format("W has {} rows, there are {} features", W.rows(), features.n_features()));
  require_finite<T>(W, "multiply", "W", execution.stop);
  return multiply_checked<T>(features.plan(), backend::rows_of(X), W, execution);
}

template <class T, class Input>
Matrix<double> multiply_transposed_any(const Features& features, Input X, MatrixView<const T> V, const Execution& execution) {
  features.plan().check(X, execution);
  if (V.rows() != X.rows()) throw InvalidArgument("multiply_transposed", fmt::format("V has {} rows, X has {}", V.rows(), X.rows()));
  require_finite<T>(V, "multiply_transposed", "V", execution.stop);
  return multiply_transposed_checked<T>(features.plan(), backend::rows_of(X), V, execution);
}

// Features of one side that an operator keeps: with those of the other side they fit a processor's second cache. Larger ones would come
// from further away: with 4 MiB a side and a second cache of 2 MiB keeping them gained 1.3, with less of a cache it would lose.
constexpr std::size_t max_kept_bytes = std::size_t{1} << 20;

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

Matrix<float> multiply(const Features& features, SparseView<float> X, MatrixView<const float> W, const Execution& execution) {
  return multiply_any(features, X, W, execution);
}
Matrix<double> multiply(const Features& features, SparseView<double> X, MatrixView<const double> W, const Execution& execution) {
  return multiply_any(features, X, W, execution);
}
Matrix<double> multiply_transposed(const Features& features, SparseView<float> X, MatrixView<const float> V, const Execution& execution) {
  return multiply_transposed_any(features, X, V, execution);
}
Matrix<double> multiply_transposed(const Features& features, SparseView<double> X, MatrixView<const double> V, const Execution& execution) {
  return multiply_transposed_any(features, X, V, execution);
}

template <class T>
LowRankOperator<T>::Side::Side(const Features& map, const RowsView<T>& X, const char* name, const Execution& execution)
    : features(map), rows(X) {
  const FeaturePlan& plan = map.plan();
  require_row_columns(X, plan.dim, "LowRankOperator", name, plan.origin_of_dim);
  if (n_rows() == 0 || n_rows() > max_kept_bytes / sizeof(T) / plan.n_features) return;
  require_finite_rows(X, "LowRankOperator", name, execution.stop);
  auto made = std::make_shared<Matrix<T>>(n_rows(), plan.n_features);
  X.visit([&](const auto& of_kind) { map.transform(of_kind, made->view(), execution); });
  features = map.of_stored();
  rows = std::as_const(*made).view();
  kept = std::move(made);
}

template <class T>
void LowRankOperator<T>::Side::check(const Execution& execution) const {
  if (!kept) rows.visit([&](const auto& of_kind) { features.plan().check(of_kind, execution); });
}

/// left(X)·(right(Y)ᵀ·V), or the other way round.
template <class T>
Matrix<T> LowRankOperator<T>::apply_through(const Side& out, const Side& in, MatrixView<const T> V, const Execution& execution) {
  if (V.rows() != in.n_rows()) throw InvalidArgument("LowRankOperator", fmt::format("V has {} rows, expected {}", V.rows(), in.n_rows()));
  require_finite<T>(V, "LowRankOperator", "V", execution.stop);
  in.check(execution);
  out.check(execution);
  const Matrix<double> sums = multiply_transposed_checked<T>(in.features.plan(), backend::rows_of(in.rows), V, execution);
  Matrix<T> weights(sums.rows(), sums.cols());
  std::transform(sums.data(), sums.data() + sums.rows() * sums.cols(), weights.data(), [](double value) { return static_cast<T>(value); });
  require_finite<T>(weights, "LowRankOperator", "the sum over rows of features times V", execution.stop);
  return multiply_checked<T>(out.features.plan(), backend::rows_of(out.rows), weights, execution);
}

template <class T>
std::optional<GridOperator<T>> LowRankOperator<T>::on_grid(const FeatureMap& map, const RowsView<T>& X, const RowsView<T>& Y,
                                                           const Execution& execution) {
  constexpr std::size_t worthwhile = 128;  // atoms: a transform in one dimension takes as long as the waves of so many
  const SpectralAtoms* const atoms = map.atoms_on_grid();
  if (!atoms || atoms->size() < worthwhile) return std::nullopt;
  const auto written_out = [](const RowsView<T>& rows, Matrix<T>& storage) -> MatrixView<const T> {
    if (!rows.is_sparse()) return rows.dense();
    storage = Matrix<T>(rows.rows(), rows.cols());
    rows.sparse().copy_to(storage.view());
    return std::as_const(storage).view();
  };
  require_row_columns(X, map.dim(), "LowRankOperator", "X", map.left().plan().origin_of_dim);
  require_row_columns(Y, map.dim(), "LowRankOperator", "Y", map.right().plan().origin_of_dim);
  Matrix<T> x, y;
  return GridOperator<T>(*atoms, written_out(X, x), written_out(Y, y), execution);
}

template <class T>
LowRankOperator<T>::LowRankOperator(const FeatureMap& map, RowsView<T> X, RowsView<T> Y, const Execution& execution)
    : grid_(on_grid(map, X, Y, execution)), left_(map.left(), X, "X", execution), right_(map.right(), Y, "Y", execution) {}

template <class T>
Matrix<T> LowRankOperator<T>::apply(MatrixView<const T> V, const Execution& execution) const {
  return grid_ ? grid_->apply(V, execution) : apply_through(left_, right_, V, execution);
}

template <class T>
Matrix<T> LowRankOperator<T>::apply_transposed(MatrixView<const T> V, const Execution& execution) const {
  return grid_ ? grid_->apply_transposed(V, execution) : apply_through(right_, left_, V, execution);
}

template class LowRankOperator<float>;
template class LowRankOperator<double>;

}  // namespace askrff
