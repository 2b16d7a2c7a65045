// Forms of pairs of rows and what stands in for the rows.
#include "kernels/pairs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/checks.hpp"

namespace askrff::kernels {
namespace {

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

/// The 26 leading bits of a number; products of two such are exact.
double leading_bits(double value) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & ~((std::uint64_t{1} << 27) - 1)); }

}  // namespace

Exponentials fill_with_form(PairForm form, MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out,
                            Backend backend) {
  require_columns(Y, X.cols(), "Kernel::evaluate_pairs", "Y", "X has");
  require_shape(out, X.rows(), Y.rows(), "Kernel::evaluate_pairs", "out");
  const backend::Primitives& primitives = backend::select(backend);
  if (!out.empty()) primitives.pairs(form, backend::rows_of(X), backend::rows_of(Y), X.cols(), backend::rows_of(out));
  return Exponentials(primitives);
}

Matrix<double> in_units(MatrixView<const double> rows, double unit) {
  Matrix<double> scaled(rows.rows(), rows.cols());
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t c = 0; c < rows.cols(); ++c) scaled(i, c) = rows(i, c) / unit;
  return scaled;
}

Matrix<double> moved(MatrixView<const double> rows, std::span<const double> shift) {
  Matrix<double> sums(rows.rows(), rows.cols());
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t c = 0; c < rows.cols(); ++c) sums(i, c) = rows(i, c) + shift[c];
  return sums;
}

Matrix<double> projections(MatrixView<const double> rows, std::span<const double> beta) {
  Matrix<double> parts(rows.rows(), 2);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    double sum = 0, rest = 0;
    for (std::size_t c = 0; c < rows.cols(); ++c) {
      const double x = rows(i, c), b = beta[c], x_leading = leading_bits(x), b_leading = leading_bits(b);
      const double product = x_leading * b_leading, small = x_leading * (b - b_leading) + (x - x_leading) * b;
      // The rounding of sum + product, exactly (Knuth).
      const double next = sum + product, added = next - sum;
      rest += ((sum - (next - added)) + (product - added)) + small;
      sum = next;
    }
    parts(i, 0) = sum;
    parts(i, 1) = rest;
  }
  return parts;
}

void redo_overflown(const Kernel& kernel, MatrixView<const double> X, MatrixView<const double> Y, MatrixView<const double> x_stand_ins,
                    MatrixView<const double> y_stand_ins, MatrixView<double> out) {
  for (std::size_t i = 0; i < X.rows(); ++i)
    if (!all_finite(x_stand_ins.row(i))) kernel.Kernel::evaluate_pairs(X.middle_rows(i, 1), Y, out.middle_rows(i, 1));
  for (std::size_t j = 0; j < Y.rows(); ++j)
    if (!all_finite(y_stand_ins.row(j)))
      kernel.Kernel::evaluate_pairs(X, Y.middle_rows(j, 1), MatrixView<double>(out.data() + j, out.rows(), 1, out.stride()));
}

}  // namespace askrff::kernels
