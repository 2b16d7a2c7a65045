// Features by the fast transform, in nanoseconds each, beside the dense transform of the same atoms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "askrff/sampling.hpp"
#include "benchmark.hpp"
#include "data.hpp"

namespace askrff::bench {
namespace {

/// Twice as many frequencies as the other rows have: several whole blocks at every dimension below.
std::size_t n_frequencies_of(const Sizes& sizes) { return 2 * sizes.n_frequencies; }

/// As gaussian_map: σ = √dim.
SpectralAtoms structured_atoms(std::size_t dim, std::size_t n) {
  HadamardBlocks blocks = draw_hadamard_blocks(n, dim, 0);
  for (double& scale : blocks.scales) scale /= std::sqrt(static_cast<double>(dim));
  return {std::move(blocks), std::vector<std::complex<double>>(n, 1.0 / static_cast<double>(n))};
}

SpectralAtoms without_structure(const SpectralAtoms& atoms) {
  Matrix<double> frequencies(atoms.size(), atoms.dim());
  for (std::size_t j = 0; j < atoms.size(); ++j) std::ranges::copy(atoms.frequencies().row(j), frequencies.row(j).begin());
  return {std::move(frequencies), {atoms.weights().begin(), atoms.weights().end()}};
}

Figures against_dense(Context& context, std::size_t dim) {
  const Sizes& sizes = context.sizes();
  const auto atoms = structured_atoms(dim, n_frequencies_of(sizes));
  const FeatureMap fast(atoms), dense(without_structure(atoms));
  const auto X = normal_rows<float>(sizes.rows, dim, 1);
  auto out = touched<float>(sizes.rows, fast.n_features());
  const auto pairs = alternate(timed([&] { fast.right().transform(X, out, {1}); }), timed([&] { dense.right().transform(X, out, {1}); }),
                               context.effort());
  Figures figures = speed_ratios(pairs);
  figures.note = fmt::format("{:.1f} times the speed of the dense transform", spread_of(figures.values).median);
  const double features = static_cast<double>(sizes.rows) * static_cast<double>(fast.n_features());
  for (std::size_t i = 0; i < pairs.ours.size(); ++i) figures.values[i] = 1e9 * pairs.ours[i] / features;
  return figures;
}

Benchmark structured_row(const Sizes& sizes, std::size_t dim, Target target) {
  const std::size_t n = n_frequencies_of(sizes);
  return {fmt::format("structured-d{}", dim),
          fmt::format("structured transform, float, 1 thread, d = {}, {} rows, {} features", dim, sizes.rows, 2 * n),
          "dense transform of the same atoms",
          target,
          "ns per feature",
          [=](Context& context) { return against_dense(context, dim); }};
}

}  // namespace

std::vector<Benchmark> structured_rows(const Sizes& sizes) {
  return {structured_row(sizes, 64, {}), structured_row(sizes, 128, {}), structured_row(sizes, 512, {Sense::at_most, 2.0}),
          structured_row(sizes, 784, {})};
}

}  // namespace askrff::bench
