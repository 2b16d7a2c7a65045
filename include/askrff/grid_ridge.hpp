// Ridge regression with a positive definite kernel on a grid of frequencies: one pass over the rows, then solves that do not see them.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "askrff/atoms.hpp"
#include "askrff/execution.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// f(x) = Re Σ_j a_j e^{iω_j·x} on the frequencies of a grid, plus an offset.
struct GridFunction {
  FrequencyGrid grid;
  std::vector<std::complex<double>> coefficients;  ///< a_j, one for each frequency of the grid
  double offset = 0;

  /// At the rows of X, to the grid's tolerance of Σ|a_j|, in O(rows + frequencies). Throws InvalidArgument for other columns, numbers that
  /// are not finite.
  std::vector<double> operator()(MatrixView<const double> X, const Execution& execution = {}) const;
};

struct GridSolveOptions {
  double residual = 1e-10;       ///< of the normal equations, relative: where conjugate gradients end
  std::size_t max_steps = 5000;  ///< and where they end in any case
};

/// One value of the ridge.
struct GridRidgeFit {
  GridFunction function;
  double ridge = 0;           ///< λ
  std::size_t n_steps = 0;    ///< of conjugate gradients
  bool converged = false;     ///< the residual was reached
  double held_out_error = 0;  ///< mean square over folds, each judged by the function of the others; NaN without folds
};

/// Minimises Σ_i w_i (f(x_i) - offset - y_i)² + λ‖f‖², ‖·‖ the norm of k̂: the mean of a Gaussian process with covariance k̂ and noise λ/w_i.
/// With waves of the grid as features the normal equations are block Toeplitz: their matrix is known by Σ w e^{-iω·x} at twice as many
/// frequencies to each side, their right side by Σ w y e^{-iω·x}. So rows are only spread over a grid when they come (add), and a step of
/// conjugate gradients is two Fourier transforms, whatever their number. The offset is the weighted mean of y.
class GridRidge {
 public:
  /// atoms: on a grid, with real weights of at least 0. n_folds: 0, or from 2 on: then row i, counted from 0 over all calls, is in fold i %
  /// n_folds. Throws InvalidArgument otherwise.
  explicit GridRidge(const SpectralAtoms& atoms, std::size_t n_folds = 0, const Execution& execution = {});
  GridRidge(GridRidge&&) noexcept;
  GridRidge& operator=(GridRidge&&) noexcept;
  ~GridRidge();

  /// Rows, in as many calls as you like: the sums are the same bits however they were cut, for any number of threads. weights: one per row
  /// of at least 0, or none. Memory: the grids and 65 536 rows. Throws InvalidArgument for wrong sizes or numbers that are not finite, and
  /// for rows further apart than the grid's extent; nothing is added then.
  void add(MatrixView<const double> X, std::span<const double> y, std::span<const double> weights = {});
  std::size_t n_rows() const;

  /// The fit of each λ > 0, the largest first, each begun where the last one ended. Throws InvalidArgument without rows, or for a λ that is
  /// not above 0; Stopped.
  std::vector<GridRidgeFit> fit(std::span<const double> ridges, const GridSolveOptions& options = {});
  /// The posterior standard deviations of f at rows of X for λ (w_i = 1: the noise's variance): one solve for each row. Throws as fit().
  std::vector<double> standard_deviations(MatrixView<const double> X, double ridge, const GridSolveOptions& options = {});

 private:
  class Sums;
  std::unique_ptr<Sums> sums_;
};

}  // namespace askrff
