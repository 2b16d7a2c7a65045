// A kernel matrix instead of a kernel: K, dense, sparse or known by its products alone, square or not, symmetric or not, as the product of
// two thin factors, and how rows and columns that come later get features. The features are linear in rows of K: FeatureMap makes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/nystrom.hpp"
#include "askrff/sparse.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// A matrix K by what it does to vectors. Called on the thread of the call that needs it; finite numbers are expected.
class LinearMap {
 public:
  virtual ~LinearMap() = default;
  virtual std::size_t rows() const = 0;
  virtual std::size_t cols() const = 0;
  /// out = K·V; V: cols() × any number of vectors, out: rows() × as many.
  virtual void times(MatrixView<const double> V, MatrixView<double> out, const Execution& execution = {}) const = 0;
  /// out = Kᵀ·V; V: rows() × any number of vectors, out: cols() × as many.
  virtual void transposed_times(MatrixView<const double> V, MatrixView<double> out, const Execution& execution = {}) const = 0;
  /// out(i,b) = K(i, columns[b]), rows() × columns.size(); here by products with unit vectors.
  virtual void take_columns(std::span<const std::size_t> columns, MatrixView<double> out, const Execution& execution = {}) const;
  /// out(a,j) = K(rows[a], j), rows.size() × cols(); the same.
  virtual void take_rows(std::span<const std::size_t> rows, MatrixView<double> out, const Execution& execution = {}) const;
  /// Whether it is known that K(i,j) = K(j,i) for all i, j. May look at all of K.
  virtual bool symmetric() const { return false; }
};

/// K by its entries, which are not copied and must outlive the result. Sparse ones are never made dense: a product with w vectors takes
/// O(numbers · w), and their transpose is held beside them. float entries are read as doubles, some rows at a time. The same bits for any
/// number of threads. Throws InvalidArgument for numbers that are not finite, or 2^32 rows or columns of a sparse K.
std::unique_ptr<const LinearMap> matrix_view(const RowsView<double>& K);
std::unique_ptr<const LinearMap> matrix_view(const RowsView<float>& K);

struct MatrixOptions {
  std::size_t n_features = 128;
  /// 0: all of K is looked at, by 6 products with about n_features vectors, on both sides. Else at least n_features, at most max_landmarks:
  /// only so many columns and rows are (and, unless they are uniform, as many others beside them), and of rows to come only those columns.
  std::size_t n_landmarks = 0;
  Landmarks landmarks = Landmarks::pivoted;  ///< how these are chosen among twice as many, drawn uniformly; uniform: among none but them
  /// Singular values of less than this, relative to the largest, are left out; never less than rounding leaves.
  double cutoff = 1e-13;
  std::uint64_t seed = 0;
  Execution execution = {};
};

/// What matrix_factors() found; plain data. left(x) = K(x, columns)·left_factor, right(y) = K(rows, y)ᵀ·right_factor.
struct MatrixFactors {
  std::size_t n_rows = 0, n_columns = 0;     ///< of K
  std::vector<std::size_t> columns, rows;    ///< increasing: what is read of a row of K, n_columns numbers, and of a column, n_rows numbers
  Matrix<double> left_factor, right_factor;  ///< columns.size() × n_features(), rows.size() × n_features(); balanced
  std::vector<double> singular_values;       ///< of the approximation, the largest first, one per feature

  /// As asked for, or fewer if the numerical rank of K is smaller, or landmarks cannot tell so many directions apart.
  std::size_t n_features() const { return left_factor.cols(); }
  /// Both sides are the same: K is symmetric, and what is kept of it is positive definite.
  bool is_one_sided() const;
};

/// K ≈ left(K)·right(Kᵀ)ᵀ of rank n_features. All of it looked at: a truncated singular value decomposition K ≈ U·S·Vᵀ by a random range
/// and two steps of subspace iteration, QR in double; left_factor = V·S^-½, right_factor = U·S^-½. In the Frobenius norm the error is
/// within some per cent of the best of that rank. A symmetric K (LinearMap::symmetric) gives an eigendecomposition: U is V but for signs,
/// and one side where none is negative. Landmarks: with orthonormal bases of the columns K(:,J) and of the rows K(I,:) the matrix between
/// them that is closest to all of these entries, truncated. The same bits for any number of threads, if the products are. Memory: about
/// 6·(rows + cols)·(n_features + 16) doubles, or of landmarks 4·(rows + cols)·n_landmarks. Throws InvalidArgument for no rows or columns,
/// numbers that are not finite, a K that is zero, n_features of 0 or above 4096, n_landmarks below n_features or above 4096, a cutoff
/// outside [0,1); NumericalError if a small factorisation fails; Stopped.
MatrixFactors matrix_factors(const LinearMap& K, const MatrixOptions& options = {});
MatrixFactors matrix_factors(const RowsView<double>& K, const MatrixOptions& options = {});

}  // namespace askrff
