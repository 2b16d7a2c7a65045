// Distances of pairs of sparse rows, vectors over the rows on one side. Compiled once per target.
//
// A form over all coordinates is that of y with 0, corrected at the coordinates of x: Σ_c f(x_c - y_c) = Σ_c f(-y_c) + Σ_{c of x} (f(x_c -
// y_c) - f(-y_c)), and for products with quotients. So a group of rows y is written into a small panel, a line for every coordinate that
// one of them has, and of that a row x reads the lines of its own coordinates.
#if defined(ASKRFF_BACKEND_SIMD_SPARSE_PAIRS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASKRFF_BACKEND_SIMD_SPARSE_PAIRS_INL
#undef ASKRFF_BACKEND_SIMD_SPARSE_PAIRS_INL
#else
#define ASKRFF_BACKEND_SIMD_SPARSE_PAIRS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "backend/simd/tile-inl.hpp"
#include "core/aligned.hpp"

HWY_BEFORE_NAMESPACE();
namespace askrff::backend::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// What x adds at a coordinate where the other row is y, and how the whole is put together. The sum for y alone takes the same steps, those
// of a row that is y itself backwards: equal rows cancel exactly.
template <PairForm form>
struct SparseForm {
  static constexpr double empty = form == PairForm::product ? 1.0 : 0.0;  // of no coordinates, and the least value

  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Corrected(D d, V sum, V x, V y) {
    if constexpr (form == PairForm::squared) return hn::MulAdd(x, hn::NegMulAdd(hn::Set(d, 2.0), y, x), sum);  // x² - 2xy
    if constexpr (form == PairForm::absolute) return hn::Add(sum, hn::Sub(hn::Abs(hn::Sub(x, y)), hn::Abs(y)));
    const V one = hn::Set(d, 1.0), difference = hn::Sub(x, y);
    return hn::Mul(sum, hn::Div(hn::MulAdd(difference, difference, one), hn::MulAdd(y, y, one)));
  }
  // The form of y with 0 at one coordinate, in place of that of `instead`.
  static HWY_INLINE double WithCoordinate(double sum, double y, double instead) {
    const hn::CappedTag<double, 1> d;
    const auto value = hn::Set(d, y), other = hn::Set(d, instead), one = hn::Set(d, 1.0), so_far = hn::Set(d, sum);
    if constexpr (form == PairForm::squared) return hn::GetLane(hn::NegMulAdd(other, other, hn::MulAdd(value, value, so_far)));
    if constexpr (form == PairForm::absolute) return hn::GetLane(hn::Add(so_far, hn::Sub(hn::Abs(value), hn::Abs(other))));
    return hn::GetLane(hn::Mul(so_far, hn::Div(hn::MulAdd(value, value, one), hn::MulAdd(other, other, one))));
  }
  template <class V>
  static HWY_INLINE V Joined(V of_y, V correction) {
    if constexpr (form == PairForm::product) return hn::Mul(of_y, correction);
    return hn::Add(of_y, correction);
  }
};

// Rows y less the shift, in lanes.
template <PairForm form>
class SparsePanel {
 public:
  static constexpr std::size_t width = std::max<std::size_t>(2 * lanes<double>, 16), n_vectors = width / lanes<double>;

  SparsePanel(const SparseRows<double>& y, const double* shift, std::size_t dim)
      : y_(y), shift_(shift), line_of_(dim), values_((MostLines() + 1) * width), of_zero_(SparseForm<form>::empty) {
    std::fill_n(line_of_.data(), dim, 0u);
    std::fill_n(values_.data(), width, 0.0);
    if (shift)
      for (std::size_t c = 0; c < dim; ++c) of_zero_ = SparseForm<form>::WithCoordinate(of_zero_, -shift[c], 0.0);
  }

  void Fill(std::size_t first, std::size_t count) {
    for (std::size_t r = 0; r < count_; ++r) Forget(y_.row(first_ + r));
    first_ = first;
    count_ = count;
    std::uint32_t n_lines = 0;
    std::fill_n(of_rows_, width, of_zero_);
    for (std::size_t r = 0; r < count; ++r) {
      const SparseRow<double> row = y_.row(first + r);
      for (std::size_t k = 0; k < row.size; ++k) {
        const std::uint32_t c = row.columns[k];
        const double none = Shifted(0.0, c), value = Shifted(row.values[k], c);
        if (line_of_[c] == 0) {
          line_of_[c] = ++n_lines;
          std::fill_n(values_.data() + n_lines * width, width, none);
        }
        values_[line_of_[c] * width + r] = value;
        of_rows_[r] = SparseForm<form>::WithCoordinate(of_rows_[r], value, none);
      }
    }
  }

  // The form of a row of the panel with 0.
  double OfRow(std::size_t r) const { return of_rows_[r]; }

