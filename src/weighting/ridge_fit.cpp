// Direct solutions for a ladder of ridges, and the choice among fits of any kind.
#include "weighting/ridge_fit.hpp"

#include <algorithm>
#include <cmath>

#include "core/vectors.hpp"
#include "weighting/non_negative.hpp"

namespace askrff::weighting {

double ParityProblem::squares(std::span<const double> x) const {
  const auto values = waves.times(parity, pairs.differences, x);
  const auto wanted = target();
  double sum = 0;
  for (std::size_t p = 0; p < values.size(); ++p) sum += pairs.weights[p] * (values[p] - wanted[p]) * (values[p] - wanted[p]);
  return sum;
}

bool ParityProblem::is_too_large(std::span<const double> x) const {
  constexpr double max_growth = 20;
  double size = norm_l1(prior);
  for (const double value : target()) size = std::max(size, std::abs(value));
  return norm_l1(x) > max_growth * size;
}

namespace {

class DirectFits final : public RegularisedFits {
 public:
  DirectFits(const ParityProblem& problem, const NormalSystem& system, const Execution& execution)
      : problem_(problem),
        system_(system),
        execution_(execution),
        unit_(system.mean_eigenvalue()),
        right_(system.right),
        is_positive_(system.right.size(), true) {
    const double share = problem.non_negative ? least_share : 1;
    for (std::size_t i = 0; i < right_.size(); ++i) right_[i] -= share * dot(system.gram.row(i), problem.prior);
  }

  std::vector<double> next(double& ridge) override {
    if (!(unit_ > 0) || !std::isfinite(unit_)) return {};  // no pair says anything about this parity
    ridge = ridge_;
    ridge_ /= 10;
    return ridge > 1e-13 ? at(ridge) : std::vector<double>();
  }

  std::vector<double> at(double ridge) override {
    const double shift = ridge * unit_;
    if (problem_.non_negative) {  // (gram + shift)·(x - least) = right - gram·least + shift·(prior - least) where x > least
      std::vector<double> pulled(right_);
      for (std::size_t j = 0; j < pulled.size(); ++j) pulled[j] += shift * (1 - least_share) * problem_.prior[j];
      auto x = solve_non_negative(system_, shift, pulled, is_positive_, execution_);
      for (std::size_t j = 0; j < x.size(); ++j) x[j] += least_share * problem_.prior[j];
      return x;
    }
    auto x = system_.solve(shift, right_, execution_);  // (gram + shift)·(x - prior) = right - gram·prior
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += problem_.prior[j];
    return x;
  }

  int losses_allowed(bool gained) const override { return gained ? 2 : 6; }  // a large ridge may not move the prior at all: no loss yet

 private:
  const ParityProblem& problem_;
  const NormalSystem& system_;
  const Execution& execution_;
  double unit_, ridge_ = 10;
  std::vector<double> right_;
  std::vector<bool> is_positive_;
};

}  // namespace

std::unique_ptr<RegularisedFits> direct_fits(const ParityProblem& problem, const NormalSystem& system, const Execution& execution) {
  return std::make_unique<DirectFits>(problem, system, execution);
}

ParityFit best_fit(RegularisedFits& fits, const ParityProblem& held_out) {
  ParityFit best{{held_out.prior.begin(), held_out.prior.end()}, 0.0, held_out.squares(held_out.prior)};
  bool gained = false;
  double ridge = 0;
  for (int losses = 0; losses < fits.losses_allowed(gained);) {
    auto weights = fits.next(ridge);
    if (weights.empty() || held_out.is_too_large(weights)) break;  // with a smaller ridge they would be larger still
    const double squares = held_out.squares(weights);
    if (squares < best.held_out_squares) {
      best = {std::move(weights), ridge, squares};
      gained = true;
      losses = 0;
    } else {
      ++losses;
    }
  }
  return best;
}

}  // namespace askrff::weighting
