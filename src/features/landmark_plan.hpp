// The plan of landmarks: kernel values between a row and the landmarks, times a factor.
#pragma once

#include <memory>

#include "askrff/nystrom.hpp"
#include "features/plan.hpp"

namespace askrff::detail {

/// Rows are brought to the kind of the landmarks, dense or sparse: whichever they are, their features are the same bits.
struct LandmarkPlan final : FeaturePlan {
  /// left: k(x,z), right: k(z,x).
  enum class Side { left, right };

  /// factor: landmarks × features.
  LandmarkPlan(std::string name, Side which, std::shared_ptr<const Kernel> values_of, std::shared_ptr<const RowsMatrix<double>> rows,
               const Matrix<double>& factor, const backend::Primitives& chosen);

  /// Throws std::invalid_argument if there is no kernel, or the shapes of landmarks and factors do not fit.
  static void require_consistent(const NystromFactors& factors);

  double row_cost() const override;
  bool thread_safe() const override { return kernel->thread_safe(); }
  std::size_t task_rows() const override { return rows_at_once(); }
  /// Throw std::invalid_argument if the kernel returns NaN or infinity, or a float cannot hold a feature.
  void run(backend::InputRows<float> X, backend::Rows<float> out, backend::Store store) const override;
  void run(backend::InputRows<double> X, backend::Rows<double> out, backend::Store store) const override;

 private:
  /// values(i,l) = k(x_i, z_l) or k(z_l, x_i).
  void fill_values(const RowsView<double>& X, MatrixView<double> values) const;
  std::size_t rows_at_once() const;
  std::size_t converted_rows(std::size_t n_rows) const;
  void run_doubles(const RowsView<double>& X, backend::Rows<double> out) const;

  Side side;
  std::shared_ptr<const Kernel> kernel;
  Backend kernel_backend;
  std::shared_ptr<const RowsMatrix<double>> landmarks;  // shared by both sides
  Matrix<double> factor_rows;                           // features × landmarks
};

}  // namespace askrff::detail
