// SpectralAtoms: the discrete complex measure between sampling and features. Everything before makes them, everything after reads them.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "askrff/measure.hpp"
#include "askrff/structure.hpp"
#include "askrff/sparse.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// Where one Jordan part stands among the atoms, and what became of it.
struct PartRecord {
  Part part = Part::real_positive;
  double mass = 0;                   ///< exact or fitted
  double log_mass = 0;               ///< log of the exact mass where it is known, else log(mass)
  std::size_t first = 0, count = 0;  ///< its atoms are first … first+count-1
  bool dropped = false;              ///< left out because its mass is negligible: the error in k is at most that mass
};

/// Where rows lie: the smallest and largest value of every column, and the ball around their mean that holds them.
struct ColumnRange {
  std::vector<double> lowest, highest;
  std::vector<double> centre = {};  ///< the mean; empty in what older files hold: then only the columns count
  double radius = 0;                ///< the largest distance of a row from it
  double typical = 0;               ///< the median distance of two rows that differ; 0: not known, or all are the same
  double margin = 0;                ///< how far outside the others' box or ball the row is that would be farthest outside without itself

  /// Throws InvalidArgument for no rows.
  static ColumnRange of(const RowsView<double>& X);
  /// Rows of X more than typical/√gain, and more than the margin, outside box or ball. gain: how much larger the error is without what was
  /// fitted to the rows. At a distance e outside, it was found, about (e/typical)² of that error comes back; so these are the rows where it
  /// at least doubles. A row of the same law as the n rows counts with probability at most about 1/n, whatever the law: so the margin.
  std::size_t rows_outside(const RowsView<double>& X, double gain = 1) const;
  bool operator==(const ColumnRange&) const = default;
};

/// What a calibration did. Errors are relative, √(Σ(k̂-k)²/Σk²), on pairs of rows that took no part in the fit, but chose its ridges: the
/// one after it is a little too good.
struct Calibration {
  double error_before = 0, error_after = 0;
  double even_ridge = 0, odd_ridge = 0;  ///< of the fits of k's symmetric and skew part, relative to the mean eigenvalue (1/steps of
                                         ///< conjugate gradients); 0: weights kept
  std::size_t n_pairs = 0, n_held_out_pairs = 0;
  double seconds = 0;
  ColumnRange range;  ///< of the rows it was fitted on: good inside it, worse than uncalibrated far outside
};

/// How atoms came about, for people and for files.
struct Provenance {
  std::string estimator, sampler, weights;
  std::string reason;  ///< why, where the library chose
  std::optional<Calibration> calibration;
};

/// Atoms (ω_j, c_j): k̂(δ) = Re Σ_j c_j e^{iω_j·δ}. Immutable and cheap to copy. Views and spans it hands out live as long as the atoms.
class SpectralAtoms {
 public:
  /// Row j of frequencies is ω_j. Throws std::invalid_argument if sizes disagree, there are no atoms, a number is not finite, or a
  /// part lies outside the atoms.
  SpectralAtoms(Matrix<double> frequencies, std::vector<std::complex<double>> weights, std::vector<PartRecord> parts = {});
  /// Atoms at structured frequencies: the same as at their dense ones, which are made and kept as well, but FeatureMap runs the fast
  /// transform. Throws as the above, and as HadamardBlocks::check().
  SpectralAtoms(HadamardBlocks blocks, std::vector<std::complex<double>> weights, std::vector<PartRecord> parts = {});
  /// Atoms at the frequencies of a grid: dense ones as well, but LowRankOperator runs the fast transform. Throws as the first, and as
  /// FrequencyGrid::check().
  SpectralAtoms(FrequencyGrid grid, std::vector<std::complex<double>> weights);

  std::size_t size() const { return weights_.size(); }
  std::size_t dim() const { return frequencies_->cols(); }
  MatrixView<const double> frequencies() const { return *frequencies_; }
  /// What a fast transform of the frequencies needs; null if they have no structure.
  const HadamardBlocks* structure() const { return structure_.get(); }
  /// The grid the frequencies are; null if they are none.
  const FrequencyGrid* grid() const { return grid_.get(); }
  std::span<const std::complex<double>> weights() const { return weights_; }
  /// Jordan parts in order, dropped ones included; empty for atoms that were not drawn part by part.
  std::span<const PartRecord> parts() const { return parts_; }
  const Provenance& provenance() const { return provenance_; }
  /// Σ|c_j|, the bound of |k̂| and the stability of the features.
  double weight_sum() const;
  /// k̂(δ), by direct summation.
  double operator()(std::span<const double> delta) const;

  /// The same frequencies with other weights. Parts are kept unless others are given.
  SpectralAtoms reweighted(std::vector<std::complex<double>> weights) const;
  SpectralAtoms reweighted(std::vector<std::complex<double>> weights, std::vector<PartRecord> parts) const;
  SpectralAtoms with_provenance(Provenance provenance) const;
  /// The atoms with the given numbers, in that order; parts and structure are forgotten.
  SpectralAtoms selected(std::span<const std::size_t> atoms) const;

 private:
  void check() const;

  std::shared_ptr<const Matrix<double>> frequencies_;
  std::vector<std::complex<double>> weights_;
  std::vector<PartRecord> parts_;
  Provenance provenance_;
  std::shared_ptr<const HadamardBlocks> structure_;
  std::shared_ptr<const FrequencyGrid> grid_;
};

/// The atoms without the smallest weights: as many are left out as change k̂ by at most `max_lost` anywhere (their |c_j| sum to that), but
/// never all.
SpectralAtoms prune(const SpectralAtoms& atoms, double max_lost);

}  // namespace askrff
