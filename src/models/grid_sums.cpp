// Groups of rows are sorted and spread when they are complete: the same bits however rows came.
#include "models/grid_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/errors.hpp"
#include "core/checks.hpp"
#include "models/grid_gram.hpp"

namespace askrff::models {
namespace {

constexpr const char* ridge_name = "GridRidge";
constexpr double sums_tolerance = 1e-13;
constexpr std::size_t group_rows = 65536;  // of one fold

std::vector<std::size_t> doubled(std::vector<std::size_t> half) {
  for (std::size_t& n : half) n *= 2;
  return half;
}

const FrequencyGrid& grid_of(const SpectralAtoms& atoms) {
  if (!atoms.grid()) throw InvalidArgument(ridge_name, "these atoms are not on a grid");
  return *atoms.grid();
}

void require_finite_numbers(std::span<const double> values, const char* what) {
  for (const double value : values)
    if (!std::isfinite(value)) throw InvalidArgument(ridge_name, fmt::format("{} holds {}, expected finite numbers", what, value));
}

void require_size(std::size_t got, std::size_t wanted, const char* what) {
  if (got != wanted) throw InvalidArgument(ridge_name, fmt::format("{} has {} numbers, expected {}", what, got, wanted));
}

}  // namespace

void ModeSums::add(double sign, const ModeSums& other) {
  ones.add(sign, other.ones);
  weight += sign * other.weight;
  for (std::size_t t = 0; t < targets.size(); ++t) {
    targets[t].add(sign, other.targets[t]);
    target_sums[t] += sign * other.target_sums[t];
    target_norms[t] += sign * other.target_norms[t];
  }
}

GridSums::GridSums(const SpectralAtoms& atoms, std::size_t n_targets, std::size_t n_folds, const Execution& execution)
    : atoms_(atoms),
      n_targets_(n_targets),
      execution_(execution),
      ones_nufft_(doubled(grid_of(atoms).half), nufft::Torus::of(grid_of(atoms)), sums_tolerance, execution.stop),
      targets_nufft_(grid_of(atoms).half, nufft::Torus::of(grid_of(atoms)), sums_tolerance, execution.stop) {
  if (n_targets == 0 || n_folds == 0)
    throw InvalidArgument(ridge_name, fmt::format("{} targets and {} folds, expected at least one of each", n_targets, n_folds));
  Fold empty{.target_sums = std::vector<double>(n_targets),
             .target_norms = std::vector<double>(n_targets),
             .ones = std::vector<double>(ones_nufft_.n_cells()),
             .targets = std::vector<double>(n_targets * targets_nufft_.n_cells())};
  state_.folds.assign(n_folds, empty);
}

GridSums::GridSums(const SpectralAtoms& atoms, GridRidgeState state, const Execution& execution)
    : GridSums(atoms, state.folds.empty() ? 0 : state.folds[0].target_sums.size(), state.folds.size(), execution) {
  std::swap(state_, state);
  check_state();
}

void GridSums::check_state() const {
  const std::size_t dim = atoms_.dim();
  for (const Fold& fold : state_.folds) {
    require_size(fold.target_sums.size(), n_targets_, "a list of sums of targets");
    require_size(fold.target_norms.size(), n_targets_, "a list of squares of targets");
    require_size(fold.ones.size(), ones_nufft_.n_cells(), "a grid of weights");
    require_size(fold.targets.size(), n_targets_ * targets_nufft_.n_cells(), "a grid of targets");
    require_size(fold.X.size(), dim * fold.weights.size(), "a block of rows that wait");
    require_size(fold.Y.size(), n_targets_ * fold.weights.size(), "a block of targets that wait");
    for (const auto* values : {&fold.target_sums, &fold.target_norms, &fold.ones, &fold.targets, &fold.X, &fold.Y, &fold.weights})
      require_finite_numbers(*values, "a fold");
    if (fold.weights.size() >= group_rows || fold.weights.size() > fold.n_rows || !(fold.weight >= 0) || !std::isfinite(fold.weight))
      throw InvalidArgument(ridge_name, "counts of rows contradict each other");
  }
  const bool has_rows = n_rows() > 0;
  require_size(state_.origin.size(), has_rows ? n_targets_ : 0, "the origin");
  require_size(state_.lowest.size(), has_rows ? dim : 0, "the list of lowest values");
  require_size(state_.highest.size(), has_rows ? dim : 0, "the list of highest values");
  for (const auto* values : {&state_.origin, &state_.lowest, &state_.highest}) require_finite_numbers(*values, "a state");
}

std::uint64_t GridSums::n_rows() const {
  std::uint64_t sum = 0;
  for (const Fold& fold : state_.folds) sum += fold.n_rows;
  return sum;
}

double GridSums::n_bytes_for(const FrequencyGrid& grid, std::size_t n_targets, std::size_t n_folds) {
  const nufft::Nufft<double> of_ones(doubled(grid.half), nufft::Torus::of(grid), sums_tolerance);
  const nufft::Nufft<double> of_targets(grid.half, nufft::Torus::of(grid), sums_tolerance);
  const auto n = static_cast<double>(n_folds), t = static_cast<double>(n_targets);
  const double cells = static_cast<double>(of_ones.n_cells()) + t * static_cast<double>(of_targets.n_cells());
  const double modes = static_cast<double>(of_ones.shape().n_modes()) + t * static_cast<double>(of_targets.shape().n_modes());
  // Cells of every fold, and of one more while it is transformed; rows that wait; spectra of every fold, of all rows and of those without a
  // fold; a transform, and what a solve takes.
  const double features = 2 * static_cast<double>(grid.size());
  const double matrix = features <= GridGram::max_features ? features * features : 0;
  const double waiting = n * static_cast<double>(group_rows * (grid.dim() + 1 + n_targets));
  return sizeof(double) * ((n + 1) * cells + 2 * (n + 3) * modes + matrix + waiting) + 2 * static_cast<double>(of_ones.n_bytes());
}

void GridSums::check_rows(MatrixView<const double> X, MatrixView<const double> Y, std::span<const std::uint32_t> folds,
                          std::span<const double> weights) const {
  require_columns(X, atoms_.dim(), ridge_name, "X", "the grid has");
  require_shape(Y, X.rows(), n_targets_, ridge_name, "Y");
  if (folds.size() != (folds.empty() && n_folds() == 1 ? 0 : X.rows()))
    throw InvalidArgument(ridge_name, fmt::format("{} numbers of folds for {} rows, expected one per row", folds.size(), X.rows()));
  for (const std::uint32_t fold : folds)
    if (fold >= n_folds()) throw InvalidArgument(ridge_name, fmt::format("a row is of fold {}, expected 0 to {}", fold, n_folds() - 1));
  if (!weights.empty() && weights.size() != X.rows())
    throw InvalidArgument(ridge_name, fmt::format("{} weights for {} rows, expected one per row", weights.size(), X.rows()));
  require_finite<double>(X, ridge_name, "X", execution_.stop);
  require_finite<double>(Y, ridge_name, "Y", execution_.stop);
  for (const double weight : weights)
    if (!(weight > 0) || !std::isfinite(weight))
      throw InvalidArgument(ridge_name, fmt::format("a row has the weight {}, expected a finite number above 0", weight));
}

void GridSums::widen(MatrixView<const double> X) {
  std::vector<double> lowest = state_.lowest, highest = state_.highest;
  if (lowest.empty()) {
    lowest.assign(X.row(0).begin(), X.row(0).end());
    highest = lowest;
  }
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t k = 0; k < X.cols(); ++k) {
      lowest[k] = std::min(lowest[k], X(i, k));
      highest[k] = std::max(highest[k], X(i, k));
    }
  std::vector<double> extent(lowest.size());
  for (std::size_t k = 0; k < extent.size(); ++k) extent[k] = highest[k] - lowest[k];
  atoms_.grid()->require_extent(extent, ridge_name);
  state_.lowest = std::move(lowest);
  state_.highest = std::move(highest);
}

