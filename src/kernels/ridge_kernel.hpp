// What shift-, sinh- and cosh-Gaussian share: a bandwidth and one vector, because each is a Gaussian times a function of one scalar.
#pragma once

#include "askrff/kernels.hpp"
#include "core/vectors.hpp"
#include "kernels/support.hpp"
#include "measures/ridge_gaussian.hpp"

namespace askrff::kernels {

class RidgeKernel : public Kernel {
 public:
  RidgeKernel(double sigma, CoordinateParameter vector, std::string name, std::string vector_name)
      : sigma_(sigma), vector_(std::move(vector)), name_(std::move(name)), vector_name_(std::move(vector_name)) {
    positive_scale(sigma_, name_, "sigma");
    vector_.require_finite(name_, vector_name_);
  }
  std::string name() const final { return name_; }

 protected:
  std::vector<double> vector_in(std::size_t dim) const {
    if (dim == 0) throw std::invalid_argument(name_ + ": the dimension is 0, expected at least 1");
    return vector_.expand(dim, name_, vector_name_);
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
