// Products with features that are never stored, and K̃ = left(X)·right(Y)ᵀ as an operator. Memory: the inputs, the result and some blocks.
#pragma once

#include "askrff/execution.hpp"
#include "askrff/features.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// Φ(X)·W, rows × columns of W: predictions of linear models. W: n_features × any number of columns.
/// Same bits for any number of threads, blocking, subset or order of rows; one column alone may differ in the last bits from the same
/// column among several. Throws std::invalid_argument for wrong sizes or numbers that are not finite.
Matrix<float> multiply(const Features& features, MatrixView<const float> X, MatrixView<const float> W, const Execution& execution = {});
Matrix<double> multiply(const Features& features, MatrixView<const double> X, MatrixView<const double> W, const Execution& execution = {});

/// Φ(X)ᵀ·V, n_features × columns of V; V has as many rows as X. Sums over rows run in double, over at most 512 rows at a time in T: the
/// same bits for any number of threads.
Matrix<double> multiply_transposed(const Features& features, MatrixView<const float> X, MatrixView<const float> V,
                                   const Execution& execution = {});
Matrix<double> multiply_transposed(const Features& features, MatrixView<const double> X, MatrixView<const double> V,
                                   const Execution& execution = {});

/// K̃ = left(X)·right(Y)ᵀ, rows of X × rows of Y, as an operator on vectors; neither K̃ nor features are stored. Keeps views: X and Y must
/// outlive it. T: float or double.
template <class T>
class LowRankOperator {
 public:
  /// Throws std::invalid_argument if X or Y has the wrong number of columns.
  LowRankOperator(FeatureMap map, MatrixView<const T> X, MatrixView<const T> Y, const Execution& execution = {});

  std::size_t rows() const { return X_.rows(); }
  std::size_t cols() const { return Y_.rows(); }
  /// K̃·V for V of cols() rows. Cost: one pass over the features of X and one over those of Y.
  Matrix<T> apply(MatrixView<const T> V) const;
  /// K̃ᵀ·V for V of rows() rows.
  Matrix<T> apply_transposed(MatrixView<const T> V) const;

 private:
  FeatureMap map_;
  MatrixView<const T> X_, Y_;
  Execution execution_;
};

extern template class LowRankOperator<float>;
extern template class LowRankOperator<double>;

}  // namespace askrff
