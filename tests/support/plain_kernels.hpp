// Kernels a user might write with name() and evaluate() alone: no Fourier measure.
#pragma once

#include <cmath>
#include <limits>

#include "askrff/kernels.hpp"

namespace askrff::test {

/// Π_c exp(-δ_c²/2)(1 + erf(a_c δ_c)): smooth and asymmetric.
class SkewedGaussian final : public Kernel {
 public:
  explicit SkewedGaussian(CoordinateParameter skew) : skew_(std::move(skew)) {}
  std::string name() const override { return "skewed-gaussian"; }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    const auto skew = skew_.expand(differences.cols(), name(), "skew");
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = 1;
      for (std::size_t c = 0; c < differences.cols(); ++c) {
        const double delta = differences(i, c);
        out[i] *= std::exp(-delta * delta / 2) * (1 + std::erf(skew[c] * delta));
      }
    }
  }

 private:
  CoordinateParameter skew_;
};

/// The same value everywhere: 0, NaN, infinity.
class ConstantKernel final : public Kernel {
 public:
  explicit ConstantKernel(double value) : value_(value) {}
  std::string name() const override { return "constant"; }
  void evaluate(MatrixView<const double>, std::span<double> out) const override {
    for (double& value : out) value = value_;
  }

 private:
  double value_;
};

}  // namespace askrff::test
