// Kernel values at landmarks on a sample of rows, as functions of either side, and the triangles that make these orthonormal there.
#pragma once

#include "askrff/execution.hpp"
#include "askrff/kernels.hpp"
#include "askrff/views.hpp"
#include "landmarks/choose.hpp"

namespace askrff::landmarks {

/// What the core is to suit: landmarks, then the others.
struct Sample {
  RowsView<double> landmarks, others;

  std::size_t size() const { return landmarks.rows() + others.rows(); }
  /// By what rows and columns of landmarks are multiplied. Without them the function of a landmark that is far from all other rows could
  /// have any coefficient; where they are many they are a large part of the sample, and less is left of k at them than elsewhere.
  double landmark_weight() const {
    constexpr std::size_t many = 1024;
    return landmarks.rows() > many ? 0.5 : 1;
  }
};

/// Functions of one side, k(·,z) or k(z,·), on all rows of a sample, weighted. Matrices have a row for each row of the sample, so that the
/// backend's products go along rows.
class Side {
 public:
  /// scale: by what values are multiplied; one that suits them if it is 0.
  Side(const Kernel& kernel, const Sample& sample, bool left, double& scale, const Execution& execution);

  /// Makes values = Q·Cᵀ with orthonormal columns of Q. Landmarks that are next to combinations of others (by `cutoff`, see NystromOptions)
  /// are left out; C are Cholesky factors of sums over blocks of rows. Once, and values() are then those of the functions that are left.
  void factor(double cutoff);
  /// The same as if the sample had a further row for each landmark, where its function alone is not 0 and its square is `ridge`, relative
  /// to the mean of the functions' squares; no landmark is left out. As often as ridges are tried.
  void factor_with_ridge(double ridge);
  /// The square of those further rows; 0 without a ridge.
  double ridge_square() const { return ridge_square_; }

  /// One row for each of the sample.
  const Matrix<double>& values() const { return values_; }
  /// The largest |value| of each landmark's function, before a factor.
  std::vector<double> largest_values() const;
  /// X with X·Cᵀ = rows.
  void solve(Matrix<double>& rows) const;
  /// Values of all functions on other rows become values of the orthonormal ones.
  Matrix<double> orthonormal_values(const Matrix<double>& values) const;
  /// Vectors between the orthonormal functions, as rows, become combinations of kernel values at all landmarks.
  Matrix<double> combinations(Matrix<double> vectors) const;

 private:
  bool factored_as_they_are();
  void factor_pivoted(double cutoff);
  Matrix<double> pivotal_values(const Matrix<double>& values) const;

  Execution execution_;
  std::size_t n_landmarks_;
  Matrix<double> values_, gram_, factor_;
  double ridge_square_ = 0;
  Pivots pivots_;  // none: all landmarks, as they are
};

/// Values of the functions of one side on some rows, unweighted: a row for each.
void function_values(const Kernel& kernel, const RowsView<double>& landmarks, const RowsView<double>& rows, bool left,
                     MatrixView<double> out, const Execution& execution);

/// left valuesᵀ · K(S,S) · right values, K weighted as they are and scaled, by blocks of rows of it.
Matrix<double> between(const Kernel& kernel, const Side& left, const Side& right, const Sample& sample, double scale,
                       const Execution& execution);

/// Values times a power of two.
void multiply(MatrixView<double> values, double scale);

}  // namespace askrff::landmarks