void GridSums::add(MatrixView<const double> X, MatrixView<const double> Y, std::span<const std::uint32_t> folds,
                   std::span<const double> weights) {
  check_rows(X, Y, folds, weights);
  if (X.rows() == 0) return;
  widen(X);
  if (state_.origin.empty()) state_.origin.assign(Y.row(0).begin(), Y.row(0).end());
  for (std::size_t i = 0; i < X.rows(); ++i) {
    Fold& fold = state_.folds[folds.empty() ? 0 : folds[i]];
    const double weight = weights.empty() ? 1.0 : weights[i];
    fold.X.insert(fold.X.end(), X.row(i).begin(), X.row(i).end());
    fold.weights.push_back(weight);
    for (std::size_t t = 0; t < n_targets_; ++t) {
      const double y = Y(i, t) - state_.origin[t];
      fold.Y.push_back(weight * y);
      fold.target_sums[t] += weight * y;
      fold.target_norms[t] += weight * y * y;
    }
    fold.weight += weight;
    ++fold.n_rows;
    if (fold.weights.size() < group_rows) continue;
    spread(fold, fold.ones.data(), fold.targets.data(), execution_);
    fold.X.clear();
    fold.Y.clear();
    fold.weights.clear();
  }
}

void GridSums::spread(const Fold& fold, double* ones, double* targets, const Execution& execution) const {
  const MatrixView<const double> X(fold.X.data(), fold.weights.size(), atoms_.dim());
  if (X.rows() == 0) return;
  ones_nufft_.spread(ones_nufft_.sorted(X, execution.stop), fold.weights.data(), 1, ones_nufft_.cells_at(ones), execution);
  const nufft::SortedPoints<double> points = targets_nufft_.sorted(X, execution.stop);
  for (std::size_t t = 0; t < n_targets_; ++t)
    targets_nufft_.spread(points, fold.Y.data() + t, n_targets_, targets_nufft_.cells_at(targets + t * targets_nufft_.n_cells()),
                          execution);
}

