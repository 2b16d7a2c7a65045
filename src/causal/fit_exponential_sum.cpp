// A user's φ as a sum of few exponentials: one more where it helps most, then all of them moved to the least sum of squares.
#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "askrff/causal.hpp"
#include "askrff/errors.hpp"

namespace askrff {
namespace {

/// Times between shortest and horizon: half of them equally spaced, half of them by logarithm.
std::vector<double> fit_times(double shortest, double horizon, std::size_t n) {
  std::vector<double> times;
  for (std::size_t i = 0; i < n; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(n - 1);
    times.push_back(shortest + (horizon - shortest) * share);
    times.push_back(std::clamp(shortest * std::exp(share * std::log(horizon / shortest)), shortest, horizon));
  }
  return times;
}

Eigen::VectorXd values_at(const TimeFunction& phi, const std::vector<double>& times) {
  std::vector<double> values(times.size());
  phi(times, values);
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!std::isfinite(values[i]))
      throw InvalidArgument("fit_exponential_sum", fmt::format("φ({}) is {}, expected a finite number", times[i], values[i]));
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

/// Columns e^{-b t} for the logarithms of some rates.
Eigen::MatrixXd exponentials(const Eigen::VectorXd& times, const Eigen::VectorXd& log_rates) {
  return (-times * log_rates.array().exp().matrix().transpose()).array().exp();
}

class ExponentialFitter {
 public:
  ExponentialFitter(const std::vector<double>& times, Eigen::VectorXd values, double shortest, double horizon)
      : times_(Eigen::Map<const Eigen::VectorXd>(times.data(), static_cast<Eigen::Index>(times.size()))),
        values_(std::move(values)),
        lowest_(std::log(0.01 / horizon)),
        highest_(std::log(30 / shortest)) {
    const auto n = static_cast<Eigen::Index>(std::ceil((highest_ - lowest_) * 4)) + 1;
    candidates_ = Eigen::VectorXd::LinSpaced(n, lowest_, highest_);
    columns_ = exponentials(times_, candidates_);
  }

  /// One exponential more: the candidate whose part outside those there are fits the rest best.
  void grow() {
    const Eigen::VectorXd rest = values_ - fitted(log_rates_, amplitudes_);
    Eigen::MatrixXd outside = columns_;
    if (log_rates_.size() > 0) {
      const Eigen::HouseholderQR<Eigen::MatrixXd> qr(exponentials(times_, log_rates_));
      const Eigen::MatrixXd basis = qr.householderQ() * Eigen::MatrixXd::Identity(times_.size(), log_rates_.size());
      for (int twice = 0; twice < 2; ++twice) outside -= basis * (basis.transpose() * outside);
    }
    Eigen::Index best = 0;
    double most = -1;
    for (Eigen::Index j = 0; j < outside.cols(); ++j) {
      const double length = outside.col(j).norm();
      if (length < 1e-7 * columns_.col(j).norm()) continue;  // as good as there already
      const double gain = std::fabs(outside.col(j).dot(rest)) / length;
      if (gain > most) {
        most = gain;
        best = j;
      }
    }
    log_rates_.conservativeResize(log_rates_.size() + 1);
    log_rates_[log_rates_.size() - 1] = candidates_[best];
    solve_amplitudes();
  }

  /// Levenberg's and Marquardt's steps in the rates, amplitudes following by least squares, as long as they help.
  void improve(const StopToken& stop) {
    double damping = 1e-3, squares = rest_of(log_rates_, amplitudes_).squaredNorm();
    for (int step = 0; step < 60 && damping < 1e8; ++step) {
      stop.check();
      const Eigen::VectorXd next_rates = damped_step(damping);
      const Eigen::VectorXd next_amplitudes = amplitudes_of(next_rates);
      const double next = rest_of(next_rates, next_amplitudes).squaredNorm();
      if (!(next < squares)) {
        damping *= 10;
        continue;
      }
      const bool is_little = next > (1 - 1e-4) * squares;
      log_rates_ = next_rates;
      amplitudes_ = next_amplitudes;
      squares = next;
      damping = std::max(1e-12, damping / 5);
      if (is_little) return;
    }
  }

  ExponentialSum sum() const {
    ExponentialSum sum;
    std::vector<Eigen::Index> order(static_cast<std::size_t>(log_rates_.size()));
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<Eigen::Index>(k);
    std::ranges::sort(order, {}, [&](Eigen::Index k) { return log_rates_[k]; });
    for (const Eigen::Index k : order) {
      sum.amplitudes.push_back(amplitudes_[k]);
      sum.rates.push_back(std::exp(log_rates_[k]));
    }
    return sum;
  }

