// Linear models on features, and the design they are fitted on: the features of the training rows and a constant column, stored if there is
// room, made again in every pass if not. Models see features, never kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/features.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// outputs = Φ(x)·weights + bias; one output for two classes (positive: the second class) or one target, one per class for more.
struct LinearModel {
  Matrix<double> weights;    ///< n_features × n_outputs
  std::vector<double> bias;  ///< one per output; all 0 where the model was fitted without

  std::size_t n_features() const { return weights.rows(); }
  std::size_t n_outputs() const { return weights.cols(); }
};

/// The class of a row by its outputs: the second of two if the one output is > 0; of more, that of the largest, the first of equal ones.
std::size_t class_of_outputs(std::span<const double> outputs);

struct DesignOptions {
  bool bias = true;              ///< a last column of ones
  std::uint64_t max_stored = 0;  ///< bytes; larger designs are not stored. 0: 4 GiB, or a quarter of the machine's memory if that is less
  Execution execution = {};
};

/// rows × n_columns numbers of type T (float or double). Immutable. Results are the same bits for any number of threads, stored or not.
template <class T>
class Design {
 public:
  /// Keeps a view: X must outlive it. Throws std::invalid_argument for X with other columns than the features want, numbers that are not
  /// finite or overflow, or no rows.
  Design(Features features, MatrixView<const T> X, const DesignOptions& options = {});
  /// A temporary matrix would be gone before the first pass.
  Design(Features features, Matrix<T>&& X, const DesignOptions& options = {}) = delete;
  Design(Design&&) noexcept;
  Design& operator=(Design&&) noexcept;
  ~Design();

  std::size_t rows() const;
  std::size_t n_features() const;
  std::size_t n_columns() const;  ///< n_features(), and one more with a bias
  bool has_bias() const { return n_columns() > n_features(); }
  bool is_stored() const;

  /// outputs.row(p) = Φ·weights.row(p) for all p: weights is n_problems × n_columns, outputs n_problems × rows.
  void times(MatrixView<const double> weights, MatrixView<double> outputs, const Execution& execution = {}) const;
  /// sums.row(p) = Φᵀ·values.row(p): values is n_problems × rows, sums n_problems × n_columns.
  void transposed_times(MatrixView<const double> values, MatrixView<double> sums, const Execution& execution = {}) const;

  /// Whether what follows may be called from several threads: not if rows are made anew by a kernel that may not (Kernel::thread_safe).
  bool thread_safe() const;
  /// The rest is for solvers, which add and take away rows as these become active, on threads of their own; rows must be below rows().
  ///
  /// Over the given rows, adds Σ_i signs[i] φφᵀ to rows first … first + gram.rows() - 1 of a matrix, its part from the diagonal on, and,
  /// unless sum is empty, Σ_i factors[i] φ to sum (n_columns numbers).
  void add_outer_products(std::span<const std::uint32_t> rows, std::span<const T> signs, std::size_t first, MatrixView<double> gram,
                          std::span<const T> factors = {}, std::span<double> sum = {}, const StopToken& stop = {}) const;
  /// φ of one row.
  void copy_row(std::size_t row, std::span<double> out) const;

 private:
  class Store;
  std::unique_ptr<Store> store_;
};

extern template class Design<float>;
extern template class Design<double>;

}  // namespace askrff
