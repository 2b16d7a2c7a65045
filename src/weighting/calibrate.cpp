// The calibration: rows split, pairs drawn, two fits, and a record of what they gained.
#include "askrff/approximate.hpp"
#include "askrff/errors.hpp"
#include "askrff/pair_kernel.hpp"

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

using weighting::NormalSystem;
using weighting::PairSample;
using weighting::Parity;
using weighting::ParityFit;
using weighting::ParityProblem;
using weighting::RegularisedFits;
using weighting::WaveMatrix;

void check(const SpectralAtoms& atoms, const RowsView<double>& data, const StopToken& stop) {
  require_row_columns(data, atoms.dim(), "calibrate", "the data", "the atoms have dimension");
  if (data.rows() < 4) throw InvalidArgument("calibrate", fmt::format("{} rows of data, expected at least 4", data.rows()));
  require_finite_rows(data, "calibrate", "the data", stop);
}

/// As many as asked for, or ten for every frequency; but no more than there are.
std::size_t number_of_pairs(const SpectralAtoms& atoms, std::size_t n_rows, std::size_t asked) {
  constexpr std::size_t per_frequency = 10, least = 2000;
  const std::size_t wanted = asked > 0 ? asked : std::max(least, per_frequency * atoms.size());
  const bool countable = n_rows < (std::size_t{1} << 31);
  return countable ? std::min(wanted, n_rows * (n_rows - 1) / 2) : wanted;
}

void require_memory(const SpectralAtoms& atoms, const RowsView<double>& data, std::size_t n_pairs, const CalibrationOptions& options) {
  const double n = static_cast<double>(atoms.size()), pairs = 1.5 * static_cast<double>(n_pairs);  // with those held out
  const double matrices = atoms.size() <= options.direct_limit ? 3 * n * n + 1024 * n : 0;         // two normal equations and a factor
  const double of_row = static_cast<double>(data.n_values()) / static_cast<double>(data.rows());
  const double numbers = pairs * ((data.is_sparse() ? 6 : 3) * of_row + 8) + matrices;  // rows, their differences, values
  constexpr double max_numbers = 2147483648.0;                                          // 16 GiB
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

double unit_of(const PairSample& pairs) {
  double largest = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) largest = std::max({largest, std::fabs(pairs.even[p]), std::fabs(pairs.odd[p])});
  return weighting::unit_for(largest);
}

PairSample over(PairSample pairs, double unit) {
  for (double& value : pairs.even) value /= unit;
  for (double& value : pairs.odd) value /= unit;
  return pairs;
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

/// Moves the weights along `direction` so that they sum to `wanted`.
void move_sum(std::vector<double>& weights, std::span<const double> direction, double wanted) {
  const double missing = wanted - std::accumulate(weights.begin(), weights.end(), 0.0);
  const double length = std::accumulate(direction.begin(), direction.end(), 0.0);
  if (length == 0) return;
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] += missing * direction[j] / length;
}

bool keeps_non_negative(const Kernel& kernel, const CalibrationOptions& options) {
  return kernel.symmetric() && kernel.positive_definite() && !options.unconstrained;
}

/// The two fits of one calibration, of k over `unit` as the pairs are. Of a symmetric kernel the odd one is zero and is not made.
class Fitter {
 public:
  Fitter(const WaveMatrix& waves, const Kernel& kernel, const SpectralAtoms& atoms, double unit, const CalibrationOptions& options)
      : waves_(waves),
        options_(options),
        at_zero_(kernel.at_zero(atoms.dim()) / unit),
        is_symmetric_(kernel.symmetric()),
        prior_(parities_of(atoms.weights())),
        non_negative_(keeps_non_negative(kernel, options)) {
    for (auto& prior : prior_)
      for (double& weight : prior) weight /= unit;
    if (is_symmetric_) std::ranges::fill(prior_[1], 0.0);
    if (non_negative_)
      for (double& weight : prior_[0]) weight = std::max(weight, 0.0);
  }

  ParityProblem problem(const PairSample& pairs, Parity parity) const {
    const bool even = parity == Parity::even;
    return {waves_, pairs, parity, prior_[even ? 0 : 1], even && non_negative_};
  }

  /// The best regularisation of each parity by the pairs held out.
  std::array<ParityFit, 2> best(const PairSample& pairs, const PairSample& held_out) const {
    std::array<ParityFit, 2> fits;
    for_each_parity(pairs, [&](std::size_t i, const ParityProblem& problem, RegularisedFits& of_pairs, const NormalSystem* system) {
      const ParityProblem judge = this->problem(held_out, problem.parity);
      fits[i] = best_fit(of_pairs, judge);
      pin(problem, system, fits[i]);
      fits[i].held_out_squares = judge.squares(fits[i].weights);
    });
    if (is_symmetric_) fits[1] = {prior_[1], 0.0, problem(held_out, Parity::odd).squares(prior_[1])};
    return fits;
  }

  /// The same regularisation on other pairs; a fit that cannot be made there stays as it is.
  void refit(const PairSample& pairs, std::array<ParityFit, 2>& fits) const {
    for_each_parity(pairs, [&](std::size_t i, const ParityProblem& problem, RegularisedFits& of_pairs, const NormalSystem* system) {
      if (fits[i].ridge == 0) return;
      auto weights = of_pairs.at(fits[i].ridge);
      if (weights.empty() || problem.is_too_large(weights)) return;
      fits[i].weights = std::move(weights);
      pin(problem, system, fits[i]);
    });
  }

