// Features against the limits of the machine: streaming writes, sgemm, one precision against the other, two threads against one.
#include <fmt/format.h>

#include <span>

#include "askrff/operators.hpp"
#include "askrff/execution.hpp"
#include "benchmark.hpp"
#include "data.hpp"

namespace askrff::bench {
namespace {

/// Rows, a map and memory for its features.
template <class T>
struct Transform {
  Transform(const Sizes& sizes, std::size_t dim)
      : map(gaussian_map(dim, sizes.n_frequencies)), X(normal_rows<T>(sizes.rows, dim, 1)), out(touched<T>(sizes.rows, map.n_features())) {}

  Sample sample(std::size_t n_threads = 1) {
    return timed([this, n_threads] { map.right().transform(X, out, {n_threads}); });
  }

  FeatureMap map;
  Matrix<T> X, out;
};

std::string shape_text(const Sizes& sizes, std::size_t dim) {
  return fmt::format("d = {}, {} rows, {} frequencies", dim, sizes.rows, sizes.n_frequencies);
}

Figures against_streaming(Context& context, std::size_t dim) {
  Transform<float> transform(context.sizes(), dim);
  Matrix<float>& out = transform.out;
  const std::span<float> memory(out.data(), out.rows() * out.cols());
  const auto pairs = alternate(transform.sample(), timed([&] { streaming_fill(memory, 0.5F); }), context.effort());
  Figures figures = speed_ratios(pairs);
  figures.note = fmt::format("{:.1f} GB/s of features", 1e-6 * static_cast<double>(memory.size_bytes()) / figures.ours_ms);
  return figures;
}

Benchmark streaming_row(const Sizes& sizes, std::size_t dim, double target) {
  return {fmt::format("transform-d{}", dim),
          "float features, 1 thread, " + shape_text(sizes, dim),
          "streaming write of the same memory",
          {Sense::at_least, target},
          times_its_speed,
          [=](Context& context) { return against_streaming(context, dim); }};
}

/// The same waves multiplied by weights instead of written: what their arithmetic alone takes, and so what bounds the rows above.
Figures arithmetic_against_streaming(Context& context, std::size_t dim) {
  Transform<float> transform(context.sizes(), dim);
  Matrix<float>& out = transform.out;
  const auto weights = normal_rows<float>(out.cols(), 1, 3);
  const Sample ours = timed([&] { multiply(transform.map.right(), transform.X, weights, {1}); });
  const Sample theirs = timed([&] { streaming_fill({out.data(), out.rows() * out.cols()}, 0.5F); });
  return speed_ratios(alternate(ours, theirs, context.effort()));
}

Benchmark arithmetic_row(const Sizes& sizes, std::size_t dim) {
  return {fmt::format("arithmetic-d{}", dim),
          "Φ(X)w, float, 1 thread: the waves computed, none written, " + shape_text(sizes, dim),
          "streaming write of the features",
          {},
          times_its_speed,
          [=](Context& context) { return arithmetic_against_streaming(context, dim); }};
}

/// X·W by the better of the two ways of storing W.
Sample best_sgemm(const Blas& blas, const Matrix<float>& X, const Matrix<float>& W, const Matrix<float>& W_transposed, Matrix<float>& out) {
  const std::size_t m = X.rows(), n = W.rows(), k = X.cols();
  const Sample rows = timed([&, m, n, k] { blas.product_of_rows(m, n, k, X.data(), W.data(), out.data()); });
  const Sample plain = timed([&, m, n, k] { blas.product(m, n, k, X.data(), W_transposed.data(), out.data()); });
  return best_seconds(rows) < best_seconds(plain) ? rows : plain;
}

Figures against_sgemm(Context& context, std::size_t dim) {
  const Blas& blas = context.blas();
  const Sizes& sizes = context.sizes();
  Transform<float> transform(sizes, dim);
  const auto W = normal_rows<float>(sizes.n_frequencies, dim, 2), W_transposed = normal_rows<float>(dim, sizes.n_frequencies, 2);
  auto out = touched<float>(sizes.rows, sizes.n_frequencies);
  const auto pairs = alternate(transform.sample(), best_sgemm(blas, transform.X, W, W_transposed, out), context.effort());
  Figures figures = time_ratios(pairs);
  const double flops = 2.0 * static_cast<double>(sizes.rows * sizes.n_frequencies * dim);
  figures.note = fmt::format("sgemm ran at {:.0f} GFLOP/s", 1e-6 * flops / figures.theirs_ms);
  return figures;
}

Benchmark sgemm_row(const Sizes& sizes, std::size_t dim) {
  return {fmt::format("sgemm-d{}", dim),
          "float features, 1 thread, " + shape_text(sizes, dim),
          fmt::format("sgemm {} × {} × {} alone", sizes.rows, sizes.n_frequencies, dim),
          {Sense::at_most, 1.0},
          times_its_time,
          [=](Context& context) { return against_sgemm(context, dim); }};
}

Figures double_against_float(Context& context, std::size_t dim) {
  Transform<double> ours(context.sizes(), dim);
  Transform<float> theirs(context.sizes(), dim);
  return speed_ratios(alternate(ours.sample(), theirs.sample(), context.effort()));
}

Benchmark double_row(const Sizes& sizes, std::size_t dim) {
  return {fmt::format("double-d{}", dim),
          "double features, 1 thread, " + shape_text(sizes, dim),
          "our float features",
          {Sense::at_least, 0.45},
          times_its_speed,
          [=](Context& context) { return double_against_float(context, dim); }};
}

Figures two_threads_against_one(Context& context, std::size_t dim) {
  if (describe_machine().n_processors < 2) throw Skipped("this process may use one processor only");
  Transform<float> transform(context.sizes(), dim);
  return speed_ratios(alternate(transform.sample(2), transform.sample(1), context.effort()));
}

Benchmark threads_row(const Sizes& sizes, std::size_t dim) {
  return {fmt::format("threads-d{}", dim),
          "float features, 2 threads, " + shape_text(sizes, dim),
          "1 thread",
          {Sense::at_least, 1.8},
          times_its_speed,
          [=](Context& context) { return two_threads_against_one(context, dim); }};
}

}  // namespace

std::vector<Benchmark> transform_rows(const Sizes& sizes) {
  std::vector<Benchmark> rows{streaming_row(sizes, 8, 0.90), streaming_row(sizes, 22, 0.75), arithmetic_row(sizes, 8),
                              arithmetic_row(sizes, 22)};
  for (const std::size_t dim : {57, 64, 128, 512, 784}) rows.push_back(sgemm_row(sizes, dim));
  for (const std::size_t dim : {8, 57, 512}) rows.push_back(double_row(sizes, dim));
  for (const std::size_t dim : {8, 57, 512}) rows.push_back(threads_row(sizes, dim));
  return rows;
}

}  // namespace askrff::bench
