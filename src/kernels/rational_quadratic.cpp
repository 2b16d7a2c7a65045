// (1 + ‖δ‖²/2ασ²)^-α: Gaussians of all widths; spectral law: N(0, G/(ασ²) I), G ~ Gamma(α).
#include "askrff/kernels.hpp"
#include "kernels/stable_family.hpp"

namespace askrff {
namespace {

struct RationalQuadratic : kernels::StableFamily {
  double alpha;

  std::string name() const { return "rational-quadratic"; }
  double value(double square) const { return std::exp(-alpha * std::log1p(square / (2 * alpha))); }
  double at(std::span<const double> delta) const {
    const double x = in_sigmas(delta);
    return value(x * x);
  }
  void from_form(std::span<double> values, const kernels::Exponentials& exponentials) const {
    const double factor = inverse_square() / (2 * alpha);
    for (double& value : values) value = -alpha * std::log1p(factor * value);
    exponentials(values);
  }
  // With q = ‖δ‖²/2ασ²: (1/σ²)(1 + q)^{-α-1} (d - 2(α + 1) q/(1 + q)).
  std::optional<double> minus_laplacian(std::span<const double> delta) const {
    const double x = in_sigmas(delta), q = x * x / (2 * alpha), share = q > 1e300 ? 1 : q / (1 + q);
    return (value(x * x) / (1 + q)) * (static_cast<double>(delta.size()) - 2 * (alpha + 1) * share) / (sigma * sigma);
  }
};

}  // namespace

std::unique_ptr<Kernel> rational_quadratic(AlphaParameters p) {
  kernels::positive_scale(p.sigma, "rational-quadratic", "sigma");
  kernels::within(p.alpha, 0.01, 1e4, "rational-quadratic", "alpha");
  return std::make_unique<kernels::PositiveKernel<RationalQuadratic>>(
      RationalQuadratic{{p.sigma, p.sigma * std::sqrt(2 * p.alpha), measures::StableMixture(2, p.alpha)}, p.alpha});
}

}  // namespace askrff
