// exp(-‖δ‖₁/σ); spectral law: independent Cauchy coordinates of scale 1/σ, without second moment.
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
  double log_density(std::span<const double> omega) const {
    double sum = 0;
    for (const double w : omega) sum += std::log(sigma / std::numbers::pi) - std::log1p((sigma * w) * (sigma * w));
    return sum;
  }
  void draw(RandomStream& random, std::span<double> omega) const {
    for (double& coordinate : omega) {
      const double numerator = random.normal();  // the ratio of two normals is Cauchy
      coordinate = numerator / (random.normal() * sigma);
    }
  }
  std::optional<double> minus_laplacian(std::span<const double>) const { return std::nullopt; }
};

}  // namespace

std::unique_ptr<Kernel> laplacian(SigmaParameters parameters) {
  return std::make_unique<kernels::PositiveKernel<Laplacian>>(Laplacian{parameters.sigma});
}

}  // namespace askrff
