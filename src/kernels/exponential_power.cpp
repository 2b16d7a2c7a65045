// exp(-(‖δ‖/σ)^a), 0 < a ≤ 2; spectral law: rotation invariant stable of index a, without second moment unless a = 2.
#include "askrff/kernels.hpp"
#include "kernels/stable_family.hpp"

namespace askrff {
namespace {

struct ExponentialPower : kernels::StableFamily {
  double power;

  std::string name() const { return "exponential-power"; }
  double at(std::span<const double> delta) const { return std::exp(-std::pow(in_sigmas(delta), power)); }
  void from_form(std::span<double> values, const kernels::Exponentials& exponentials) const {
    const double factor = inverse_square();
    for (double& value : values) value = -std::pow(factor * value, 0.5 * power);
    exponentials(values);
  }
  std::optional<double> minus_laplacian(std::span<const double> delta) const {
    if (power < 2) return std::nullopt;
    const double x = in_sigmas(delta), k = at(delta);
    return k > 0 ? (2 * static_cast<double>(delta.size()) - 4 * x * x) / (sigma * sigma) * k : 0.0;
  }
};

}  // namespace

std::unique_ptr<Kernel> exponential_power(PowerParameters p) {
  kernels::positive_scale(p.sigma, "exponential-power", "sigma");
  kernels::checked_power(p.power, "exponential-power");
  return std::make_unique<kernels::PositiveKernel<ExponentialPower>>(
      ExponentialPower{{p.sigma, p.sigma, measures::StableMixture(p.power, 0)}, p.power});
}

}  // namespace askrff
