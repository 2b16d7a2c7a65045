// Minus the second derivatives are blocks A_v, one for each type, with a border B_v and a corner c of the decay: the decay moves by what is
// left of its own slope and curvature once all types have followed it. Numbers of a type stay at 0 or above by a bounded quadratic problem.
#include "causal/hawkes_newton.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "askrff/errors.hpp"
#include "causal/bounded_quadratic.hpp"

namespace askrff {
namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double good_enough = 1e-5;

/// Block A_v of the numbers above 0, for their variances: scaled to a diagonal of 1 and raised by next to nothing.
class TypeBlock {
 public:
  TypeBlock(const HawkesSums& sums, std::size_t v, std::vector<std::size_t> moving) : moving_(std::move(moving)), scales_(moving_.size()) {
    const std::size_t n = sums.n_theta();
    const double* const curvature = sums.curvature.data() + v * n * n;
    const auto size = static_cast<Eigen::Index>(moving_.size());
    Eigen::MatrixXd block(size, size);
    for (Eigen::Index i = 0; i < size; ++i) scales_[i] = 1 / std::sqrt(curvature[moving_[i] * n + moving_[i]]);
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index j = 0; j <= i; ++j)
        block(i, j) = curvature[moving_[i] * n + moving_[j]] * scales_[i] * scales_[j] + (i == j ? 1e-12 : 0.0);
    factor_.compute(block);
  }

  const std::vector<std::size_t>& moving() const { return moving_; }
  bool is_definite() const { return moving_.empty() || factor_.info() == Eigen::Success; }
  /// A_v⁻¹ applied to the moving entries of `from`, a row of types × θ.
  Eigen::VectorXd solve(const double* from) const {
    Eigen::VectorXd right(scales_.size());
    for (Eigen::Index i = 0; i < right.size(); ++i) right[i] = from[moving_[i]] * scales_[i];
    if (moving_.empty()) return right;
    factor_.solveInPlace(right);
    return right.cwiseProduct(scales_);
  }
  double dot(const Eigen::VectorXd& a, const double* with) const {
    double sum = 0;
    for (Eigen::Index i = 0; i < a.size(); ++i) sum += a[i] * with[moving_[i]];
    return sum;
  }
  /// The diagonal of A_v⁻¹.
  Eigen::VectorXd inverse_diagonal() const {
    if (moving_.empty()) return scales_;
    const Eigen::MatrixXd inverse = factor_.solve(Eigen::MatrixXd::Identity(scales_.size(), scales_.size()));
    return inverse.diagonal().cwiseProduct(scales_).cwiseProduct(scales_);
  }

 private:
  std::vector<std::size_t> moving_;
  Eigen::VectorXd scales_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
};

template <class AtLimit>
TypeBlock block_of(const HawkesSums& sums, std::size_t v, const AtLimit& is_at_limit) {
  const std::size_t n = sums.n_theta();
  std::vector<std::size_t> moving;
  for (std::size_t i = 0; i < n; ++i)
    if (!is_at_limit(v * n + i)) moving.push_back(i);
  return {sums, v, std::move(moving)};
}

}  // namespace

HawkesNewton::HawkesNewton(const HawkesEvents& events, std::vector<double> decays, const DecayRange& range, const Execution& execution)
    : events_(events), decays_(std::move(decays)), range_(range), execution_(execution) {}

HawkesParameters HawkesNewton::parameters_at(const HawkesPoint& point) const {
  const std::size_t n_types = events_.n_types(), n = 1 + n_types * decays_.size();
  HawkesParameters parameters{std::vector<double>(n_types), std::vector<Matrix<double>>(decays_.size(), Matrix<double>(n_types, n_types)),
                              decays_};
  for (std::size_t v = 0; v < n_types; ++v) {
    parameters.baseline[v] = point.theta[v * n];
    for (std::size_t q = 0; q + 1 < n; ++q) parameters.branching[q / n_types](q % n_types, v) = point.theta[v * n + 1 + q];
  }
  if (range_.is_free) parameters.decays[0] = std::exp(point.log_decay);
  return parameters;
}

