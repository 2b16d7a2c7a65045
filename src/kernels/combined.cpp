// Sums and products of kernels: values of all of them, joined; measures by mixture and convolution.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "askrff/errors.hpp"
#include "askrff/kernels.hpp"
#include "core/checks.hpp"
#include "kernels/support.hpp"
#include "measures/convolution_measure.hpp"
#include "measures/mixture_measure.hpp"

namespace askrff {
namespace {

/// Weighted kernels whose values are joined one kernel after the other, a block of rows at a time.
class Combined : public Kernel {
 public:
  explicit Combined(std::vector<WeightedKernel> terms) : terms_(std::move(terms)) {}

  bool symmetric() const override {
    return all([](const WeightedKernel& t) { return t.kernel->symmetric(); });
  }
  bool shift_invariant() const override {
    return all([](const WeightedKernel& t) { return t.kernel->shift_invariant(); });
  }
  bool thread_safe() const override {
    return all([](const WeightedKernel& t) { return t.kernel->thread_safe(); });
  }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    if (out.size() != differences.rows())
      throw InvalidArgument("Kernel::evaluate", fmt::format("{} differences but room for {} values", differences.rows(), out.size()));
    std::vector<double> values(out.size());
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      terms_[i].kernel->evaluate(differences, i == 0 ? out : std::span<double>(values));
      join(i, values, out);
    }
  }
  void find_measure(std::size_t dim, const Execution& execution) const override {
    for (const WeightedKernel& term : terms_)
      if (!term.kernel->measure(dim, execution)) return;  // the whole has none either
  }
  void check_route(std::size_t dim, const Execution& execution) const override {
    for (const WeightedKernel& term : terms_) term.kernel->check_route(dim, execution);
  }
  void evaluate_pairs(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out, Backend backend) const override {
    require_columns(Y, X.cols(), "Kernel::evaluate_pairs", "Y", "X has");
    require_shape(out, X.rows(), Y.rows(), "Kernel::evaluate_pairs", "out");
    by_blocks(out, [&](const WeightedKernel& term, std::size_t first, MatrixView<double> values) {
      term.kernel->evaluate_pairs(X.middle_rows(first, values.rows()), Y, values, backend);
    });
  }
  void evaluate_sparse_pairs(SparseView<double> X, SparseView<double> Y, std::span<const double> shift, MatrixView<double> out,
                             Backend backend) const override {
    require_row_columns<double>(Y, X.cols(), "Kernel::evaluate_sparse_pairs", "Y", "X has");
    require_shape(out, X.rows(), Y.rows(), "Kernel::evaluate_sparse_pairs", "out");
    by_blocks(out, [&](const WeightedKernel& term, std::size_t first, MatrixView<double> values) {
      term.kernel->evaluate_sparse_pairs(X.middle_rows(first, values.rows()), Y, shift, values, backend);
    });
  }

 protected:
  template <class Property>
  bool all(const Property& property) const {
    return std::ranges::all_of(terms_, property);
  }
  /// Every kernel's measure; empty if one has none.
  std::vector<std::shared_ptr<const ComplexMeasure>> measures_in(std::size_t dim) const {
    std::vector<std::shared_ptr<const ComplexMeasure>> list;
    for (const WeightedKernel& term : terms_) {
      list.push_back(term.kernel->measure(dim));
      if (!list.back()) return {};
    }
    return list;
  }

  std::vector<WeightedKernel> terms_;

 private:
  /// out, which has the values of the terms before the i-th, gains `values`; the first term's are there already, as they are.
  virtual void join(std::size_t i, std::span<const double> values, std::span<double> out) const = 0;

  template <class Evaluate>
  void by_blocks(MatrixView<double> out, const Evaluate& evaluate) const {
    constexpr std::size_t at_once = 128;
    Matrix<double> values(std::min(at_once, out.rows()), out.cols());
    for (std::size_t first = 0; first < out.rows(); first += at_once) {
      const MatrixView<double> block = out.middle_rows(first, std::min(at_once, out.rows() - first));
      const MatrixView<double> scratch = values.view().middle_rows(0, block.rows());
      for (std::size_t i = 0; i < terms_.size(); ++i) {
        evaluate(terms_[i], first, i == 0 ? block : scratch);
        for (std::size_t r = 0; r < block.rows(); ++r) join(i, scratch.row(r), block.row(r));
      }
    }
  }
};

