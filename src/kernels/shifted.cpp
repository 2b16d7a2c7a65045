// k(δ + r) for any symmetric k.
#include "askrff/kernels.hpp"
#include "kernels/support.hpp"
#include "measures/positive_measure.hpp"
#include "measures/shifted_measure.hpp"

namespace askrff {
namespace {

class Shifted final : public Kernel {
 public:
  Shifted(std::unique_ptr<Kernel> base, CoordinateParameter shift) : base_(std::move(base)), shift_(std::move(shift)) {
    if (!base_) throw std::invalid_argument("shifted: no kernel given");
    if (!base_->symmetric())
      throw std::invalid_argument("shifted: " + base_->name() + " is not symmetric; only a symmetric kernel can be shifted");
    shift_.require_finite(name(), "shift");
  }

  std::string name() const override { return "shifted:" + base_->name(); }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    const auto shift = shift_.expand(differences.cols(), name(), "shift");
    Matrix<double> moved(differences.rows(), differences.cols());
    for (std::size_t i = 0; i < moved.rows(); ++i)
      for (std::size_t j = 0; j < moved.cols(); ++j) moved(i, j) = differences(i, j) + shift[j];
    base_->evaluate(moved, out);
  }
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
  std::unique_ptr<Kernel> base_;
  CoordinateParameter shift_;
};

}  // namespace

std::unique_ptr<Kernel> shifted(std::unique_ptr<Kernel> base, CoordinateParameter shift) {
  return std::make_unique<Shifted>(std::move(base), std::move(shift));
}

}  // namespace askrff
