// exp(-‖δ‖²/2σ²)·exp(β·δ): e^{σ²‖β‖²/2} times a Gaussian moved by -σ²β; a = σ²β.
#include "kernels/ridge_kernel.hpp"

namespace askrff {
namespace {

class CoshGaussian final : public kernels::RidgeKernel {
 public:
  explicit CoshGaussian(BetaParameters p) : kernels::RidgeKernel(p.sigma, std::move(p.beta), "cosh-gaussian", "beta") {}
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    const auto beta = vector_in(differences.cols());
    kernels::evaluate_rows(differences, out, [&](std::span<const double> delta) {
      const double q = kernels::half_scaled_square(delta, sigma_);
      return std::isinf(q) ? 0.0 : std::exp(dot(beta, delta) - q);  // β·δ may have overflowed as well, but is far smaller
    });
  }
  // Relative error (dim + 8)·2^-52·(q + |b|).
  void fill_values(const kernels::PairRows& rows, MatrixView<double> out, Backend backend) const override {
    fill_ridge_values(rows, out, backend, [](std::span<double> exponents, std::span<double> b, const kernels::Exponentials& exponentials) {
      for (std::size_t j = 0; j < b.size(); ++j) exponents[j] += b[j];
      exponentials(exponents);
    });
  }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override {
    return std::make_unique<measures::RidgeGaussian>(name(), sigma_, skew_ridge(dim), measures::cosh_profile);
  }
};

}  // namespace

std::unique_ptr<Kernel> cosh_gaussian(BetaParameters parameters) { return std::make_unique<CoshGaussian>(std::move(parameters)); }

}  // namespace askrff
