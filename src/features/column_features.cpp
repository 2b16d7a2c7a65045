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
};

std::shared_ptr<const ColumnPlan> column_plan(std::size_t dim, Backend backend) {
  if (dim == 0) throw InvalidArgument("ColumnFeatures", "dimension 0, expected at least 1");
  return std::make_shared<const ColumnPlan>(dim, backend::select(backend));
}

}  // namespace

ColumnFeatures::ColumnFeatures(std::size_t dim, Backend backend) : Features(column_plan(dim, backend)) {}

}  // namespace askrff