HawkesSums HawkesNewton::sums_at(const HawkesPoint& point) const {
  return hawkes_sums(parameters_at(point), events_, Derivatives::second, execution_);
}

bool HawkesNewton::is_decay_held() const {
  const double slope = sums_.decay_gradient[0];
  return !range_.is_free || slope == 0 || (point_.log_decay <= range_.lowest && slope < 0) ||
         (point_.log_decay >= range_.highest && slope > 0);
}

/// Types by themselves first, then the decay as if they followed it freely, then types once more, for that step of the decay. The second
/// derivative in the decay need not be negative: uphill then too.
HawkesNewton::Step HawkesNewton::newton_step(bool with_decay) const {
  const std::size_t n_types = events_.n_types(), n = sums_.n_theta();
  const auto size = static_cast<Eigen::Index>(n);
  Step step{{std::vector<double>(n_types * n), 0}, 0};
  std::vector<BoundedQuadratic> types;
  std::vector<Eigen::VectorXd> steps;
  double slope = sums_.decay_gradient[0], curvature = sums_.decay_curvature;
  for (std::size_t v = 0; v < n_types; ++v) {
    const Eigen::Map<const Eigen::VectorXd> gradient(&sums_.gradient[v * n], size), cross(&sums_.decay_cross[v * n], size);
    types.emplace_back(&sums_.curvature[v * n * n], &point_.theta[v * n], n);
    steps.push_back(types[v].solve(gradient, execution_.stop));
    slope -= steps[v].dot(cross);
    curvature -= types[v].follow(cross).dot(cross);
  }
  if (with_decay && !is_decay_held()) {
    step.by.log_decay = std::clamp(slope / std::max(std::fabs(curvature), 1e-12), -reach_, reach_);
    for (std::size_t v = 0; v < n_types; ++v) {
      const Eigen::Map<const Eigen::VectorXd> gradient(&sums_.gradient[v * n], size), cross(&sums_.decay_cross[v * n], size);
      steps[v] = types[v].solve(gradient - step.by.log_decay * cross, execution_.stop);
    }
    step.slope = sums_.decay_gradient[0] * step.by.log_decay;
  }
  for (std::size_t v = 0; v < n_types; ++v)
    for (std::size_t i = 0; i < n; ++i) {
      step.by.theta[v * n + i] = steps[v][static_cast<Eigen::Index>(i)];
      step.slope += sums_.gradient[v * n + i] * step.by.theta[v * n + i];
    }
  return step;
}

/// Takes the step if the likelihood grows by a fair part of what its slope says.
bool HawkesNewton::try_step(const Step& step, double length) {
  HawkesPoint next = point_;
  for (std::size_t i = 0; i < next.theta.size(); ++i) next.theta[i] = std::max(0.0, point_.theta[i] + length * step.by.theta[i]);
  if (range_.is_free) next.log_decay = std::clamp(point_.log_decay + length * step.by.log_decay, range_.lowest, range_.highest);
  HawkesSums sums = sums_at(next);
  if (!(sums.value >= sums_.value + 1e-4 * length * step.slope) || !std::isfinite(sums.value)) return false;
  point_ = std::move(next);
  sums_ = std::move(sums);
  return true;
}

HawkesNewton::Step HawkesNewton::decay_step() const {
  Step step{{std::vector<double>(point_.theta.size()), 0}, 0};
  if (is_decay_held()) return step;
  step.by.log_decay = std::clamp(sums_.decay_gradient[0] / std::max(std::fabs(sums_.decay_curvature), 1e-12), -1.0, 1.0);
  step.slope = sums_.decay_gradient[0] * step.by.log_decay;
  return step;
}

