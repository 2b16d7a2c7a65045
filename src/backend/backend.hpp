// THE seam for speed: a handful of primitives on plain pointers, one table of them per backend. Everything hot goes through here.
// Primitives run on the thread that calls them and keep no state; splitting work among threads is the caller's business.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/sparse.hpp"
#include "askrff/structure.hpp"
#include "askrff/views.hpp"
#include "backend/amplitudes.hpp"
#include "backend/elementwise.hpp"
#include "backend/grid.hpp"

namespace askrff::backend {

/// Where phases come from: n frequencies in `dim` dimensions, kept as one backend likes them. A dense matrix is one kind; frequencies whose
/// products with x are computed by a fast transform are another. Primitives take either.
class Projection {
 public:
  virtual ~Projection() = default;
};

/// Rows of a matrix, `stride` elements apart.
template <class T>
struct Rows {
  T* data = nullptr;
  std::size_t count = 0, stride = 0;

  T* row(std::size_t i) const { return data + i * stride; }
  Rows from(std::size_t first, std::size_t rows) const { return {data + first * stride, rows, stride}; }
};
template <class T>
Rows<T> rows_of(MatrixView<T> matrix) {
  return {matrix.data(), matrix.rows(), matrix.stride()};
}

/// What of one row is not zero, by increasing columns.
template <class T>
struct SparseRow {
  const std::uint32_t* columns;
  const T* values;
  std::size_t size;
};

/// Sparse rows (askrff/sparse.hpp).
template <class T>
struct SparseRows {
  const std::uint64_t* starts = nullptr;
  const std::uint32_t* columns = nullptr;
  const T* values = nullptr;
  std::size_t count = 0;

  SparseRow<T> row(std::size_t i) const {
    return {columns + starts[i], values + starts[i], static_cast<std::size_t>(starts[i + 1] - starts[i])};
  }
  SparseRows from(std::size_t first, std::size_t rows) const { return {starts + first, columns, values, rows}; }
};
template <class T>
SparseRows<T> rows_of(SparseView<T> rows) {
  return {rows.starts(), rows.columns(), rows.values(), rows.rows()};
}

/// Rows of either kind, as features are made of them; which kind is asked once for all rows of a call.
template <class T>
struct InputRows {
  Rows<const T> dense;   ///< unless is_sparse
  SparseRows<T> sparse;  ///< if is_sparse
  std::size_t count = 0;
  bool is_sparse = false;

