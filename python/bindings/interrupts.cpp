// A kernel that looks at signals.
#include "interrupts.hpp"

#include <utility>

namespace askrff::python {
namespace {

class WatchedKernel final : public Kernel {
 public:
  explicit WatchedKernel(std::shared_ptr<const Kernel> kernel) : kernel_(std::move(kernel)) {}

  std::string name() const override { return kernel_->name(); }
  bool symmetric() const override { return kernel_->symmetric(); }
  bool positive_definite() const override { return kernel_->positive_definite(); }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    interrupts_.check();
    kernel_->evaluate(differences, out);
  }
  void evaluate_pairs(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out, Backend backend) const override {
    interrupts_.check();
    kernel_->evaluate_pairs(X, Y, out, backend);
  }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override { return kernel_->measure(dim); }

 private:
  std::shared_ptr<const Kernel> kernel_;
  mutable Interrupts interrupts_;  // changes on its own thread only
};

}  // namespace

std::shared_ptr<const Kernel> watched(std::shared_ptr<const Kernel> kernel) { return std::make_shared<WatchedKernel>(std::move(kernel)); }

}  // namespace askrff::python