/// Of all numbers together; if that does not lead upwards, of the types or the decay alone, which both do.
HawkesNewton::Step HawkesNewton::best_step() const {
  Step together = newton_step(true);
  if (together.slope > 0) return together;
  Step types = newton_step(false), decay = decay_step();
  return types.slope > decay.slope ? types : decay;
}

bool HawkesNewton::advance(const Step& step) {
  const bool is_cut = std::fabs(step.by.log_decay) == reach_;
  if (try_step(step, 1)) {
    reach_ = is_cut ? 2 * reach_ : 1;
    return true;
  }
  reach_ = 1;
  for (double length = 0.25; length > 1e-6; length /= 4)
    if (try_step(step, length)) return true;
  for (const Step& other : {newton_step(false), decay_step()})
    for (double length = 1; other.slope > 0 && length > 1e-8; length /= 4)
      if (try_step(other, length)) return true;
  return false;
}

void HawkesNewton::climb(HawkesPoint start, std::size_t max_steps, bool must_end) {
  point_ = std::move(start);
  sums_ = sums_at(point_);
  reach_ = 1;
  double promised = 0;
  for (n_steps_ = 0; n_steps_ < max_steps; ++n_steps_) {
    execution_.stop.check();
    if (execution_.progress && must_end) execution_.progress({"maximum likelihood", -1});
    if (!std::isfinite(sums_.value))
      throw NumericalError("fit_hawkes", fmt::format("the log-likelihood is {}, expected a finite number", sums_.value));
    const Step step = best_step();
    promised = 0.5 * std::fabs(step.slope);
    const double negligible = std::max(1e-9, 1e-14 * std::fabs(sums_.value));  // rounding in the sums
    const bool was_taken = promised <= negligible ? try_step(step, 1) : advance(step);
    if (promised <= negligible || (!was_taken && promised <= 1e4 * negligible)) return;  // the last step squares what is left
    if (!was_taken) break;
  }
  // What is left is a matter of digits then, a hundredth of a standard error.
  if (must_end && !(promised <= good_enough))
    throw NumericalError("fit_hawkes", fmt::format("after {} steps another promises {:.3g} of log-likelihood, expected at most {:.0e}",
                                                   n_steps_, promised, good_enough));
}

HawkesPoint HawkesNewton::standard_errors() const {
  const std::size_t n_types = events_.n_types(), n = sums_.n_theta();
  HawkesPoint errors{std::vector<double>(n_types * n, nan_value), nan_value};
  const auto is_at_limit = [&](std::size_t i) { return !(point_.theta[i] > 0) || !(sums_.curvature[(i / n * n + i % n) * n + i % n] > 0); };
  std::vector<TypeBlock> blocks;
  double curvature = sums_.decay_curvature;
  for (std::size_t v = 0; v < n_types; ++v) {
    execution_.stop.check();
    blocks.push_back(block_of(sums_, v, is_at_limit));
    if (range_.is_free) curvature -= blocks[v].dot(blocks[v].solve(&sums_.decay_cross[v * n]), &sums_.decay_cross[v * n]);
  }
  const bool is_inside = point_.log_decay > range_.lowest && point_.log_decay < range_.highest;
  const bool has_decay = range_.is_free && is_inside && curvature > 0;
  if (has_decay) errors.log_decay = std::sqrt(1 / curvature);
  for (std::size_t v = 0; v < n_types; ++v) {
    execution_.stop.check();
    if (!blocks[v].is_definite()) continue;
    Eigen::VectorXd variances = blocks[v].inverse_diagonal();
    if (has_decay) variances += blocks[v].solve(&sums_.decay_cross[v * n]).cwiseAbs2() / curvature;
    for (std::size_t i = 0; i < blocks[v].moving().size(); ++i)
      errors.theta[v * n + blocks[v].moving()[i]] = std::sqrt(variances[static_cast<Eigen::Index>(i)]);
  }
  return errors;
}

}  // namespace askrff
