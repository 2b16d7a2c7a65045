// Sums of rows on grids, of every fold, and the solves they serve.
#include "askrff/grid_ridge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "askrff/errors.hpp"
#include "askrff/grid.hpp"
#include "core/checks.hpp"
#include "models/grid_toeplitz.hpp"
#include "nufft/nufft.hpp"

namespace askrff {
namespace {

using models::NormalSystem;
using models::Spectrum;
using models::ToeplitzMatrix;
using nufft::GridShape;

constexpr const char* ridge_name = "GridRidge";
constexpr double sums_tolerance = 1e-12;
constexpr std::size_t group_rows = 65536;  // sums are those of groups of so many rows: the same bits however they came

std::vector<std::size_t> doubled(std::vector<std::size_t> half) {
  for (std::size_t& n : half) n *= 2;
  return half;
}

const FrequencyGrid& grid_with_positive_weights(const SpectralAtoms& atoms) {
  if (!atoms.grid()) throw InvalidArgument(ridge_name, "these atoms are not on a grid");
  for (const auto& weight : atoms.weights())
    if (weight.imag() != 0 || !(weight.real() >= 0))
      throw InvalidArgument(ridge_name, "a weight is negative or complex: the kernel is not positive definite");
  return *atoms.grid();
}

/// The modes within `shape` of a spectrum with more of them.
Spectrum middle_of(const Spectrum& wide, const GridShape& from, const GridShape& shape) {
  Spectrum out(shape.n_modes());
  nufft::for_each_mode(shape, [&](std::size_t place, std::size_t, bool, std::size_t a, std::size_t b, std::size_t c) {
    const std::size_t at = ((a + from.half[0] - shape.half[0]) * from.modes(1) + b + from.half[1] - shape.half[1]) * from.modes(2) + c;
    out.re[place] = wide.re[at];
    out.im[place] = wide.im[at];
  });
  return out;
}

Spectrum scaled_by(std::span<const double> factors, Spectrum modes) {
  for (std::size_t i = 0; i < modes.size(); ++i) {
    modes.re[i] *= factors[i];
    modes.im[i] *= factors[i];
  }
  return modes;
}

/// What is known of some rows: Σ w e^{-iω·x}, Σ w y e^{-iω·x}, and their numbers.
struct RowSums {
  Spectrum ones, targets;
  double weight = 0, y = 0, y_squares = 0;

  RowSums plus(double sign, const RowSums& other) const {
    RowSums out = *this;
    models::add_scaled(out.ones, sign, other.ones);
    models::add_scaled(out.targets, sign, other.targets);
    out.weight += sign * other.weight;
    out.y += sign * other.y;
    out.y_squares += sign * other.y_squares;
    return out;
  }
};

}  // namespace

std::vector<double> GridFunction::operator()(MatrixView<const double> X, const Execution& execution) const {
  require_columns(X, grid.dim(), "GridFunction", "X", "the grid has");
  require_finite<double>(X, "GridFunction", "X", execution.stop);
  if (coefficients.size() != grid.size())
    throw InvalidArgument("GridFunction", fmt::format("{} coefficients, the grid has {} frequencies", coefficients.size(), grid.size()));
  const nufft::Nufft<double> nufft(grid.half, nufft::Torus::of(grid), grid.tolerance);
  nufft::GridTransform<double> transform = nufft.transform(execution);
  nufft::for_each_mode(nufft.shape(), [&](std::size_t, std::size_t j, bool conjugate, std::size_t a, std::size_t b, std::size_t c) {
    const double factor = (j == 0 ? 1.0 : 0.5) * nufft.corrected(0, a) * nufft.corrected(1, b) * nufft.corrected(2, c);
    transform.re(a, b)[c] = factor * coefficients[j].real();
    transform.im(a, b)[c] = factor * (conjugate ? -coefficients[j].imag() : coefficients[j].imag());
  });
  std::vector<double> out(X.rows());
  nufft.to_points(transform, nufft.sorted(X, execution.stop), out.data(), 1, execution);
  for (double& value : out) value += offset;
  return out;
}

class GridRidge::Sums {
 public:
  Sums(const SpectralAtoms& atoms, std::size_t n_folds, const Execution& execution)
      : grid_(grid_with_positive_weights(atoms)),
        execution_(execution),
        nufft_(doubled(grid_.half), nufft::Torus::of(grid_), sums_tolerance),
        toeplitz_(grid_.half, execution),
        has_folds_(n_folds > 0),
        roots_(toeplitz_.shape().n_modes()),
        lowest_(grid_.dim(), std::numeric_limits<double>::infinity()),
        highest_(grid_.dim(), -std::numeric_limits<double>::infinity()) {
    if (n_folds == 1) throw InvalidArgument(ridge_name, "1 fold, expected none or at least 2");
    nufft::for_each_mode(toeplitz_.shape(), [&](std::size_t place, std::size_t j, bool, std::size_t, std::size_t, std::size_t) {
      roots_[place] = std::sqrt((j == 0 ? 1.0 : 0.5) * atoms.weights()[j].real());
    });
    for (std::size_t fold = 0; fold < std::max<std::size_t>(1, n_folds); ++fold)
      folds_.push_back(std::make_unique<Fold>(nufft_, execution));
  }

