// The calibration: rows split, pairs drawn, two fits, and a record of what they gained.
#include "askrff/approximate.hpp"
#include "askrff/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "core/checks.hpp"
#include "core/vectors.hpp"
#include "weighting/ridge_fit.hpp"

namespace askrff {
namespace {

using weighting::PairSample;
using weighting::Parity;
using weighting::ParityFit;
using weighting::ParityProblem;
using weighting::WaveMatrix;

void check(const SpectralAtoms& atoms, MatrixView<const double> data, const StopToken& stop) {
  require_columns(data, atoms.dim(), "calibrate", "the data", "the atoms have dimension");
  if (data.rows() < 4) throw InvalidArgument("calibrate", fmt::format("{} rows of data, expected at least 4", data.rows()));
  require_finite<double>(data, "calibrate", "the data", stop);
}

/// As many as asked for, or ten for every frequency; but no more than there are.
std::size_t number_of_pairs(const SpectralAtoms& atoms, std::size_t n_rows, std::size_t asked) {
  constexpr std::size_t per_frequency = 10, least = 2000;
  const std::size_t wanted = asked > 0 ? asked : std::max(least, per_frequency * atoms.size());
  const bool countable = n_rows < (std::size_t{1} << 31);
  return countable ? std::min(wanted, n_rows * (n_rows - 1) / 2) : wanted;
}

void require_memory(const SpectralAtoms& atoms, std::size_t n_pairs, const CalibrationOptions& options) {
  const double n = static_cast<double>(atoms.size()), pairs = 1.5 * static_cast<double>(n_pairs);  // with those held out
  const double matrices = atoms.size() <= options.direct_limit ? 3 * n * n + 1024 * n : 0;         // two normal equations and a factor
  const double numbers = pairs * (3 * static_cast<double>(atoms.dim()) + 8) + matrices;            // rows, their differences, values
  constexpr double max_numbers = 2147483648.0;                                                     // 16 GiB
  if (numbers > max_numbers)
    throw InvalidArgument("calibrate", fmt::format("{} weights on {} pairs in {} dimensions take {:.3g} GiB, expected at most 16",
                                                   atoms.size(), n_pairs, atoms.dim(), numbers / (1 << 27)));
}

// k(δ)² + k(-δ)² = 2(even² + odd²): the squares that errors are relative to, over both directions of a pair.
double squares_of(const PairSample& pairs) {
  double sum = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) sum += pairs.weights[p] * (pairs.even[p] * pairs.even[p] + pairs.odd[p] * pairs.odd[p]);
  return sum;
}

double relative(double squares, double of) { return of > 0 ? std::sqrt(squares / of) : squares > 0 ? HUGE_VAL : 0.0; }

// Weights of the two parities: Re c_j goes with the cosine, -Im c_j with the sine.
std::array<std::vector<double>, 2> parities_of(std::span<const std::complex<double>> weights) {
  std::array<std::vector<double>, 2> parities;
  for (const auto& c : weights) {
    parities[0].push_back(c.real());
    parities[1].push_back(-c.imag());
  }
  return parities;
}

/// Moves the even weights along `direction` so that they sum to k(0).
void pin_origin(std::vector<double>& even, std::span<const double> direction, double at_zero) {
  const double missing = at_zero - std::accumulate(even.begin(), even.end(), 0.0);
  const double length = std::accumulate(direction.begin(), direction.end(), 0.0);
  for (std::size_t j = 0; j < even.size(); ++j) even[j] += missing * direction[j] / length;
}

/// The even fit under the constraint Σ Re c_j = k(0). For a ridge solution that is a step along (AᵀA + λ)⁻¹·1 (Lagrange); weights that were
/// not solved for are moved by the same amount each.
void pin_fit(const ParityProblem& problem, const weighting::NormalSystem& system, double at_zero, const CalibrationOptions& options,
             ParityFit& fit) {
  const std::vector<double> ones(fit.weights.size(), 1.0);
  std::vector<double> direction;
  if (!system.gram.empty() && fit.ridge > 0) direction = system.solve(fit.ridge * system.mean_eigenvalue(), ones, options.execution);
  pin_origin(fit.weights, direction.empty() ? ones : direction, at_zero);
  fit.held_out_squares = problem.held_out_squares(fit.weights);
}

// Both parities, directly or by conjugate gradients.
std::array<ParityFit, 2> fit_both(const WaveMatrix& waves, const PairSample& fit, const PairSample& held_out,
                                  const std::array<std::vector<double>, 2>& prior, double at_zero, const CalibrationOptions& options) {
  std::array<ParityFit, 2> fits;
  const bool direct = waves.n_frequencies() <= options.direct_limit;
  std::array<weighting::NormalSystem, 2> systems;
  if (direct) systems = waves.normal_systems(fit.differences, fit.weights, {fit.even, fit.odd});
  for (const Parity parity : weighting::both_parities) {
    const auto i = static_cast<std::size_t>(parity);
    const ParityProblem problem{waves, fit, held_out, parity, prior[i]};
    fits[i] = direct ? fit_directly(problem, systems[i], options.execution) : fit_by_conjugate_gradients(problem);
    if (options.pin_origin && parity == Parity::even) pin_fit(problem, systems[i], at_zero, options, fits[i]);
  }
  return fits;
}

}  // namespace

SpectralAtoms calibrate(const Kernel& kernel, const SpectralAtoms& atoms, MatrixView<const double> data,
                        const CalibrationOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  check(atoms, data, options.execution.stop);
  const std::size_t n_pairs = number_of_pairs(atoms, data.rows(), options.n_pairs);
  require_memory(atoms, n_pairs, options);
  const auto rows = weighting::calibration_rows(data, 2 * n_pairs, options.seed);
  // A matrix of a thousand rows has one diagonal entry for 500 pairs: the weight of δ = 0.
  const double origin = std::max(1.0, static_cast<double>(n_pairs) / 500);
  const PairSample fit = weighting::sample_pairs(kernel, rows.fit, n_pairs, origin, options.seed, options.execution);
  const PairSample held_out =
      weighting::sample_pairs(kernel, rows.held_out, std::max<std::size_t>(2000, n_pairs / 4), origin / 4, options.seed, options.execution);
  const WaveMatrix waves(atoms.frequencies(), options.execution);
  const auto prior = parities_of(atoms.weights());
  const auto fits = fit_both(waves, fit, held_out, prior, kernel.at_zero(atoms.dim()), options);
  const double size = squares_of(held_out);
  Calibration record;
  record.n_pairs = fit.size();
  record.n_held_out_pairs = held_out.size();
  for (const Parity parity : weighting::both_parities) {
    const auto i = static_cast<std::size_t>(parity);
    record.error_before += ParityProblem{waves, fit, held_out, parity, prior[i]}.held_out_squares(prior[i]);
    record.error_after += fits[i].held_out_squares;
  }
  record.error_before = relative(record.error_before, size);
  record.error_after = relative(record.error_after, size);
  record.even_ridge = fits[0].ridge;
  record.odd_ridge = fits[1].ridge;
  record.range = ColumnRange::of(rows.fit);
  std::vector<std::complex<double>> weights(atoms.size());
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = {fits[0].weights[j], -fits[1].weights[j]};
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Provenance provenance = atoms.provenance();
  provenance.weights = "calibrated";
  provenance.calibration = std::move(record);
  return atoms.reweighted(std::move(weights), {}).with_provenance(std::move(provenance));
}

}  // namespace askrff
