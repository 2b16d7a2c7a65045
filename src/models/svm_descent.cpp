// A whole step is tried first: the sums there are those the next step needs. Where it will not do, several shorter ones in one pass.
#include "models/svm_descent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "askrff/errors.hpp"
#include "core/threads.hpp"
#include "core/vectors.hpp"

namespace askrff::models {
namespace {

constexpr std::size_t plain_passes = 25;                     // for one with Hessians
constexpr std::size_t shared_passes = 12;                    // between two of a matrix that folds share
constexpr std::size_t most_trials = 10, patient_trials = 3;  // of steps that are not whole ones
// Nothing is finished before a step promises this share of what it may: so far the last steps in memory go too, and equal scores of folds
// need it. Features in float do not allow it.
constexpr double last_share = 1e-2;
// Without Hessians what a step promises is a guess, and too small where the curvature of other directions is less: it must be so little for
// so many steps in a row.
constexpr std::size_t plain_steps = 10;
constexpr double plain_float_gain = 1e-7;  // less of the objective, in float, may be rounding's

SvmCurvatureOptions curvature_options(const PassedSvmOptions& options) {
  return {options.direct_limit, options.own_limit,
          options.is_float ? double{std::numeric_limits<float>::epsilon()} : std::numeric_limits<double>::epsilon(), options.execution};
}

}  // namespace

double SvmStand::objective(std::size_t problem, double c) const { return squared_norm(weights.row(problem)) / 2 + c * losses[problem]; }

SvmDescent::SvmDescent(const PassedSvmOptions& options, RunSvmPass run)
    : options_(options),
      run_(std::move(run)),
      curvature_(options.problems, options.n_columns, curvature_options(options)),
      directions_(options.problems.size(), options.n_columns),
      lines_(options.problems.size()) {}

Matrix<double> SvmDescent::begin() {
  const std::size_t n_problems = options_.problems.size();
  SvmPassTask task{.problems = options_.problems, .has_bias = options_.has_bias};
  task.weights = Matrix<double>(n_problems, options_.n_columns);
  for (std::size_t p = 0; p < n_problems; ++p) task.of.push_back(p);
  task.n_grams = curvature_.n_grams();
  SvmPassSums sums = run_(task);
  curvature_.begin(sums);
  stand_ = {std::move(task.weights), std::move(sums.losses), std::move(sums.pulls)};
  return std::move(sums.row_weights);
}

void SvmDescent::go_to(SvmStand stand) {
  stand_ = std::move(stand);
  for (std::size_t p = 0; p < lines_.size(); ++p) {
    lines_[p].is_finished = true;
    curvature_.distrust(p);
    if (curvature_.has_own(p)) renewed_.push_back(p);
  }
  if (renewed_.empty()) return;
  const SvmPassTask task = next_task(0);
  take_renewed(task, run_(task), 0);
}

/// The points at the end of a task, where problems stand.
void SvmDescent::take_renewed(const SvmPassTask& task, const SvmPassSums& sums, std::size_t first_point) {
  for (std::size_t point = first_point; point < task.of.size(); ++point) curvature_.take(point, task, sums);
}

std::size_t SvmDescent::solve(double c, std::span<const std::size_t> problems) {
  c_ = c;
  for (Line& line : lines_) line = Line{};
  for (const std::size_t p : problems) lines_[p].is_finished = false;
  const std::size_t most = options_.max_iterations * (curvature_.has_matrices() ? 1 : plain_passes);
  for (std::size_t step = 1;; ++step) {
    aim(problems);
    if (std::ranges::all_of(lines_, &Line::is_finished)) return step - 1;
    if (step > most) give_up(most);
    const SvmPassTask task = next_task(step);
    const SvmPassSums sums = run_(task);
    std::size_t point = 0;
    for (const std::size_t p : problems) {
      const std::size_t n_points = lines_[p].is_finished ? 0 : lines_[p].steps.size();
      if (n_points > 0) look(p, task, sums, point);
      point += n_points;
    }
    take_renewed(task, sums, point);
  }
}

void SvmDescent::aim(std::span<const std::size_t> problems) {
  std::vector<std::size_t> wanted;
  for (const std::size_t p : problems)
    if (!lines_[p].is_finished && !lines_[p].is_aimed) wanted.push_back(p);
  curvature_.prepare(wanted, c_);
  const double n = static_cast<double>(options_.n_columns);
  const Team team = team_for(static_cast<double>(wanted.size()) * n * (curvature_.has_matrices() ? n : 100), options_.execution);
  parallel_for(wanted.size(), team, [&](std::size_t k) { aim(wanted[k]); });
}

/// Finds the direction of the next step, unless that promises next to nothing.
void SvmDescent::aim(std::size_t p) {
  Line& line = lines_[p];
  line.value = stand_.objective(p, c_);
  if (!std::isfinite(line.value))
    throw NumericalError("svm", fmt::format("the objective is {} for C = {}: features or C are too large", line.value, c_));
  std::vector<double> gradient(options_.n_columns);
  for (std::size_t f = 0; f < gradient.size(); ++f) gradient[f] = stand_.weights(p, f) - 2 * c_ * stand_.pulls(p, f);
  const auto descend = [&] {
    curvature_.descend(p, c_, gradient, directions_.row(p));
    line.slope = dot(gradient, directions_.row(p));
  };
  descend();
  if (!(line.slope < 0)) {  // rounding among the steps
    curvature_.forget_steps(p);
    descend();
  }
  line.n_little = line.promise() <= tolerance() * line.value ? line.n_little + 1 : 0;
  // The curvature is at least 1: no more than half the squared gradient can be gained.
  line.is_finished =
      line.n_little >= (curvature_.has_matrices() ? 1 : plain_steps) || squared_norm(gradient) / 2 <= options_.tolerance * line.value;
  line.is_aimed = true;
  line.steps = {1};
  line.n_trials = 0;
}

/// Own matrices are brought along with every step; those that folds share, which are large, once for a value of C unless it takes long.
bool SvmDescent::wants_matrix(std::size_t p, std::size_t step) const {
  if (!curvature_.has_own(p) || lines_[p].n_trials > 0) return false;
  return !curvature_.is_shared() || step % shared_passes == 1;
}

SvmPassTask SvmDescent::next_task(std::size_t step) {
  SvmPassTask task{.problems = options_.problems, .has_bias = options_.has_bias};
  std::size_t n_points = renewed_.size();
  for (const Line& line : lines_) n_points += line.is_finished ? 0 : line.steps.size();
  task.weights = Matrix<double>(n_points, options_.n_columns);
  for (std::size_t p = 0; p < lines_.size(); ++p) {
    if (lines_[p].is_finished) continue;
    const bool is_renewed = std::ranges::find(renewed_, p) != renewed_.end();
    if (wants_matrix(p, step) && !is_renewed) curvature_.ask(p, task.of.size(), task);
    for (const double t : lines_[p].steps) {
      const std::span<double> point = task.weights.row(task.of.size());
      for (std::size_t f = 0; f < point.size(); ++f) point[f] = stand_.weights(p, f) + t * directions_(p, f);
      task.of.push_back(p);
    }
  }
  for (const std::size_t p : std::exchange(renewed_, {})) {
    curvature_.ask(p, task.of.size(), task);
    std::ranges::copy(stand_.weights.row(p), task.weights.row(task.of.size()).begin());
    task.of.push_back(p);
  }
  return task;
}

SvmDescent::Trial SvmDescent::trial_of(const SvmPassTask& task, const SvmPassSums& sums, std::size_t point, double t) const {
  const std::span<const double> weights = task.weights.row(point), direction = directions_.row(task.of[point]);
  return {point, t, squared_norm(weights) / 2 + c_ * sums.losses[point],
          dot(weights, direction) - 2 * c_ * dot(sums.pulls.row(point), direction)};
}

/// A whole step may fall short of the minimum of its line; another must be near it, unless that takes long.
bool SvmDescent::will_do(const Line& line, const Trial& trial) const {
  if (!std::isfinite(trial.value) || !std::isfinite(trial.slope)) return false;
  if (trial.t == 1 && trial.slope <= 0) return true;  // the objective is convex
  const bool is_flat = std::abs(trial.slope) <= 0.5 * std::abs(line.slope);
  const double rounding = (options_.is_float ? 1e-6 : 1e-12) * line.value;
  if (is_flat && -line.slope <= rounding) return trial.value <= line.value + rounding;
  return trial.value <= line.value + 1e-3 * trial.t * line.slope && (is_flat || line.n_trials >= patient_trials);
}

/// Looks at the points of one problem, one after another from first_point on.
void SvmDescent::look(std::size_t p, const SvmPassTask& task, const SvmPassSums& sums, std::size_t first_point) {
  Line& line = lines_[p];
  std::vector<Trial> trials;
  for (std::size_t k = 0; k < line.steps.size(); ++k) trials.push_back(trial_of(task, sums, first_point + k, line.steps[k]));
  const Trial* best = nullptr;
  for (const Trial& trial : trials)
    if (will_do(line, trial) && (!best || trial.value < best->value)) best = &trial;
  if (!best) return try_shorter(p, trials);
  move_to(p, *best, task, sums);
  after_step(p, line.value - best->value);
}

void SvmDescent::move_to(std::size_t p, const Trial& trial, const SvmPassTask& task, const SvmPassSums& sums) {
  const std::span<const double> weights = task.weights.row(trial.point), pulls = sums.pulls.row(trial.point);
  std::vector<double> step(weights.begin(), weights.end()), pull(stand_.pulls.row(p).begin(), stand_.pulls.row(p).end());
  for (std::size_t f = 0; f < step.size(); ++f) {
    step[f] -= stand_.weights(p, f);
    pull[f] -= pulls[f];
  }
  if (curvature_.take(trial.point, task, sums))
    curvature_.forget_steps(p);  // the matrix knows better
  else
    curvature_.add_step(p, std::move(step), std::move(pull));
  std::ranges::copy(weights, stand_.weights.row(p).begin());
  std::ranges::copy(pulls, stand_.pulls.row(p).begin());
  stand_.losses[p] = sums.losses[trial.point];
  lines_[p].is_aimed = false;
}

/// Several steps for the next pass: over many sizes at first, as rows may come in anywhere, then between two known ones.
void SvmDescent::try_shorter(std::size_t p, std::span<const Trial> trials) {
  Line& line = lines_[p];
  if (line.n_trials == 0) {
    line.low = 0;
    line.low_slope = line.slope;
    line.high = std::numeric_limits<double>::infinity();
  }
  for (const Trial& trial : trials) {
    if (trial.slope <= 0 && trial.t > line.low) std::tie(line.low, line.low_slope) = std::pair(trial.t, trial.slope);
    if (!(trial.slope <= 0) && trial.t < line.high) std::tie(line.high, line.high_slope) = std::pair(trial.t, trial.slope);
  }
  if (++line.n_trials > most_trials) {
    line.is_aimed = false;
    line.n_idle = plain_steps;
    return after_step(p, 0);
  }
  line.steps.clear();
  const double width = line.high - line.low;
  if (std::isfinite(line.high_slope))  // where the slope would be 0 if it rose evenly
    line.steps.push_back(line.low + width * line.low_slope / (line.low_slope - line.high_slope));
  if (line.low == 0)
    for (const double share : {0.5, 0.1, 0.02, 1e-3, 1e-5}) line.steps.push_back(share * line.high);
  else
    for (const double share : {0.25, 0.5, 0.75}) line.steps.push_back(line.low + share * width);
}

double SvmDescent::tolerance() const { return options_.tolerance * (options_.is_float && curvature_.has_matrices() ? 1 : last_share); }

/// Steps that gain next to nothing, or far less than a Hessian promises, one after another, are rounding's, or those of a matrix that is
/// too rough.
void SvmDescent::after_step(std::size_t p, double gain) {
  Line& line = lines_[p];
  const double share = options_.is_float && !curvature_.has_matrices() ? plain_float_gain : tolerance();
  const double expected = std::max(curvature_.has_matrices() ? line.promise() / 4 : 0.0, share * line.value);
  line.n_idle = gain < expected ? line.n_idle + 1 : 0;
  if (line.n_idle < (curvature_.has_matrices() ? 3 : plain_steps)) return;
  line.n_idle = 0;
  const double rounding = options_.is_float ? rounding_tolerance<float> : rounding_tolerance<double>;
  if (line.promise() <= rounding * line.value) {
    line.is_finished = true;
  } else if (!std::exchange(line.is_renewed, true)) {
    curvature_.distrust(p);
    if (curvature_.has_matrices()) {
      const std::size_t owner = curvature_.has_own(p) ? p : options_.problems.all_rows(options_.problems.output_of(p));
      if (std::ranges::find(renewed_, owner) == renewed_.end()) renewed_.push_back(owner);
    }
  } else if (!(gain > 0)) {
    throw NumericalError(
        "svm",
        fmt::format("the objective for C = {} stays {:.1g} of itself above its minimum, expected a smaller C, fewer dependent features{}{}",
                    c_, line.promise() / line.value, options_.is_float ? " or float64" : "", about_weights(options_.has_weights)));
  }
}

void SvmDescent::give_up(std::size_t n_steps) const {
  const auto unfinished = std::ranges::find(lines_, false, &Line::is_finished);
  throw NumericalError("svm", fmt::format("no convergence in {} steps for C = {}, the objective is {}; features are nearly dependent, "
                                          "expected a smaller C{}",
                                          n_steps, c_, unfinished->value, about_weights(options_.has_weights)));
}

}  // namespace askrff::models