  InputRows(Rows<const T> rows) : dense(rows), count(rows.count) {}
  InputRows(SparseRows<T> rows) : sparse(rows), count(rows.count), is_sparse(true) {}
  InputRows from(std::size_t first, std::size_t rows) const {
    return is_sparse ? InputRows(sparse.from(first, rows)) : InputRows(dense.from(first, rows));
  }
};

template <class T>
InputRows<T> rows_of(const RowsView<T>& rows) {
  return rows.is_sparse() ? InputRows<T>(rows_of(rows.sparse())) : InputRows<T>(rows_of(rows.dense()));
}

/// How output is stored: through the caches, or past them. The values are the same; past the caches pays when the output exceeds them.
enum class Store { cached, streaming };

/// What a product does with the output.
enum class Update { set, add, subtract };

/// Entries of a pair of rows x, y: squared Σ(x-y)², absolute Σ|x-y|, product Π(1 + (x-y)²).
enum class PairForm { squared, absolute, product };

/// Every primitive gives an output that depends on its own rows (and waves) only: the same bits for any blocking. Inputs and outputs may
/// not overlap. n = waves of the projection; Φ(i,·) = waves of row i as written by `waves`, 2n of them. A sparse row gives the bits of
/// a dense one of the same numbers; sums over rows may be cut elsewhere.
template <class T>
struct ScalarPrimitives {
  /// With u = ω_j·x_i and a_j = along_j + i across_j: out(i, j) = Re(a_j e^{iu}), out(i, n + j) = Im(a_j e^{iu}).
  void (*waves)(const Projection&, const Amplitudes&, InputRows<T> x, Rows<T> out, Store);
  /// out[i] += Σ_f Φ(i,f) weights[f].
  void (*waves_times)(const Projection&, const Amplitudes&, InputRows<T> x, const T* weights, T* out);
  /// out[f] += Σ_i values[i] Φ(i,f); sums of T over at most 192 rows, of double over those.
  void (*waves_transposed_times)(const Projection&, const Amplitudes&, InputRows<T> x, const T* values, double* out);
  /// The same two for rows that are stored: out[i] += Σ_f a(i,f) weights[f] and out[f] += Σ_i values[i] a(i,f), f < n.
  void (*rows_times)(Rows<const T> a, std::size_t n, const T* weights, T* out);
  void (*rows_transposed_times)(Rows<const T> a, std::size_t n, const T* values, double* out);
  /// out(i,j) = or += or -= Σ_f a(i,f) b(j,f), f < n, summed in the order of f.
  void (*product)(Rows<const T> a, Rows<const T> b, std::size_t n, Rows<T> out, Update);
  /// out(f - first, g) += Σ_i w_i a(i,f) b(i,g) for f = first … first + out.count - 1 and g = (upper ? f : 0) … b_cols - 1; a and b have
  /// the same rows; weights null: all 1. The sum over i is one of T, in order, and then added.
  void (*transposed_product)(Rows<const T> a, Rows<const T> b, const T* weights, std::size_t b_cols, std::size_t first, bool upper,
                             Rows<double> out);
};

struct Primitives {
  std::string_view name;
  std::unique_ptr<const Projection> (*make_projection)(MatrixView<const double> frequencies);
  /// Throws std::invalid_argument as HadamardBlocks::check().
  std::unique_ptr<const Projection> (*make_structured_projection)(const HadamardBlocks& blocks);
  ScalarPrimitives<float> for_float;
  ScalarPrimitives<double> for_double;
  /// out(i,j) = the form of rows x_i and y_j, over `dim` coordinates in their order.
  void (*pairs)(PairForm, Rows<const double> x, Rows<const double> y, std::size_t dim, Rows<double> out);
  /// The same of sparse rows x_i + shift and y_j, over all `dim` coordinates; shift: dim numbers, or null for 0. simd: a sum (product) over
  /// the coordinates of y_j, corrected at those of x_i, so that the cost is in proportion to those; its error is (n + 4)·2^-52 of the sum
  /// of the forms of x_i and of y_j - shift with 0 (of the product), n the coordinates that both have, and never more than n·2^-30 of the
  /// value: where so much cancels, coordinates are subtracted one by one.
  void (*sparse_pairs)(PairForm, SparseRows<double> x, SparseRows<double> y, const double* shift, std::size_t dim, Rows<double> out);
  /// out(i,f) = Σ_k a(i,k) b(k,f), f < n, summed in the order of k: the bits of `product` for the same rows written out.
  void (*sparse_product)(SparseRows<double> a, Rows<const double> b, std::size_t n, Rows<double> out);
  /// values[i] = exp(values[i]).
  void (*exponentials)(double* values, std::size_t n);
  /// out[i] = what the last of 1 to max_steps functions makes of the i-th numbers, each having those of the one before; out may be one of
  /// the arrays of operands. A chain gives the bits of its functions one by one.
  void (*elementwise)(const Step* steps, std::size_t n_steps, double* out, std::size_t n);
  /// out[i] = value, past the caches.
  void (*fill)(float* out, std::size_t n, float value);
  GridPrimitives<float> grid_for_float;
  GridPrimitives<double> grid_for_double;

  template <class T>
  const ScalarPrimitives<T>& of() const {
    if constexpr (sizeof(T) == sizeof(float))
      return for_float;
    else
      return for_double;
  }
  template <class T>
  const GridPrimitives<T>& grid_of() const {
    if constexpr (sizeof(T) == sizeof(float))
      return grid_for_float;
    else
      return grid_for_double;
  }
};

/// The primitives of a backend; automatic: what ASKRFF_BACKEND names, else the best there is. Throws std::invalid_argument for an unknown
/// name.
const Primitives& select(Backend backend);

/// By name: reference, simd (its best target here), or simd:TARGET. Throws std::invalid_argument for any other.
const Primitives& select(std::string_view name);

/// All that run on this machine, the reference first, then the simd targets from the best to the plainest.
std::span<const Primitives* const> available();

const Primitives& reference_primitives();
std::span<const Primitives* const> simd_primitives();  ///< the best first; never empty

}  // namespace askrff::backend
