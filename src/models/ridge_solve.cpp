// From sums to ridge models: every C, every fold left out, and leave-one-out outputs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string_view>

#include "askrff/dense.hpp"
#include "askrff/errors.hpp"
#include "askrff/ridge.hpp"
#include "core/checks.hpp"
#include "core/vectors.hpp"
#include "models/c_search.hpp"

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
  sum.weight += sign * fold.weight;
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
    const double rows = fold.weight;
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
  const double rows = sums.weight;
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
  const double rows = sums.weight;
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

/// Mean of (y - w·φ - b)² over the rows of `sums`, by their weights, and over targets.
double mean_squared_error(const FoldSums& sums, const LinearModel& model, const StopToken& stop) {
  const std::size_t n = sums.gram.rows(), n_targets = sums.target_sums.size();
  double sum = 0;
  for (std::size_t t = 0; t < n_targets; ++t) {
    const double b = model.bias[t];
    double error = sums.target_norms[t] - 2 * b * sums.target_sums[t] + sums.weight * b * b;
    for (std::size_t f = 0; f < n; ++f) {
      if (f % 64 == 0) stop.check();
      double image = 0;
      for (std::size_t g = 0; g < n; ++g) image += sums.gram(f, g) * model.weights(g, t);
      error += model.weights(f, t) * (image - 2 * sums.moments(f, t) + 2 * b * sums.feature_sums[f]);
    }
    if (!std::isfinite(error)) throw NumericalError("ridge", "sums of squares overflow, expected smaller targets or features");
    sum += std::max(0.0, error);  // rounding may leave it a little below 0
  }
  return sum / sums.weight / static_cast<double>(n_targets);
}

/// n_c: values of C to choose from, 0 for the default grid.
void check(const RidgeSums& moments, std::size_t n_c) {
  if (moments.folds.empty() || moments.n_rows() == 0) throw InvalidArgument("ridge", "no rows, expected at least one");
  for (std::size_t fold = 0; fold < moments.folds.size(); ++fold)
    if (moments.folds[fold].n_rows == 0 && moments.folds.size() > 1)
      throw InvalidArgument(
          "ridge", fmt::format("fold {} of {} has no rows, expected at least one; use fewer folds", fold + 1, moments.folds.size()));
  if (moments.folds.size() == 1 && n_c != 1)
    throw InvalidArgument("ridge", fmt::format("{} values of C and no folds to choose by, expected one value or more folds",
                                               n_c == 0 ? default_c_grid().size() : n_c));
}

/// Tells whoever asked how many of the factorisations are done; of values of C beyond the grid anew.
struct Steps {
  const Execution& execution;
  std::string_view stage;
  std::size_t n_for_each;  // value of C

  /// n_c = 0: all are.
  void done(std::size_t count, std::size_t n_c) const {
    if (execution.progress)
      execution.progress({stage, n_c == 0 ? 1.0 : static_cast<double>(count) / static_cast<double>(n_for_each * n_c)});
  }
};

/// The model of a value of C on all rows, and its error on them; nothing and NaN where it cannot be solved.
struct PathPoint {
  std::optional<LinearModel> model;
  double error = std::numeric_limits<double>::quiet_NaN();
};

/// Models of all values of C tried so far, and what the folds say of them.
class RidgePath {
 public:
  RidgePath(const RidgeSums& moments, const RidgeOptions& options, const Steps& steps)
      : moments_(moments), options_(options), total_(total_of(moments, options.execution.stop)), steps_(steps) {}

  const FoldSums& total() const { return total_; }
  const std::map<double, PathPoint>& points() const { return points_; }

  /// Throws NumericalError if `start` is set and the smallest, the one most easily solved, cannot be.
  void solve(const std::vector<double>& c, bool start) {
    for (std::size_t i = 0; i < c.size(); ++i) {
      steps_.done(i, c.size());
      PathPoint& point = points_[c[i]];
      try {
        LinearModel model = solved(total_, c[i], options_.bias, options_.execution);
        point.error = mean_squared_error(total_, model, options_.execution.stop);
        point.model = std::move(model);
      } catch (const NumericalError&) {
        if (i == 0 && start) throw;
      }
    }
  }

  /// Values of C whose equations for all rows could not be solved count as the worst.
  CrossValidation scored(const std::vector<double>& c) const {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    CrossValidation result{c, Matrix<double>(c.size(), moments_.folds.size()), Score::squared_error, {}};
    for (std::size_t fold = 0; fold < moments_.folds.size(); ++fold) {
      FoldSums others = total_;
      add(others, moments_.folds[fold], -1);
      for (std::size_t i = 0; i < c.size(); ++i) {
        steps_.done(c.size() * (fold + 1) + i, c.size());
        result.scores(i, fold) = infinite;
        if (!points_.at(c[i]).model) continue;
        try {
          const LinearModel model = solved(others, c[i], options_.bias, options_.execution);
          result.scores(i, fold) = mean_squared_error(moments_.folds[fold], model, options_.execution.stop);
        } catch (const NumericalError&) {  // stays infinite
        }
      }
    }
    return result;
  }

