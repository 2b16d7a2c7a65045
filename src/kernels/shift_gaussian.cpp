// exp(-‖δ + r‖²/2σ²): a Gaussian moved by r; a = r.
#include "kernels/ridge_kernel.hpp"

namespace askrff {
namespace {

class ShiftGaussian final : public kernels::RidgeKernel {
 public:
  explicit ShiftGaussian(ShiftParameters p) : kernels::RidgeKernel(p.sigma, std::move(p.shift), "shift-gaussian", "shift") {}
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    const auto shift = vector_in(differences.cols());
    kernels::evaluate_rows(differences, out, [&](std::span<const double> delta) {
      double squares = 0;
      for (std::size_t i = 0; i < delta.size(); ++i) {
        const double x = (delta[i] + shift[i]) / sigma_;
        squares += x * x;
      }
      return std::exp(-0.5 * squares);
    });
  }
  void fill_values(const kernels::PairRows& rows, MatrixView<double> out, Backend backend) const override {
    const auto exponentials = kernels::fill_with_form(kernels::PairForm::squared, rows.moved(vector_in(rows.dim())), out, backend);
    for (std::size_t i = 0; i < out.rows(); ++i) kernels::scaled_exponentials(out.row(i), kernels::gaussian_factor(sigma_), exponentials);
  }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override {
    return std::make_unique<measures::RidgeGaussian>(name(), sigma_, vector_in(dim), measures::shift_profile);
  }
};

}  // namespace

std::unique_ptr<Kernel> shift_gaussian(ShiftParameters parameters) { return std::make_unique<ShiftGaussian>(std::move(parameters)); }

}  // namespace askrff
