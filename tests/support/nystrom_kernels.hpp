// Kernels that are hard for landmarks, as a user might write them: no Fourier measure, no block evaluation.
#pragma once

#include <cmath>
#include <limits>

#include "askrff/kernels.hpp"

namespace askrff::test {

/// exp(-‖δ‖²/2)·sinh(Σδ): skew-symmetric, so as far from definite as can be; zero between equal rows.
class SkewKernel final : public Kernel {
 public:
  std::string name() const override { return "skew"; }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      double squares = 0, sum = 0;
      for (const double delta : differences.row(i)) {
        squares += delta * delta;
        sum += delta;
      }
      out[i] = std::exp(-squares / 2) * std::sinh(sum);
    }
  }
};

/// A Gaussian that is not a number between rows more than `reach` apart.
class FragileKernel final : public Kernel {
 public:
  explicit FragileKernel(double reach) : reach_(reach) {}
  std::string name() const override { return "fragile"; }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      double squares = 0;
      for (const double delta : differences.row(i)) squares += delta * delta;
      out[i] = squares > reach_ * reach_ ? std::numeric_limits<double>::quiet_NaN() : std::exp(-squares / 2);
    }
  }

 private:
  double reach_;
};

}  // namespace askrff::test