 private:
  /// Calls use(number of the parity, problem, fits, system) for each parity there is to fit, solved directly or by steps (no system).
  template <class Use>
  void for_each_parity(const PairSample& pairs, const Use& use) const {
    const std::span<const double> targets[] = {pairs.even, pairs.odd};
    const std::size_t n_parities = is_symmetric_ ? 1 : 2;
    const bool direct = waves_.n_frequencies() <= options_.direct_limit;
    std::vector<NormalSystem> systems;
    if (direct) systems = waves_.normal_systems(pairs.differences, pairs.weights, std::span(targets).first(n_parities));
    for (std::size_t i = 0; i < n_parities; ++i) {
      const ParityProblem problem = this->problem(pairs, weighting::both_parities[i]);
      const auto fits = direct ? direct_fits(problem, systems[i], options_.execution) : iterated_fits(problem);
      use(i, problem, *fits, direct ? &systems[i] : nullptr);
    }
  }

  /// The even fit under the constraint Σ Re c_j = k(0), if that is wanted. For a ridge solution that is a step along (AᵀA + λ)⁻¹·1
  /// (Lagrange); weights that were not solved for are moved by the same amount each; those that must not be negative are scaled.
  void pin(const ParityProblem& problem, const NormalSystem* system, ParityFit& fit) const {
    if (!options_.pin_origin || problem.parity != Parity::even) return;
    if (problem.non_negative) return move_sum(fit.weights, std::vector<double>(fit.weights), at_zero_);
    const std::vector<double> ones(fit.weights.size(), 1.0);
    std::vector<double> direction;
    if (system && fit.ridge > 0) direction = system->solve(fit.ridge * system->mean_eigenvalue(), ones, options_.execution);
    move_sum(fit.weights, direction.empty() ? ones : direction, at_zero_);
  }

  const WaveMatrix& waves_;
  const CalibrationOptions& options_;
  double at_zero_;
  bool is_symmetric_;
  std::array<std::vector<double>, 2> prior_;
  bool non_negative_;
};

/// How much δ = 0 counts for every pair. A kernel matrix of n rows has two diagonal entries for n - 1 pairs. Rows that are compared later
/// may be fewer than these; where k is narrow the diagonal is most of what they see, so it counts as in a matrix of half the rows: the fit
/// is then no worse than unfitted weights for any matrix of a quarter of the rows or more.
double origin_share(std::size_t n_rows) { return 2 / std::clamp(0.5 * static_cast<double>(n_rows), 2.0, 1000.0); }

Calibration record_of(const Fitter& fitter, const std::array<ParityFit, 2>& fits, const PairSample& pairs, const PairSample& held_out) {
  Calibration record;
  record.n_pairs = pairs.size();
  record.n_held_out_pairs = held_out.size();
  for (const Parity parity : weighting::both_parities) {
    const ParityProblem judge = fitter.problem(held_out, parity);
    record.error_before += judge.squares(judge.prior);
    record.error_after += fits[static_cast<std::size_t>(parity)].held_out_squares;
  }
  const double size = squares_of(held_out);
  record.error_before = relative(record.error_before, size);
  record.error_after = relative(record.error_after, size);
  record.even_ridge = fits[0].ridge;
  record.odd_ridge = fits[1].ridge;
  return record;
}

}  // namespace

SpectralAtoms calibrate(const Kernel& kernel, const SpectralAtoms& atoms, const RowsView<double>& data, const CalibrationOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  check(atoms, data, options.execution.stop);
  require_shift_invariant(kernel, "calibrate");
  const std::size_t n_pairs = number_of_pairs(atoms, data.rows(), options.n_pairs);
  require_memory(atoms, data, n_pairs, options);
  const auto rows = weighting::calibration_rows(data, 2 * n_pairs, options.seed);
  const double origin = origin_share(data.rows());
  // Weights of either sign can be large where they cancel on the data; those that are not negative sum to k(0), about.
  const bool non_negative = keeps_non_negative(kernel, options);
  const auto pairs_of = [&](const RowsView<double>& some, std::size_t n) {
    return weighting::sample_pairs(kernel, some, n, origin, !non_negative, options.seed, options.execution);
  };
  PairSample pairs = pairs_of(rows.fit(), n_pairs);
  const double unit = unit_of(pairs);
  pairs = over(std::move(pairs), unit);
  const PairSample held_out = over(pairs_of(rows.held_out(), std::max<std::size_t>(2000, n_pairs / 4)), unit);
  const WaveMatrix waves(atoms.frequencies(), options.execution);
  const Fitter fitter(waves, kernel, atoms, unit, options);
  auto fits = fitter.best(pairs, held_out);
  Calibration record = record_of(fitter, fits, pairs, held_out);
  if (n_pairs >= data.rows()) {  // rows are scarce, every one of them is in several pairs: those held out join the fit
    pairs = over(pairs_of(rows.all, n_pairs), unit);
    fitter.refit(pairs, fits);
    record.n_pairs = pairs.size();
    record.range = ColumnRange::of(rows.all);
  } else {
    record.range = ColumnRange::of(rows.fit());
  }
  std::vector<std::complex<double>> weights(atoms.size());
  for (std::size_t j = 0; j < weights.size(); ++j)
    weights[j] = {unit * fits[0].weights[j], kernel.symmetric() ? 0.0 : -unit * fits[1].weights[j]};
  record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  Provenance provenance = atoms.provenance();
  provenance.weights = name_of(options.unconstrained ? Weights::unconstrained : Weights::calibrated);
  provenance.calibration = std::move(record);
  return atoms.reweighted(std::move(weights), {}).with_provenance(std::move(provenance));
}

}  // namespace askrff
