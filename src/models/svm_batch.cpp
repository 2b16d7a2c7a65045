// Newton's method on problems side by side. The objective is quadratic as long as no row changes sides, so a step is its minimum there, and
// a line search between two points needs the outputs at both and no further pass over the features.
#include "models/svm_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/errors.hpp"
#include "core/threads.hpp"
#include "models/svm_gradients.hpp"
#include "models/svm_hessians.hpp"

namespace askrff::models {
namespace {

/// The objective of one problem along w + t·d, t from 0 to 1.
class Segment {
 public:
  Segment(const BatchState& state, std::size_t problem, std::span<const double> next_outputs, std::span<const double> next_weights,
          double c)
      : targets_(state.targets[problem]),
        row_weights_(state.row_weights),
        outputs_(state.outputs.row(problem)),
        next_(next_outputs),
        c_(c) {
    const std::span<const double> weights = state.weights.row(problem);
    for (std::size_t f = 0; f < weights.size(); ++f) {
      const double d = next_weights[f] - weights[f];
      ww_ += weights[f] * weights[f];
      wd_ += weights[f] * d;
      dd_ += d * d;
    }
  }

  struct Point {
    double value = 0, slope = 0;
  };
  Point at(double t) const {
    double loss = 0, change = 0;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const double y = targets_[i], d = next_[i] - outputs_[i];
      const double short_of = y == 0 ? 0 : std::max(0.0, 1 - y * (outputs_[i] + t * d));
      loss += row_weights_[i] * (short_of * short_of);
      change -= row_weights_[i] * (short_of * y * d);
    }
    return {0.5 * (ww_ + 2 * t * wd_ + t * t * dd_) + c_ * loss, wd_ + t * dd_ + 2 * c_ * change};
  }

  /// A step along which the objective falls: 1 if that will do, else near the minimum, which is convex and easily closed in.
  double step(const Point& start, const StopToken& stop) const {
    const Point whole = at(1);
    if (whole.value <= start.value + 1e-3 * start.slope && std::abs(whole.slope) <= 0.5 * std::abs(start.slope)) return 1;
    if (whole.slope <= 0) return 1;
    double low = 0, high = 1, low_slope = start.slope, high_slope = whole.slope, t = 1;
    for (int trial = 0; trial < 50; ++trial) {
      stop.check();
      t = std::clamp(low - low_slope * (high - low) / (high_slope - low_slope), low + 0.05 * (high - low), high - 0.05 * (high - low));
      const double slope = at(t).slope;
      if (std::abs(slope) <= 0.05 * std::abs(start.slope)) break;
      (slope < 0 ? low : high) = t;
      (slope < 0 ? low_slope : high_slope) = slope;
    }
    return t;
  }

 private:
  std::span<const std::int8_t> targets_;
  std::span<const double> row_weights_, outputs_, next_;
  double c_, ww_ = 0, wd_ = 0, dd_ = 0;
};

}  // namespace

template <class T>
SvmBatch<T>::SvmBatch(const Design<T>& design, const LabelledRows& rows, std::span<const BinaryProblem> problems, const SvmOptions& options)
    : design_(design), options_(options), objectives_(problems.size()), modes_(problems.size()), n_idle_(problems.size()) {
  const std::size_t n_problems = problems.size(), n_rows = design.rows(), n_columns = design.n_columns();
  state_.weights = Matrix<double>(n_problems, n_columns);
  state_.outputs = Matrix<double>(n_problems, n_rows);
  next_weights_ = Matrix<double>(n_problems, n_columns);
  next_outputs_ = Matrix<double>(n_problems, n_rows);
  state_.row_weights.assign(rows.weights.begin(), rows.weights.end());
  if (rows.weights.empty()) state_.row_weights.assign(n_rows, 1.0);
  for (const BinaryProblem& problem : problems) {
    options.execution.stop.check();
    std::vector<std::int8_t> targets(n_rows);
    std::vector<std::uint8_t> active(n_rows);
    for (std::size_t i = 0; i < n_rows; ++i) {
      const bool held_out = problem.held_out != no_fold && rows.folds[i] == problem.held_out;
      const bool counts = !held_out && state_.row_weights[i] > 0;
      targets[i] = !counts ? 0 : rows.classes[i] == problem.positive ? 1 : -1;
      active[i] = counts ? 1 : 0;  // w = 0: every output is 0
    }
    state_.targets.push_back(std::move(targets));
    state_.active.push_back(std::move(active));
  }
  if (n_columns <= options.direct_limit) hessians_ = std::make_unique<Hessians<T>>(design, state_, problems, rows, options.execution);
}

template <class T>
SvmBatch<T>::~SvmBatch() = default;

