// From sums to ridge models: every C, every fold left out, and leave-one-out outputs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "askrff/dense.hpp"
#include "askrff/errors.hpp"
#include "askrff/ridge.hpp"
#include "core/checks.hpp"
#include "core/vectors.hpp"
#include "models/ridge_path.hpp"

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

void check(const RidgeSums& moments, std::size_t n_c) {
  if (moments.folds.empty() || moments.n_rows() == 0) throw InvalidArgument("ridge", "no rows, expected at least one");
  for (std::size_t fold = 0; fold < moments.folds.size(); ++fold)
    models::check_fold_rows(fold, moments.folds.size(), moments.folds[fold].n_rows);
  models::check_choice_of_c(moments.folds.size(), n_c);
}

/// Sums of all products of features.
class GramProblem final : public models::RidgeProblem {
 public:
  GramProblem(const RidgeSums& moments, const RidgeOptions& options)
      : moments_(moments), options_(options), total_(total_of(moments, options.execution.stop)) {}

  const FoldSums& total() const { return total_; }
  std::size_t n_folds() const override { return moments_.folds.size(); }
  LinearModel solved(std::optional<std::size_t> left_out, double c) override {
    return askrff::solved(left_out ? without(*left_out) : total_, c, options_.bias, options_.execution);
  }
  double mean_squared_error(std::optional<std::size_t> fold, const LinearModel& model) override {
    return askrff::mean_squared_error(fold ? moments_.folds[*fold] : total_, model, options_.execution.stop);
  }

 private:
  const FoldSums& without(std::size_t fold) {
    if (left_out_ == fold) return others_;
    others_ = total_;
    add(others_, moments_.folds[fold], -1);
    left_out_ = fold;
    return others_;
  }

  const RidgeSums& moments_;
  const RidgeOptions& options_;
  FoldSums total_, others_;
  std::optional<std::size_t> left_out_;  // of others_
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
  GramProblem problem(moments, options);
  RidgeFit fit = models::solve_path(problem, options);
  fit.resolution = resolution_of(moments, problem.total(), options.bias);
  move_origins(moments, fit.model);
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

PosteriorVariance::PosteriorVariance(const RidgeSums& given, double c, bool bias, const Execution& execution)
    : center_(given.n_features()), execution_(execution) {
  check(given, 1);
  const RidgeSums corrected = bias ? RidgeSums{} : from_zero(given, execution.stop);
  const RidgeSums& moments = bias ? given : corrected;
  const FoldSums total = total_of(moments, execution.stop);
  factor_ = factored(total, c, bias, execution);
  if (!bias) return;
  of_bias_ = 1 / total.weight;
  for (std::size_t f = 0; f < center_.size(); ++f) center_[f] = moments.feature_origin[f] + total.feature_sums[f] * of_bias_;
}

std::vector<double> PosteriorVariance::of(Matrix<double> features) const {
  require_columns(std::as_const(features).view(), center_.size(), "PosteriorVariance", "features", "the sums have");
  for (std::size_t i = 0; i < features.rows(); ++i)
    for (std::size_t f = 0; f < center_.size(); ++f) features(i, f) -= center_[f];
  solve_rows(factor_, features, execution_);
  std::vector<double> variances;
  for (std::size_t i = 0; i < features.rows(); ++i) variances.push_back(squared_norm(std::as_const(features).row(i)) + of_bias_);
  return variances;
}

}  // namespace askrff