  std::size_t n_rows() const { return n_rows_; }

  void add(MatrixView<const double> X, std::span<const double> y, std::span<const double> weights) {
    if (finished_) throw InvalidArgument(ridge_name, "rows after fit(), expected all of them before");
    check(X, y, weights);
    for (std::size_t i = 0; i < X.rows(); ++i) {
      Fold& fold = *folds_[n_rows_++ % folds_.size()];
      fold.rows.insert(fold.rows.end(), X.row(i).begin(), X.row(i).end());
      const double weight = weights.empty() ? 1.0 : weights[i];
      fold.weights.push_back(weight);
      fold.targets.push_back(weight * y[i]);
      fold.sums.weight += weight;
      fold.sums.y += weight * y[i];
      fold.sums.y_squares += weight * y[i] * y[i];
      if (fold.weights.size() == group_rows) spread(fold);
    }
  }

  std::vector<GridRidgeFit> fit(std::span<const double> ridges, const GridSolveOptions& options) {
    std::vector<double> order(ridges.begin(), ridges.end());
    std::ranges::sort(order, std::greater<>());
    for (const double ridge : order) require_ridge(ridge);
    finish();
    std::vector<GridRidgeFit> fits = fits_of(total_, order, options);
    std::vector<double> errors(order.size(), 0.0);
    if (has_folds_)
      for (const auto& fold : folds_) {
        const RowSums others = total_.plus(-1, fold->sums);
        if (!(others.weight > 0)) throw InvalidArgument(ridge_name, "the rows outside a fold have no weight");
        const std::vector<double> symbol = toeplitz_.symbol(fold->sums.ones);
        const std::vector<GridRidgeFit> of_others = fits_of(others, order, options);
        for (std::size_t i = 0; i < order.size(); ++i) errors[i] += squared_error(of_others[i].function, fold->sums, symbol);
      }
    for (std::size_t i = 0; i < order.size(); ++i)
      fits[i].held_out_error = has_folds_ ? errors[i] / total_.weight : std::numeric_limits<double>::quiet_NaN();
    return fits;
  }

  std::vector<double> standard_deviations(MatrixView<const double> X, double ridge, const GridSolveOptions& options) {
    require_ridge(ridge);
    require_columns(X, grid_.dim(), ridge_name, "X", "the grid has");
    require_finite<double>(X, ridge_name, "X", execution_.stop);
    finish();
    const std::vector<double> symbol = toeplitz_.symbol(total_.ones);
    const NormalSystem system{toeplitz_, symbol, roots_, total_.weight, ridge};
    std::vector<double> out;
    for (std::size_t i = 0; i < X.rows(); ++i) {
      const Spectrum waves = waves_at(X.row(i));
      Spectrum solution(waves.size());
      bool converged = false;
      system.solve(waves, solution, options.residual, options.max_steps, execution_.stop, converged);
      out.push_back(std::sqrt(std::max(0.0, ridge * models::inner_product(waves, solution, toeplitz_.shape()))));
    }
    return out;
  }

 private:
  /// Sums of the rows of a fold, and those of its rows that wait to be a group.
  struct Fold {
    nufft::GridTransform<double> ones_cells, target_cells;
    std::vector<double> rows, weights, targets;
    RowSums sums;

    Fold(const nufft::Nufft<double>& nufft, const Execution& execution)
        : ones_cells(nufft.transform(execution)), target_cells(nufft.transform(execution)) {
      ones_cells.clear_cells();
      target_cells.clear_cells();
    }
  };

