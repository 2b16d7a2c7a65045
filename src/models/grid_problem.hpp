// Ridge regression from sums on a grid: models of all rows or of all but a fold's, their errors, posterior variances.
#pragma once

#include <limits>
#include <optional>

#include "models/grid_gram.hpp"
#include "models/grid_sums.hpp"
#include "models/ridge_path.hpp"

namespace askrff::models {

class GridProblem final : public RidgeProblem {
 public:
  /// Throws InvalidArgument without rows or with a fold that has none.
  GridProblem(const GridSums& sums, bool bias, const Execution& execution);

  std::size_t n_folds() const override { return folds_.size(); }
  /// Targets counted from the origin if there is a bias.
  LinearModel solved(std::optional<std::size_t> left_out, double c) override;
  double mean_squared_error(std::optional<std::size_t> fold, const LinearModel& model) override;
  double resolution() const;
  /// Of a model: targets counted from 0.
  LinearModel from_zero(LinearModel model) const;
  std::vector<double> posterior_variances(MatrixView<const double> X, double c);

 private:
  /// Rows whose equations are at hand.
  struct RowSet {
    ModeSums sums;
    Spectrum centre;  // Σ s e^{-iω·x} at the modes of the grid
    NormalSystem system;
    std::vector<Spectrum> w;  // solutions for the last C, where those of the next begin

    double mean(std::size_t target) const { return sums.target_sums[target] / sums.weight; }
  };

  RowSet set_of(ModeSums sums, const Execution& execution) const;
  RowSet& fitting(std::optional<std::size_t> left_out);
  RowSet& judging(std::optional<std::size_t> fold);
  /// Modes of the functions that solve for every target: by conjugate gradients, or none if those take too many steps; by a factor of the
  /// matrix; by the one that is quicker. Throws NumericalError.
  std::vector<Spectrum> solved_in_steps(RowSet& rows, double c) const;
  std::vector<Spectrum> solved_directly(const RowSet& rows, double c) const;
  std::vector<Spectrum> functions(RowSet& rows, double c);
  /// The factor of the matrix written out.
  Matrix<double> factored(const RowSet& rows, double c) const;
  /// e^{-iω·x} of all modes, less their mean if there is a bias.
  Spectrum waves_at(std::span<const double> x, const RowSet& rows) const;

  const GridSums& sums_;
  bool bias_;
  Execution execution_;
  ToeplitzPlan plan_;
  std::vector<double> roots_;     // √ of the weights of the modes
  std::optional<GridGram> gram_;  // of grids that are not too large
  std::vector<ModeSums> folds_;
  ModeSums total_;
  double slow_c_ = std::numeric_limits<double>::infinity();  // the least for which steps were too many
  std::optional<std::size_t> left_out_, judged_;             // of which the sets are
  std::optional<RowSet> fitting_, judging_;
};

}  // namespace askrff::models
