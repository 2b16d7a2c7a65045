// The plan of columns: features are the rows as they are.
#include <algorithm>

#include "askrff/features.hpp"
#include "askrff/errors.hpp"
#include "features/plan.hpp"

namespace askrff {
namespace {

template <class T>
void copy_rows(backend::Rows<const T> X, backend::Rows<T> out, std::size_t dim) {
  for (std::size_t i = 0; i < X.count; ++i) std::copy_n(X.row(i), dim, out.row(i));
}

struct ColumnPlan final : detail::FeaturePlan {
  ColumnPlan(std::size_t dimension, const backend::Primitives& chosen)
      : FeaturePlan("ColumnFeatures::transform", dimension, "there are features for", chosen) {
    n_features = dimension;
  }
  double row_cost() const override { return static_cast<double>(dim); }
  bool are_columns() const override { return true; }
  void check(MatrixView<const float> X, const Execution& execution) const override { checked_size(X, execution); }
  void check(MatrixView<const double> X, const Execution& execution) const override { checked_size(X, execution); }
  void run(backend::Rows<const float> X, backend::Rows<float> out, backend::Store) const override { copy_rows(X, out, dim); }
  void run(backend::Rows<const double> X, backend::Rows<double> out, backend::Store) const override { copy_rows(X, out, dim); }
  void times(backend::Rows<const float> X, const float* weights, float* out) const override {
    primitives->for_float.rows_times(X, dim, weights, out);
  }
  void times(backend::Rows<const double> X, const double* weights, double* out) const override {
    primitives->for_double.rows_times(X, dim, weights, out);
  }
  void transposed_times(backend::Rows<const float> X, const float* values, double* out) const override {
    primitives->for_float.rows_transposed_times(X, dim, values, out);
  }
  void transposed_times(backend::Rows<const double> X, const double* values, double* out) const override {
    primitives->for_double.rows_transposed_times(X, dim, values, out);
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
