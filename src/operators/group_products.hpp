// ΦᵀΦ and ΦᵀY of one group of rows: what sums over many rows are made of.
#pragma once

#include <algorithm>
#include <functional>

#include "askrff/features.hpp"
#include "core/ceil_div.hpp"
#include "core/threads.hpp"
#include "operators/feature_blocks.hpp"

namespace askrff::operators {

/// Long sums in registers keep the traffic of the n_features² doubles small; beyond about 1024 rows floats would lose more than they gain.
inline constexpr std::size_t group_rows = 1024;

/// The features of a group are made by all threads, then the triangle is cut into slices of equal area. Results do not depend on threads.
template <class T>
class GroupProducts {
 public:
  /// Called with (first, end) when these rows of a result are complete, on the thread that made them.
  using Finished = std::function<void(std::size_t, std::size_t)>;

  /// For groups of at most max_rows rows.
  GroupProducts(Features features, std::size_t n_targets, std::size_t max_rows)
      : features_(std::move(features)), n_targets_(n_targets), block_(plan(), max_rows, max_rows) {}

  /// Adds Φᵀ diag(w) Φ, from the diagonal on, to gram and Φᵀ diag(w) Y to moments, for rows that have been checked. weights: one per row,
  /// or null for all 1.
  void add(backend::InputRows<T> X, backend::Rows<const T> Y, const T* weights, MatrixView<double> gram, MatrixView<double> moments,
           const Execution& execution, const Finished& gram_finished = {}, const Finished& moments_finished = {}) {
    const std::size_t n = plan().n_features;
    const double size = static_cast<double>(X.count) * static_cast<double>(n);
    make_features(X, size, execution);
    const auto& primitives = plan().primitives->template of<T>();
    const backend::Rows<T> filled = block_.rows(0, X.count);
    const backend::Rows<const T> features{filled.data, filled.count, filled.stride};
    const Team team = team_for(size, execution);
    const std::size_t n_slices = std::max(team.n_threads, static_cast<std::size_t>(size * static_cast<double>(n) / 2 / slice_work));
    const std::size_t moment_rows = std::max<std::size_t>(64, static_cast<std::size_t>(slice_work) / (X.count * (n_targets_ + 1)));
    const std::size_t n_moment_tasks = n_targets_ > 0 ? ceil_div(n, moment_rows) : 0;
    parallel_for(n_slices + n_moment_tasks, team, [&](std::size_t task) {
      if (task >= n_slices) {
        const std::size_t first = (task - n_slices) * moment_rows, count = std::min(moment_rows, n - first);
        primitives.transposed_product(features, Y, weights, n_targets_, first, false, backend::rows_of(moments).from(first, count));
        if (moments_finished) moments_finished(first, first + count);
        return;
      }
      const std::size_t first = triangle_slice_begin(n, task, n_slices), end = triangle_slice_begin(n, task + 1, n_slices);
      if (first >= end) return;
      primitives.transposed_product(features, features, weights, n, first, true, backend::rows_of(gram).from(first, end - first));
      if (gram_finished) gram_finished(first, end);
    });
  }

 private:
  static constexpr std::size_t task_rows = 96;
  static constexpr double slice_work = 1e9;  // multiplications of a slice of the triangle: some ten milliseconds

  const detail::FeaturePlan& plan() const { return features_.plan(); }

  void make_features(const backend::InputRows<T>& X, double size, const Execution& execution) {
    parallel_for(ceil_div(X.count, task_rows), plan().team(size, execution), [&](std::size_t task) {
      const std::size_t first = task * task_rows, count = std::min(task_rows, X.count - first);
      plan().run(X.from(first, count), block_.rows(first, count), backend::Store::cached);
    });
  }

  Features features_;
  std::size_t n_targets_;
  FeatureBlock<T> block_;
};

}  // namespace askrff::operators
