// Runs a plan through the backend.
#include "features/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/checks.hpp"
#include "core/threads.hpp"
#include "core/vectors.hpp"

namespace askrff::detail {
namespace {

/// max |x|, or infinity or NaN if there is one: as integers the bits of such numbers are ordered like their sizes, with infinities and NaN
/// on top, and integers are compared many at a time.
template <class T>
T largest_magnitude(MatrixView<const T> X) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  Bits largest = 0;
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (const T value : X.row(i))
      largest = std::max(largest, static_cast<Bits>(std::bit_cast<Bits>(value) & std::numeric_limits<Bits>::max()));
  return std::bit_cast<T>(largest);
}

// Rows of one task: long enough to pay for its scratch memory, short enough for threads to share the work evenly.
constexpr std::size_t task_rows = 960;

// Output above this size is written past the caches: it would not stay there until it is read.
constexpr double cached_bytes = 4 << 20;

}  // namespace

std::shared_ptr<const backend::Projection> FeaturePlan::project(MatrixView<const double> frequencies) {
  for (std::size_t j = 0; j < frequencies.rows(); ++j) largest_frequency = std::max(largest_frequency, norm_l1(frequencies.row(j)));
  return primitives->make_projection(frequencies);
}

void FeaturePlan::add(std::shared_ptr<const backend::Projection> projection, std::vector<double> along, std::vector<double> across) {
  n_features += 2 * along.size();
  for (std::size_t j = 0; j < along.size(); ++j) largest_amplitude = std::max(largest_amplitude, std::hypot(along[j], across[j]));
  blocks.push_back({std::move(projection), std::make_shared<backend::Amplitudes>(std::move(along), std::move(across))});
}

template <class T>
void FeaturePlan::check(MatrixView<const T> X, const Execution& execution) const {
  require_columns(X, dim, who, "X", "atoms were drawn in dimension");
  const std::size_t n_tasks = (X.rows() + task_rows - 1) / task_rows;
  std::vector<T> largest_of(n_tasks);
  parallel_for(n_tasks, threads_for(static_cast<double>(X.rows()) * static_cast<double>(dim), execution), [&](std::size_t task) {
    const std::size_t first = task * task_rows;
    largest_of[task] = largest_magnitude(X.middle_rows(first, std::min(task_rows, X.rows() - first)));
  });
  double largest = 0;
  for (const T each : largest_of) {
    if (!std::isfinite(each)) require_finite<T>(X, who, "X");
    largest = std::max(largest, static_cast<double>(each));
  }
  if (!(largest_amplitude < static_cast<double>(std::numeric_limits<T>::max()) / 4))
    throw std::invalid_argument(fmt::format("{}: features of size {:.3g} do not fit into {}", who, largest_amplitude,
                                            sizeof(T) == sizeof(float) ? "float; use double" : "double"));
  if (!std::isfinite(largest * largest_frequency))
    throw std::invalid_argument(fmt::format("{}: X holds a value of size {:.3g} and a frequency one of {:.3g}: their product overflows",
                                            who, largest, largest_frequency));
}

template <class T>
void FeaturePlan::run(backend::Rows<const T> X, backend::Rows<T> out, backend::Store store) const {
  for (const Block& block : blocks) {
    primitives->of<T>().waves(*block.projection, *block.amplitudes, X, out, store);
    out.data += block.n_features();
  }
}

template <class T>
void FeaturePlan::transform(MatrixView<const T> X, MatrixView<T> out, const Execution& execution) const {
  require_shape(out, X.rows(), n_features, who, "out");
  check(X, execution);
  const double elements = static_cast<double>(X.rows()) * static_cast<double>(n_features);
  const auto store = elements * sizeof(T) > cached_bytes ? backend::Store::streaming : backend::Store::cached;
  parallel_for((X.rows() + task_rows - 1) / task_rows, threads_for(elements, execution), [&](std::size_t task) {
    const std::size_t first = task * task_rows, count = std::min(task_rows, X.rows() - first);
    run(backend::rows_of(X).from(first, count), backend::rows_of(out).from(first, count), store);
  });
}

template void FeaturePlan::check(MatrixView<const float>, const Execution&) const;
template void FeaturePlan::check(MatrixView<const double>, const Execution&) const;
template void FeaturePlan::run(backend::Rows<const float>, backend::Rows<float>, backend::Store) const;
template void FeaturePlan::run(backend::Rows<const double>, backend::Rows<double>, backend::Store) const;
template void FeaturePlan::transform(MatrixView<const float>, MatrixView<float>, const Execution&) const;
template void FeaturePlan::transform(MatrixView<const double>, MatrixView<double>, const Execution&) const;

}  // namespace askrff::detail
