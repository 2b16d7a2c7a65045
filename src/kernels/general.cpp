// Kernels of pairs of rows that have no differences.
#include "askrff/pair_kernel.hpp"

#include <fmt/format.h>

#include "askrff/errors.hpp"
#include "core/checks.hpp"

namespace askrff {
namespace {

class FunctionOfPairs final : public GeneralKernel {
 public:
  FunctionOfPairs(PairFunction function, GeneralForm form) : function_(std::move(function)), form_(std::move(form)) {
    if (!function_) throw InvalidArgument("pair_kernel", "no function, expected one of blocks of rows");
  }

  std::string name() const override { return form_.name; }
  bool symmetric() const override { return form_.symmetric; }
  bool positive_definite() const override { return form_.positive_definite; }
  bool thread_safe() const override { return form_.thread_safe; }
  void evaluate_pairs(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out, Backend) const override {
    require_columns(Y, X.cols(), "pair_kernel", "Y", "X has");
    require_shape(out, X.rows(), Y.rows(), "pair_kernel", "out");
    if (!out.empty()) function_(X, Y, out);
  }

 private:
  PairFunction function_;
  GeneralForm form_;
};

}  // namespace

void GeneralKernel::evaluate(MatrixView<const double>, std::span<double>) const {
  throw InvalidArgument(name(),
                        "k(x, y) is no function of x - y, so it has no values of differences: expected pairs of rows, as the "
                        "estimator nystrom takes them");
}

std::unique_ptr<Kernel> pair_kernel(PairFunction function, GeneralForm form) {
  return std::make_unique<FunctionOfPairs>(std::move(function), std::move(form));
}

void require_shift_invariant(const Kernel& kernel, std::string_view who) {
  if (!kernel.shift_invariant())
    throw InvalidArgument(who,
                          fmt::format("kernel {} is no function of x - y and has no frequencies: expected the estimator nystrom, which "
                                      "takes pairs of rows",
                                      kernel.name()));
}

}  // namespace askrff
