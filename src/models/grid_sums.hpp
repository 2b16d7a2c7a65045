// Rows spread over grids when they come, fold by fold, and the sums over them at the modes of a grid.
#pragma once

#include "askrff/grid_ridge.hpp"
#include "models/grid_toeplitz.hpp"
#include "nufft/nufft.hpp"

namespace askrff::models {

/// Of the rows of one fold, or of several: Σ s e^{-iω·x} at twice as many modes to each side as the grid has, Σ s y e^{-iω·x} at those of
/// the grid, and numbers of the targets.
struct ModeSums {
  Spectrum ones = Spectrum();
  std::vector<Spectrum> targets = {};
  double weight = 0;
  std::vector<double> target_sums = {}, target_norms = {};

  void add(double sign, const ModeSums& other);
};

class GridSums {
 public:
  GridSums(const SpectralAtoms& atoms, std::size_t n_targets, std::size_t n_folds, const Execution& execution);
  GridSums(const SpectralAtoms& atoms, GridRidgeState state, const Execution& execution);

  const SpectralAtoms& atoms() const { return atoms_; }
  const GridRidgeState& state() const { return state_; }
  std::size_t n_folds() const { return state_.folds.size(); }
  std::size_t n_targets() const { return n_targets_; }
  std::uint64_t n_rows() const;
  void set_execution(const Execution& execution) { execution_ = execution; }
  /// Bytes they take, solving included.
  static double n_bytes_for(const FrequencyGrid& grid, std::size_t n_targets, std::size_t n_folds);

  void add(MatrixView<const double> X, MatrixView<const double> Y, std::span<const std::uint32_t> folds, std::span<const double> weights);
  /// Those of a fold, targets counted from the origin. The rows that wait stay waiting.
  ModeSums of_fold(std::size_t fold, const Execution& execution) const;
  /// The modes of the grid among twice as many.
  Spectrum middle_of(const Spectrum& wide) const;

 private:
  using Fold = GridRidgeState::Fold;

  void check_rows(MatrixView<const double> X, MatrixView<const double> Y, std::span<const std::uint32_t> folds,
                  std::span<const double> weights) const;
  void check_state() const;
  /// The ends of the columns with these rows. Throws InvalidArgument if they are too far apart.
  void widen(MatrixView<const double> X);
  /// Adds the rows that wait to cells of weights and of targets, one after the other.
  void spread(const Fold& fold, double* ones, double* targets, const Execution& execution) const;
  Spectrum modes_of(const nufft::Nufft<double>& nufft, nufft::GridTransform<double>& transform) const;

  SpectralAtoms atoms_;
  std::size_t n_targets_;
  Execution execution_;
  nufft::Nufft<double> ones_nufft_;     // of twice as many modes to each side
  nufft::Nufft<double> targets_nufft_;  // of those of the grid
  GridRidgeState state_;
};

}  // namespace askrff::models
