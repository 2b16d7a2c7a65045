// k(δ_1/s_1, …, δ_d/s_d) for any k.
#include <algorithm>

#include "askrff/kernels.hpp"
#include "askrff/errors.hpp"
#include "core/checks.hpp"
#include "kernels/pairs.hpp"
#include "kernels/support.hpp"
#include "measures/scaled_measure.hpp"

namespace askrff {
namespace {

class Scaled final : public kernels::PairKernel {
 public:
  Scaled(std::unique_ptr<Kernel> base, CoordinateParameter scales) : base_(std::move(base)), scales_(std::move(scales)) {
    if (!base_) throw InvalidArgument("scaled", "no kernel given");
    scales_.require_finite(name(), "scales");
    // Of a vector all values now; a number over the dimension is as good as the number.
    const std::string text = scales_.text();
    scales_in(scales_.is_vector() ? static_cast<std::size_t>(std::ranges::count(text, ',')) + 1 : 1);
  }

  std::string name() const override { return base_->name(); }
  bool symmetric() const override { return base_->symmetric(); }
  bool positive_definite() const override { return base_->positive_definite(); }
  bool shift_invariant() const override { return base_->shift_invariant(); }
  bool thread_safe() const override { return base_->thread_safe(); }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    const kernels::PairRows rows(differences, {});
    base_->evaluate(rows.in_units(scales_in(differences.cols())).X().dense(), out);
  }
  void find_measure(std::size_t dim, const Execution& execution) const override { base_->find_measure(dim, execution); }
  void check_route(std::size_t dim, const Execution& execution) const override { base_->check_route(dim, execution); }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override {
    auto scales = scales_in(dim);
    auto base = base_->measure(dim);
    if (!base || std::ranges::all_of(scales, [](double s) { return s == 1; })) return base;
    return std::make_unique<measures::ScaledMeasure>(std::move(base), std::move(scales));
  }

 private:
  std::vector<double> scales_in(std::size_t dim) const {
    auto scales = scales_.expand(dim, name(), "scales");
    for (const double s : scales) kernels::positive_scale(s, name(), "scales");
    return scales;
  }
  // The base's error, and that of rows whose every coordinate was moved by half an ulp.
  void fill_values(const kernels::PairRows& rows, MatrixView<double> out, Backend backend) const override {
    require_row_columns(rows.Y(), rows.dim(), "Kernel::evaluate_pairs", "Y", "X has");
    if (!rows.shift().empty() && rows.shift().size() != rows.dim())
      throw InvalidArgument("Kernel::evaluate_sparse_pairs",
                            fmt::format("a shift of {} numbers, X has {} columns", rows.shift().size(), rows.dim()));
    const kernels::PairRows over = rows.in_units(scales_in(rows.dim()));
    if (over.X().is_sparse())
      base_->evaluate_sparse_pairs(over.X().sparse(), over.Y().sparse(), over.shift(), out, backend);
    else
      base_->evaluate_pairs(over.X().dense(), over.Y().dense(), out, backend);
    kernels::redo_overflown(*this, rows, over.X(), over.Y(), out);
  }

  std::unique_ptr<Kernel> base_;
  CoordinateParameter scales_;
};

}  // namespace

std::unique_ptr<Kernel> scaled(std::unique_ptr<Kernel> base, CoordinateParameter scales) {
  return std::make_unique<Scaled>(std::move(base), std::move(scales));
}

}  // namespace askrff
