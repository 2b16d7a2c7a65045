// Sums over pairs are cut at fixed pairs and added in order, so that threads do not show.
#include "weighting/wave_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "askrff/dense.hpp"
#include "askrff/errors.hpp"
#include "core/ceil_div.hpp"
#include "core/threads.hpp"

namespace askrff::weighting {
namespace {

constexpr std::size_t max_product_rows = 960, max_sum_rows = 2048, min_rows = 192, group_rows = 512, wave_rows = 96;
constexpr double sum_cost = 2e9;  // operations of a sum over pairs, which cannot be cut: some tens of milliseconds

std::size_t n_blocks(std::size_t rows, std::size_t block) { return ceil_div(rows, block); }

double area(std::size_t rows, std::size_t cols) { return static_cast<double>(rows) * static_cast<double>(cols); }

// The weights of one parity in the place the backend has them: cosines first, then sines.
std::vector<double> placed(Parity parity, std::span<const double> x) {
  std::vector<double> both(2 * x.size(), 0.0);
  std::ranges::copy(x, both.begin() + static_cast<std::ptrdiff_t>(parity == Parity::odd ? x.size() : 0));
  return both;
}

}  // namespace

double NormalSystem::mean_eigenvalue() const {
  double trace = 0;
  for (std::size_t i = 0; i < gram.rows(); ++i) trace += gram(i, i);
  return trace / static_cast<double>(gram.rows());
}

std::vector<double> NormalSystem::solve(double shift, std::span<const double> right_side, const Execution& execution) const {
  Matrix<double> shifted = gram, solution(gram.rows(), 1);
  std::ranges::copy(right_side, solution.data());
  for (std::size_t i = 0; i < gram.rows(); ++i) shifted(i, i) += shift;
  try {
    cholesky(shifted.view(), execution);
  } catch (const NumericalError&) {
    return {};
  }
  solve_cholesky(shifted, solution.view(), execution);
  if (!std::all_of(solution.data(), solution.data() + solution.rows(), [](double value) { return std::isfinite(value); })) return {};
  return {solution.data(), solution.data() + solution.rows()};
}

WaveMatrix::WaveMatrix(MatrixView<const double> frequencies, const Execution& execution)
    : n_(frequencies.rows()),
      execution_(execution),
      primitives_(backend::select(execution.backend)),
      projection_(primitives_.make_projection(frequencies)),
      ones_(std::vector<double>(n_, 1.0), std::vector<double>(n_, 0.0)),
      row_cost_(static_cast<double>(n_) * (2 * static_cast<double>(frequencies.cols()) + 24)) {}

std::vector<double> WaveMatrix::times(Parity parity, const RowsView<double>& differences, std::span<const double> x) const {
  const auto weights = placed(parity, x);
  const std::size_t product_rows = rows_of_task(row_cost_, min_rows, max_product_rows);
  std::vector<double> out(differences.rows(), 0.0);
  parallel_for(n_blocks(out.size(), product_rows), team_for(area(out.size(), n_), execution_), [&](std::size_t task) {
    const std::size_t first = task * product_rows, count = std::min(product_rows, out.size() - first);
    primitives_.for_double.waves_times(*projection_, ones_, backend::rows_of(differences).from(first, count), weights.data(),
                                       out.data() + first);
  });
  return out;
}

std::vector<double> WaveMatrix::transposed_times(Parity parity, const RowsView<double>& differences, std::span<const double> v) const {
  const std::size_t sum_rows = rows_of_task(row_cost_, min_rows, max_sum_rows, sum_cost), n_tasks = n_blocks(v.size(), sum_rows);
  std::vector<std::vector<double>> sums(n_tasks);
  parallel_for(n_tasks, team_for(area(v.size(), n_), execution_), [&](std::size_t task) {
    const std::size_t first = task * sum_rows, count = std::min(sum_rows, v.size() - first);
    sums[task].assign(2 * n_, 0.0);
    primitives_.for_double.waves_transposed_times(*projection_, ones_, backend::rows_of(differences).from(first, count), v.data() + first,
                                                  sums[task].data());
  });
  std::vector<double> out(n_, 0.0);
  const std::size_t offset = parity == Parity::odd ? n_ : 0;
  for (const auto& sum : sums)
    for (std::size_t j = 0; j < n_; ++j) out[j] += sum[offset + j];
  return out;
}

std::vector<NormalSystem> WaveMatrix::normal_systems(const RowsView<double>& differences, std::span<const double> weights,
                                                     std::span<const std::span<const double>> targets) const {
  std::vector<NormalSystem> systems(targets.size());
  for (auto& system : systems) system = {Matrix<double>(n_, n_), std::vector<double>(n_, 0.0)};
  Matrix<double> waves(std::min(group_rows, differences.rows()), 2 * n_);
  const Team team = team_for(area(group_rows, n_) * static_cast<double>(n_) / 32, execution_);
  constexpr std::size_t slice = 256;
  const std::size_t n_slices = n_blocks(n_, slice);
  for (std::size_t group = 0; group < differences.rows(); group += group_rows) {
    const std::size_t rows = std::min(group_rows, differences.rows() - group);
    parallel_for(n_blocks(rows, wave_rows), team, [&](std::size_t task) {
      const std::size_t first = task * wave_rows, count = std::min(wave_rows, rows - first);
      primitives_.for_double.waves(*projection_, ones_, backend::rows_of(differences).from(group + first, count),
                                   backend::rows_of(waves.view()).from(first, count), backend::Store::cached);
    });
    parallel_for(targets.size() * n_slices, team, [&](std::size_t task) {
      const std::size_t parity = task % targets.size(), first = task / targets.size() * slice, count = std::min(slice, n_ - first);
      const backend::Rows<const double> columns{waves.data() + parity * n_, rows, waves.cols()};
      auto& system = systems[parity];
      primitives_.for_double.transposed_product(columns, columns, weights.data() + group, n_, first, true,
                                                backend::rows_of(system.gram.view()).from(first, count));
      primitives_.for_double.transposed_product(columns, {targets[parity].data() + group, rows, 1}, weights.data() + group, 1, first, false,
                                                {system.right.data() + first, count, 1});
    });
  }
  for (auto& system : systems)
    for (std::size_t i = 0; i < n_; execution_.stop.check(), ++i)
      for (std::size_t j = 0; j < i; ++j) system.gram(i, j) = system.gram(j, i);
  return systems;
}

}  // namespace askrff::weighting
