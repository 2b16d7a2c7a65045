// Normal equations by groups of 1024 rows: their features are made by all threads, then the triangle is cut into slices of equal area.
#include "askrff/normal_equations.hpp"
#include "askrff/errors.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/checks.hpp"
#include "core/threads.hpp"
#include "operators/feature_blocks.hpp"

namespace askrff {
namespace {

// Long sums in registers keep the traffic of the n_features² doubles small; beyond 1024 rows floats would lose more than they gain.
constexpr std::size_t group_rows = 1024, task_rows = 96;

using backend::Rows;

}  // namespace

template <class T>
class NormalEquations<T>::Accumulator {
 public:
  Accumulator(Features features, std::size_t n_targets, Execution execution)
      : features_(std::move(features)),
        execution_(execution),
        n_targets_(n_targets),
        block_(plan(), group_rows, group_rows),
        pending_X_(group_rows, plan().dim),
        pending_Y_(group_rows, n_targets),
        pending_weights_(group_rows) {
    begin();
  }

  void add(MatrixView<const T> X, MatrixView<const T> Y, std::span<const T> weights) {
    check(X, Y, weights);
    if (gram_.rows() != plan().n_features) begin();  // after finish
    std::size_t row = 0;
    while (row < X.rows()) {
      const std::size_t count = std::min(group_rows - n_pending_, X.rows() - row);
      const auto x = X.middle_rows(row, count);
      const auto y = n_targets_ > 0 ? Y.middle_rows(row, count) : MatrixView<const T>(nullptr, count, 0);
      const auto w = weights.empty() ? weights : weights.subspan(row, count);
      if (count == group_rows) {
        process(backend::rows_of(x), backend::rows_of(y), w.empty() ? nullptr : w.data());
      } else {
        keep(x, y, w);
        if (n_pending_ == group_rows) flush();
      }
      row += count;
      n_rows_ += count;
    }
  }

  NormalSums finish() {
    if (gram_.rows() != plan().n_features) begin();
    if (n_pending_ > 0) flush();
    mirror();
    return {std::move(gram_), std::move(moments_), std::exchange(n_rows_, 0)};  // memory for the next sums is taken when they begin
  }

  NormalSums sums() {
    if (gram_.rows() != plan().n_features) begin();
    Matrix<double> gram = gram_, moments = moments_;
    const std::size_t n_pending = n_pending_, n_rows = n_rows_;
    if (n_pending > 0) flush();
    mirror();
    NormalSums result{std::exchange(gram_, std::move(gram)), std::exchange(moments_, std::move(moments)), n_rows};
    n_pending_ = n_pending;  // they still wait: groups begin at the same rows
    return result;
  }

 private:
  const detail::FeaturePlan& plan() const { return features_.plan(); }

  void begin() {
    moments_ = Matrix<double>(plan().n_features, n_targets_);
    gram_ = Matrix<double>(plan().n_features, plan().n_features);
  }

  void mirror() {
    for (std::size_t f = 0; f < gram_.rows(); ++f)
      for (std::size_t g = 0; g < f; ++g) gram_(f, g) = gram_(g, f);
  }

  void check(MatrixView<const T> X, MatrixView<const T> Y, std::span<const T> weights) const {
    plan().check(X, execution_);
    const bool left_out = Y.rows() == 0 && Y.cols() == 0 && (n_targets_ == 0 || X.rows() == 0);
    if (!left_out) require_shape(Y, X.rows(), n_targets_, "NormalEquations::add", "Y");
    require_finite<T>(Y, "NormalEquations::add", "Y");
    if (!weights.empty() && weights.size() != X.rows())
      throw InvalidArgument("NormalEquations::add", fmt::format("{} weights for {} rows", weights.size(), X.rows()));
    require_finite<T>(MatrixView<const T>(weights.data(), weights.empty() ? 0 : 1, weights.size()), "NormalEquations::add", "the weights");
  }

  // Rows of an incomplete group wait, so that groups begin at the same rows however the rows were cut into calls.
  void keep(MatrixView<const T> X, MatrixView<const T> Y, std::span<const T> weights) {
    for (std::size_t i = 0; i < X.rows(); ++i) {
      std::ranges::copy(X.row(i), pending_X_.row(n_pending_ + i).begin());
      if (n_targets_ > 0) std::ranges::copy(Y.row(i), pending_Y_.row(n_pending_ + i).begin());
      pending_weights_[n_pending_ + i] = weights.empty() ? T{1} : weights[i];
    }
    n_pending_ += X.rows();
  }

  void flush() {
    const std::size_t count = std::exchange(n_pending_, 0);
    process(backend::rows_of(std::as_const(pending_X_).view()).from(0, count),
            backend::rows_of(std::as_const(pending_Y_).view()).from(0, count), pending_weights_.data());
  }

  void process(Rows<const T> X, Rows<const T> Y, const T* weights) {
    const std::size_t n = plan().n_features;
    const std::size_t n_threads = threads_for(static_cast<double>(X.count) * static_cast<double>(n), execution_);
    parallel_for((X.count + task_rows - 1) / task_rows, n_threads, [&](std::size_t task) {
      const std::size_t first = task * task_rows, count = std::min(task_rows, X.count - first);
      plan().run(X.from(first, count), block_.rows(first, count), backend::Store::cached);
    });
    const auto& primitives = plan().primitives->template of<T>();
    const Rows<T> filled = block_.rows(0, X.count);
    const Rows<const T> features{filled.data, filled.count, filled.stride};
    parallel_for(n_threads + (n_targets_ > 0 ? 1 : 0), n_threads, [&](std::size_t task) {
      if (task == n_threads) {
        primitives.transposed_product(features, Y, weights, n_targets_, 0, false, backend::rows_of(moments_.view()));
        return;
      }
      const std::size_t first = triangle_slice_begin(n, task, n_threads), end = triangle_slice_begin(n, task + 1, n_threads);
      if (first < end)
        primitives.transposed_product(features, features, weights, n, first, true, backend::rows_of(gram_.view()).from(first, end - first));
    });
  }

  Features features_;
  Execution execution_;
  std::size_t n_targets_, n_rows_ = 0, n_pending_ = 0;
  operators::FeatureBlock<T> block_;
  Matrix<T> pending_X_, pending_Y_;
  std::vector<T> pending_weights_;
  Matrix<double> gram_, moments_;
};

template <class T>
NormalEquations<T>::NormalEquations(Features features, std::size_t n_targets, Execution execution)
    : accumulator_(std::make_unique<Accumulator>(std::move(features), n_targets, execution)) {}
template <class T>
NormalEquations<T>::NormalEquations(NormalEquations&&) noexcept = default;
template <class T>
NormalEquations<T>& NormalEquations<T>::operator=(NormalEquations&&) noexcept = default;
template <class T>
NormalEquations<T>::~NormalEquations() = default;

template <class T>
void NormalEquations<T>::add(MatrixView<const T> X, MatrixView<const T> Y, std::span<const T> weights) {
  accumulator_->add(X, Y, weights);
}
template <class T>
NormalSums NormalEquations<T>::finish() {
  return accumulator_->finish();
}
template <class T>
NormalSums NormalEquations<T>::sums() {
  return accumulator_->sums();
}

template class NormalEquations<float>;
template class NormalEquations<double>;

}  // namespace askrff
