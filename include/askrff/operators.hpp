// Operators on kernels and feature maps: Gram blocks, errors between them with intervals, the uniform bound, products with features that
// are not stored, sums of their outer products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "askrff/execution.hpp"
#include "askrff/features.hpp"
#include "askrff/grid_operator.hpp"
#include "askrff/kernels.hpp"
#include "askrff/measure.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// out(i,j) = k(x_i - y_j). Memory beside out: O(1) blocks per thread. Throws std::invalid_argument for wrong sizes or rows that are not
/// finite. Same bits for any number of threads. Relative error of an entry of the library's kernels: (dim + 8)·2^-52·(1 + exponent); those
/// that shift or scale rows first (shift-gaussian, shifted:KERNEL, cauchy) see coordinates rounded to half an ulp more, which shows where
/// rows are far from the origin and near each other.
void exact_gram(const Kernel& kernel, const RowsView<double>& X, const RowsView<double>& Y, MatrixView<double> out,
                const Execution& execution = {});
Matrix<double> exact_gram(const Kernel& kernel, const RowsView<double>& X, const RowsView<double>& Y, const Execution& execution = {});

/// out = left(X)·right(Y)ᵀ; each entry is summed in the order of the features, whatever the blocks and threads. Memory beside out: some
/// blocks.
void approximate_gram(const FeatureMap& map, const RowsView<double>& X, const RowsView<double>& Y, MatrixView<double> out,
                      const Execution& execution = {});
void approximate_gram(const FeatureMap& map, const RowsView<float>& X, const RowsView<float>& Y, MatrixView<float> out,
                      const Execution& execution = {});
Matrix<double> approximate_gram(const FeatureMap& map, const RowsView<double>& X, const RowsView<double>& Y,
                                const Execution& execution = {});
Matrix<float> approximate_gram(const FeatureMap& map, const RowsView<float>& X, const RowsView<float>& Y, const Execution& execution = {});

struct ApproximationError {
  double frobenius = 0;        ///< ‖K - K̃‖_F / ‖K‖_F
  double maximum = 0;          ///< max |K - K̃| / max |K|
  double max_absolute = 0;     ///< max |K - K̃|
  double kernel_norm = 0;      ///< ‖K‖_F
  double feature_seconds = 0;  ///< of all threads together, spent on left(X) and right(Y)
};

/// Errors on all pairs of rows of X and Y, in row blocks: K is never held as a whole. If K is zero the relative errors are 0 for an exact
/// approximation and infinite otherwise. Throws std::invalid_argument for wrong sizes, rows or kernel values that are not finite.
ApproximationError approximation_error(const Kernel& kernel, const FeatureMap& map, const RowsView<double>& X, const RowsView<double>& Y,
                                       const Execution& execution = {});

/// The Proposition of the paper: with probability 1-delta, sup |k̂ - k| ≤ epsilon on data of the given diameter.
struct BoundOptions {
  double epsilon = 0.1, delta = 0.05, diameter = 1.0;
};
struct UniformBound {
  std::uint64_t n_frequencies = 0;        ///< smallest M (per part) the Proposition allows
  std::uint64_t n_frequencies_sharp = 0;  ///< the same with Hoeffding's inequality applied to the parts one by one
  double beta_d = 0, sigma_mu2 = 0, alpha_mu2 = 0, total = 0;
};
/// Throws std::invalid_argument if options are out of range, or masses or second moments are unknown or infinite.
UniformBound uniform_bound(const ComplexMeasure& measure, const BoundOptions& options);

inline constexpr std::size_t default_matrix_rows = 1000;

/// The relative error ‖K-K̃‖_F/‖K‖_F of kernel matrices of `matrix_rows` rows like those given, and its two-sided 95 % interval: the rows
/// stand for the distribution they come from.
struct HeldOutError {
  double error = 0, lower = 0, upper = 0;
  std::size_t n_rows = 0, n_pairs = 0;  ///< compared: all pairs of the rows, the diagonal included
  /// Of the matrix K(X,X) the error is that of. Where k is small between different rows the error depends on it.
  std::size_t matrix_rows = default_matrix_rows;
  /// The same for matrices K(X,Y) between different rows, which have no diagonal.
  double between = 0, between_lower = 0, between_upper = 0;
};

