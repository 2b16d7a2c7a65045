// Kernels of work that may be abandoned, and what it leaves behind.
#include "interrupts.hpp"

namespace askrff::python {
namespace {

class WatchedKernel final : public Kernel {
 public:
  WatchedKernel(std::shared_ptr<const Kernel> kernel, std::shared_ptr<Attention> attention)
      : kernel_(std::move(kernel)), attention_(std::move(attention)) {}

  std::string name() const override { return kernel_->name(); }
  bool symmetric() const override { return kernel_->symmetric(); }
  bool positive_definite() const override { return kernel_->positive_definite(); }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    const Attention::Visit visit(*attention_);
    kernel_->evaluate(differences, out);
  }
  void evaluate_pairs(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out, Backend backend) const override {
    const Attention::Visit visit(*attention_);
    kernel_->evaluate_pairs(X, Y, out, backend);
  }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override { return kernel_->measure(dim); }

 private:
  std::shared_ptr<const Kernel> kernel_;
  std::shared_ptr<Attention> attention_;
};

}  // namespace

std::shared_ptr<const Kernel> watched(std::shared_ptr<const Kernel> kernel, std::shared_ptr<Attention> attention) {
  return std::make_shared<WatchedKernel>(std::move(kernel), std::move(attention));
}

void call_later(int (*function)(void*), void* argument) {
  if (nb::is_alive()) Py_AddPendingCall(function, argument);  // of a full queue it would be lost, which is memory and nothing else
}

}  // namespace askrff::python