  static void require_ridge(double ridge) {
    if (!(ridge > 0) || !std::isfinite(ridge)) throw InvalidArgument(ridge_name, fmt::format("a ridge of {}, expected above 0", ridge));
  }

  void check(MatrixView<const double> X, std::span<const double> y, std::span<const double> weights) {
    require_columns(X, grid_.dim(), ridge_name, "X", "the grid has");
    if (y.size() != X.rows()) throw InvalidArgument(ridge_name, fmt::format("{} targets, {} rows", y.size(), X.rows()));
    if (!weights.empty() && weights.size() != X.rows())
      throw InvalidArgument(ridge_name, fmt::format("{} weights, {} rows", weights.size(), X.rows()));
    require_finite<double>(X, ridge_name, "X", execution_.stop);
    for (const double value : y)
      if (!std::isfinite(value)) throw InvalidArgument(ridge_name, fmt::format("a target is {}, expected a finite number", value));
    for (const double value : weights)
      if (!(value >= 0) || !std::isfinite(value))
        throw InvalidArgument(ridge_name, fmt::format("a weight is {}, expected at least 0", value));
    std::vector<double> lowest = lowest_, highest = highest_;
    for (std::size_t i = 0; i < X.rows(); ++i)
      for (std::size_t k = 0; k < X.cols(); ++k) {
        lowest[k] = std::min(lowest[k], X(i, k));
        highest[k] = std::max(highest[k], X(i, k));
      }
    std::vector<double> extent(lowest.size());
    for (std::size_t k = 0; k < extent.size(); ++k) extent[k] = highest[k] - lowest[k];  // -inf without rows
    grid_.require_extent(extent, ridge_name);
    lowest_ = std::move(lowest);
    highest_ = std::move(highest);
  }

  void spread(Fold& fold) {
    const MatrixView<const double> X(fold.rows.data(), fold.weights.size(), grid_.dim());
    const nufft::SortedPoints<double> points = nufft_.sorted(X, execution_.stop);
    nufft_.spread(points, fold.weights.data(), 1, fold.ones_cells, execution_);
    nufft_.spread(points, fold.targets.data(), 1, fold.target_cells, execution_);
    fold.rows.clear();
    fold.weights.clear();
    fold.targets.clear();
  }

  Spectrum corrected_modes(nufft::GridTransform<double>& cells) const {
    cells.to_modes();
    Spectrum modes = models::modes_of(cells, nufft_.shape());
    nufft::for_each_mode(nufft_.shape(), [&](std::size_t place, std::size_t, bool, std::size_t a, std::size_t b, std::size_t c) {
      const double correction = nufft_.corrected(0, a) * nufft_.corrected(1, b) * nufft_.corrected(2, c);
      modes.re[place] *= correction;
      modes.im[place] *= correction;
    });
    return modes;
  }

  void finish() {
    if (finished_) return;
    double weight = 0;
    for (const auto& fold : folds_) weight += fold->sums.weight;
    if (!(weight > 0)) throw InvalidArgument(ridge_name, "no rows with a weight, expected at least one");
    for (const auto& fold : folds_) {
      if (!fold->weights.empty()) spread(*fold);
      fold->sums.ones = corrected_modes(fold->ones_cells);
      fold->sums.targets = middle_of(corrected_modes(fold->target_cells), nufft_.shape(), toeplitz_.shape());
      total_ = fold == folds_.front() ? fold->sums : total_.plus(1, fold->sums);
    }
    finished_ = true;
  }

  std::vector<GridRidgeFit> fits_of(const RowSums& sums, std::span<const double> ridges, const GridSolveOptions& options) const {
    const double mean = sums.y / sums.weight;
    Spectrum right = sums.targets;
    models::add_scaled(right, -mean, middle_of(sums.ones, nufft_.shape(), toeplitz_.shape()));
    right = scaled_by(roots_, std::move(right));
    const std::vector<double> symbol = toeplitz_.symbol(sums.ones);
    Spectrum w(right.size());
    std::vector<GridRidgeFit> fits;
    for (const double ridge : ridges) {
      const NormalSystem system{toeplitz_, symbol, roots_, sums.weight, ridge};
      GridRidgeFit fit;
      fit.ridge = ridge;
      fit.n_steps = system.solve(right, w, options.residual, options.max_steps, execution_.stop, fit.converged);
      fit.function = function_of(scaled_by(roots_, w), mean);
      fits.push_back(std::move(fit));
    }
    return fits;
  }