 private:
  const RidgeSums& moments_;
  const RidgeOptions& options_;
  FoldSums total_;
  const Steps& steps_;
  std::map<double, PathPoint> points_;  // by C
};

/// Targets and features counted from 0 again.
void move_origins(const RidgeSums& moments, LinearModel& model) {
  for (std::size_t t = 0; t < moments.n_targets(); ++t) {
    model.bias[t] += moments.origin[t];
    for (std::size_t f = 0; f < moments.n_features(); ++f) model.bias[t] -= moments.feature_origin[f] * model.weights(f, t);
  }
}

/// The spread of the targets about what a constant would give, times what rounding leaves of it.
double resolution_of(const RidgeSums& moments, const FoldSums& total, bool bias) {
  double spread = 0;
  for (std::size_t t = 0; t < moments.n_targets(); ++t)
    spread += total.target_norms[t] - (bias ? total.target_sums[t] * total.target_sums[t] / total.weight : 0);
  return 16 * moments.epsilon * std::max(0.0, spread) / total.weight / static_cast<double>(moments.n_targets());
}

}  // namespace

RidgeFit solve_ridge(const RidgeSums& given, const RidgeOptions& options) {
  if (!options.c.empty()) checked_c_grid(options.c);
  check(given, options.c.size());
  const RidgeSums corrected = options.bias ? RidgeSums{} : from_zero(given, options.execution.stop);
  const RidgeSums& moments = options.bias ? given : corrected;
  const bool validates = moments.folds.size() > 1;
  const Steps steps{options.execution, validates ? "cross-validation" : "fit", 1 + (validates ? moments.folds.size() : 0)};
  RidgePath path(moments, options, steps);
  RidgeFit fit;
  fit.bias = options.bias;
  fit.resolution = resolution_of(moments, path.total(), options.bias);
  if (validates) {
    fit.validation = models::search_c(options.c, max_c, [&](const std::vector<double>& c, models::Reach reach) {
      path.solve(c, reach == models::Reach::start);
      return path.scored(c);
    });
    const std::size_t best = fit.validation.best();
    fit.c = fit.validation.c[best];
    if (!path.points().at(fit.c).model || !std::isfinite(fit.validation.mean(best)))
      throw NumericalError("ridge", "no value of C can be solved for on every fold, expected smaller ones, scaled columns or float64");
  } else {
    fit.c = options.c[0];
    path.solve({fit.c}, true);
  }
  for (const auto& [c, point] : path.points()) fit.training_errors.push_back(point.error);
  fit.model = *path.points().at(fit.c).model;
  fit.training_error = path.points().at(fit.c).error;
  move_origins(moments, fit.model);
  steps.done(1, 0);
  return fit;
}

std::vector<LinearModel> solve_ridge_folds(const RidgeSums& given, const RidgeFit& fit, const Execution& execution) {
  check(given, 1);
  const RidgeSums corrected = fit.bias ? RidgeSums{} : from_zero(given, execution.stop);
  const RidgeSums& moments = fit.bias ? given : corrected;
  const FoldSums total = total_of(moments, execution.stop);
  std::vector<LinearModel> models;
  for (const FoldSums& fold : moments.folds) {
    FoldSums others = total;
    add(others, fold, -1);
    models.push_back(solved(others, fit.c, fit.bias, execution));
    move_origins(moments, models.back());
  }
  return models;
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
  share_ = 1 / total.weight;
  for (std::size_t f = 0; f < n; ++f) center_[f] = moments.feature_origin[f] + total.feature_sums[f] * share_;
}

// The leverage h of a row is its own part in its output: without it the residual is 1/(1-h) times as large. `rest` is 1-h.
Matrix<double> LeaveOneOut::outputs(MatrixView<const double> features, MatrixView<const double> Y, std::span<const double> weights) const {
  require_columns(features, center_.size(), "LeaveOneOut", "features", "the model has");
  require_shape(Y, features.rows(), model_.n_outputs(), "LeaveOneOut", "Y");
  if (!weights.empty() && weights.size() != features.rows())
    throw InvalidArgument("LeaveOneOut", fmt::format("{} weights for {} rows, expected one per row", weights.size(), features.rows()));
  Matrix<double> centred(features.rows(), features.cols()), image(features.rows(), features.cols());
  for (std::size_t i = 0; i < features.rows(); ++i)
    for (std::size_t f = 0; f < features.cols(); ++f) centred(i, f) = features(i, f) - center_[f];
  product_of_rows(centred, inverse_, image, execution_);
  Matrix<double> outputs(Y.rows(), Y.cols());
  for (std::size_t i = 0; i < features.rows(); ++i) {
    execution_.stop.check();
    const double weight = weights.empty() ? 1 : weights[i];
    const double rest = 1 - weight * share_ - weight * dot(centred.row(i), image.row(i));
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