template <class T>
void SvmBatch<T>::start_from(MatrixView<const double> weights) {
  std::vector<std::size_t> all;
  for (std::size_t p = 0; p < weights.rows(); ++p) {
    std::ranges::copy(weights.row(p), state_.weights.row(p).begin());
    all.push_back(p);
  }
  refresh_outputs(all);
}

template <class T>
std::uint64_t SvmBatch<T>::bytes_per_problem(const Design<T>& design, const SvmOptions& options) {
  const std::uint64_t rows = design.rows(), columns = design.n_columns();
  const bool direct = columns <= options.direct_limit;
  // Outputs and proposals; targets as numbers or differences, images and masks of steps. A Gram matrix, its factor, that of a fold.
  return rows * 44 + columns * (direct ? 3 * columns : 8) * sizeof(double);
}

template <class T>
std::size_t SvmBatch<T>::solve(double c) {
  const std::size_t n_problems = objectives_.size();
  const double work = 10.0 * static_cast<double>(n_problems) * static_cast<double>(design_.rows());
  const Team team = team_for(work, options_.execution);
  parallel_for(n_problems, team, [&](std::size_t p) {
    objectives_[p] = Segment(state_, p, state_.outputs.row(p), state_.weights.row(p), c).at(0).value;
    modes_[p] = Mode::quick;
    n_idle_[p] = 0;
  });
  for (std::size_t step = 1;; ++step) {
    const std::vector<Proposal> proposals = propose(c);
    parallel_for(proposals.size(), team, [&](std::size_t k) { advance(proposals[k], c); });
    const auto unfinished = std::ranges::find_if(modes_, [](Mode mode) { return mode != Mode::finished; });
    if (unfinished == modes_.end()) return step;
    if (step >= options_.max_iterations)
      throw NumericalError("svm", fmt::format("no convergence in {} steps for C = {}, the objective is {}; features are nearly dependent, "
                                              "expected a smaller C{}",
                                              step, c, objectives_[static_cast<std::size_t>(unfinished - modes_.begin())],
                                              about_weights(!options_.row_weights.empty())));
  }
}

template <class T>
std::vector<typename SvmBatch<T>::Proposal> SvmBatch<T>::propose(double c) {
  std::vector<std::size_t> all, quick, careful;
  for (std::size_t p = 0; p < modes_.size(); ++p)
    if (modes_[p] != Mode::finished) all.push_back(p);
  if (hessians_) hessians_->prepare(state_, all, c);
  for (const std::size_t p : all) {
    if (hessians_ && hessians_->is_damped(p)) modes_[p] = Mode::careful;
    (modes_[p] == Mode::quick ? quick : careful).push_back(p);
  }
  std::vector<Proposal> proposals = hessians_ ? propose_quick(quick) : propose_careful(quick, 0, c);
  if (!hessians_) refresh_outputs(careful);
  const std::vector<Proposal> more = propose_careful(careful, quick.size(), c);
  proposals.insert(proposals.end(), more.begin(), more.end());
  return proposals;
}

template <class T>
std::vector<typename SvmBatch<T>::Proposal> SvmBatch<T>::propose_quick(std::span<const std::size_t> problems) {
  std::vector<Proposal> proposals;
  const std::size_t n = problems.size();
  if (n == 0) return proposals;
  for (std::size_t k = 0; k < n; ++k) proposals.push_back({problems[k], k, true, true});
  const double work = static_cast<double>(n) * static_cast<double>(design_.n_columns()) * static_cast<double>(design_.n_columns());
  parallel_for(n, team_for(work, options_.execution), [&](std::size_t k) { hessians_->minimum(problems[k], next_weights_.row(k)); });
  design_.times(next_weights_.view().middle_rows(0, n), next_outputs_.view().middle_rows(0, n), options_.execution);
  return proposals;
}

template <class T>
std::vector<typename SvmBatch<T>::Proposal> SvmBatch<T>::propose_careful(std::span<const std::size_t> problems, std::size_t first_place,
                                                                         double c) {
  std::vector<Proposal> proposals;
  const std::size_t n = problems.size();
  if (n == 0) return proposals;
  std::vector<GradientTarget> targets;
  for (const std::size_t p : problems) {
    // Without Hessians a quick step leaves a tenth of the gradient, a careful one a hundred thousandth: what it promises is then the truth.
    const double relative = modes_[p] == Mode::quick ? 1e-2 : hessians_ ? 1e-4 : 1e-10;
    targets.push_back({relative, tolerance() * objectives_[p]});
  }
  const auto results =
      gradient_steps(design_, state_, problems, c, hessians_.get(), targets, next_weights_.view().middle_rows(first_place, n),
                     next_outputs_.view().middle_rows(first_place, n), options_.execution);
  for (std::size_t k = 0; k < n; ++k) proposals.push_back({problems[k], first_place + k, results[k].is_complete, results[k].is_step});
  return proposals;
}