  GridFunction function_of(const Spectrum& modes, double offset) const {
    GridFunction function{grid_, std::vector<std::complex<double>>(grid_.size()), offset};
    nufft::for_each_mode(toeplitz_.shape(), [&](std::size_t place, std::size_t j, bool conjugate, std::size_t, std::size_t, std::size_t) {
      const double factor = j == 0 ? 1.0 : 2.0;
      function.coefficients[j] = {factor * modes.re[place], j == 0 ? 0.0 : factor * (conjugate ? -modes.im[place] : modes.im[place])};
    });
    return function;
  }

  /// Σ w (y - f(x))² over the rows of the sums, without them.
  double squared_error(const GridFunction& f, const RowSums& sums, std::span<const double> symbol) const {
    Spectrum modes(toeplitz_.shape().n_modes());
    nufft::for_each_mode(toeplitz_.shape(), [&](std::size_t place, std::size_t j, bool conjugate, std::size_t, std::size_t, std::size_t) {
      const double factor = j == 0 ? 1.0 : 0.5;
      modes.re[place] = factor * f.coefficients[j].real();
      modes.im[place] = factor * (conjugate ? -f.coefficients[j].imag() : f.coefficients[j].imag());
    });
    Spectrum right = sums.targets;
    models::add_scaled(right, -f.offset, middle_of(sums.ones, nufft_.shape(), toeplitz_.shape()));
    const double constant = sums.y_squares - 2 * f.offset * sums.y + f.offset * f.offset * sums.weight;
    return std::max(0.0, constant - 2 * models::inner_product(modes, right, toeplitz_.shape()) +
                             models::inner_product(modes, toeplitz_.times(symbol, modes), toeplitz_.shape()));
  }

  /// √c_n e^{-iω_n·x}.
  Spectrum waves_at(std::span<const double> x) const {
    const GridShape& shape = toeplitz_.shape();
    Spectrum waves(shape.n_modes());
    const std::size_t dim = grid_.dim();
    nufft::for_each_mode(shape, [&](std::size_t place, std::size_t, bool, std::size_t a, std::size_t b, std::size_t c) {
      const double numbers[3] = {static_cast<double>(a) - static_cast<double>(shape.half[0]),
                                 static_cast<double>(b) - static_cast<double>(shape.half[1]), static_cast<double>(c)};
      double phase = 0;
      for (std::size_t k = 0; k < dim; ++k) phase += numbers[3 - dim + k] * grid_.spacing[k] * x[k];
      waves.re[place] = roots_[place] * std::cos(phase);
      waves.im[place] = -roots_[place] * std::sin(phase);
    });
    return waves;
  }

  FrequencyGrid grid_;
  Execution execution_;
  nufft::Nufft<double> nufft_;  // of twice as many modes to each side
  ToeplitzMatrix toeplitz_;
  bool has_folds_;
  std::vector<double> roots_, lowest_, highest_;
  std::vector<std::unique_ptr<Fold>> folds_;
  RowSums total_;
  std::size_t n_rows_ = 0;
  bool finished_ = false;
};

GridRidge::GridRidge(const SpectralAtoms& atoms, std::size_t n_folds, const Execution& execution)
    : sums_(std::make_unique<Sums>(atoms, n_folds, execution)) {}
GridRidge::GridRidge(GridRidge&&) noexcept = default;
GridRidge& GridRidge::operator=(GridRidge&&) noexcept = default;
GridRidge::~GridRidge() = default;

void GridRidge::add(MatrixView<const double> X, std::span<const double> y, std::span<const double> weights) { sums_->add(X, y, weights); }
std::size_t GridRidge::n_rows() const { return sums_->n_rows(); }
std::vector<GridRidgeFit> GridRidge::fit(std::span<const double> ridges, const GridSolveOptions& options) {
  return sums_->fit(ridges, options);
}
std::vector<double> GridRidge::standard_deviations(MatrixView<const double> X, double ridge, const GridSolveOptions& options) {
  return sums_->standard_deviations(X, ridge, options);
}

}  // namespace askrff
