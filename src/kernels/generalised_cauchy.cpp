// (1 + (‖δ‖/σ)^a)^(-b/a), 0 < a ≤ 2, b > 0; spectral law: a gamma mixture of stable laws, E over G ~ Gamma(b/a) of that of exp(-G
// (‖δ‖/σ)^a).
#include "askrff/kernels.hpp"
#include "kernels/stable_family.hpp"

namespace askrff {
namespace {

struct GeneralisedCauchy : kernels::StableFamily {
  double power, decay;

  std::string name() const { return "generalised-cauchy"; }
  double value(double x_to_power) const { return std::exp(-decay / power * std::log1p(x_to_power)); }
  double at(std::span<const double> delta) const { return value(std::pow(in_sigmas(delta), power)); }
  void from_form(std::span<double> values, const kernels::Exponentials& exponentials) const {
    const double factor = inverse_square();
    for (double& value : values) value = -decay / power * std::log1p(std::pow(factor * value, 0.5 * power));
    exponentials(values);
  }
  // a = 2, with y = ‖δ‖²/σ²: (b/σ²)(1 + y)^{-b/2-1} (d - (b + 2) y/(1 + y)).
  std::optional<double> minus_laplacian(std::span<const double> delta) const {
    if (power < 2) return std::nullopt;
    const double x = in_sigmas(delta), y = x * x, share = y > 1e300 ? 1 : y / (1 + y);
    return decay / (sigma * sigma) * (value(y) / (1 + y)) * (static_cast<double>(delta.size()) - (decay + 2) * share);
  }
};

}  // namespace

std::unique_ptr<Kernel> generalised_cauchy(DecayParameters p) {
  const std::string name = "generalised-cauchy";
  kernels::positive_scale(p.sigma, name, "sigma");
  kernels::checked_power(p.power, name);
  kernels::within(p.decay, 0.01, 1000, name, "decay");
  return std::make_unique<kernels::PositiveKernel<GeneralisedCauchy>>(
      GeneralisedCauchy{{p.sigma, p.sigma, measures::StableMixture(p.power, p.decay / p.power)}, p.power, p.decay});
}

}  // namespace askrff
