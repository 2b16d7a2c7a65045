// A user's kernel outside the registry, as a user would write it: causal gamma, k(δ) = δ^{a-1} e^{-δ} for δ > 0, else 0, in one dimension.
#pragma once

#include <cmath>
#include <numbers>

#include "askrff/kernels.hpp"

namespace askrff::test {

/// How much its measure tells the library.
enum class Knows { density, proposal, moments };

/// μ(ω) = Γ(a)/2π · (1 + iω)^{-a}. |μ| is a Student law with a - 1 degrees of freedom, which is also the proposal.
class CausalGammaMeasure final : public ComplexMeasure {
 public:
  explicit CausalGammaMeasure(double a, Knows knows = Knows::proposal) : a_(a), knows_(knows) {}
  std::size_t dim() const override { return 1; }
  std::vector<Part> parts() const override { return {all_parts.begin(), all_parts.end()}; }
  std::complex<double> density(std::span<const double> omega) const override {
    return std::tgamma(a_) / (2 * std::numbers::pi) * std::pow(std::complex<double>(1, omega[0]), -a_);
  }
  std::optional<double> proposal_bound(Part) const override {
    return knows_ == Knows::density ? std::nullopt : std::optional<double>(total());
  }
  void propose(RandomStream& random, std::span<double> omega) const override {
    const double z = random.normal();
    omega[0] = z / std::sqrt(random.chi_squared(a_ - 1));
  }
  std::complex<double> proposal_ratio(std::span<const double> omega) const override {
    const double phase = -a_ * std::atan(omega[0]);
    return total() * std::complex<double>(std::cos(phase), std::sin(phase));
  }
  /// Known for a = 2, where all three masses are 1/2π; second moments do not exist.
  std::optional<PartMoments> exact_moments(Part) const override {
    if (knows_ != Knows::moments || a_ != 2) return std::nullopt;
    return PartMoments{.mass = 1 / (2 * std::numbers::pi), .log_mass = -std::log(2 * std::numbers::pi), .second_moment = {}};
  }
  double total() const { return std::tgamma(a_) / (2 * std::sqrt(std::numbers::pi)) * std::tgamma((a_ - 1) / 2) / std::tgamma(a_ / 2); }

 private:
  double a_;
  Knows knows_;
};

class CausalGamma final : public Kernel {
 public:
  explicit CausalGamma(double a, Knows knows = Knows::proposal) : a_(a), knows_(knows) {}
  std::string name() const override { return "causal-gamma"; }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double delta = differences(i, 0);
      out[i] = delta > 0 ? std::pow(delta, a_ - 1) * std::exp(-delta) : 0.0;
    }
  }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override {
    if (dim != 1) throw std::invalid_argument("causal-gamma lives in one dimension");
    return std::make_unique<CausalGammaMeasure>(a_, knows_);
  }

 private:
  double a_;
  Knows knows_;
};

}  // namespace askrff::test
