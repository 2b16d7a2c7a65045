// The plan of columns: features are the rows as they are.
#include <algorithm>

#include "askrff/features.hpp"
#include "askrff/errors.hpp"
#include "features/plan.hpp"

namespace askrff {
namespace {

template <class T>
void copy_rows(const backend::InputRows<T>& X, backend::Rows<T> out, std::size_t dim) {
  for (std::size_t i = 0; i < X.count; ++i) {
    if (!X.is_sparse) {
      std::copy_n(X.dense.row(i), dim, out.row(i));
      continue;
    }
    std::fill_n(out.row(i), dim, T{0});
    const backend::SparseRow<T> row = X.sparse.row(i);
    for (std::size_t k = 0; k < row.size; ++k) out.row(i)[row.columns[k]] = row.values[k];
  }
}

struct ColumnPlan final : detail::FeaturePlan {
  ColumnPlan(std::size_t dimension, const backend::Primitives& chosen)
      : FeaturePlan("ColumnFeatures::transform", dimension, "there are features for", chosen) {
    n_features = dimension;
  }
  double row_cost() const override { return static_cast<double>(dim); }
  bool are_columns() const override { return true; }
  void run(backend::InputRows<float> X, backend::Rows<float> out, backend::Store) const override { copy_rows(X, out, dim); }
  void run(backend::InputRows<double> X, backend::Rows<double> out, backend::Store) const override { copy_rows(X, out, dim); }
  void times(backend::InputRows<float> X, const float* weights, float* out) const override { times_columns(X, weights, out); }
  void times(backend::InputRows<double> X, const double* weights, double* out) const override { times_columns(X, weights, out); }
  void transposed_times(backend::InputRows<float> X, const float* values, double* out) const override { sum_columns(X, values, out); }
  void transposed_times(backend::InputRows<double> X, const double* values, double* out) const override { sum_columns(X, values, out); }

 private:
  // Sparse rows are written out block by block.
  template <class T>
  void times_columns(const backend::InputRows<T>& X, const T* weights, T* out) const {
    if (X.is_sparse)
      FeaturePlan::times(X, weights, out);
    else
      primitives->of<T>().rows_times(X.dense, dim, weights, out);
  }
  template <class T>
  void sum_columns(const backend::InputRows<T>& X, const T* values, double* out) const {
    if (X.is_sparse)
      FeaturePlan::transposed_times(X, values, out);
    else
      primitives->of<T>().rows_transposed_times(X.dense, dim, values, out);
  }
};

std::shared_ptr<const ColumnPlan> column_plan(std::size_t dim, const backend::Primitives& primitives) {
  if (dim == 0) throw InvalidArgument("ColumnFeatures", "dimension 0, expected at least 1");
  return std::make_shared<const ColumnPlan>(dim, primitives);
}

}  // namespace

ColumnFeatures::ColumnFeatures(std::size_t dim, Backend backend) : Features(column_plan(dim, backend::select(backend))) {}
Features Features::of_stored() const { return Features(column_plan(n_features(), *plan_->primitives)); }

}  // namespace askrff
