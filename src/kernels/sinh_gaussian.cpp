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
      if (std::isinf(q)) return 0.0;  // b may have overflowed as well, but is far smaller
      // For large b the Gaussian goes inside, so that sinh does not overflow where the product is finite.
      if (std::fabs(b) > 1) return std::exp(-q) + 0.5 * (std::exp(b - q) - std::exp(-b - q));
      return std::exp(-q) * (1 + std::sinh(b));
    });
  }
  // e^{-q} + (e^{b-q} - e^{-b-q})/2 for every b: nothing overflows where the value is finite, and the error, (dim + 8)·2^-52·(1 + q + |b|)
  // times e^{-q}(1 + cosh b), is no larger than with sinh, because the 1 it is added to hides the digits sinh keeps for small b.
  void fill_values(const kernels::PairRows& rows, MatrixView<double> out, Backend backend) const override {
    std::vector<double> falling(out.cols());
    fill_ridge_values(rows, out, backend,
                      [&](std::span<double> plain, std::span<double> rising, const kernels::Exponentials& exponentials) {
                        for (std::size_t j = 0; j < plain.size(); ++j) {
                          falling[j] = plain[j] - rising[j];
                          rising[j] += plain[j];
                        }
                        exponentials(plain);
                        exponentials(rising);
                        exponentials(falling);
                        for (std::size_t j = 0; j < plain.size(); ++j) plain[j] += 0.5 * (rising[j] - falling[j]);
                      });
  }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override {
    return std::make_unique<measures::RidgeGaussian>(name(), sigma_, skew_ridge(dim), measures::sinh_profile);
  }
};

}  // namespace

std::unique_ptr<Kernel> sinh_gaussian(BetaParameters parameters) { return std::make_unique<SinhGaussian>(std::move(parameters)); }

}  // namespace askrff
