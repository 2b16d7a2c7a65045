// The plan of a matrix's factors: rows of K, or some of their columns, times a factor.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "askrff/kernel_matrix.hpp"
#include "features/plan.hpp"

namespace askrff::detail {

/// Dense rows are a product of the backend, sparse ones take time in proportion to their numbers; the bits are the same.
struct MatrixPlan final : FeaturePlan {
  /// dimension: numbers of a row; places: those that are read, increasing; factor: a row for each.
  MatrixPlan(std::string name, std::size_t dimension, const std::vector<std::size_t>& places, std::shared_ptr<const Matrix<double>> factor,
             const backend::Primitives& chosen);

  /// Throws InvalidArgument if places, shapes and numbers do not fit.
  static void require_consistent(const MatrixFactors& factors);

  double row_cost() const override;
  /// Throws InvalidArgument if a float cannot hold a feature.
  void run(backend::InputRows<float> X, backend::Rows<float> out, backend::Store store) const override;
  void run(backend::InputRows<double> X, backend::Rows<double> out, backend::Store store) const override;

 private:
  bool reads_all() const { return places_.size() == dim; }
  const Matrix<double>& factor_rows() const;
  template <class T>
  void run_doubles(const backend::InputRows<T>& X, backend::Rows<double> out) const;
  template <class T>
  void run_dense(backend::Rows<const T> X, backend::Rows<double> out) const;
  template <class T>
  void run_sparse(backend::SparseRows<T> X, backend::Rows<double> out) const;

  std::vector<std::uint32_t> places_;
  std::shared_ptr<const Matrix<double>> factor_;  // places × features: for sparse rows
  mutable std::once_flag turned_;
  mutable Matrix<double> factor_rows_;  // features × places: for dense rows, made when the first comes
};

}  // namespace askrff::detail