/// Compares all pairs of `rows`, which must have had no part in making the map, else the error is too small. Diagonal entries count one in
/// matrix_rows, as they do in such a matrix: where k is small between different rows, the error depends on it. The interval is that of the
/// jackknife over rows (pairs that share a row are not independent) on the logarithm of the squared ratio, with Student's quantile for as
/// many degrees of freedom as rows that carry the variance, and above with a correction for skewness. Rows to come may lie where none of
/// these is: the upper end also reckons with 3.7 more, as many as may come though none was seen (with a chance of 2.5 %), like the worst of
/// the farthest four, also of those `known` besides, each moved outwards to where the tail of the distances has one in twenty samples'
/// farthest. With few rows it may still be too short (docs/accuracy.md). Cost and memory
/// O(rows²); 1000 rows are plenty. Throws std::invalid_argument for fewer than 3 rows, more than 20 000, wrong columns, numbers or kernel
/// values that are not finite, matrix_rows of 0.
HeldOutError held_out_error(const Kernel& kernel, const FeatureMap& map, const RowsView<double>& rows, const Execution& execution = {},
                            std::size_t matrix_rows = default_matrix_rows, const RowsView<double>& known = {});

/// K and what stands for it, between rows and columns that had no part in it.
struct ComparedBlock {
  MatrixView<const double> exact, approximate;
};
/// The same of values that are there, in one block or in several of other rows and columns each, with factors of their own: folds, as in
/// cross_fitted_error. same_things: row i and column i of a block belong to the same, so that it is square and has a diagonal; else all are
/// different, the interval is the jackknife's over rows and columns, and the error is that between them. What lies beyond these rows nobody
/// knows: the upper end reckons with 3.7 more like the worst of them, and so does held_out_error of a kernel of pairs (pair_kernel.hpp).
/// Where K is zero, its relative error is infinite. Throws InvalidArgument as held_out_error, and for no blocks.
HeldOutError block_error(std::span<const ComparedBlock> blocks, bool same_things, std::size_t matrix_rows = default_matrix_rows,
                         const Execution& execution = {});

/// Makes a map of some rows, the same way whichever they are.
using MapMaker = std::function<FeatureMap(const RowsView<double>&)>;

/// The same where rows are too few to hold some out for good: they are dealt to folds by the seed, `make` is called with the rows outside
/// each, and all pairs of rows of the fold are compared with its map. All rows judge, none a map it had a part in. The error is that of
/// maps made of all but one fold; one made of all rows the same way is a little more exact. Those maps differ from each other and from that
/// one, and have rows in common: the interval is wider for it. Throws std::invalid_argument for fewer than two folds or three rows of each,
/// and as held_out_error; whatever `make` throws.
HeldOutError cross_fitted_error(const Kernel& kernel, const MapMaker& make, const RowsView<double>& rows, std::size_t n_folds = 5,
                                std::uint64_t seed = 0, const Execution& execution = {}, std::size_t matrix_rows = default_matrix_rows);

/// Φ(X)·W, rows × columns of W: predictions of linear models. W: n_features × any number of columns.
/// Same bits for any number of threads, blocking, subset or order of rows; one column alone may differ in the last bits from the same
/// column among several. Throws std::invalid_argument for wrong sizes or numbers that are not finite.
Matrix<float> multiply(const Features& features, MatrixView<const float> X, MatrixView<const float> W, const Execution& execution = {});
Matrix<double> multiply(const Features& features, MatrixView<const double> X, MatrixView<const double> W, const Execution& execution = {});
Matrix<float> multiply(const Features& features, SparseView<float> X, MatrixView<const float> W, const Execution& execution = {});
Matrix<double> multiply(const Features& features, SparseView<double> X, MatrixView<const double> W, const Execution& execution = {});

/// Φ(X)ᵀ·V, n_features × columns of V; V has as many rows as X. Sums over rows run in double, over at most 512 rows at a time in T: the
/// same bits for any number of threads.
Matrix<double> multiply_transposed(const Features& features, MatrixView<const float> X, MatrixView<const float> V,
                                   const Execution& execution = {});
Matrix<double> multiply_transposed(const Features& features, MatrixView<const double> X, MatrixView<const double> V,
                                   const Execution& execution = {});
Matrix<double> multiply_transposed(const Features& features, SparseView<float> X, MatrixView<const float> V,
                                   const Execution& execution = {});
