// Pairs i, i+s of rows in a circle: for a random step s every row is used twice, so that no row counts more than others.
#include "weighting/pair_sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "askrff/random.hpp"
#include "askrff/errors.hpp"
#include "core/ceil_div.hpp"
#include "core/row_pairs.hpp"
#include "core/threads.hpp"

namespace askrff::weighting {
namespace {

// Pairs beyond the data: a quarter as many, their differences so much longer. They are to keep weights from running away, not to be
// fitted: all of them together count a hundredth of the others.
constexpr std::size_t beyond_every = 4;
constexpr double beyond_stretch = 1.4, beyond_weight = 0.04;

constexpr double most_value = 1e140;  // of a kernel: sums of its squares are divided by

RowsMatrix<double> opposite_of(const RowsView<double>& rows) {
  std::vector<std::size_t> all(rows.rows());
  std::iota(all.begin(), all.end(), std::size_t{0});
  RowsMatrix<double> opposite = RowsMatrix<double>::taken_from(rows, all);
  const std::span<double> values =
      opposite.is_sparse() ? opposite.sparse().all_values() : std::span(opposite.dense().data(), rows.n_values());
  for (double& value : values) value = -value;
  return opposite;
}

// k(δ) and k(-δ) for all rows, in blocks shared among threads.
void evaluate_both_ways(const Kernel& kernel, PairSample& pairs, const Execution& execution) {
  constexpr std::size_t block = 256;
  const std::size_t n = pairs.size();
  const double work = static_cast<double>(pairs.differences.view().n_values()) + 16 * static_cast<double>(n);
  parallel_for(ceil_div(n, block), team_for(work, execution, kernel.thread_safe()), [&](std::size_t task) {
    const std::size_t first = task * block, count = std::min(block, n - first);
    const auto rows = pairs.differences.view().middle_rows(first, count);
    std::vector<double> forward(count), backward(count);
    kernel.evaluate_differences(rows, forward, execution.backend);
    kernel.evaluate_differences(opposite_of(rows), backward, execution.backend);
    for (std::size_t p = 0; p < count; ++p) {
      pairs.even[first + p] = 0.5 * (forward[p] + backward[p]);
      pairs.odd[first + p] = 0.5 * (forward[p] - backward[p]);
      if (!(std::abs(forward[p]) <= most_value && std::abs(backward[p]) <= most_value))
        throw InvalidArgument("calibration",
                              fmt::format("{} returned {} and {} for two rows and the same rows swapped, expected numbers between ±{:g}",
                                          kernel.name(), forward[p], backward[p], most_value));
    }
  });
}

}  // namespace

double unit_for(double largest) {
  constexpr int unusual = -100;
  return largest > 0 && std::ilogb(largest) < unusual ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
}

PairSample sample_pairs(const Kernel& kernel, const RowsView<double>& rows, std::size_t n_pairs, double origin_share, bool beyond,
                        std::uint64_t seed, const Execution& execution) {
  const std::size_t n = rows.rows();
  // Steps 1 … ⌊n/2⌋ give every unordered pair once (the step n/2 of an even n gives its pairs twice, so it is cut in half).
  const std::size_t n_steps = n / 2, all = n * (n - 1) / 2;
  n_pairs = std::min(n_pairs, all);
  const std::size_t n_beyond = beyond ? ceil_div(n_pairs, beyond_every) : 0, total = n_pairs + n_beyond + (origin_share > 0 ? 1 : 0);
  PairSample pairs{{}, std::vector<double>(total), std::vector<double>(total), std::vector<double>(total, 1.0)};
  RowDifferences differences(rows, total);
  std::vector<std::pair<std::size_t, std::size_t>> drawn;
  const std::size_t wanted_steps = std::min(n_steps, n_pairs / n + 2);
  const auto steps = choose_rows(n_steps, wanted_steps, seed, Purpose::calibration_pairs);
  std::size_t p = 0;
  for (std::size_t s = 0; s < steps.size() && p < n_pairs; ++s) {
    execution.stop.check();
    const std::size_t step = steps[s] + 1, in_circle = 2 * step == n ? n / 2 : n;
    for (std::size_t i = 0; i < in_circle && p < n_pairs; ++i, ++p) drawn.emplace_back(i, (i + step) % n);
  }
  for (const auto& [i, j] : drawn) differences.add(i, j);
  for (std::size_t b = 0; b < n_beyond; ++b) {
    pairs.weights[p + b] = beyond_weight;
    differences.add(drawn[b * beyond_every].first, drawn[b * beyond_every].second, beyond_stretch);
  }
  if (origin_share > 0)
    pairs.weights[n_pairs + n_beyond] = origin_share * static_cast<double>(n_pairs);  // its difference is zero, as what is not added
  pairs.differences = std::move(differences).finish();
  evaluate_both_ways(kernel, pairs, execution);
  return pairs;
}

CalibrationRows calibration_rows(const RowsView<double>& data, std::size_t most, std::uint64_t seed) {
  const std::size_t n = std::min(data.rows(), std::max<std::size_t>(4, most)), held_out = std::max<std::size_t>(2, n / 5);
  return {RowsMatrix<double>::taken_from(data, choose_rows(data.rows(), n, seed, Purpose::calibration_rows)), held_out};
}

}  // namespace askrff::weighting
