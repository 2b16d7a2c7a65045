// What all plans share: checks of rows, work cut into tasks, products through blocks of features.
#include "features/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "askrff/errors.hpp"
#include "core/ceil_div.hpp"
#include "core/aligned.hpp"
#include "core/checks.hpp"
#include "core/threads.hpp"

namespace askrff::detail {
namespace {

using backend::InputRows;
using backend::Rows;

/// As integers the bits of numbers without their signs are ordered like their sizes, with infinities and NaN on top, and integers are
/// compared many at a time.
template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

template <class T>
Bits<T> larger(Bits<T> largest, std::span<const T> values) {
  for (const T value : values)
    largest = std::max(largest, static_cast<Bits<T>>(std::bit_cast<Bits<T>>(value) & std::numeric_limits<Bits<T>>::max()));
  return largest;
}

/// max |x|, or infinity or NaN if there is one.
template <class T>
T largest_magnitude(MatrixView<const T> X) {
  Bits<T> largest = 0;
  for (std::size_t i = 0; i < X.rows(); ++i) largest = larger<T>(largest, X.row(i));
  return std::bit_cast<T>(largest);
}

// Rows of one task: long enough to pay for its scratch memory, short enough for threads to share the work evenly.
constexpr std::size_t max_task_rows = 960, min_task_rows = 48;
// Rows of one sum, where they are cheap; at least the rows a backend sums at once where they are not.
constexpr std::size_t max_sum_rows = 2048, min_sum_rows = 192;
constexpr double sum_cost = 2e9;  // operations of a sum, which cannot be cut: some tens of milliseconds

// Output above this size is written past the caches: it would not stay there until it is read.
constexpr double cached_bytes = 4 << 20;

// Rows whose features are held at once by a product; fixed, because a sum of T over these rows is part of the result.
constexpr std::size_t product_rows = 128;

/// Calls visit(first row, features of at most product_rows rows) for all rows of X in order.
template <class T, class Visit>
void for_each_block(const FeaturePlan& plan, const InputRows<T>& X, const Visit& visit) {
  AlignedBuffer<T> features(std::min(product_rows, X.count) * plan.n_features);
  for (std::size_t first = 0; first < X.count; first += product_rows) {
    const std::size_t count = std::min(product_rows, X.count - first);
    plan.run(X.from(first, count), Rows<T>{features.data(), count, plan.n_features}, backend::Store::cached);
    visit(first, Rows<const T>{features.data(), count, plan.n_features});
  }
}

template <class T>
void times_by_blocks(const FeaturePlan& plan, const InputRows<T>& X, const T* weights, T* out) {
  for_each_block(plan, X, [&](std::size_t first, Rows<const T> features) {
    plan.primitives->of<T>().rows_times(features, plan.n_features, weights, out + first);
  });
}

template <class T>
void transposed_times_by_blocks(const FeaturePlan& plan, const InputRows<T>& X, const T* values, double* out) {
  for_each_block(plan, X, [&](std::size_t first, Rows<const T> features) {
    plan.primitives->of<T>().rows_transposed_times(features, plan.n_features, values + first, out);
  });
}

}  // namespace

std::size_t FeaturePlan::task_rows() const { return rows_of_task(row_cost(), min_task_rows, max_task_rows); }
std::size_t FeaturePlan::sum_rows() const { return rows_of_task(row_cost(), min_sum_rows, max_sum_rows, sum_cost); }

void FeaturePlan::times(InputRows<float> X, const float* weights, float* out) const { times_by_blocks(*this, X, weights, out); }
void FeaturePlan::times(InputRows<double> X, const double* weights, double* out) const { times_by_blocks(*this, X, weights, out); }
void FeaturePlan::transposed_times(InputRows<float> X, const float* values, double* out) const {
  transposed_times_by_blocks(*this, X, values, out);
}
void FeaturePlan::transposed_times(InputRows<double> X, const double* values, double* out) const {
  transposed_times_by_blocks(*this, X, values, out);
}

void FeaturePlan::round_features(MatrixView<const double> features, backend::Rows<float> out) const {
  for (std::size_t i = 0; i < features.rows(); ++i)
    for (std::size_t f = 0; f < n_features; ++f) {
      const auto rounded = static_cast<float>(features(i, f));
      if (!std::isfinite(rounded))
        throw InvalidArgument(who, fmt::format("features of size {:.3g} do not fit into float; use double", features(i, f)));
      out.row(i)[f] = rounded;
    }
}

template <class T>
double FeaturePlan::checked_size(MatrixView<const T> X, const Execution& execution) const {
  require_columns(X, dim, who, "X", origin_of_dim);
  const std::size_t n_tasks = ceil_div(X.rows(), max_task_rows);
  std::vector<T> largest_of(n_tasks);
  parallel_for(n_tasks, team_for(static_cast<double>(X.rows()) * static_cast<double>(dim), execution), [&](std::size_t task) {
    const std::size_t first = task * max_task_rows;
    largest_of[task] = largest_magnitude(X.middle_rows(first, std::min(max_task_rows, X.rows() - first)));
  });
  double largest = 0;
  for (const T each : largest_of) {
    if (!std::isfinite(each)) require_finite<T>(X, who, "X");
    largest = std::max(largest, static_cast<double>(each));
  }
  return largest;
}

template <class T>
double FeaturePlan::checked_size(SparseView<T> X) const {
  if (X.cols() != dim) throw InvalidArgument(who, fmt::format("X has {} columns, {} {}", X.cols(), origin_of_dim, dim));
  const T largest = std::bit_cast<T>(larger<T>(0, X.all_values()));
  for (std::size_t i = 0; !std::isfinite(largest) && i < X.rows(); ++i)
    for (std::size_t k = 0; k < X.values_of(i).size(); ++k)
      if (const T value = X.values_of(i)[k]; !std::isfinite(value))
        throw InvalidArgument(
            who, fmt::format("X holds {} in row {}, column {} (counted from 0), expected finite numbers", value, i, X.columns_of(i)[k]));
  return static_cast<double>(largest);
}

template <class T, class Input>
void FeaturePlan::transform(Input X, MatrixView<T> out, const Execution& execution) const {
  require_shape(out, X.rows(), n_features, who, "out");
  check(X, execution);
  const double elements = static_cast<double>(X.rows()) * static_cast<double>(n_features);
  const auto store = elements * sizeof(T) > cached_bytes ? backend::Store::streaming : backend::Store::cached;
  const std::size_t rows = task_rows();
  const InputRows<T> all = backend::rows_of(X);
  parallel_for(ceil_div(X.rows(), rows), team(elements, execution), [&](std::size_t task) {
    const std::size_t first = task * rows, count = std::min(rows, X.rows() - first);
    run(all.from(first, count), backend::rows_of(out).from(first, count), store);
  });
}

template void FeaturePlan::transform(MatrixView<const float>, MatrixView<float>, const Execution&) const;
template void FeaturePlan::transform(MatrixView<const double>, MatrixView<double>, const Execution&) const;
template void FeaturePlan::transform(SparseView<float>, MatrixView<float>, const Execution&) const;
template void FeaturePlan::transform(SparseView<double>, MatrixView<double>, const Execution&) const;
template double FeaturePlan::checked_size(MatrixView<const float>, const Execution&) const;
template double FeaturePlan::checked_size(MatrixView<const double>, const Execution&) const;
template double FeaturePlan::checked_size(SparseView<float>) const;
template double FeaturePlan::checked_size(SparseView<double>) const;

}  // namespace askrff::detail
