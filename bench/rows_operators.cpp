// Products with features that are never stored: K̃v against storing the features, in time and memory; ΦᵀΦ against BLAS.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "askrff/operators.hpp"
#include "benchmark.hpp"
#include "data.hpp"
#include "process.hpp"
#include "system.hpp"

namespace askrff::bench {
namespace {

constexpr double mebibyte = 1 << 20, gibibyte = 1 << 30;

/// As many rows as wanted, or fewer where the stored features of the peer would not leave the machine some room.
std::size_t operator_rows_here(const Sizes& sizes) {
  constexpr double comfortable = 12 * gibibyte;  // for the full size: 7.6 GiB of features, the inputs, and the system
  const double bytes_per_row = 2.0 * static_cast<double>(sizes.n_frequencies) * sizeof(float);
  const double available = static_cast<double>(available_memory());
  const double wanted = static_cast<double>(sizes.operator_rows) * bytes_per_row;
  if (available >= comfortable || wanted < available / 4) return sizes.operator_rows;
  const auto thousands = static_cast<std::size_t>(available / 2 / bytes_per_row / 1000);
  if (thousands == 0) throw Skipped("there is not enough memory to store features");
  return std::min(sizes.operator_rows, thousands * 1000);
}

/// right(Y) stored, its transpose times v; left(X) into the same memory, times that.
struct StoredWay {
  StoredWay(const Blas& a_blas, std::size_t rows, std::size_t n_features)
      : blas(a_blas), features(touched<float>(rows, n_features)), middle(n_features, 1), result(rows, 1) {}

  void apply(const FeatureMap& map, const Matrix<float>& X, const Matrix<float>& Y, const Matrix<float>& v) {
    map.right(Y, features, {1});
    blas.multiply_transposed(features.rows(), features.cols(), features.data(), v.data(), middle.data());
    map.left(X, features, {1});
    blas.multiply(features.rows(), features.cols(), features.data(), middle.data(), result.data());
  }