class Sum final : public Combined {
 public:
  using Combined::Combined;
  std::string name() const override {
    std::string text;
    for (const WeightedKernel& term : terms_) {
      text += text.empty() ? (term.weight < 0 ? "-" : "") : term.weight < 0 ? " - " : " + ";
      text += (std::fabs(term.weight) == 1 ? "" : fmt::format("{}*", std::fabs(term.weight))) + term.kernel->name();
    }
    return text;
  }
  bool positive_definite() const override {
    return all([](const WeightedKernel& t) { return t.weight > 0 && t.kernel->positive_definite(); });
  }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override {
    if (terms_.size() == 1 && terms_[0].weight == 1) return terms_[0].kernel->measure(dim);
    const auto list = measures_in(dim);
    if (list.empty()) return nullptr;
    std::vector<measures::MixtureMeasure::Term> terms;
    for (std::size_t i = 0; i < list.size(); ++i) terms.push_back({terms_[i].weight, list[i]});
    return std::make_unique<measures::MixtureMeasure>(std::move(terms));
  }

 private:
  void join(std::size_t i, std::span<const double> values, std::span<double> out) const override {
    const double weight = terms_[i].weight;
    if (i == 0)
      for (double& value : out) value *= weight;
    else
      for (std::size_t j = 0; j < out.size(); ++j) out[j] += weight * values[j];
  }
};

class Product final : public Combined {
 public:
  using Combined::Combined;
  std::string name() const override {
    std::string text;
    for (const WeightedKernel& term : terms_) {
      const std::string own = term.kernel->name();
      const bool is_sum = dynamic_cast<const Sum*>(term.kernel.get()) != nullptr;
      text += (text.empty() ? "" : "*") + (is_sum ? "(" + own + ")" : own);
    }
    return text;
  }
  bool positive_definite() const override {
    return all([](const WeightedKernel& t) { return t.kernel->positive_definite(); });
  }
  // Without a draw of every factor there is none of the product: it then counts as a kernel whose measure is not known.
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override {
    if (terms_.size() == 1) return terms_[0].kernel->measure(dim);
    auto list = measures_in(dim);
    for (const auto& each : list)
      if (!measures::has_weighted_draws(*each)) return nullptr;
    return list.empty() ? nullptr : std::make_unique<measures::ConvolutionMeasure>(std::move(list));
  }

 private:
  void join(std::size_t i, std::span<const double> values, std::span<double> out) const override {
    if (i == 0) return;
    for (std::size_t j = 0; j < out.size(); ++j) {
      const bool is_zero_of_overflow = (out[j] == 0 && std::isinf(values[j])) || (values[j] == 0 && std::isinf(out[j]));
      out[j] = is_zero_of_overflow ? 0.0 : out[j] * values[j];
    }
  }
};

}  // namespace

std::unique_ptr<Kernel> sum_of(std::vector<WeightedKernel> terms) {
  if (terms.empty()) throw InvalidArgument("sum_of", "no kernels given, expected at least one");
  for (const WeightedKernel& term : terms) {
    if (!term.kernel) throw InvalidArgument("sum_of", "a term has no kernel");
    kernels::positive_scale(std::fabs(term.weight), "sum_of", "the size of a weight");
  }
  return std::make_unique<Sum>(std::move(terms));
}

std::unique_ptr<Kernel> product_of(std::vector<std::shared_ptr<const Kernel>> factors) {
  if (factors.empty()) throw InvalidArgument("product_of", "no kernels given, expected at least one");
  std::vector<WeightedKernel> terms;
  for (auto& factor : factors) {
    if (!factor) throw InvalidArgument("product_of", "a factor is no kernel");
    terms.push_back({1, std::move(factor)});
  }
  return std::make_unique<Product>(std::move(terms));
}

}  // namespace askrff
