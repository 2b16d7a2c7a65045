// A plan: blocks of waves written side by side into the columns of the output. Every feature map is one.
#pragma once

#include <span>
#include <vector>

#include "askrff/atoms.hpp"
#include "backend/backend.hpp"

namespace askrff::detail {

struct FeaturePlan {
  struct Block {
    std::size_t first, count;  // atoms, and rows of `frequencies`
    std::vector<double> along, across;
  };

  Matrix<double> frequencies;
  std::vector<Block> blocks;
  double largest_frequency = 0;  // max_j Σ_k |ω_jk|: a phase is at most this times max |x|
  const backend::Primitives* primitives;

  FeaturePlan(const SpectralAtoms& atoms, Backend backend);
  std::size_t n_features() const;

  /// Checks sizes and values (`who` and `name` for the message), then fills out.
  void run(MatrixView<const double> X, MatrixView<double> out, std::string_view who) const;
  void run(MatrixView<const float> X, MatrixView<float> out, std::string_view who) const;

 private:
  template <class T>
  void run_checked(MatrixView<const T> X, MatrixView<T> out, std::string_view who, backend::WavesFunction<T> waves) const;
};

}  // namespace askrff::detail
