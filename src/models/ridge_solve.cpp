// From sums to ridge models: every C, every fold left out, and leave-one-out outputs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "askrff/dense.hpp"
#include "askrff/errors.hpp"
#include "askrff/ridge.hpp"
#include "core/checks.hpp"
#include "core/vectors.hpp"

namespace askrff {
namespace {

void add(FoldSums& sum, const FoldSums& fold, double sign) {
  const auto add_to = [sign](auto& a, const auto& b, std::size_t size) {
    for (std::size_t k = 0; k < size; ++k) a.data()[k] += sign * b.data()[k];
  };
  add_to(sum.gram, fold.gram, fold.gram.rows() * fold.gram.cols());
  add_to(sum.moments, fold.moments, fold.moments.rows() * fold.moments.cols());
  add_to(sum.feature_sums, fold.feature_sums, fold.feature_sums.size());
  add_to(sum.target_sums, fold.target_sums, fold.target_sums.size());
  add_to(sum.target_norms, fold.target_norms, fold.target_norms.size());
  sum.n_rows = sign > 0 ? sum.n_rows + fold.n_rows : sum.n_rows - fold.n_rows;
}

FoldSums total_of(const RidgeSums& moments, const StopToken& stop) {
  FoldSums total = moments.folds[0];
  for (std::size_t fold = 1; fold < moments.folds.size(); ++fold) {
    stop.check();
    add(total, moments.folds[fold], 1);
  }
  return total;
}

/// The moments with targets and features counted from 0: without a bias the origins have to come out of the features.
RidgeSums from_zero(RidgeSums moments, const StopToken& stop) {
  const std::vector<double>& shift = moments.feature_origin;
  for (FoldSums& fold : moments.folds) {
    stop.check();
    const double rows = static_cast<double>(fold.n_rows);
    for (std::size_t t = 0; t < moments.n_targets(); ++t) {
      const double origin = moments.origin[t];
      for (std::size_t f = 0; f < shift.size(); ++f)
        fold.moments(f, t) += origin * fold.feature_sums[f] + shift[f] * (fold.target_sums[t] + rows * origin);
      fold.target_norms[t] += 2 * origin * fold.target_sums[t] + rows * origin * origin;
      fold.target_sums[t] += rows * origin;
    }
    for (std::size_t f = 0; f < shift.size(); ++f)
      for (std::size_t g = 0; g < shift.size(); ++g)
        fold.gram(f, g) += shift[f] * fold.feature_sums[g] + shift[g] * fold.feature_sums[f] + rows * shift[f] * shift[g];
    for (std::size_t f = 0; f < shift.size(); ++f) fold.feature_sums[f] += rows * shift[f];
  }
  std::ranges::fill(moments.origin, 0.0);
  std::ranges::fill(moments.feature_origin, 0.0);
  return moments;
}

/// The factor of ΦᵀΦ + I/2C, of centred features if there is a bias.
Matrix<double> factored(const FoldSums& sums, double c, bool bias, const Execution& execution) {
  const std::size_t n = sums.gram.rows();
  Matrix<double> factor = sums.gram;
  const double rows = static_cast<double>(sums.n_rows);
  for (std::size_t f = 0; bias && f < n; ++f)
    for (std::size_t g = 0; g <= f; ++g) factor(f, g) -= sums.feature_sums[f] * (sums.feature_sums[g] / rows);
  for (std::size_t f = 0; f < n; ++f) factor(f, f) += 0.5 / c;
  try {
    cholesky(factor, execution);
  } catch (const NumericalError& error) {
    throw NumericalError(
        "ridge",
        fmt::format("the equations for C = {} cannot be solved in this precision ({}), expected a smaller C, scaled columns or float64", c,
                    error.what()));
  }
  return factor;
}

/// Targets from the origin; bias included.
LinearModel solved(const FoldSums& sums, double c, bool bias, const Execution& execution) {
  const std::size_t n = sums.gram.rows(), n_targets = sums.target_sums.size();
  const double rows = static_cast<double>(sums.n_rows);
  LinearModel model{sums.moments, std::vector<double>(n_targets)};
  for (std::size_t f = 0; bias && f < n; ++f)
    for (std::size_t t = 0; t < n_targets; ++t) model.weights(f, t) -= sums.feature_sums[f] * (sums.target_sums[t] / rows);
  solve_cholesky(factored(sums, c, bias, execution), model.weights, execution);
  for (std::size_t t = 0; bias && t < n_targets; ++t) {
    model.bias[t] = sums.target_sums[t];
    for (std::size_t f = 0; f < n; ++f) model.bias[t] -= sums.feature_sums[f] * model.weights(f, t);
    model.bias[t] /= rows;
  }
  return model;
}

/// Mean of (y - w·φ - b)² over the rows of `sums` and over targets.
double mean_squared_error(const FoldSums& sums, const LinearModel& model, const StopToken& stop) {
  const std::size_t n = sums.gram.rows(), n_targets = sums.target_sums.size();
  double sum = 0;
  for (std::size_t t = 0; t < n_targets; ++t) {
    const double b = model.bias[t];
    double error = sums.target_norms[t] - 2 * b * sums.target_sums[t] + static_cast<double>(sums.n_rows) * b * b;
    for (std::size_t f = 0; f < n; ++f) {
      if (f % 64 == 0) stop.check();
      double image = 0;
      for (std::size_t g = 0; g < n; ++g) image += sums.gram(f, g) * model.weights(g, t);
      error += model.weights(f, t) * (image - 2 * sums.moments(f, t) + 2 * b * sums.feature_sums[f]);
    }
    if (!std::isfinite(error)) throw NumericalError("ridge", "sums of squares overflow, expected smaller targets or features");
    sum += std::max(0.0, error);  // rounding may leave it a little below 0
  }
  return sum / static_cast<double>(sums.n_rows) / static_cast<double>(n_targets);
}

void check(const RidgeSums& moments, std::size_t n_c) {
  if (moments.folds.empty() || moments.n_rows() == 0) throw InvalidArgument("ridge", "no rows, expected at least one");
  for (std::size_t fold = 0; fold < moments.folds.size(); ++fold)
    if (moments.folds[fold].n_rows == 0 && moments.folds.size() > 1)
      throw InvalidArgument(
          "ridge", fmt::format("fold {} of {} has no rows, expected at least one; use fewer folds", fold + 1, moments.folds.size()));
  if (moments.folds.size() == 1 && n_c > 1)
    throw InvalidArgument("ridge", fmt::format("{} values of C and no folds to choose by, expected one value or more folds", n_c));
}

/// Tells whoever asked how many of the factorisations are done.
struct Steps {
  const Execution& execution;
  std::string_view stage;
  std::size_t n_steps;

