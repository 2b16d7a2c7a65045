// FeatureMap: atoms → explicit features with K(X,Y) ≈ left(X)·right(Y)ᵀ, and the classifier's Φ.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "askrff/atoms.hpp"
#include "askrff/backend.hpp"
#include "askrff/views.hpp"

namespace askrff {

namespace backend {
struct Primitives;
}
namespace detail {
struct FeaturePlan;
}

/// left_j(x) = √|c_j| [cos(ω_j·x + θ_j), sin(ω_j·x + θ_j)], θ_j = arg c_j; right_j(y) the same with θ_j = 0.
/// Columns 0 … n-1 hold the cosines of the n atoms, columns n … 2n-1 the sines. Immutable, cheap to copy, safe to share among threads.
/// X: rows × dim(); out: rows × n_features(), may not overlap X. Results are the same bits for any blocking or order of rows.
/// float: computed in double, rounded once. Throws std::invalid_argument for wrong sizes, for X that is not finite and for X so large that
/// a phase overflows.
class FeatureMap {
 public:
  explicit FeatureMap(const SpectralAtoms& atoms, Backend backend = Backend::automatic);

  std::size_t dim() const;
  std::size_t n_frequencies() const;
  std::size_t n_features() const;    ///< 2 · n_frequencies()
  std::string backend_name() const;  ///< the one that runs: never "automatic"

  void left(MatrixView<const double> X, MatrixView<double> out) const;
  void left(MatrixView<const float> X, MatrixView<float> out) const;
  void right(MatrixView<const double> Y, MatrixView<double> out) const;
  void right(MatrixView<const float> Y, MatrixView<float> out) const;
  Matrix<double> left(MatrixView<const double> X) const;
  Matrix<float> left(MatrixView<const float> X) const;
  Matrix<double> right(MatrixView<const double> Y) const;
  Matrix<float> right(MatrixView<const float> Y) const;

  const backend::Primitives& primitives() const;  ///< for the library's own operators

 private:
  std::shared_ptr<const detail::FeaturePlan> left_, right_;
};

/// The classifier's Φ. collapsed: [√m₁φ(ω), √m₂φ(ζ), 2√m₃φ(ν)], 6M columns; paper: [√m₁φ(ω), √m₂φ(ζ), √(2m₃)φ(ν), √(2m₃)ψ(ν)], 8M
/// columns with the same inner products (the paper's imaginary unit has no meaning to a linear classifier and is left out).
enum class ClassifierForm { collapsed, paper };

class ClassifierFeatures {
 public:
  /// Throws std::invalid_argument if the atoms were not drawn part by part.
  explicit ClassifierFeatures(const SpectralAtoms& atoms, ClassifierForm form = ClassifierForm::collapsed,
                              Backend backend = Backend::automatic);

  std::size_t dim() const;
  std::size_t n_features() const;
  void transform(MatrixView<const double> X, MatrixView<double> out) const;
  void transform(MatrixView<const float> X, MatrixView<float> out) const;
  Matrix<double> transform(MatrixView<const double> X) const;
  Matrix<float> transform(MatrixView<const float> X) const;

 private:
  std::shared_ptr<const detail::FeaturePlan> plan_;
};

}  // namespace askrff