 private:
  Eigen::VectorXd fitted(const Eigen::VectorXd& log_rates, const Eigen::VectorXd& amplitudes) const {
    if (log_rates.size() == 0) return Eigen::VectorXd::Zero(times_.size());
    return exponentials(times_, log_rates) * amplitudes;
  }
  Eigen::VectorXd rest_of(const Eigen::VectorXd& log_rates, const Eigen::VectorXd& amplitudes) const {
    return values_ - fitted(log_rates, amplitudes);
  }
  Eigen::VectorXd amplitudes_of(const Eigen::VectorXd& log_rates) const {
    return Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(exponentials(times_, log_rates)).solve(values_);
  }
  void solve_amplitudes() { amplitudes_ = amplitudes_of(log_rates_); }

  /// Rates after a step: least squares in rates and amplitudes together, each column of length 1, with a damping of rates.
  Eigen::VectorXd damped_step(double damping) const {
    const Eigen::Index n = log_rates_.size(), m = times_.size();
    const Eigen::MatrixXd waves = exponentials(times_, log_rates_);
    Eigen::MatrixXd system = Eigen::MatrixXd::Zero(m + n, 2 * n);
    Eigen::VectorXd scales(2 * n);
    system.topLeftCorner(m, n) = waves;
    for (Eigen::Index k = 0; k < n; ++k)
      system.col(n + k).head(m) = -amplitudes_[k] * std::exp(log_rates_[k]) * times_.cwiseProduct(waves.col(k));
    for (Eigen::Index j = 0; j < 2 * n; ++j) {
      scales[j] = std::max(system.col(j).norm(), 1e-300);
      system.col(j) /= scales[j];
    }
    for (Eigen::Index k = 0; k < n; ++k) system(m + k, n + k) = std::sqrt(damping);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(m + n);
    right.head(m) = rest_of(log_rates_, amplitudes_);
    const Eigen::VectorXd step = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(system).solve(right).cwiseQuotient(scales);
    const Eigen::VectorXd moved = step.tail(n).cwiseMax(-1.0).cwiseMin(1.0) + log_rates_;
    return moved.cwiseMax(lowest_).cwiseMin(highest_);
  }

  Eigen::VectorXd times_, values_;
  double lowest_, highest_;
  Eigen::VectorXd candidates_, log_rates_, amplitudes_;
  Eigen::MatrixXd columns_;
};

ExponentialFitOptions checked(double horizon, ExponentialFitOptions options) {
  constexpr const char* who = "fit_exponential_sum";
  if (!(horizon >= 1e-200 && horizon <= 1e200))
    throw InvalidArgument(who, fmt::format("the horizon is {}, expected a number from 1e-200 to 1e200", horizon));
  if (!(options.tolerance >= 1e-12 && options.tolerance <= 1))
    throw InvalidArgument(who, fmt::format("the tolerance is {}, expected a number from 1e-12 to 1", options.tolerance));
  if (options.max_terms < 1 || options.max_terms > 100)
    throw InvalidArgument(who, fmt::format("max_terms is {}, expected 1 to 100", options.max_terms));
  if (options.shortest == 0) options.shortest = 1e-6 * horizon;
  if (!(options.shortest >= 1e-12 * horizon && options.shortest < horizon))
    throw InvalidArgument(who, fmt::format("the shortest time is {}, expected 1e-12 of the horizon, {}, or more, and less than it",
                                           options.shortest, horizon));
  return options;
}

}  // namespace

ExponentialFit fit_exponential_sum(const TimeFunction& phi, double horizon, const ExponentialFitOptions& wanted,
                                   const Execution& execution) {
  const ExponentialFitOptions options = checked(horizon, wanted);
  const std::vector<double> times = fit_times(options.shortest, horizon, 250), judges = fit_times(options.shortest, horizon, 1001);
  const Eigen::VectorXd values = values_at(phi, times), judged = values_at(phi, judges);
  const double largest = std::max(values.cwiseAbs().maxCoeff(), judged.cwiseAbs().maxCoeff());
  if (largest == 0) return {{{0.0}, {1 / horizon}}, 0};
  ExponentialFitter fitter(times, values / largest, options.shortest, horizon);
  ExponentialFit best{{}, std::numeric_limits<double>::infinity()};
  for (std::size_t n = 1; n <= options.max_terms; ++n) {
    fitter.grow();
    fitter.improve(execution.stop);
    if (execution.progress) execution.progress({"exponentials", static_cast<double>(n) / static_cast<double>(options.max_terms)});
    ExponentialFit fit{fitter.sum(), 0};
    for (std::size_t i = 0; i < judges.size(); ++i)
      fit.error = std::max(fit.error, std::fabs(fit.sum.value(judges[i]) - judged[static_cast<Eigen::Index>(i)] / largest));
    for (double& amplitude : fit.sum.amplitudes) amplitude *= largest;
    if (fit.error < best.error) best = fit;
    if (best.error <= options.tolerance) return best;
  }
  throw NumericalError("fit_exponential_sum",
                       fmt::format("{} exponentials come within {:.3g} of the largest value of φ, expected {:.3g}; allow more of "
                                   "them, a larger tolerance or a later shortest time",
                                   best.sum.size(), best.error, options.tolerance));
}

}  // namespace askrff
