// Modes of a solution are those of a real function v; with D the roots of the modes' weights and w = v/D its norm is ‖w‖.
#include "models/grid_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/dense.hpp"
#include "askrff/errors.hpp"
#include "core/ceil_div.hpp"
#include "core/threads.hpp"
#include "core/vectors.hpp"
#include "operators/grid_features.hpp"

namespace askrff::models {
namespace {

constexpr double tolerance = 1e-9;  // of solutions in steps, in the norm of their equations
// Up to so many features a factor is as quick as a few steps; up to as many more it takes as long as the steps that are tried before it.
constexpr std::size_t always_factored = 1000;
constexpr std::size_t steps_before_factor = 3000, max_steps = 20000;

}  // namespace

GridProblem::GridProblem(const GridSums& sums, bool bias, const Execution& execution)
    : sums_(sums), bias_(bias), execution_(execution), plan_(sums.atoms().grid()->half), roots_(plan_.shape().n_modes()) {
  if (sums.n_rows() == 0) throw InvalidArgument("ridge", "no rows, expected at least one");
  nufft::for_each_mode(plan_.shape(), [&](std::size_t place, std::size_t j, bool, std::size_t, std::size_t, std::size_t) {
    roots_[place] = std::sqrt((j == 0 ? 1.0 : 0.5) * std::abs(sums_.atoms().weights()[j]));
  });
  if (2 * sums.atoms().size() <= GridGram::max_features) gram_.emplace(sums.atoms(), plan_.shape(), plan_.double_shape());
  for (std::size_t fold = 0; fold < sums.n_folds(); ++fold) {
    check_fold_rows(fold, sums.n_folds(), sums.state().folds[fold].n_rows);
    ModeSums of_fold = sums.of_fold(fold, execution);
    for (std::size_t t = 0; t < of_fold.targets.size() && !bias; ++t) {  // targets counted from 0
      const double origin = sums.state().origin[t];
      of_fold.targets[t].add(origin, sums.middle_of(of_fold.ones));
      of_fold.target_norms[t] += 2 * origin * of_fold.target_sums[t] + of_fold.weight * origin * origin;
      of_fold.target_sums[t] += of_fold.weight * origin;
    }
    if (fold == 0)
      total_ = of_fold;
    else
      total_.add(1, of_fold);
    folds_.push_back(std::move(of_fold));
  }
}

GridProblem::RowSet GridProblem::set_of(ModeSums sums, const Execution& execution) const {
  Spectrum centre = sums_.middle_of(sums.ones);
  NormalSystem system(plan_, plan_.symbol(sums.ones, execution), centre, roots_, bias_, execution);
  std::vector<Spectrum> w(sums.targets.size(), Spectrum(plan_.shape().n_modes()));
  return {std::move(sums), std::move(centre), std::move(system), std::move(w)};
}

GridProblem::RowSet& GridProblem::fitting(std::optional<std::size_t> left_out) {
  if (fitting_ && left_out_ == left_out) return *fitting_;
  ModeSums rows = total_;
  if (left_out) rows.add(-1, folds_[*left_out]);
  fitting_.reset();  // memory for one
  fitting_.emplace(set_of(std::move(rows), execution_));
  left_out_ = left_out;
  return *fitting_;
}

GridProblem::RowSet& GridProblem::judging(std::optional<std::size_t> fold) {
  if (!fold && fitting_ && !left_out_) return *fitting_;
  if (judging_ && judged_ == fold) return *judging_;
  judging_.reset();
  judging_.emplace(set_of(fold ? folds_[*fold] : total_, execution_));
  judged_ = fold;
  return *judging_;
}

Matrix<double> GridProblem::factored(const RowSet& rows, double c) const {
  Matrix<double> matrix = gram_->products(rows.sums.ones);
  const std::vector<double> sums = gram_->moments(rows.centre);
  for (std::size_t f = 0; f < sums.size(); ++f) {
    for (std::size_t g = 0; g <= f && bias_; ++g) matrix(f, g) -= sums[f] * (sums[g] / rows.sums.weight);
    matrix(f, f) += 0.5 / c;
  }
  try {
    cholesky(matrix, execution_);
  } catch (const NumericalError& error) {
    throw NumericalError(
        "ridge", fmt::format("the equations for C = {} cannot be solved in this precision ({}), expected a smaller C", c, error.what()));
  }
  return matrix;
}

std::vector<Spectrum> GridProblem::solved_directly(const RowSet& rows, double c) const {
  const std::size_t n_targets = rows.sums.targets.size();
  const std::vector<double> sums = gram_->moments(rows.centre);
  Matrix<double> u(sums.size(), n_targets);
  for (std::size_t t = 0; t < n_targets; ++t) {
    const std::vector<double> moments = gram_->moments(rows.sums.targets[t]);
    for (std::size_t f = 0; f < sums.size(); ++f) u(f, t) = moments[f] - (bias_ ? rows.mean(t) * sums[f] : 0);
  }
  solve_cholesky(factored(rows, c), u, execution_);
  std::vector<Spectrum> found;
  std::vector<double> of_target(sums.size());
  for (std::size_t t = 0; t < n_targets; ++t) {
    for (std::size_t f = 0; f < sums.size(); ++f) of_target[f] = u(f, t);
    found.push_back(gram_->modes_of(of_target));
  }
  return found;
}

std::vector<Spectrum> GridProblem::solved_in_steps(RowSet& rows, double c) const {
  std::vector<Spectrum> found;
  for (std::size_t t = 0; t < rows.sums.targets.size(); ++t) {
    Spectrum right = rows.sums.targets[t];
    if (bias_) right.add(-rows.mean(t), rows.centre);
    right.multiply(roots_);
    const auto tell = [&](double part) { listener()((static_cast<double>(t) + part) / static_cast<double>(rows.sums.targets.size())); };
    const std::size_t most = gram_ ? steps_before_factor : max_steps;
    if (!rows.system.solve(0.5 / c, right, rows.w[t], tolerance, most, listener() ? tell : std::function<void(double)>())) return {};
    found.push_back(rows.w[t]);
    found.back().multiply(roots_);
  }
  return found;
}

std::vector<Spectrum> GridProblem::functions(RowSet& rows, double c) {
  std::vector<Spectrum> found;
  const bool factors = gram_ && (2 * sums_.atoms().size() <= always_factored || c >= slow_c_);
  if (!factors) found = solved_in_steps(rows, c);
  if (found.empty()) slow_c_ = std::min(slow_c_, c);
  if (found.empty() && gram_) found = solved_directly(rows, c);
  if (found.empty())
    throw NumericalError("ridge",
                         fmt::format("the equations for C = {} are not solved after {} steps, expected a smaller C", c, max_steps));
  return found;
}

LinearModel GridProblem::solved(std::optional<std::size_t> left_out, double c) {
  RowSet& rows = fitting(left_out);
  const std::vector<Spectrum> functions = this->functions(rows, c);
  const SpectralAtoms& atoms = sums_.atoms();
  const std::size_t n = atoms.size();
  LinearModel model{Matrix<double>(2 * n, functions.size()), std::vector<double>(functions.size())};
  for (std::size_t t = 0; t < functions.size(); ++t) {
    const Spectrum& v = functions[t];
    nufft::for_each_mode(plan_.shape(), [&](std::size_t place, std::size_t j, bool conjugate, std::size_t, std::size_t, std::size_t) {
      const std::complex<double> w = operators::weights_of_mode(atoms, j, {v.re[place], conjugate ? -v.im[place] : v.im[place]});
      model.weights(j, t) = w.real();
      model.weights(n + j, t) = -w.imag();
    });
    if (bias_) model.bias[t] = rows.mean(t) - inner_product(rows.centre, v, plan_.shape()) / rows.sums.weight;
  }
  return model;
}

double GridProblem::mean_squared_error(std::optional<std::size_t> fold, const LinearModel& model) {
  RowSet& rows = judging(fold);
  const SpectralAtoms& atoms = sums_.atoms();
  const std::size_t n = atoms.size();
  const ModeSums& sums = rows.sums;
  Spectrum v(plan_.shape().n_modes()), image(v.size());
  double sum = 0;
  for (std::size_t t = 0; t < sums.targets.size(); ++t) {
    nufft::for_each_mode(plan_.shape(), [&](std::size_t place, std::size_t j, bool conjugate, std::size_t, std::size_t, std::size_t) {
      const std::complex<double> mode = operators::mode_of_weights(atoms, j, model.weights(j, t), model.weights(n + j, t));
      v.re[place] = mode.real();
      v.im[place] = conjugate ? -mode.imag() : mode.imag();
    });
    const double b = model.bias[t];
    rows.system.times_toeplitz(v, image);
    image.add(-2, sums.targets[t]);
    image.add(2 * b, rows.centre);
    const double error = sums.target_norms[t] - 2 * b * sums.target_sums[t] + sums.weight * b * b + inner_product(v, image, plan_.shape());
    if (!std::isfinite(error)) throw NumericalError("ridge", "sums of squares overflow, expected smaller targets");
    sum += std::max(0.0, error);  // rounding may leave it a little below 0
  }
  return sum / sums.weight / static_cast<double>(sums.targets.size());
}

double GridProblem::resolution() const {
  constexpr double of_sums = 1e-12;
  double spread = 0;
  for (std::size_t t = 0; t < total_.targets.size(); ++t)
    spread += total_.target_norms[t] - (bias_ ? total_.target_sums[t] * total_.target_sums[t] / total_.weight : 0);
  return of_sums * std::max(0.0, spread) / total_.weight / static_cast<double>(total_.targets.size());
}

LinearModel GridProblem::from_zero(LinearModel model) const {
  for (std::size_t t = 0; t < model.bias.size() && bias_; ++t) model.bias[t] += sums_.state().origin[t];
  return model;
}

Spectrum GridProblem::waves_at(std::span<const double> x, const RowSet& rows) const {
  const nufft::GridShape& shape = plan_.shape();
  const std::vector<double>& spacing = sums_.atoms().grid()->spacing;
  const double share = bias_ ? 1 / rows.sums.weight : 0;
  Spectrum waves(shape.n_modes());
  nufft::for_each_mode(shape, [&](std::size_t place, std::size_t, bool, std::size_t a, std::size_t b, std::size_t c) {
    const double numbers[3] = {static_cast<double>(a) - static_cast<double>(shape.half[0]),
                               static_cast<double>(b) - static_cast<double>(shape.half[1]), static_cast<double>(c)};
    double phase = 0;
    for (std::size_t k = 0; k < x.size(); ++k) phase += numbers[3 - x.size() + k] * spacing[k] * x[k];
    waves.re[place] = std::cos(phase) - share * rows.centre.re[place];
    waves.im[place] = -std::sin(phase) - share * rows.centre.im[place];
  });
  return waves;
}

std::vector<double> GridProblem::posterior_variances(MatrixView<const double> X, double c) {
  const RowSet& rows = fitting({});
  const double of_bias = bias_ ? 1 / rows.sums.weight : 0;
  const std::optional<Matrix<double>> factor = gram_ ? std::optional(factored(rows, c)) : std::nullopt;
  std::vector<double> out(X.rows());
  // Solves of thousands of steps, or of a factor's size.
  const Team team = team_for(static_cast<double>(X.rows()) * static_cast<double>(plan_.shape().n_modes()) * 1000, execution_);
  const std::size_t n_tasks = std::min(team.n_threads, X.rows()), of_task = n_tasks == 0 ? 0 : ceil_div(X.rows(), n_tasks);
  parallel_for(n_tasks, team, [&](std::size_t task) {
    std::optional<RowSet> own;  // with memory for its steps
    if (!factor) own.emplace(set_of(rows.sums, on_one_thread(execution_)));
    for (std::size_t i = task * of_task; i < std::min(X.rows(), (task + 1) * of_task); ++i) {
      team.stop.check();
      Spectrum waves = waves_at(X.row(i), rows);
      if (factor) {
        Matrix<double> features(1, gram_->n_features());
        std::ranges::copy(gram_->moments(waves), features.data());
        solve_rows(*factor, features, on_one_thread(execution_));
        out[i] = squared_norm(std::as_const(features).row(0)) + of_bias;
        continue;
      }
      waves.multiply(roots_);
      Spectrum solution(waves.size());
      if (!own->system.solve(0.5 / c, waves, solution, tolerance, max_steps))
        throw NumericalError("ridge", fmt::format("a variance for C = {} is not found after {} steps, expected a smaller C", c, max_steps));
      out[i] = std::max(0.0, inner_product(waves, solution, plan_.shape())) + of_bias;
    }
  });
  return out;
}

}  // namespace askrff::models