  void done(std::size_t count) const {
    if (execution.progress) execution.progress({stage, static_cast<double>(count) / static_cast<double>(n_steps)});
  }
};

/// Values of C whose equations for all rows could not be solved, where `path` has nothing, count as the worst.
CrossValidation validated(const RidgeSums& moments, const FoldSums& total, const std::vector<double>& c,
                          const std::vector<std::optional<LinearModel>>& path, const RidgeOptions& options, const Steps& steps) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  CrossValidation result{c, Matrix<double>(c.size(), moments.folds.size()), Score::squared_error, {}};
  for (std::size_t fold = 0; fold < moments.folds.size(); ++fold) {
    FoldSums others = total;
    add(others, moments.folds[fold], -1);
    for (std::size_t i = 0; i < c.size(); ++i) {
      steps.done(c.size() * (fold + 1) + i);
      result.scores(i, fold) = infinite;
      if (!path[i]) continue;
      try {
        const LinearModel model = solved(others, c[i], options.bias, options.execution);
        result.scores(i, fold) = mean_squared_error(moments.folds[fold], model, options.execution.stop);
      } catch (const NumericalError&) {  // stays infinite
      }
    }
  }
  return result;
}

/// The model of every C on all rows; nothing where it cannot be solved. Throws NumericalError if the smallest cannot.
std::vector<std::optional<LinearModel>> solved_path(const FoldSums& total, const std::vector<double>& c, const RidgeOptions& options,
                                                    const Steps& steps, std::vector<double>& errors) {
  std::vector<std::optional<LinearModel>> path(c.size());
  for (std::size_t i = 0; i < c.size(); ++i) {
    steps.done(i);
    errors.push_back(std::numeric_limits<double>::quiet_NaN());
    try {
      LinearModel model = solved(total, c[i], options.bias, options.execution);
      errors[i] = mean_squared_error(total, model, options.execution.stop);
      path[i] = std::move(model);
    } catch (const NumericalError&) {
      if (i == 0) throw;  // the one most easily solved
    }
  }
  return path;
}

/// The spread of the targets about what a constant would give, times what rounding leaves of it.
double resolution_of(const RidgeSums& moments, const FoldSums& total, bool bias) {
  double spread = 0;
  for (std::size_t t = 0; t < moments.n_targets(); ++t)
    spread += total.target_norms[t] - (bias ? total.target_sums[t] * total.target_sums[t] / static_cast<double>(total.n_rows) : 0);
  return 16 * moments.epsilon * std::max(0.0, spread) / static_cast<double>(total.n_rows) / static_cast<double>(moments.n_targets());
}

}  // namespace

