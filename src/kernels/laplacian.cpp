// exp(-‖δ‖₁/σ); spectral law: independent Cauchy coordinates of scale 1/σ, without second moment.
#include <algorithm>
#include <array>
#include <numbers>

#include "askrff/kernels.hpp"
#include "core/vectors.hpp"
#include "kernels/positive_kernel.hpp"

namespace askrff {
namespace {

struct Laplacian {
  double sigma;

  std::string name() const { return "laplacian"; }
  double at(std::span<const double> delta) const { return std::exp(-norm_l1(delta) / sigma); }
  static constexpr auto pair_form = kernels::PairForm::absolute;
  void from_form(std::span<double> values, const kernels::Exponentials& exponentials) const {
    kernels::scaled_exponentials(values, -1 / sigma, exponentials);
  }
  double log_density(std::span<const double> omega) const {
    double sum = 0;
    for (const double w : omega) sum += std::log(sigma / std::numbers::pi) - std::log1p((sigma * w) * (sigma * w));
    return sum;
  }
  double tail(double cut) const { return 2 / std::numbers::pi * std::atan2(1.0, sigma * cut); }
  void draw(RandomStream& random, std::span<double> omega) const {
    std::array<double, 64> normals;
    while (!omega.empty()) {
      const std::size_t count = std::min(omega.size(), normals.size() / 2);
      random.normals(std::span(normals).first(2 * count));
      for (std::size_t i = 0; i < count; ++i) omega[i] = normals[2 * i] / (normals[2 * i + 1] * sigma);  // the ratio of two is Cauchy
      omega = omega.subspan(count);
    }
  }
  static constexpr bool isotropic = false, is_gaussian = false;
  void draw_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const {
    for (std::size_t i = 0; i < omega.size(); ++i) omega[i] = normals[i] / (random.normal() * sigma);
  }
  std::optional<double> minus_laplacian(std::span<const double>) const { return std::nullopt; }
};

}  // namespace

std::unique_ptr<Kernel> laplacian(SigmaParameters parameters) {
  return std::make_unique<kernels::PositiveKernel<Laplacian>>(Laplacian{parameters.sigma});
}

}  // namespace askrff
