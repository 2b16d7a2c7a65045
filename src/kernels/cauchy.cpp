// Π 1/(1 + δ_i²/σ²); spectral law: independent Laplace coordinates of scale 1/σ.
#include "askrff/kernels.hpp"
#include "core/vectors.hpp"
#include "kernels/positive_kernel.hpp"

namespace askrff {
namespace {

struct Cauchy {
  double sigma;

  std::string name() const { return "cauchy"; }
  double at(std::span<const double> delta) const {
    double product = 1;
    for (const double x : delta) product /= 1 + (x / sigma) * (x / sigma);
    return product;
  }
  double log_density(std::span<const double> omega) const {
    return static_cast<double>(omega.size()) * std::log(sigma / 2) - sigma * norm_l1(omega);
  }
  void draw(RandomStream& random, std::span<double> omega) const {
    for (double& coordinate : omega) {
      const double size = random.exponential() / sigma;
      coordinate = random.coin() ? size : -size;
    }
  }
  // Each coordinate contributes -f''/f = 2/σ² · (1 - 3x²/σ²)/(1 + x²/σ²)².
  std::optional<double> minus_laplacian(std::span<const double> delta) const {
    double sum = 0;
    for (const double x : delta) {
      const double y = (x / sigma) * (x / sigma);
      sum += 2 / (sigma * sigma) * (1 - 3 * y) / ((1 + y) * (1 + y));
    }
    const double k = at(delta);
    return k > 0 ? sum * k : 0.0;
  }
};

}  // namespace

std::unique_ptr<Kernel> cauchy(SigmaParameters parameters) {
  return std::make_unique<kernels::PositiveKernel<Cauchy>>(Cauchy{parameters.sigma});
}

}  // namespace askrff
