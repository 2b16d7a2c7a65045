// exp(-‖δ‖²/2σ²); spectral law N(0, I/σ²).
#include <numbers>

#include "askrff/kernels.hpp"
#include "core/vectors.hpp"
#include "kernels/positive_kernel.hpp"
#include "measures/ridge_gaussian.hpp"

namespace askrff {
namespace {

struct Gaussian {
  double sigma;

  std::string name() const { return "gaussian"; }
  double at(std::span<const double> delta) const { return std::exp(-kernels::half_scaled_square(delta, sigma)); }
  static constexpr auto pair_form = kernels::PairForm::squared;
  void from_form(std::span<double> values, const kernels::Exponentials& exponentials) const {
    kernels::scaled_exponentials(values, kernels::gaussian_factor(sigma), exponentials);
  }
  double log_density(std::span<const double> omega) const {
    return static_cast<double>(omega.size()) * std::log(sigma / std::sqrt(2 * std::numbers::pi)) -
           0.5 * sigma * sigma * squared_norm(omega);
  }
  double tail(double cut) const { return std::erfc(sigma * cut / std::numbers::sqrt2); }
  void draw(RandomStream& random, std::span<double> omega) const {
    random.normals(omega);
    for (double& coordinate : omega) coordinate /= sigma;
  }
  static constexpr bool isotropic = true, is_gaussian = true;
  void draw_from(std::span<const double> normals, RandomStream&, std::span<double> omega) const {
    for (std::size_t i = 0; i < omega.size(); ++i) omega[i] = normals[i] / sigma;
  }
  std::optional<double> minus_laplacian(std::span<const double> delta) const {
    const double q = kernels::half_scaled_square(delta, sigma);
    return (static_cast<double>(delta.size()) - 2 * q) / (sigma * sigma) * std::exp(-q);
  }
  // A shifted Gaussian is the ridge measure of shift-gaussian, with exact draws of every part in any dimension.
  std::unique_ptr<const ComplexMeasure> shifted_by(const std::vector<double>& shift) const {
    return std::make_unique<measures::RidgeGaussian>("shifted:gaussian", sigma, shift, measures::shift_profile);
  }
};

}  // namespace

std::unique_ptr<Kernel> gaussian(SigmaParameters parameters) {
  return std::make_unique<kernels::PositiveKernel<Gaussian>>(Gaussian{parameters.sigma});
}

}  // namespace askrff
