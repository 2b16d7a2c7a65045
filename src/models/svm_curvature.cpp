// Matrices, their factors, and the two loops of limited-memory BFGS.
#include "models/svm_curvature.hpp"

#include <algorithm>
#include <cmath>

#include "askrff/dense.hpp"
#include "askrff/errors.hpp"
#include "core/threads.hpp"
#include "core/vectors.hpp"

namespace askrff::models {
namespace {

// With a matrix a few steps tell what it lacks; without, the more the better, and the more memory.
constexpr std::size_t most_steps = 30, most_plain_steps = 40;

void add_to(std::span<double> to, double factor, std::span<const double> from) {
  for (std::size_t f = 0; f < to.size(); ++f) to[f] += factor * from[f];
}

}  // namespace

SvmCurvature::SvmCurvature(const SvmProblems& problems, std::size_t n_columns, const SvmCurvatureOptions& options)
    : problems_(problems), n_columns_(n_columns), options_(options), steps_(problems.size()) {
  is_shared_ = problems.n_folds > 0 && problems.size() > options.own_limit / n_columns / n_columns;
  if (n_columns <= options.direct_limit) matrices_.resize(is_shared_ ? problems.n_outputs() : problems.size());
}

bool SvmCurvature::has_own(std::size_t problem) const { return has_matrices() && (!is_shared_ || problems_.is_of_all_rows(problem)); }

std::size_t SvmCurvature::n_grams() const {
  if (!has_matrices()) return 0;
  return is_shared_ || problems_.n_folds == 0 ? 1 : problems_.n_folds;
}

void SvmCurvature::begin(const SvmPassSums& sums) {
  total_weight_ = 0;
  for (std::size_t k = 0; k < sums.row_weights.rows(); ++k)
    for (const double weight : sums.row_weights.row(k)) total_weight_ += weight;
  for (std::size_t m = 0; m < matrices_.size(); ++m) {
    options_.execution.stop.check();
    HessianMatrix& matrix = matrices_[m];
    matrix.triangle.assign(triangle_size(n_columns_), 0);
    matrix.since.assign(n_columns_, 0);
    const std::uint32_t held_out = is_shared_ ? no_fold : problems_[m].held_out;
    for (std::size_t fold = 0; fold < sums.grams.rows(); ++fold)
      if (fold != held_out) add_to(matrix.triangle, 1, sums.grams.row(fold));
    for (Factor& factor : matrix.factors) factor.c = 0;
  }
}

void SvmCurvature::ask(std::size_t problem, std::size_t point, SvmPassTask& task) const {
  const HessianMatrix& matrix = matrices_[matrix_of(problem)];
  if (matrix.is_rough) {
    task.full.push_back(point);
    return;
  }
  task.change.push_back(point);
  Matrix<double> since(task.change.size(), n_columns_);
  std::copy_n(task.since.data(), task.since.rows() * task.since.cols(), since.data());
  std::ranges::copy(matrix.since, since.row(since.rows() - 1).begin());
  task.since = std::move(since);
}

bool SvmCurvature::take(std::size_t point, const SvmPassTask& task, const SvmPassSums& sums) {
  const auto full = std::ranges::find(task.full, point), change = std::ranges::find(task.change, point);
  if (full == task.full.end() && change == task.change.end()) return false;
  HessianMatrix& matrix = matrices_[matrix_of(task.of[point])];
  if (full != task.full.end()) {
    std::ranges::copy(sums.full.row(static_cast<std::size_t>(full - task.full.begin())), matrix.triangle.begin());
    matrix.is_rough = false;
  } else {
    add_to(matrix.triangle, 1, sums.change.row(static_cast<std::size_t>(change - task.change.begin())));
  }
  std::ranges::copy(task.weights.row(point), matrix.since.begin());
  for (Factor& factor : matrix.factors) factor.c = 0;
  return true;
}

void SvmCurvature::add_step(std::size_t problem, std::vector<double> step, std::vector<double> pull) {
  std::deque<Step>& steps = steps_[problem];
  if (!(dot(step, pull) > 0)) std::ranges::fill(pull, 0.0);  // no row was active; less is rounding's, as the loss is convex
  steps.push_front({std::move(step), std::move(pull)});
  if (steps.size() > (has_matrices() ? most_steps : most_plain_steps)) steps.pop_back();
}

void SvmCurvature::distrust(std::size_t problem) {
  forget_steps(problem);
  if (has_matrices()) matrices_[matrix_of(problem)].is_rough = true;
}

void SvmCurvature::prepare(std::span<const std::size_t> problems, double c) {
  if (!has_matrices()) return;
  std::vector<std::pair<std::size_t, std::size_t>> wanted;  // matrix and which factor
  for (const std::size_t problem : problems)
    if (matrices_[matrix_of(problem)].factors[factor_of(problem)].c != c) wanted.emplace_back(matrix_of(problem), factor_of(problem));
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  const double work = std::pow(static_cast<double>(n_columns_), 3) / 100 * static_cast<double>(wanted.size());
  Team team = team_for(work, options_.execution);
  const bool one_by_one = wanted.size() < team.n_threads;  // then the factorisation itself uses the threads
  if (one_by_one) team.n_threads = 1;
  const Execution inside = one_by_one ? options_.execution : on_one_thread(options_.execution);
  parallel_for(wanted.size(), team, [&](std::size_t k) { factor(matrices_[wanted[k].first], wanted[k].second, c, inside); });
}

/// Adds to the diagonal what rounding may have taken from it, if the matrix cannot be factored without.
void SvmCurvature::factor(HessianMatrix& matrix, std::size_t which, double c, const Execution& execution) const {
  const std::size_t n = n_columns_;
  const double share = which == 0 ? 1 : 1 - 1 / static_cast<double>(problems_.n_folds);
  double trace = 0;
  for (std::size_t i = 0, k = 0; i < n; k += n - i, ++i) trace += share * std::abs(matrix.triangle[k]);
  const double least = options_.epsilon * (trace / static_cast<double>(n) + 0.5 / c);
  Matrix<double>& lower = matrix.factors[which].lower;
  if (lower.empty()) lower = Matrix<double>(n, n);
  for (double damping = 0;; damping = damping == 0 ? least : 10 * damping) {
    const double* from = matrix.triangle.data();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i; j < n; ++j) lower(j, i) = share * *from++;
    for (std::size_t i = 0; i < n; ++i) lower(i, i) += 0.5 / c + damping;
    try {
      cholesky(lower, execution);
      break;
    } catch (const NumericalError&) {
      if (damping > trace) throw;
      matrix.is_rough = true;
    }
  }
  matrix.factors[which].c = c;
}

