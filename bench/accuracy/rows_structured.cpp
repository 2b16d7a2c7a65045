// What structured frequencies cost: the other side of their accuracy.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "askrff/kernels.hpp"
#include "methods.hpp"

namespace askrff::accuracy {
namespace {

Figures nanoseconds_per_feature(Context& context) {
  constexpr std::size_t dim = 512, n_frequencies = 2048, repeats = 11;
  const auto kernel = gaussian({.sigma = std::sqrt(static_cast<double>(dim))});
  const FeatureMap map(approximate(*kernel, dim,
                                   {.n_frequencies = context.scaled(n_frequencies),
                                    .estimator = Estimator::polar,
                                    .sampler = Sampler::structured,
                                    .seed = trial_seed(0)}));
  Matrix<float> X(context.sizes().timed_rows, dim);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    RandomStream random(trial_seed(1), Purpose::builtin_data, i);
    for (float& value : X.row(i)) value = static_cast<float>(random.normal());
  }
  Matrix<float> out(X.rows(), map.n_features());
  std::vector<double> times;
  for (std::size_t repeat = 0; repeat <= repeats; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    map.right().transform(X, out, {1});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (repeat > 0) times.push_back(1e9 * seconds / static_cast<double>(out.rows() * out.cols()));  // the first one touches the memory
  }
  Figures figures = figures_of(times);
  std::ranges::sort(times);
  figures.value = times[times.size() / 2];
  return figures;
}

}  // namespace

Group structured_rows() {
  return {"Structured transform",
          "Time of the structured transform, float, one thread: the median of the trials.",
          {{"structured-nanoseconds", "d = 512, 4096 features", "ns per feature", Target{Sense::at_most, 2}, nanoseconds_per_feature}}};
}

}  // namespace askrff::accuracy