  const Blas& blas;
  Matrix<float> features, middle, result;
};

/// max |a - b| / max |b|.
double difference(const Matrix<float>& a, const Matrix<float>& b) {
  double largest = 0, apart = 0;
  for (std::size_t i = 0; i < b.rows(); ++i) {
    largest = std::max(largest, static_cast<double>(std::abs(b(i, 0))));
    apart = std::max(apart, static_cast<double>(std::abs(a(i, 0) - b(i, 0))));
  }
  return apart / largest;
}

Figures fused_against_stored(Context& context, std::size_t dim) {
  const Blas& blas = context.blas();
  const Sizes& sizes = context.sizes();
  const std::size_t rows = operator_rows_here(sizes);
  const FeatureMap map = gaussian_map(dim, sizes.n_frequencies);
  const auto X = normal_rows<float>(rows, dim, 1), Y = normal_rows<float>(rows, dim, 2), v = normal_rows<float>(rows, 1, 3);
  StoredWay stored(blas, rows, map.n_features());
  const LowRankOperator<float> fused(map, X, Y);
  Matrix<float> result;
  const auto pairs = alternate(timed([&] { result = fused.apply(v, {1}); }), timed([&] { stored.apply(map, X, Y, v); }), context.effort());
  Figures figures = speed_ratios(pairs);
  figures.note = fmt::format("results differ by {:.0e} of the largest", difference(result, stored.result));
  if (rows < sizes.operator_rows)
    figures.note += fmt::format("; {} rows only: {:.1f} GiB available", rows, static_cast<double>(available_memory()) / gibibyte);
  return figures;
}

Benchmark fused_row(const Sizes& sizes, std::size_t dim) {
  return {fmt::format("operator-d{}", dim),
          fmt::format("K̃v, float, 1 thread, d = {}, {} rows, {} frequencies, features never stored", dim, sizes.operator_rows,
                      sizes.n_frequencies),
          "our features stored into touched memory, and sgemv",
          {Sense::at_least, 3.0},
          times_its_speed,
          [=](Context& context) { return fused_against_stored(context, dim); }};
}

Figures fused_memory(Context& context, std::size_t dim) {
  const Sizes& sizes = context.sizes();
  constexpr double timeout_seconds = 600;
  Figures figures{{}, std::nan(""), std::nan(""), {}};
  try {
    Child child(
        {own_path(), "--probe-memory", std::to_string(sizes.operator_rows), std::to_string(dim), std::to_string(sizes.n_frequencies)}, {});
    const auto answer = nlohmann::json::parse(child.receive(timeout_seconds));
    figures.values = {answer.at("extra_bytes").get<double>() / mebibyte};
    figures.note = fmt::format("inputs {:.0f} MiB, peak {:.0f} MiB", answer.at("inputs_bytes").get<double>() / mebibyte,
                               answer.at("peak_bytes").get<double>() / mebibyte);
  } catch (const ChildError& error) {
    throw std::runtime_error(fmt::format("the process that measures memory: {}", error.what()));
  }
  return figures;
}

Benchmark memory_row(const Sizes& sizes, std::size_t dim) {
  return {fmt::format("operator-memory-d{}", dim),
          fmt::format("peak memory of K̃v, d = {}, {} rows, {} frequencies, result and map included", dim, sizes.operator_rows,
                      sizes.n_frequencies),
          "its inputs, resident",
          {Sense::at_most, 128.0},
          "MiB above",
          [=](Context& context) { return fused_memory(context, dim); }};
}

constexpr std::size_t normal_equations_dim = 22;

Figures gram_against_blas(Context& context) {
  const Blas& blas = context.blas();
  const Sizes& sizes = context.sizes();
  const std::size_t rows = sizes.equation_rows;
  const FeatureMap map = gaussian_map(normal_equations_dim, sizes.n_frequencies);
  const std::size_t n_features = map.n_features();
  const auto X = normal_rows<float>(rows, normal_equations_dim, 1);
  NormalEquations<float> equations(map.right(), 0, {1});
  const Sample ours = timed([&] {
    equations.add(X);
    equations.finish();
  });
  const Matrix<float> features = map.right(X);
  auto gram = touched<float>(n_features, n_features);
  const Sample syrk = timed([&] { blas.half_gram(rows, n_features, features.data(), gram.data()); });
  const Sample gemm = timed([&] { blas.gram(rows, n_features, features.data(), gram.data()); });
  // sgemm does every product off the diagonal twice: only its rate is compared.
  const double doubled = 2.0 * static_cast<double>(n_features) / static_cast<double>(n_features + 1);
  const bool syrk_is_better = best_seconds(syrk) * doubled < best_seconds(gemm);
  Figures figures = speed_ratios(alternate(ours, syrk_is_better ? syrk : gemm, context.effort()), syrk_is_better ? 1 : 1 / doubled);
  const double flops = static_cast<double>(rows) * static_cast<double>(n_features) * static_cast<double>(n_features + 1);
  figures.note = fmt::format("{:.0f} useful GFLOP/s, {} {:.0f}", 1e-6 * flops / figures.ours_ms, syrk_is_better ? "ssyrk" : "sgemm",
                             1e-6 * flops * (syrk_is_better ? 1 : doubled) / figures.theirs_ms);
  return figures;
}

Benchmark gram_row(const Sizes& sizes) {
  return {"normal-equations",
          fmt::format("useful FLOP/s of ΦᵀΦ, features included, float, 1 thread, d = {}, {} rows, {} features", normal_equations_dim,
                      sizes.equation_rows, 2 * sizes.n_frequencies),
          "the better rate of ssyrk and sgemm, features given",
          {Sense::at_least, 0.70},
          times_its_speed,
          gram_against_blas};
}

}  // namespace

std::string operator_memory_in_this_process(std::size_t rows, std::size_t dim, std::size_t n_frequencies) {
  const auto X = normal_rows<float>(rows, dim, 1), Y = normal_rows<float>(rows, dim, 2), v = normal_rows<float>(rows, 1, 3);
  const std::size_t before = own_memory("VmRSS");
  const LowRankOperator<float> fused(gaussian_map(dim, n_frequencies), X, Y);
  const Matrix<float> result = fused.apply(v, {1});
  const std::size_t peak = own_memory("VmHWM");
  const std::size_t inputs = (2 * dim + 1) * rows * sizeof(float);
  const nlohmann::json answer{{"inputs_bytes", inputs}, {"peak_bytes", peak}, {"extra_bytes", peak - std::min(peak, before)}};
  return answer.dump() + "\n";
}

std::vector<Benchmark> operator_rows(const Sizes& sizes) {
  return {fused_row(sizes, 8), fused_row(sizes, 22), memory_row(sizes, 8), memory_row(sizes, 22), gram_row(sizes)};
}

}  // namespace askrff::bench
