// Forms of pairs of rows and what stands in for the rows.
#include "kernels/pairs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/checks.hpp"
#include "core/row_pairs.hpp"

namespace askrff::kernels {
namespace {

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

bool is_finite_row(const RowsView<double>& rows, std::size_t i) {
  return all_finite(rows.is_sparse() ? rows.sparse().values_of(i) : rows.dense().row(i));
}

/// The 26 leading bits of a number; products of two such are exact.
double leading_bits(double value) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & ~((std::uint64_t{1} << 27) - 1)); }

/// `units`: one for every column, or one for all.
RowsMatrix<double> rows_over(const RowsView<double>& rows, std::span<const double> units) {
  const auto unit_of = [units](std::size_t column) { return units[units.size() == 1 ? 0 : column]; };
  if (rows.is_sparse()) {
    SparseMatrix<double> scaled(rows.cols());
    scaled.add_rows(rows.sparse());
    const auto values = scaled.all_values();
    const std::uint32_t* const columns = scaled.view().columns();
    for (std::size_t k = 0; k < values.size(); ++k) values[k] /= unit_of(columns[k]);
    return scaled;
  }
  Matrix<double> scaled(rows.rows(), rows.cols());
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t c = 0; c < rows.cols(); ++c) scaled(i, c) = rows.dense()(i, c) / unit_of(c);
  return scaled;
}

/// Rows of more columns are looked at by those they have: a table of all would be larger than what is looked up in it.
constexpr std::size_t many_columns = std::size_t{1} << 20;

std::vector<std::uint32_t> columns_in(const SparseView<double>& X, const SparseView<double>& Y) {
  std::vector<std::uint32_t> columns;
  for (const SparseView<double>* rows : {&X, &Y})
    for (std::size_t i = 0; i < rows->rows(); ++i) columns.insert(columns.end(), rows->columns_of(i).begin(), rows->columns_of(i).end());
  std::ranges::sort(columns);
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

/// The same rows, their columns numbered by their places in `columns`.
SparseMatrix<double> renumbered(const SparseView<double>& rows, std::span<const std::uint32_t> columns) {
  SparseMatrix<double> out(columns.size());
  std::vector<std::uint32_t> places;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    places.clear();
    auto at = columns.begin();
    for (const std::uint32_t column : rows.columns_of(i)) {
      at = std::lower_bound(at, columns.end(), column);
      places.push_back(static_cast<std::uint32_t>(at - columns.begin()));
    }
    out.add_row(places, rows.values_of(i));
  }
  return out;
}

void fill_sparse(PairForm form, const PairRows& rows, const backend::Primitives& primitives, MatrixView<double> out) {
  const SparseView<double> X = rows.X().sparse(), Y = rows.Y().sparse();
  if (!rows.shift().empty() || X.cols() <= many_columns)
    return primitives.sparse_pairs(form, backend::rows_of(X), backend::rows_of(Y), rows.shift().empty() ? nullptr : rows.shift().data(),
                                   X.cols(), backend::rows_of(out));
  const auto columns = columns_in(X, Y);
  const SparseMatrix<double> x = renumbered(X, columns), y = renumbered(Y, columns);
  primitives.sparse_pairs(form, backend::rows_of(x.view()), backend::rows_of(y.view()), nullptr, columns.size(), backend::rows_of(out));
}

}  // namespace

PairRows PairRows::moved(std::span<const double> r) const {
  PairRows result(X(), Y());
  if (X_.is_sparse()) {
    result.shift_.assign(r.begin(), r.end());
    for (std::size_t c = 0; c < shift_.size(); ++c) result.shift_[c] += shift_[c];
    return result;
  }
  Matrix<double> sums(X_.rows(), dim());
  for (std::size_t i = 0; i < sums.rows(); ++i)
    for (std::size_t c = 0; c < dim(); ++c) sums(i, c) = result.X_.dense()(i, c) + r[c];
  result.own_x_ = std::move(sums);
  result.is_copied_x_ = true;
  return result;
}

PairRows PairRows::in_units(std::span<const double> units) const {
  PairRows result(X(), Y());
  result.own_x_ = rows_over(X(), units);
  result.own_y_ = rows_over(Y(), units);
  result.is_copied_x_ = result.is_copied_y_ = true;
  result.shift_ = shift_;
  for (std::size_t c = 0; c < result.shift_.size(); ++c) result.shift_[c] /= units[units.size() == 1 ? 0 : c];
  return result;
}

Exponentials fill_with_form(PairForm form, const PairRows& rows, MatrixView<double> out, Backend backend) {
  const RowsView<double> X = rows.X(), Y = rows.Y();
  require_row_columns(Y, X.cols(), "Kernel::evaluate_pairs", "Y", "X has");
  require_shape(out, X.rows(), Y.rows(), "Kernel::evaluate_pairs", "out");
  if (!rows.shift().empty() && rows.shift().size() != X.cols())
    throw InvalidArgument("Kernel::evaluate_sparse_pairs",
                          fmt::format("a shift of {} numbers, X has {} columns", rows.shift().size(), X.cols()));
  const backend::Primitives& primitives = backend::select(backend);
  if (out.empty()) return Exponentials(primitives);
  if (X.is_sparse())
    fill_sparse(form, rows, primitives, out);
  else
    primitives.pairs(form, backend::rows_of(X.dense()), backend::rows_of(Y.dense()), X.cols(), backend::rows_of(out));
  return Exponentials(primitives);
}

Matrix<double> projections(const RowsView<double>& rows, std::span<const double> beta) {
  Matrix<double> parts(rows.rows(), 2);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    double sum = 0, rest = 0;
    for_each_value(rows, i, [&](std::size_t c, double x) {
      const double b = beta[c], x_leading = leading_bits(x), b_leading = leading_bits(b);
      const double product = x_leading * b_leading, small = x_leading * (b - b_leading) + (x - x_leading) * b;
      // The rounding of sum + product, exactly (Knuth).
      const double next = sum + product, added = next - sum;
      rest += ((sum - (next - added)) + (product - added)) + small;
      sum = next;
    });
    parts(i, 0) = sum;
    parts(i, 1) = rest;
  }
  return parts;
}

void redo_overflown(const Kernel& kernel, const PairRows& rows, const RowsView<double>& x_stand_ins, const RowsView<double>& y_stand_ins,
                    MatrixView<double> out) {
  const auto redo = [&](const RowsView<double>& X, const RowsView<double>& Y, MatrixView<double> part) {
    if (X.is_sparse())
      kernel.Kernel::evaluate_sparse_pairs(X.sparse(), Y.sparse(), rows.shift(), part);
    else
      kernel.Kernel::evaluate_pairs(X.dense(), Y.dense(), part);
  };
  for (std::size_t i = 0; i < out.rows(); ++i)
    if (!is_finite_row(x_stand_ins, i)) redo(rows.X().middle_rows(i, 1), rows.Y(), out.middle_rows(i, 1));
  for (std::size_t j = 0; j < out.cols(); ++j)
    if (!is_finite_row(y_stand_ins, j))
      redo(rows.X(), rows.Y().middle_rows(j, 1), MatrixView<double>(out.data() + j, out.rows(), 1, out.stride()));
}

}  // namespace askrff::kernels