  // The forms of x with all rows of the panel.
  template <bool shifted>
  HWY_INLINE void Forms(const SparseRow<double>& x, double* HWY_RESTRICT out) const {
    const Tag<double> d;
    Vector<double> sums[n_vectors];
#pragma GCC unroll 32
    for (std::size_t v = 0; v < n_vectors; ++v) sums[v] = hn::Set(d, SparseForm<form>::empty);
    for (std::size_t k = 0; k < x.size; ++k) {
      const auto value = hn::Set(d, x.values[k]);
      const std::uint32_t line = line_of_[x.columns[k]];
      if (shifted && line == 0) {
        const auto none = hn::Set(d, -shift_[x.columns[k]]);
#pragma GCC unroll 32
        for (std::size_t v = 0; v < n_vectors; ++v) sums[v] = SparseForm<form>::Corrected(d, sums[v], value, none);
        continue;
      }
      const double* HWY_RESTRICT at = values_.data() + line * width;
#pragma GCC unroll 32
      for (std::size_t v = 0; v < n_vectors; ++v)
        sums[v] = SparseForm<form>::Corrected(d, sums[v], value, hn::Load(d, at + v * lanes<double>));
    }
    const auto least = hn::Set(d, SparseForm<form>::empty);
#pragma GCC unroll 32
    for (std::size_t v = 0; v < n_vectors; ++v) {
      const auto of_rows = hn::Load(d, of_rows_ + v * lanes<double>);
      const auto whole = SparseForm<form>::Joined(of_rows, sums[v]);
      // NaN stays NaN: it is looked for afterwards.
      hn::Store(hn::IfThenElse(hn::Lt(whole, least), least, whole), d, out + v * lanes<double>);
    }
  }

 private:
  double Shifted(double y, std::uint32_t column) const { return shift_ ? y - shift_[column] : y; }
  void Forget(const SparseRow<double>& row) {
    for (std::size_t k = 0; k < row.size; ++k) line_of_[row.columns[k]] = 0;
  }
  std::size_t MostLines() const {
    std::size_t most = 0;
    for (std::size_t first = 0; first < y_.count; first += width)
      most = std::max<std::size_t>(most, y_.starts[std::min(y_.count, first + width)] - y_.starts[first]);
    return std::min(most, line_of_.size());
  }

  SparseRows<double> y_;
  const double* shift_;
  AlignedBuffer<std::uint32_t> line_of_;  // of every column; 0: no row of the panel has it
  AlignedBuffer<double> values_;
  double of_zero_;
  std::size_t first_ = 0, count_ = 0;
  HWY_ALIGN double of_rows_[width];
};

// The form of two rows, coordinate by coordinate: what is left where the sums above cancel, or are no numbers.
template <PairForm form>
double MergedForm(const SparseRow<double>& x, const SparseRow<double>& y) {
  double value = SparseForm<form>::empty;
  for (std::size_t a = 0, b = 0; a < x.size || b < y.size;) {
    const bool has_x = b == y.size || (a < x.size && x.columns[a] <= y.columns[b]);
    const bool has_y = a == x.size || (b < y.size && y.columns[b] <= x.columns[a]);
    const double difference = (has_x ? x.values[a] : 0.0) - (has_y ? y.values[b] : 0.0);
    if constexpr (form == PairForm::squared) value += difference * difference;
    if constexpr (form == PairForm::absolute) value += std::fabs(difference);
    if constexpr (form == PairForm::product) value *= 1 + difference * difference;
    a += has_x ? 1 : 0;
    b += has_y ? 1 : 0;
  }
  return value;
}

template <PairForm form>
void SparsePairsOf(SparseRows<double> x, SparseRows<double> y, const double* shift, std::size_t dim, Rows<double> out) {
  constexpr std::size_t width = SparsePanel<form>::width;
  // A sum that is so much smaller than what it is the difference of has lost its digits. Products lose none.
  constexpr double small = form == PairForm::product ? 0 : 0x1p-20;
  SparsePanel<form> panel(y, shift, dim);
  HWY_ALIGN double forms[width];
  std::vector<double> of_x(x.count, SparseForm<form>::empty);
  for (std::size_t i = 0; i < x.count; ++i)
    for (std::size_t k = 0; k < x.row(i).size; ++k) of_x[i] = SparseForm<form>::WithCoordinate(of_x[i], x.row(i).values[k], 0.0);
  for (std::size_t first = 0; first < y.count; first += width) {
    const std::size_t count = std::min(width, y.count - first);
    panel.Fill(first, count);
    for (std::size_t i = 0; i < x.count; ++i) {
      if (shift)
        panel.template Forms<true>(x.row(i), forms);
      else
        panel.template Forms<false>(x.row(i), forms);
      for (std::size_t r = 0; r < count; ++r) {
        double& value = out.row(i)[first + r];
        value = forms[r];
        if (HWY_LIKELY(std::isfinite(value) && value >= small * (of_x[i] + panel.OfRow(r)))) continue;
        if (shift)
          reference_primitives().sparse_pairs(form, x.from(i, 1), y.from(first + r, 1), shift, dim, {&value, 1, 1});
        else
          value = MergedForm<form>(x.row(i), y.row(first + r));
      }
    }
  }
}

void SparsePairs(PairForm form, SparseRows<double> x, SparseRows<double> y, const double* shift, std::size_t dim, Rows<double> out) {
  switch (form) {
    case PairForm::squared:
      return SparsePairsOf<PairForm::squared>(x, y, shift, dim, out);
    case PairForm::absolute:
      return SparsePairsOf<PairForm::absolute>(x, y, shift, dim, out);
    case PairForm::product:
      return SparsePairsOf<PairForm::product>(x, y, shift, dim, out);
  }
}

}  // namespace askrff::backend::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
