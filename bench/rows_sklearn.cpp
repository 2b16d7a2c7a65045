// Features against scikit-learn's RBFSampler with as many output features, timed in its own process, in turn with ours.
#include <fmt/format.h>

#include "benchmark.hpp"
#include "data.hpp"

namespace askrff::bench {
namespace {

enum class Output { given, allocated };

Figures against_sklearn(const Context& context, PythonPeer& python, std::size_t dim, Output output) {
  const Sizes& sizes = context.sizes();
  const FeatureMap map = gaussian_map(dim, sizes.n_frequencies);
  const auto X = normal_rows<float>(sizes.rows, dim, 1);
  Matrix<float> out = output == Output::given ? touched<float>(sizes.rows, map.n_features()) : Matrix<float>();
  const Sample given = timed([&] { map.right().transform(X, out, {1}); });
  // The result is freed within the time, as the worker frees its own.
  const Sample allocated = timed([&] { map.right().transform(X, {1}); });
  const Sample theirs = [&] { return python.rbf_sampler_seconds(dim, sizes.rows, map.n_features()); };
  Figures figures = speed_ratios(alternate(output == Output::given ? given : allocated, theirs, context.effort()));
  figures.note = "scikit-learn " + python.description().sklearn;
  return figures;
}

Benchmark sklearn_row(const Sizes& sizes, std::size_t dim, double target, Output output) {
  const bool given = output == Output::given;
  return {fmt::format("rbfsampler-d{}{}", dim, given ? "" : "-allocating"),
          fmt::format("float features, 1 thread, d = {}, {} rows, {} features, {}", dim, sizes.rows, 2 * sizes.n_frequencies,
                      given ? "into given memory" : "result allocated"),
          "scikit-learn RBFSampler.transform, which allocates its result",
          {Sense::at_least, target},
          times_its_speed,
          [=](Context& context) {
            return context.with_python([&](PythonPeer& python) { return against_sklearn(context, python, dim, output); });
          }};
}

}  // namespace

std::vector<Benchmark> sklearn_rows(const Sizes& sizes) {
  struct Goal {
    std::size_t dim;
    double speed;
  };
  std::vector<Benchmark> rows;
  for (const auto& [dim, speed] : {Goal{8, 25}, Goal{22, 25}, Goal{64, 8}, Goal{512, 5}})
    for (const Output output : {Output::given, Output::allocated}) rows.push_back(sklearn_row(sizes, dim, speed, output));
  return rows;
}

}  // namespace askrff::bench
