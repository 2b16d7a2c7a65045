// Ridge regression on features whose frequencies are a grid: one pass over the rows, then solves that do not see them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "askrff/atoms.hpp"
#include "askrff/execution.hpp"
#include "askrff/ridge.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// All that a GridRidge holds, to go on elsewhere.
struct GridRidgeState {
  struct Fold {
    std::uint64_t n_rows = 0;
    double weight = 0;                                        ///< of all rows together
    std::vector<double> target_sums = {}, target_norms = {};  ///< Σ s y, Σ s y², counted from the origin
    std::vector<double> ones = {}, targets = {};              ///< cells: of the weights s, and of s·y, target after target
    std::vector<double> X = {}, Y = {}, weights = {};         ///< rows that wait to be a group
  };
  std::vector<Fold> folds = {};
  std::vector<double> origin = {};                ///< of every target: that of the first row; empty before it
  std::vector<double> lowest = {}, highest = {};  ///< of every column; empty before the first row
};

/// The problem of ridge.hpp, min ½‖w‖² + C Σ s (y - w·φ - b)², φ the left features of atoms on a grid: the mean of a Gaussian process with
/// noise of variance 1/2C. The matrix of normal equations is block Toeplitz in waves, known by Σ s e^{-iω·x} at twice as many frequencies
/// to each side, and the right side is Σ s y e^{-iω·x}. So rows are only spread over grids when they come, in O(rows) whatever the number
/// of features, and a step of conjugate gradients is two Fourier transforms, whatever the number of rows. Solutions agree with
/// solve_ridge's to about 1e-8 of the right side's norm.
class GridRidge {
 public:
  /// n_folds = 1: no cross-validation. Throws InvalidArgument for atoms that are not on a grid, no targets or folds.
  GridRidge(const SpectralAtoms& atoms, std::size_t n_targets = 1, std::size_t n_folds = 1, const Execution& execution = {});
  /// Goes on from where another of the same atoms was. Throws InvalidArgument for a state of other sizes or numbers that are not finite.
  GridRidge(const SpectralAtoms& atoms, GridRidgeState state, const Execution& execution = {});
  GridRidge(GridRidge&&) noexcept;
  GridRidge& operator=(GridRidge&&) noexcept;
  ~GridRidge();

  /// Bytes it takes, solving included.
  static double n_bytes(const FrequencyGrid& grid, std::size_t n_targets, std::size_t n_folds);

  /// X: rows × dim; Y: rows × n_targets; folds: one per row, or none if there is one fold; weights: one per row, above 0, or none for
  /// all 1. The sums are the same bits however rows were cut into calls, for any number of threads. Throws InvalidArgument for wrong sizes,
  /// numbers that are not finite, and rows further apart than the grid's extent; nothing is added then.
  void add(MatrixView<const double> X, MatrixView<const double> Y, std::span<const std::uint32_t> folds = {},
           std::span<const double> weights = {});
  std::uint64_t n_rows() const;
  const GridRidgeState& state() const;
  /// How further calls are carried out.
  void set_execution(const Execution& execution);

  /// As solve_ridge: the path over C, its cross-validation, the model of the best C. Rows may be added afterwards. Where conjugate
  /// gradients take many steps, the matrix of up to 6000 features is written out and factored; with more a C for which 20 000 steps are too
  /// few counts as the worst. Throws as solve_ridge; Stopped.
  RidgeFit solve(const RidgeOptions& options = {}) const;
  /// As solve_ridge_folds.
  std::vector<LinearModel> solve_folds(const RidgeFit& fit, const Execution& execution = {}) const;
  /// The posterior variance of w·φ + b at rows of X for noise of variance 1, φᵀ(ΦᵀSΦ + I/2C)⁻¹φ of centred features and 1/Σs if there is a
  /// bias: one solve for each row, rows side by side. Throws InvalidArgument for rows of wrong width or not finite, C out of range, no rows
  /// added; NumericalError; Stopped.
  std::vector<double> posterior_variances(MatrixView<const double> X, double c, bool bias = true, const Execution& execution = {}) const;

 private:
  class Sums;
  std::unique_ptr<Sums> sums_;
};

}  // namespace askrff
