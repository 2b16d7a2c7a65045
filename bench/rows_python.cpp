// The Python package: its features against scikit-learn's and against its own extension module, K̃v of a thousand rows against NumPy, and of
// a million points by a million against exact sums. All of it happens in the Python worker.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "benchmark.hpp"

namespace askrff::bench {
namespace {

constexpr std::size_t features_dim = 22;

struct Shape {
  std::size_t dim, rows, n_features;
};

Shape features_shape(const Sizes& sizes) { return {features_dim, sizes.python_rows, 2 * sizes.n_frequencies}; }

Sample features_sample(PythonPeer& python, const Shape& shape, FeaturesWay way) {
  return [&python, shape, way] { return python.features_seconds(shape.dim, shape.rows, shape.n_features, way); };
}

Figures against_sklearn(const Context& context, PythonPeer& python, FeaturesWay way) {
  const Shape shape = features_shape(context.sizes());
  const Sample theirs = [&] { return python.rbf_sampler_seconds(shape.dim, shape.rows, shape.n_features); };
  Figures figures = speed_ratios(alternate(features_sample(python, shape, way), theirs, context.effort()));
  figures.note = "scikit-learn " + python.description().sklearn;
  return figures;
}

Figures against_core(const Context& context, PythonPeer& python, FeaturesWay way, FeaturesWay core) {
  const Shape shape = features_shape(context.sizes());
  Effort effort = context.effort();
  effort.repeats *= 3;  // the target is a matter of 2 %
  return time_ratios(alternate(features_sample(python, shape, way), features_sample(python, shape, core), effort));
}

std::string features_text(const Sizes& sizes, const char* result) {
  const Shape shape = features_shape(sizes);
  return fmt::format("Python: FourierFeatures.transform, exact weights, float32, 1 thread, d = {}, {} rows, {} features, {}", shape.dim,
                     shape.rows, shape.n_features, result);
}

constexpr const char *allocated = "result allocated", *given = "into a given array";

Benchmark sklearn_row(const Sizes& sizes, const char* ending, const char* result, FeaturesWay way) {
  return {fmt::format("python-rbfsampler-d{}{}", features_dim, ending),
          features_text(sizes, result),
          "scikit-learn RBFSampler.transform, which allocates its result",
          {Sense::at_least, 20},
          times_its_speed,
          [=](Context& context) {
            return context.with_python_package([&](PythonPeer& python) { return against_sklearn(context, python, way); });
          }};
}

Benchmark layer_row(const Sizes& sizes, const char* ending, const char* result, FeaturesWay way, FeaturesWay core) {
  return {fmt::format("python-layer-d{}{}", features_dim, ending),
          features_text(sizes, result),
          fmt::format("the call of the extension module in it, {}", result),
          {Sense::at_most, 1.02},
          times_its_time,
          [=](Context& context) {
            return context.with_python_package([&](PythonPeer& python) { return against_core(context, python, way, core); });
          }};
}

Benchmark few_rows_row() {
  constexpr Shape shape{8, 1000, 16};
  return {fmt::format("python-operator-{}", shape.rows),
          fmt::format("Python: K̃v by FourierFeatures.operator, float32, 1 thread, d = {}, {} rows, {} features", shape.dim, shape.rows,
                      shape.n_features),
          "NumPy's products with stored features",
          {},
          times_its_time,
          [=](Context& context) {
            return context.with_python_package([&](PythonPeer& python) {
              return time_ratios(alternate(features_sample(python, shape, FeaturesWay::products),
                                           features_sample(python, shape, FeaturesWay::stored_products), context.effort()));
            });
          }};
}

Transport transport_of(const Sizes& sizes, std::size_t seed = 0) { return {sizes.transport_points, sizes.transport_sample, seed}; }

Figures product_against_sums(const Context& context, PythonPeer& python) {
  const Transport transport = transport_of(context.sizes());
  Figures figures = speed_ratios(alternate([&] { return python.transport_seconds(transport); },
                                           [&] { return python.exact_transport_seconds(transport); }, context.effort()));
  figures.note = fmt::format("{:.0f} features; one product in {:.2f} s, exact sums in {:.0f} s", python.transport_features(transport),
                             1e-3 * figures.ours_ms, 1e-3 * figures.theirs_ms);
  return figures;
}

Figures product_error(const Context& context, PythonPeer& python) {
  constexpr std::size_t max_seeds = 5;
  Figures figures{{}, std::nan(""), std::nan(""), {}};
  for (std::size_t seed = 0; seed < std::min(max_seeds, context.effort().repeats); ++seed)
    figures.values.push_back(python.transport_error(transport_of(context.sizes(), seed)));
  figures.note = fmt::format("the worst {:.1e}", *std::max_element(figures.values.begin(), figures.values.end()));
  return figures;
}

Figures product_memory(const Context& context, PythonPeer& python) {
  constexpr double mebibyte = 1 << 20;
  const Transport transport = transport_of(context.sizes());
  python.transport_seconds(transport);
  Figures figures{{python.peak_memory(transport) / mebibyte}, std::nan(""), std::nan(""), {}};
  figures.note = fmt::format("{:.0f} features; the points have {:.0f} MiB", python.transport_features(transport),
                             static_cast<double>(transport.size * 6 * sizeof(double)) / mebibyte);
  return figures;
}

Benchmark transport_row(const char* ending, std::string what, std::string against, Target target, const char* unit,
                        Figures (*measure)(const Context&, PythonPeer&)) {
  return {fmt::format("python-transport{}", ending), std::move(what), std::move(against), target, unit, [=](Context& context) {
            return context.with_fresh_python_package([&](PythonPeer& python) { return measure(context, python); });
          }};
}

std::vector<Benchmark> transport_rows(const Sizes& sizes) {
  const std::string product =
      fmt::format("K̃v by FourierFeatures.operator, shift-gaussian, float64, 1 thread, d = 3, {0} × {0} points", sizes.transport_points);
  const std::string sums = fmt::format("exact sums of {} of the targets", sizes.transport_sample);
  return {
      transport_row("", "Python: " + product, sums + ", scaled up to all", {}, times_its_speed, product_against_sums),
      transport_row("-error", "Python: relative error of " + product + ", one seed per repeat", sums, {Sense::at_most, 1e-3},
                    "of their norm", product_error),
      transport_row("-memory", "Python: peak memory of the whole process that makes these points, fits the features and does one product",
                    "nothing", {Sense::at_most, 1024}, "MiB", product_memory)};
}

}  // namespace

std::vector<Benchmark> python_rows(const Sizes& sizes) {
  std::vector<Benchmark> rows{sklearn_row(sizes, "", allocated, FeaturesWay::transform),
                              sklearn_row(sizes, "-given", given, FeaturesWay::transform_given),
                              layer_row(sizes, "", allocated, FeaturesWay::transform, FeaturesWay::core),
                              layer_row(sizes, "-given", given, FeaturesWay::transform_given, FeaturesWay::core_given), few_rows_row()};
  for (Benchmark& row : transport_rows(sizes)) rows.push_back(std::move(row));
  return rows;
}

}  // namespace askrff::bench