Spectrum GridSums::modes_of(const nufft::Nufft<double>& nufft, nufft::GridTransform<double>& transform) const {
  transform.to_modes();
  Spectrum modes(nufft.shape().n_modes());
  copy_modes(transform, nufft.shape(), modes);
  nufft::for_each_mode(nufft.shape(), [&](std::size_t place, std::size_t, bool, std::size_t a, std::size_t b, std::size_t c) {
    const double correction = nufft.corrected(0, a) * nufft.corrected(1, b) * nufft.corrected(2, c);
    modes.re[place] *= correction;
    modes.im[place] *= correction;
  });
  return modes;
}

ModeSums GridSums::of_fold(std::size_t number, const Execution& execution) const {
  const Fold& fold = state_.folds[number];
  const std::size_t n_cells = targets_nufft_.n_cells();
  ModeSums sums{.weight = fold.weight, .target_sums = fold.target_sums, .target_norms = fold.target_norms};
  std::vector<double> ones = fold.ones, targets = fold.targets;
  spread(fold, ones.data(), targets.data(), execution);
  nufft::GridTransform<double> of_ones = ones_nufft_.transform(execution);
  std::copy_n(ones.data(), ones.size(), of_ones.cells().data);
  sums.ones = modes_of(ones_nufft_, of_ones);
  for (std::size_t t = 0; t < n_targets_; ++t) {
    nufft::GridTransform<double> of_targets = targets_nufft_.transform(execution);
    std::copy_n(targets.data() + t * n_cells, n_cells, of_targets.cells().data);
    sums.targets.push_back(modes_of(targets_nufft_, of_targets));
  }
  return sums;
}

Spectrum GridSums::middle_of(const Spectrum& wide) const {
  const nufft::GridShape &from = ones_nufft_.shape(), &shape = targets_nufft_.shape();
  Spectrum out(shape.n_modes());
  nufft::for_each_mode(shape, [&](std::size_t place, std::size_t, bool, std::size_t a, std::size_t b, std::size_t c) {
    const std::size_t at = ((a + from.half[0] - shape.half[0]) * from.modes(1) + b + from.half[1] - shape.half[1]) * from.modes(2) + c;
    out.re[place] = wide.re[at];
    out.im[place] = wide.im[at];
  });
  return out;
}

}  // namespace askrff::models
