// What users of ridge regression on a grid see.
#include "askrff/grid_ridge.hpp"

#include "askrff/errors.hpp"
#include "core/checks.hpp"
#include "models/grid_problem.hpp"

namespace askrff {

class GridRidge::Sums : public models::GridSums {
 public:
  using GridSums::GridSums;
};

GridRidge::GridRidge(const SpectralAtoms& atoms, std::size_t n_targets, std::size_t n_folds, const Execution& execution)
    : sums_(std::make_unique<Sums>(atoms, n_targets, n_folds, execution)) {}
GridRidge::GridRidge(const SpectralAtoms& atoms, GridRidgeState state, const Execution& execution)
    : sums_(std::make_unique<Sums>(atoms, std::move(state), execution)) {}
GridRidge::GridRidge(GridRidge&&) noexcept = default;
GridRidge& GridRidge::operator=(GridRidge&&) noexcept = default;
GridRidge::~GridRidge() = default;

double GridRidge::n_bytes(const FrequencyGrid& grid, std::size_t n_targets, std::size_t n_folds) {
  return models::GridSums::n_bytes_for(grid, n_targets, n_folds);
}

void GridRidge::add(MatrixView<const double> X, MatrixView<const double> Y, std::span<const std::uint32_t> folds,
                    std::span<const double> weights) {
  sums_->add(X, Y, folds, weights);
}
std::uint64_t GridRidge::n_rows() const { return sums_->n_rows(); }
const GridRidgeState& GridRidge::state() const { return sums_->state(); }
void GridRidge::set_execution(const Execution& execution) { sums_->set_execution(execution); }

RidgeFit GridRidge::solve(const RidgeOptions& options) const {
  if (!options.c.empty()) checked_c_grid(options.c);
  models::check_choice_of_c(sums_->n_folds(), options.c.size());
  models::GridProblem problem(*sums_, options.bias, options.execution);
  RidgeFit fit = models::solve_path(problem, options);
  fit.resolution = problem.resolution();
  fit.model = problem.from_zero(std::move(fit.model));
  return fit;
}

std::vector<LinearModel> GridRidge::solve_folds(const RidgeFit& fit, const Execution& execution) const {
  models::GridProblem problem(*sums_, fit.bias, execution);
  std::vector<LinearModel> models;
  for (std::size_t fold = 0; fold < problem.n_folds(); ++fold) models.push_back(problem.from_zero(problem.solved(fold, fit.c)));
  return models;
}

std::vector<double> GridRidge::posterior_variances(MatrixView<const double> X, double c, bool bias, const Execution& execution) const {
  require_columns(X, sums_->atoms().dim(), "GridRidge", "X", "the grid has");
  require_finite<double>(X, "GridRidge", "X", execution.stop);
  checked_c_grid({c});
  return models::GridProblem(*sums_, bias, execution).posterior_variances(X, c);
}

}  // namespace askrff