Matrix<double> multiply_transposed(const Features& features, SparseView<double> X, MatrixView<const double> V,
                                   const Execution& execution = {});

/// K̃ = left(X)·right(Y)ᵀ, rows of X × rows of Y, as an operator on vectors. K̃ is not stored, nor are features, unless those of a side take
/// at most 1 MiB: they are made once, and a product with them takes a fifth to a half of the time. Of a map whose atoms are on a grid
/// products are a GridOperator's, which are K̃'s to the grid's tolerance, if there are so many atoms that it is faster. Keeps views: X and Y
/// must outlive it and stay as they are. Cheap to copy. Same bits for any number of threads; features that are kept may change the last
/// ones. T: float or double.
template <class T>
class LowRankOperator {
 public:
  /// execution: of making the features that are kept. Throws std::invalid_argument if X or Y has the wrong number of columns or, where
  /// features are kept, is not finite.
  LowRankOperator(const FeatureMap& map, RowsView<T> X, RowsView<T> Y, const Execution& execution = {});

  std::size_t rows() const { return left_.n_rows(); }
  std::size_t cols() const { return right_.n_rows(); }
  /// K̃·V for V of cols() rows. Cost: one pass over the features of X and one over those of Y. Throws std::invalid_argument for V of another
  /// size, and for rows, V or sums that are not finite.
  Matrix<T> apply(MatrixView<const T> V, const Execution& execution = {}) const;
  /// K̃ᵀ·V for V of rows() rows.
  Matrix<T> apply_transposed(MatrixView<const T> V, const Execution& execution = {}) const;

 private:
  /// Rows and the map of their features; where those are kept they are the rows, and the map leaves them as they are.
  struct Side {
    Features features;
    RowsView<T> rows;
    std::shared_ptr<const Matrix<T>> kept;

    Side(const Features& map, const RowsView<T>& X, const char* name, const Execution& execution);
    std::size_t n_rows() const { return rows.rows(); }
    void check(const Execution& execution) const;
  };
  /// Rows written out if they are sparse.
  static std::optional<GridOperator<T>> on_grid(const FeatureMap& map, const RowsView<T>& X, const RowsView<T>& Y,
                                                const Execution& execution);
  static Matrix<T> apply_through(const Side& out, const Side& in, MatrixView<const T> V, const Execution& execution);

  std::optional<GridOperator<T>> grid_;
  Side left_, right_;
};

extern template class LowRankOperator<float>;
extern template class LowRankOperator<double>;

struct NormalSums {
  Matrix<double> gram;     ///< Φᵀ diag(w) Φ, n_features × n_features, symmetric
  Matrix<double> moments;  ///< Φᵀ diag(w) Y, n_features × n_targets
  std::size_t n_rows = 0;
};

/// Add rows in as many calls as you like; the sums depend on the rows and their order, not on how they were cut into calls nor on the
/// number of threads, to the bit: sums of T over 1024 rows, of double over those. Memory: n_features² doubles and some blocks.
/// T: float or double. Not to be used by several threads at once.
template <class T>
class NormalEquations {
 public:
  /// Throws std::bad_alloc or std::invalid_argument if there is no memory for the Gram matrix.
  explicit NormalEquations(Features features, std::size_t n_targets = 0, const Execution& execution = {});
  NormalEquations(NormalEquations&&) noexcept;
  NormalEquations& operator=(NormalEquations&&) noexcept;
  ~NormalEquations();

  /// X: rows × dim; Y: rows × n_targets; weights: one per row, or none for all 1. Throws std::invalid_argument for wrong sizes or numbers
  /// that are not finite; nothing is added then. If it is stopped, or a user's kernel fails, some rows are in and some are not: every
  /// further call then throws std::invalid_argument.
  void add(MatrixView<const T> X, MatrixView<const T> Y = {}, std::span<const T> weights = {});

  /// The sums over all rows added; the next add begins anew.
  NormalSums finish();
  /// The same, as a copy: the next add goes on, also if this was stopped.
  NormalSums sums();
  /// How further calls are carried out.
  void set_execution(const Execution& execution);

 private:
  class Accumulator;
  std::unique_ptr<Accumulator> accumulator_;
};

extern template class NormalEquations<float>;
extern template class NormalEquations<double>;

}  // namespace askrff
