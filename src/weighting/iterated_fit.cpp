// Fits for more frequencies than a matrix of them fits into memory: products with waves that are not stored, and the number of steps in
// place of the ridge.
#include <algorithm>
#include <cmath>

#include "core/vectors.hpp"
#include "weighting/ridge_fit.hpp"

namespace askrff::weighting {
namespace {

constexpr int max_steps = 200, steps_per_fit = 2;

class IteratedFits : public RegularisedFits {
 public:
  explicit IteratedFits(const ParityProblem& problem) : problem_(problem), x_(problem.prior.begin(), problem.prior.end()) {}

  std::vector<double> next(double& ridge) final {
    const int last = steps_ + steps_per_fit;
    while (steps_ < last && steps_ < max_steps && step()) ++steps_;
    if (steps_ < last) return {};
    ridge = 1.0 / steps_;
    return x_;
  }

  std::vector<double> at(double ridge) final {
    while (steps_ < std::lround(1 / ridge) && step()) ++steps_;
    return x_;
  }

  int losses_allowed(bool) const final { return 2; }

 protected:
  /// One step of x; false if there is none left.
  virtual bool step() = 0;

  std::vector<double> product(std::span<const double> x) const { return problem_.waves.times(problem_.parity, pairs().differences, x); }
  /// AᵀW·v.
  std::vector<double> weighted_transposed(std::vector<double> v) const {
    for (std::size_t p = 0; p < v.size(); ++p) v[p] *= pairs().weights[p];
    return problem_.waves.transposed_times(problem_.parity, pairs().differences, v);
  }
  /// y - A·x.
  std::vector<double> residual(std::span<const double> x) const {
    auto left = product(x);
    const auto wanted = problem_.target();
    for (std::size_t p = 0; p < left.size(); ++p) left[p] = wanted[p] - left[p];
    return left;
  }
  /// vᵀWv.
  double weighted_square(std::span<const double> v) const {
    double sum = 0;
    for (std::size_t p = 0; p < v.size(); ++p) sum += pairs().weights[p] * v[p] * v[p];
    return sum;
  }
  const PairSample& pairs() const { return problem_.pairs; }

  const ParityProblem& problem_;
  std::vector<double> x_;

 private:
  int steps_ = 0;
};

class ConjugateGradients final : public IteratedFits {
 public:
  explicit ConjugateGradients(const ParityProblem& problem)
      : IteratedFits(problem),
        left_(residual(x_)),
        gradient_(weighted_transposed(left_)),
        direction_(gradient_),
        square_(squared_norm(gradient_)) {}

 private:
  bool step() override {
    if (!(square_ > 0)) return false;
    const auto moved = product(direction_);
    const double curvature = weighted_square(moved);
    if (!(curvature > 0)) return false;
    const double length = square_ / curvature;
    for (std::size_t j = 0; j < x_.size(); ++j) x_[j] += length * direction_[j];
    for (std::size_t p = 0; p < left_.size(); ++p) left_[p] -= length * moved[p];
    gradient_ = weighted_transposed(left_);
    const double next_square = squared_norm(gradient_), keep = next_square / square_;
    square_ = next_square;
    for (std::size_t j = 0; j < x_.size(); ++j) direction_[j] = gradient_[j] + keep * direction_[j];
    return true;
  }

  std::vector<double> left_, gradient_, direction_;
  double square_;
};

/// Gradient steps as long as the largest eigenvalue allows, cut at the least weight; with momentum, which is dropped whenever it points
/// uphill (Nesterov's method with the restart of O'Donoghue and Candès, 2015).
class ProjectedGradients final : public IteratedFits {
 public:
  explicit ProjectedGradients(const ParityProblem& problem) : IteratedFits(problem), ahead_(x_) {}

 private:
  bool step() override {
    const auto gradient = weighted_transposed(residual(ahead_));  // of descent
    if (inverse_length_ == 0) inverse_length_ = largest_eigenvalue(gradient);
    if (!(inverse_length_ > 0)) return false;
    std::vector<double> moved(x_.size());
    double uphill = 0;
    for (std::size_t j = 0; j < x_.size(); ++j) {
      moved[j] = std::max(least_share * problem_.prior[j], ahead_[j] + gradient[j] / inverse_length_);
      uphill += (ahead_[j] - moved[j]) * (moved[j] - x_[j]);
    }
    if (uphill > 0) momentum_ = 1;
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * momentum_ * momentum_)), keep = (momentum_ - 1) / next;
    momentum_ = next;
    for (std::size_t j = 0; j < x_.size(); ++j) ahead_[j] = moved[j] + keep * (moved[j] - x_[j]);
    x_ = std::move(moved);
    return true;
  }

  /// Of AᵀWA, by power iteration, a little enlarged: it is found from below.
  double largest_eigenvalue(std::vector<double> v) const {
    double value = 0;
    for (int round = 0; round < 12; ++round) {
      const double length = std::sqrt(squared_norm(v));
      if (!(length > 0)) return 0;
      for (double& entry : v) entry /= length;
      v = weighted_transposed(product(v));
      value = std::sqrt(squared_norm(v));
    }
    return 1.1 * value;
  }

  std::vector<double> ahead_;
  double inverse_length_ = 0, momentum_ = 1;
};

}  // namespace

std::unique_ptr<RegularisedFits> iterated_fits(const ParityProblem& problem) {
  if (problem.non_negative) return std::make_unique<ProjectedGradients>(problem);
  return std::make_unique<ConjugateGradients>(problem);
}

}  // namespace askrff::weighting
