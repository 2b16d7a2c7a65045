// Kernel values of all pairs of rows: a form of each pair by the backend, then one function of it. Shared by the kernel files.
//
// Error of a value e^{-q}: that of the exponent, (dim + 8)·2^-52·q, and 2 ulp of the exponential; below 1e-300 also 1e-318. Differences
// are taken before anything is scaled wherever the form allows it, so rows far from the origin lose nothing; of sparse rows they are taken
// only where inner products would lose too much (Kernel::evaluate_sparse_pairs). Each value depends on its two rows alone: the same bits
// for any block.
#pragma once

#include <span>
#include <vector>

#include "askrff/kernels.hpp"
#include "backend/backend.hpp"

namespace askrff::kernels {

using backend::PairForm;

/// values[i] = e^values[i], by the backend that made the form.
class Exponentials {
 public:
  explicit Exponentials(const backend::Primitives& primitives) : exponentials_(primitives.exponentials) {}
  void operator()(std::span<double> values) const { exponentials_(values.data(), values.size()); }

 private:
  void (*exponentials_)(double*, std::size_t);
};

/// Rows x_i + shift and y_j, of one kind. Dense rows are moved when it is made, sparse ones never: they would not be sparse any more.
class PairRows {
 public:
  PairRows(MatrixView<const double> X, MatrixView<const double> Y) : X_(X), Y_(Y) {}
  /// shift: one number for every column, or none.
  PairRows(SparseView<double> X, SparseView<double> Y, std::span<const double> shift) : X_(X), Y_(Y), shift_(shift.begin(), shift.end()) {}
  PairRows(PairRows&&) = default;

  RowsView<double> X() const { return is_copied_x_ ? own_x_.view() : X_; }
  RowsView<double> Y() const { return is_copied_y_ ? own_y_.view() : Y_; }
  /// What is to be added to sparse rows X; else none.
  std::span<const double> shift() const { return shift_; }
  std::size_t dim() const { return X_.cols(); }

  /// x_i + r + shift: as if every coordinate of x + r had been moved by half an ulp.
  PairRows moved(std::span<const double> r) const;
  /// All over `unit`. Exact for a power of two; otherwise as if every coordinate had been moved by half an ulp.
  PairRows in_units(double unit) const { return in_units(std::span<const double>(&unit, 1)); }
  /// Every coordinate over its own unit; one unit stands for all.
  PairRows in_units(std::span<const double> units) const;

 private:
  PairRows(RowsView<double> X, RowsView<double> Y) : X_(X), Y_(Y) {}

  RowsView<double> X_, Y_;
  RowsMatrix<double> own_x_, own_y_;
  bool is_copied_x_ = false, is_copied_y_ = false;
  std::vector<double> shift_;
};

/// A kernel that makes its values of pairs of rows, of either kind, in one way.
class PairKernel : public Kernel {
 public:
  void evaluate_pairs(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out, Backend backend) const final {
    fill_values(PairRows(X, Y), out, backend);
  }
  void evaluate_sparse_pairs(SparseView<double> X, SparseView<double> Y, std::span<const double> shift, MatrixView<double> out,
                             Backend backend) const final {
    fill_values(PairRows(X, Y, shift), out, backend);
  }

 private:
  virtual void fill_values(const PairRows& rows, MatrixView<double> out, Backend backend) const = 0;
};

/// out(i,j) = the form of x_i and y_j; throws std::invalid_argument if the shapes do not fit.
Exponentials fill_with_form(PairForm form, const PairRows& rows, MatrixView<double> out, Backend backend);

/// values = e^(factor·values).
inline void scaled_exponentials(std::span<double> values, double factor, const Exponentials& exponentials) {
  for (double& value : values) value *= factor;
  exponentials(values);
}

/// -1/2σ², the factor of a squared distance in a Gaussian. Squares need no scaling: σ is between 1e-150 and 1e150, so a distance whose
/// square overflows has a value of 0, and what a square loses by underflow is 3e-24 in the exponent.
inline double gaussian_factor(double sigma) { return -0.5 / (sigma * sigma); }

/// β·x in two parts, columns 0 and 1 of row i, whose sum has an error of dim·2^-77·Σ|β_k x_k|: the difference of two of them is β·(x - y)
/// as accurately as if the difference of the rows had come first.
Matrix<double> projections(const RowsView<double>& rows, std::span<const double> beta);
inline double projected_difference(std::span<const double> x, std::span<const double> y) { return (x[0] - y[0]) + (x[1] - y[1]); }

/// Computes again, by evaluate(), the values of rows whose stand-ins (rows in units, projections) have left the doubles.
void redo_overflown(const Kernel& kernel, const PairRows& rows, const RowsView<double>& x_stand_ins, const RowsView<double>& y_stand_ins,
                    MatrixView<double> out);

}  // namespace askrff::kernels
