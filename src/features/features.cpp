// What every feature map does: hand its plan to the backend.
#include "askrff/features.hpp"

#include "features/plan.hpp"

namespace askrff {
namespace {

template <class T>
Matrix<T> allocate_and_transform(const detail::FeaturePlan& plan, MatrixView<const T> X, const Execution& execution) {
  Matrix<T> out(X.rows(), plan.n_features);
  plan.transform(X, out.view(), execution);
  return out;
}

}  // namespace

std::size_t Features::dim() const { return plan_->dim; }
std::size_t Features::n_features() const { return plan_->n_features; }
std::string Features::backend_name() const { return std::string(plan_->primitives->name); }

void Features::transform(MatrixView<const double> X, MatrixView<double> out, const Execution& execution) const {
  plan_->transform(X, out, execution);
}
void Features::transform(MatrixView<const float> X, MatrixView<float> out, const Execution& execution) const {
  plan_->transform(X, out, execution);
}
void Features::transform(SparseView<double> X, MatrixView<double> out, const Execution& execution) const {
  plan_->transform(X, out, execution);
}
void Features::transform(SparseView<float> X, MatrixView<float> out, const Execution& execution) const {
  plan_->transform(X, out, execution);
}
Matrix<double> Features::transform(MatrixView<const double> X, const Execution& execution) const {
  return allocate_and_transform(*plan_, X, execution);
}
Matrix<float> Features::transform(MatrixView<const float> X, const Execution& execution) const {
  return allocate_and_transform(*plan_, X, execution);
}

}  // namespace askrff
