// k(δ + r) for any symmetric k.
#include "askrff/kernels.hpp"
#include "askrff/errors.hpp"
#include "kernels/pairs.hpp"
#include "measures/positive_measure.hpp"
#include "measures/shifted_measure.hpp"

namespace askrff {
namespace {

class Shifted final : public kernels::PairKernel {
 public:
  Shifted(std::unique_ptr<Kernel> base, CoordinateParameter shift) : base_(std::move(base)), shift_(std::move(shift)) {
    if (!base_) throw InvalidArgument("shifted", "no kernel given");
    if (!base_->symmetric())
      throw InvalidArgument("shifted", "" + base_->name() + " is not symmetric; only a symmetric kernel can be shifted");
    if (!base_->shift_invariant())
      throw InvalidArgument("shifted", base_->name() + " is no function of x - y; only such a kernel can be shifted");
    shift_.require_finite(name(), "shift");
  }

  std::string name() const override { return "shifted:" + base_->name(); }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    const kernels::PairRows rows(differences, {});
    base_->evaluate(rows.moved(shift_.expand(differences.cols(), name(), "shift")).X().dense(), out);
  }
  void find_measure(std::size_t dim, const Execution& execution) const override { base_->find_measure(dim, execution); }
  void check_route(std::size_t dim, const Execution& execution) const override { base_->check_route(dim, execution); }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override {
    auto shift = shift_.expand(dim, name(), "shift");
    auto base = base_->measure(dim);
    bool moves = false;
    for (const double value : shift) moves = moves || value != 0;
    if (!base || !moves) return base;
    if (const auto* positive = dynamic_cast<const measures::PositiveMeasure*>(base.get()))
      if (auto better = positive->shifted_by(shift)) return better;
    return std::make_unique<measures::ShiftedMeasure>(std::move(base), std::move(shift));
  }

 private:
  void fill_values(const kernels::PairRows& rows, MatrixView<double> out, Backend backend) const override {
    const kernels::PairRows moved = rows.moved(shift_.expand(rows.dim(), name(), "shift"));
    if (moved.X().is_sparse())
      base_->evaluate_sparse_pairs(moved.X().sparse(), moved.Y().sparse(), moved.shift(), out, backend);
    else
      base_->evaluate_pairs(moved.X().dense(), moved.Y().dense(), out, backend);
  }

  std::unique_ptr<Kernel> base_;
  CoordinateParameter shift_;
};

}  // namespace

std::unique_ptr<Kernel> shifted(std::unique_ptr<Kernel> base, CoordinateParameter shift) {
  return std::make_unique<Shifted>(std::move(base), std::move(shift));
}

}  // namespace askrff
