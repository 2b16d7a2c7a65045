// FeatureMap: atoms or landmarks → explicit features with K(X,Y) ≈ left(X)·right(Y)ᵀ, and the classifier's Φ.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <variant>

#include "askrff/atoms.hpp"
#include "askrff/execution.hpp"
#include "askrff/kernel_matrix.hpp"
#include "askrff/nystrom.hpp"
#include "askrff/sparse.hpp"
#include "askrff/views.hpp"
#include "askrff/words.hpp"

namespace askrff {

namespace detail {
struct FeaturePlan;
}

/// The columns themselves are the features: linear models without a kernel take the way of all others.
struct Columns {
  std::size_t dim = 0;
};

/// What features are made of.
using FeatureSource = std::variant<Columns, SpectralAtoms, NystromFactors, MatrixFactors>;

/// Columns of the rows that left features of this source are made from.
std::size_t dim_of(const FeatureSource& source);
/// The same of right features: another number only if they are those of a matrix that is not square.
std::size_t right_dim_of(const FeatureSource& source);

/// Which features: a factor of the kernel matrix, or the classifier's Φ of Jordan parts.
enum class FeatureSide { left, right, classifier };

inline constexpr Word<FeatureSide> side_words[] = {
    {FeatureSide::left, "left", "the left factor of the kernel matrix"},
    {FeatureSide::right, "right", "the right factor of the kernel matrix"},
    {FeatureSide::classifier, "classifier", "what a model of Jordan parts is trained on; needs atoms drawn part by part"}};
constexpr std::span<const Word<FeatureSide>> words_of(FeatureSide) { return side_words; }

/// One map x → Φ(x) of rows to features. Immutable, cheap to copy, safe to share among threads.
/// X: rows × dim(); out: rows × n_features(), may not overlap X. Results are the same bits for any number of threads, any blocking, subset
/// or order of rows on one backend. Throws std::invalid_argument for wrong sizes, for X that is not finite and for X so large that a phase
/// overflows; out is untouched then. Features of landmarks also throw it if a user's kernel returns NaN or infinity; out is spoilt then.
///
/// Error of waves against exact features of the same numbers, for the simd backend: amplitude × (phase error + 7e-7 for float, 1.3e-15 for
/// double); phase error ≤ (dim + 3)·2^-24·(Σ|ω_k x_k| + |θ|) radians for float where max|x|·Σ|ω_k| ≤ 804 radians, θ the wave's own phase,
/// |θ| ≤ π/2; beyond that, and for double, phases are computed in double: 2^-53 instead of 2^-24, and one rounding to float (2e-7). The
/// reference backend computes in double and rounds once. For structured frequencies (atoms that have a structure()) with padded_dim = 2^p:
/// phase error ≤ (3p + 4)·2^-24·(‖x‖₂·|scale_j| + |θ|) for float where ‖x‖₂·|scale_j| ≤ 804 radians; beyond that, and for double, as above
/// with 2^-53, for |scale_j| ≤ 2^900. Features of landmarks are computed in double and rounded once for float; rounding
/// is about 1e-15·Σ_l |k(x,z_l) f_l|, f the factor's column, which is more than 1e-15 of the feature where the factors are large (they
/// cancel).
class Features {
 public:
  std::size_t dim() const;
  std::size_t n_features() const;
  std::string backend_name() const;  ///< the one that runs, "simd:avx2" for example; never "automatic"

  void transform(MatrixView<const double> X, MatrixView<double> out, const Execution& execution = {}) const;
  void transform(MatrixView<const float> X, MatrixView<float> out, const Execution& execution = {}) const;
  Matrix<double> transform(MatrixView<const double> X, const Execution& execution = {}) const;
  Matrix<float> transform(MatrixView<const float> X, const Execution& execution = {}) const;
  /// Of sparse rows, without making them dense (landmarks: some at a time): the same bits as of dense ones. Phases take time in proportion
  /// to the values that are there.
  void transform(SparseView<double> X, MatrixView<double> out, const Execution& execution = {}) const;
  void transform(SparseView<float> X, MatrixView<float> out, const Execution& execution = {}) const;

  /// For rows that are such features already, computed and stored: leaves them as they are, on the same backend.
  Features of_stored() const;

  const detail::FeaturePlan& plan() const { return *plan_; }  ///< for the library's own operators

