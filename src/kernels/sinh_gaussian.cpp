// exp(-‖δ‖²/2σ²)(1 + sinh β·δ): a Gaussian with a skew part; a = σ²β.
#include "kernels/ridge_kernel.hpp"

namespace askrff {
namespace {

class SinhGaussian final : public kernels::RidgeKernel {
 public:
  explicit SinhGaussian(BetaParameters p) : kernels::RidgeKernel(p.sigma, std::move(p.beta), "sinh-gaussian", "beta") {}
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    const auto beta = vector_in(differences.cols());
    kernels::evaluate_rows(differences, out, [&](std::span<const double> delta) {
      const double q = kernels::half_scaled_square(delta, sigma_), b = dot(beta, delta);
      // For large b the Gaussian goes inside, so that sinh does not overflow where the product is finite.
      if (std::fabs(b) > 1) return std::exp(-q) + 0.5 * (std::exp(b - q) - std::exp(-b - q));
      return std::exp(-q) * (1 + std::sinh(b));
    });
  }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override {
    return std::make_unique<measures::RidgeGaussian>(name(), sigma_, skew_ridge(dim), measures::sinh_profile);
  }
};

}  // namespace

std::unique_ptr<Kernel> sinh_gaussian(BetaParameters parameters) { return std::make_unique<SinhGaussian>(std::move(parameters)); }

}  // namespace askrff