/// Outputs that have come about step by step, made anew from the weights: the errors of hundreds of small steps add up.
template <class T>
void SvmBatch<T>::refresh_outputs(std::span<const std::size_t> problems) {
  if (problems.empty()) return;
  Matrix<double> weights(problems.size(), design_.n_columns()), outputs(problems.size(), design_.rows());
  for (std::size_t k = 0; k < problems.size(); ++k) std::ranges::copy(state_.weights.row(problems[k]), weights.row(k).begin());
  design_.times(weights, outputs, options_.execution);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    options_.execution.stop.check();
    std::ranges::copy(outputs.row(k), state_.outputs.row(problems[k]).begin());
    sides_changed(problems[k]);
  }
}

/// Notes which rows are active; whether one has changed sides.
template <class T>
bool SvmBatch<T>::sides_changed(std::size_t p) {
  bool changed = false;
  for (std::size_t i = 0; i < design_.rows(); ++i) {
    const int target = state_.targets[p][i];
    const std::uint8_t now = target != 0 && target * state_.outputs(p, i) < 1 ? 1 : 0;
    changed = changed || now != state_.active[p][i];
    state_.active[p][i] = now;
  }
  return changed;
}

/// Goes towards what was proposed, and decides what is next.
template <class T>
void SvmBatch<T>::advance(const Proposal& proposal, double c) {
  const std::size_t p = proposal.problem;
  if (!proposal.is_step) {
    modes_[p] = Mode::finished;
    return;
  }
  const std::span<double> weights = state_.weights.row(p), outputs = state_.outputs.row(p);
  const std::span<const double> next_weights = next_weights_.row(proposal.place), next_outputs = next_outputs_.row(proposal.place);
  const Segment segment(state_, p, next_outputs, next_weights, c);
  const Segment::Point start = segment.at(0);
  if (!std::isfinite(start.value) || std::isnan(start.slope))
    throw NumericalError("svm", fmt::format("the objective is {} for C = {}: features or C are too large", start.value, c));
  const double t = start.slope < 0 ? segment.step(start, options_.execution.stop) : 0, after = t > 0 ? segment.at(t).value : start.value;
  if (!(after < start.value)) {
    modes_[p] = after_step(proposal, std::abs(start.slope) / 2, start.value, false, c);
    return;
  }
  for (std::size_t f = 0; f < weights.size(); ++f) weights[f] = t == 1 ? next_weights[f] : weights[f] + t * (next_weights[f] - weights[f]);
  for (std::size_t i = 0; i < outputs.size(); ++i) outputs[i] = t == 1 ? next_outputs[i] : outputs[i] + t * (next_outputs[i] - outputs[i]);
  const bool same_sides = !sides_changed(p);
  objectives_[p] = after;
  modes_[p] = after_step(proposal, std::abs(start.slope) / 2, start.value, same_sides && t == 1, c);
}

/// `promise`: what the step was to gain; `is_exact`: a whole step after which no row has changed sides.
template <class T>
typename SvmBatch<T>::Mode SvmBatch<T>::after_step(const Proposal& proposal, double promise, double before, bool is_exact, double c) {
  const std::size_t p = proposal.problem;
  const double gain = before - objectives_[p];
  const bool is_little = promise <= tolerance() * before;
  // Steps that gain next to nothing, or far less than they promise, one after another, are rounding's.
  n_idle_[p] = gain < std::max(promise / 4, tolerance() * before) ? n_idle_[p] + 1 : 0;
  if (modes_[p] == Mode::quick) {
    if (gain > 0 && !is_little && n_idle_[p] < 3 && !(is_exact && hessians_)) return Mode::quick;
    n_idle_[p] = 0;
    return Mode::careful;
  }
  if (is_little && proposal.is_complete) return Mode::finished;
  if (gain > 0 && n_idle_[p] < 3) return Mode::careful;
  if (promise <= rounding_tolerance<T> * before) return Mode::finished;
  if (gain > 0) return Mode::careful;
  throw NumericalError(
      "svm",
      fmt::format("the objective for C = {} stays {:.1g} of itself above its minimum, expected a smaller C, fewer dependent features{}{}",
                  c, promise / before, std::is_same_v<T, float> ? " or float64" : "", about_weights(!options_.row_weights.empty())));
}

template class SvmBatch<float>;
template class SvmBatch<double>;

}  // namespace askrff::models