/// What the directions start from.
void SvmCurvature::start(std::size_t problem, double c, std::span<double> values) const {
  if (has_matrices()) {
    const Factor& factor = matrices_[matrix_of(problem)].factors[factor_of(problem)];
    solve_cholesky(factor.lower, MatrixView<double>(values.data(), n_columns_, 1), on_one_thread(options_.execution));
    for (double& value : values) value *= 0.5 / c;
    return;
  }
  double scale = 1 / (1 + 2 * c * total_weight_);
  if (!steps_[problem].empty()) {
    const Step& last = steps_[problem].front();
    std::vector<double> change = last.step;
    add_to(change, 2 * c, last.pull);
    scale = dot(last.step, change) / squared_norm(change);
  }
  for (double& value : values) value *= scale;
}

void SvmCurvature::descend(std::size_t problem, double c, std::span<const double> gradient, std::span<double> out) const {
  const std::deque<Step>& steps = steps_[problem];
  std::ranges::copy(gradient, out.begin());
  std::vector<double> parts(steps.size()), curvatures(steps.size());
  for (std::size_t k = 0; k < steps.size(); ++k) {  // the gradient changes by step + 2C·pull
    curvatures[k] = squared_norm(steps[k].step) + 2 * c * dot(steps[k].step, steps[k].pull);
    parts[k] = dot(steps[k].step, out) / curvatures[k];
    add_to(out, -parts[k], steps[k].step);
    add_to(out, -parts[k] * 2 * c, steps[k].pull);
  }
  start(problem, c, out);
  for (std::size_t k = steps.size(); k-- > 0;) {
    const double part = (dot(steps[k].step, out) + 2 * c * dot(steps[k].pull, out)) / curvatures[k];
    add_to(out, parts[k] - part, steps[k].step);
  }
  for (double& value : out) value = -value;
}

}  // namespace askrff::models