 protected:
  explicit Features(std::shared_ptr<const detail::FeaturePlan> plan) : plan_(std::move(plan)) {}
  friend class FeatureMap;

 private:
  std::shared_ptr<const detail::FeaturePlan> plan_;
};

/// left_j(x) = √|c_j| [cos(ω_j·x + θ_j), sin(ω_j·x + θ_j)], θ_j = arg c_j; right_j(y) the same with θ_j = 0.
/// Columns 0 … n-1 hold the cosines of the n atoms, columns n … 2n-1 the sines. left(X) is left().transform(X), right likewise.
/// Of landmarks: left(x) = k(x,Z)·left_factor, right(y) = k(Z,y)ᵀ·right_factor. Of a matrix K: left takes rows of K, right takes columns of
/// it, as rows.
class FeatureMap {
 public:
  explicit FeatureMap(const SpectralAtoms& atoms, Backend backend = Backend::automatic);
  /// Copies the factors and shares the kernel.
  explicit FeatureMap(const NystromFactors& factors, Backend backend = Backend::automatic);
  /// Copies the factors.
  explicit FeatureMap(const MatrixFactors& factors, Backend backend = Backend::automatic);
  /// Of columns both sides are the columns.
  explicit FeatureMap(const FeatureSource& source, Backend backend = Backend::automatic);

  std::size_t dim() const { return left_.dim(); }                ///< of left rows
  std::size_t n_frequencies() const { return n_frequencies_; }   ///< 0 for maps of landmarks, matrices and columns, which have none
  std::size_t n_features() const { return left_.n_features(); }  ///< 2 · n_frequencies() for a map of atoms
  std::string backend_name() const { return left_.backend_name(); }

  /// Those the map is made of if they are on a grid, else null.
  const SpectralAtoms* atoms_on_grid() const { return atoms_on_grid_.get(); }
  /// Both sides are the same features, so that K̃ = Z·Zᵀ: those of a symmetric positive definite kernel, unless its weights were fitted
  /// without that constraint.
  bool is_one_sided() const { return &left_.plan() == &right_.plan(); }
  const Features& left() const { return left_; }
  const Features& right() const { return right_; }

  void left(MatrixView<const double> X, MatrixView<double> out, const Execution& execution = {}) const {
    left_.transform(X, out, execution);
  }
  void left(MatrixView<const float> X, MatrixView<float> out, const Execution& execution = {}) const { left_.transform(X, out, execution); }
  void right(MatrixView<const double> Y, MatrixView<double> out, const Execution& execution = {}) const {
    right_.transform(Y, out, execution);
  }
  void right(MatrixView<const float> Y, MatrixView<float> out, const Execution& execution = {}) const {
    right_.transform(Y, out, execution);
  }
  Matrix<double> left(MatrixView<const double> X, const Execution& execution = {}) const { return left_.transform(X, execution); }
  Matrix<float> left(MatrixView<const float> X, const Execution& execution = {}) const { return left_.transform(X, execution); }
  Matrix<double> right(MatrixView<const double> Y, const Execution& execution = {}) const { return right_.transform(Y, execution); }
  Matrix<float> right(MatrixView<const float> Y, const Execution& execution = {}) const { return right_.transform(Y, execution); }

 private:
  struct Sides;
  explicit FeatureMap(Sides sides);
  Features left_, right_;
  std::size_t n_frequencies_;
  std::shared_ptr<const SpectralAtoms> atoms_on_grid_;
};

/// The classifier's Φ. collapsed: [√m₁φ(ω), √m₂φ(ζ), 2√m₃φ(ν)], 6M columns; paper: [√m₁φ(ω), √m₂φ(ζ), √(2m₃)φ(ν), √(2m₃)ψ(ν)], 8M
/// columns with the same inner products (the paper's imaginary unit has no meaning to a linear classifier and is left out).
enum class ClassifierForm { collapsed, paper };

class ClassifierFeatures : public Features {
 public:
  /// Throws std::invalid_argument if the atoms were not drawn part by part.
  explicit ClassifierFeatures(const SpectralAtoms& atoms, ClassifierForm form = ClassifierForm::collapsed,
                              Backend backend = Backend::automatic);
};

/// The columns themselves.
class ColumnFeatures : public Features {
 public:
  /// Throws InvalidArgument if dim is 0.
  explicit ColumnFeatures(std::size_t dim, Backend backend = Backend::automatic);
};

}  // namespace askrff