RidgeFit solve_ridge(const RidgeSums& given, const RidgeOptions& options) {
  const std::vector<double> c = checked_c_grid(options.c);
  check(given, c.size());
  const RidgeSums corrected = options.bias ? RidgeSums{} : from_zero(given, options.execution.stop);
  const RidgeSums& moments = options.bias ? given : corrected;
  const FoldSums total = total_of(moments, options.execution.stop);
  RidgeFit fit;
  fit.bias = options.bias;
  fit.resolution = resolution_of(moments, total, options.bias);
  const bool validates = moments.folds.size() > 1;
  const Steps steps{options.execution, validates ? "cross-validation" : "fit", c.size() * (1 + (validates ? moments.folds.size() : 0))};
  const auto path = solved_path(total, c, options, steps, fit.training_errors);
  std::size_t best = 0;
  if (validates) {
    fit.validation = validated(moments, total, c, path, options, steps);
    best = fit.validation.best();
    if (!path[best] || !std::isfinite(fit.validation.mean(best)))
      throw NumericalError("ridge", "no value of C can be solved for on every fold, expected smaller ones, scaled columns or float64");
  }
  fit.c = c[best];
  fit.model = *path[best];
  fit.training_error = fit.training_errors[best];
  for (std::size_t t = 0; t < moments.n_targets(); ++t) {
    fit.model.bias[t] += moments.origin[t];
    for (std::size_t f = 0; f < moments.n_features(); ++f) fit.model.bias[t] -= moments.feature_origin[f] * fit.model.weights(f, t);
  }
  steps.done(steps.n_steps);
  return fit;
}

LeaveOneOut::LeaveOneOut(const RidgeSums& given, const RidgeFit& fit, const Execution& execution)
    : center_(given.n_features()), model_(fit.model), execution_(execution) {
  const RidgeSums corrected = fit.bias ? RidgeSums{} : from_zero(given, execution.stop);
  const RidgeSums& moments = fit.bias ? given : corrected;
  const FoldSums total = total_of(moments, execution.stop);
  const std::size_t n = moments.n_features();
  inverse_ = Matrix<double>(n, n);
  double trace = 0;
  for (std::size_t f = 0; f < n; ++f) {
    inverse_(f, f) = 1;
    trace += total.gram(f, f);
  }
  least_rest_ = 10 * moments.epsilon * (1 + trace / static_cast<double>(n) * 2 * fit.c);  // as much as the inverse is uncertain
  solve_cholesky(factored(total, fit.c, fit.bias, execution), inverse_, execution);
  if (!fit.bias) return;
  share_ = 1 / static_cast<double>(total.n_rows);
  for (std::size_t f = 0; f < n; ++f) center_[f] = moments.feature_origin[f] + total.feature_sums[f] * share_;
}

// The leverage h of a row is its own part in its output: without it the residual is 1/(1-h) times as large. `rest` is 1-h.
Matrix<double> LeaveOneOut::outputs(MatrixView<const double> features, MatrixView<const double> Y) const {
  require_columns(features, center_.size(), "LeaveOneOut", "features", "the model has");
  require_shape(Y, features.rows(), model_.n_outputs(), "LeaveOneOut", "Y");
  Matrix<double> centred(features.rows(), features.cols()), image(features.rows(), features.cols());
  for (std::size_t i = 0; i < features.rows(); ++i)
    for (std::size_t f = 0; f < features.cols(); ++f) centred(i, f) = features(i, f) - center_[f];
  product_of_rows(centred, inverse_, image, execution_);
  Matrix<double> outputs(Y.rows(), Y.cols());
  for (std::size_t i = 0; i < features.rows(); ++i) {
    execution_.stop.check();
    const double rest = 1 - share_ - dot(centred.row(i), image.row(i));
    if (!(rest > least_rest_))
      throw NumericalError(
          fmt::format("leave-one-out: row {} of the block decides its output alone but for {:.1g}, which rounding hides; expected a "
                      "smaller C, more rows or float64",
                      i + 1, rest));
    for (std::size_t t = 0; t < Y.cols(); ++t) {
      double output = model_.bias[t];
      for (std::size_t f = 0; f < features.cols(); ++f) output += features(i, f) * model_.weights(f, t);
      outputs(i, t) = Y(i, t) - (Y(i, t) - output) / rest;
    }
  }
  return outputs;
}

}  // namespace askrff
