// The measure of a user: k(δ) = δ^{a-1} e^{-δ} for δ > 0, else 0, in one dimension. For a = 1 the kernel jumps and has no finite total mass.
#pragma once

#include <cmath>
#include <numbers>

#include "askrff/measure.hpp"

namespace askrff::test {

/// μ(ω) = Γ(a)/2π · (1 + iω)^{-a}; |μ| is a Student law with a - 1 degrees of freedom, which is also the proposal.
class CausalGammaMeasure final : public ComplexMeasure {
 public:
  explicit CausalGammaMeasure(double a) : a_(a) {}
  std::size_t dim() const override { return 1; }
  std::vector<Part> parts() const override { return {all_parts.begin(), all_parts.end()}; }
  std::complex<double> density(std::span<const double> omega) const override {
    return std::tgamma(a_) / (2 * std::numbers::pi) * std::pow(std::complex<double>(1, omega[0]), -a_);
  }
  std::optional<double> exact_total_variation() const override {
    return std::tgamma(a_) / (2 * std::numbers::pi) * std::sqrt(std::numbers::pi) * std::tgamma((a_ - 1) / 2) / std::tgamma(a_ / 2);
  }
  std::optional<double> proposal_bound(Part) const override { return exact_total_variation(); }
  void propose(RandomStream& random, std::span<double> omega) const override {
    const double z = random.normal();
    omega[0] = z / std::sqrt(random.chi_squared(a_ - 1));
  }
  std::complex<double> proposal_ratio(std::span<const double> omega) const override {
    const double phase = -a_ * std::atan(omega[0]);
    return *exact_total_variation() * std::complex<double>(std::cos(phase), std::sin(phase));
  }

 private:
  double a_;
};

}  // namespace askrff::test
