// What shift-, sinh- and cosh-Gaussian share: a bandwidth and one vector, because each is a Gaussian times a function of one scalar.
#pragma once

#include "askrff/kernels.hpp"
#include "askrff/errors.hpp"
#include "core/vectors.hpp"
#include "kernels/pairs.hpp"
#include "kernels/support.hpp"
#include "measures/ridge_gaussian.hpp"

namespace askrff::kernels {

class RidgeKernel : public PairKernel {
 public:
  RidgeKernel(double sigma, CoordinateParameter vector, std::string name, std::string vector_name)
      : sigma_(sigma), vector_(std::move(vector)), name_(std::move(name)), vector_name_(std::move(vector_name)) {
    positive_scale(sigma_, name_, "sigma");
    vector_.require_finite(name_, vector_name_);
  }
  std::string name() const final { return name_; }

 protected:
  std::vector<double> vector_in(std::size_t dim) const {
    if (dim == 0) throw InvalidArgument(name_, "the dimension is 0, expected at least 1");
    return vector_.expand(dim, name_, vector_name_);
  }
  /// Calls finish(exponents, b, exponentials) for every row x: exponents[j] = -‖x - y_j‖²/2σ² are to become values of k, b[j] = β·(x - y_j)
  /// may be overwritten. b has an error of 2^-52·|b| + dim·2^-76·(Σ|β_k x_k| + Σ|β_k y_k|).
  template <class Finish>
  void fill_ridge_values(const PairRows& rows, MatrixView<double> out, Backend backend, const Finish& finish) const {
    const auto exponentials = fill_with_form(PairForm::squared, rows, out, backend);
    const auto beta = vector_in(rows.dim());
    const Matrix<double> along_x = projections(rows.X(), beta), along_y = projections(rows.Y(), beta);
    const double factor = gaussian_factor(sigma_), along_shift = rows.shift().empty() ? 0.0 : dot(beta, rows.shift());
    std::vector<double> b(out.cols());
    for (std::size_t i = 0; i < out.rows(); ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) b[j] = projected_difference(along_x.row(i), along_y.row(j)) + along_shift;
      for (std::size_t j = 0; j < b.size(); ++j) {
        out(i, j) *= factor;
        if (std::isinf(out(i, j))) b[j] = 0;  // it may have overflowed as well, but is far smaller
      }
      finish(out.row(i), std::span<double>(b), exponentials);
    }
    redo_overflown(*this, rows, along_x, along_y, out);
  }
  // a = σ²β
  std::vector<double> skew_ridge(std::size_t dim) const {
    auto ridge = vector_in(dim);
    for (double& value : ridge) value *= sigma_ * sigma_;
    return ridge;
  }

  double sigma_;

 private:
  CoordinateParameter vector_;
  std::string name_, vector_name_;
};

}  // namespace askrff::kernels
