// Matrices by their entries, dense or sparse, as linear maps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "askrff/dense.hpp"
#include "askrff/errors.hpp"
#include "askrff/kernel_matrix.hpp"
#include "backend/backend.hpp"
#include "core/ceil_div.hpp"
#include "core/checks.hpp"
#include "core/threads.hpp"
#include "core/transpose.hpp"
#include "landmarks/factors.hpp"

namespace askrff {
namespace {

constexpr std::size_t view_block = 1024;  // rows of K whose products are one sum, and that are converted at once

void require_vectors(MatrixView<const double> V, MatrixView<double> out, std::size_t in_rows, std::size_t out_rows) {
  require_shape(V, in_rows, V.cols(), "LinearMap", "V");
  require_shape(out, out_rows, V.cols(), "LinearMap", "out");
}

void set_zero(MatrixView<double> out) {
  for (std::size_t i = 0; i < out.rows(); ++i) std::ranges::fill(out.row(i), 0.0);
}

template <class T>
class DenseMatrix final : public LinearMap {
 public:
  explicit DenseMatrix(MatrixView<const T> K) : K_(K) { require_finite<T>(K, "matrix_view", "K"); }

  std::size_t rows() const override { return K_.rows(); }
  std::size_t cols() const override { return K_.cols(); }
  void times(MatrixView<const double> V, MatrixView<double> out, const Execution& execution) const override {
    require_vectors(V, out, cols(), rows());
    const Matrix<double> vectors = transposed<double>(V, execution.stop);
    for_each_block([&](std::size_t first, MatrixView<const double> block) {
      product_of_rows(block, vectors, out.middle_rows(first, block.rows()), execution);
    });
  }
  void transposed_times(MatrixView<const double> V, MatrixView<double> out, const Execution& execution) const override {
    require_vectors(V, out, rows(), cols());
    set_zero(out);
    for_each_block([&](std::size_t first, MatrixView<const double> block) {
      landmarks::add_transposed_product(block, V.middle_rows(first, block.rows()), false, out, execution);
    });
  }
  void take_columns(std::span<const std::size_t> columns, MatrixView<double> out, const Execution& execution) const override {
    for (std::size_t i = 0; i < rows(); ++i) {
      if (i % view_block == 0) execution.stop.check();
      for (std::size_t b = 0; b < columns.size(); ++b) out(i, b) = static_cast<double>(K_(i, columns[b]));
    }
  }
  void take_rows(std::span<const std::size_t> rows, MatrixView<double> out, const Execution&) const override {
    for (std::size_t a = 0; a < rows.size(); ++a) std::ranges::copy(K_.row(rows[a]), out.row(a).begin());
  }
  bool symmetric() const override {
    if (rows() != cols()) return false;
    constexpr std::size_t tile = 64;  // both halves of a pair of tiles stay in a cache
    for (std::size_t i = 0; i < rows(); i += tile)
      for (std::size_t j = 0; j <= i; j += tile)
        for (std::size_t a = i; a < std::min(i + tile, rows()); ++a)
          for (std::size_t b = j; b < std::min({j + tile, cols(), a}); ++b)
            if (K_(a, b) != K_(b, a)) return false;
    return true;
  }

 private:
  /// Calls use(first row, rows as doubles).
  template <class Use>
  void for_each_block(const Use& use) const {
    Matrix<double> converted;
    for (std::size_t first = 0; first < rows(); first += view_block) {
      const std::size_t count = std::min(view_block, rows() - first);
      if constexpr (std::is_same_v<T, double>) {
        use(first, K_.middle_rows(first, count));
      } else {
        if (converted.empty()) converted = Matrix<double>(count, cols());
        const MatrixView<double> block = converted.view().middle_rows(0, count);
        for (std::size_t i = 0; i < count; ++i) std::ranges::copy(K_.row(first + i), block.row(i).begin());
        use(first, block);
      }
    }
  }

  MatrixView<const T> K_;
};

/// Rows in the memory of others, or of one's own.
struct StoredRows {
  std::vector<std::uint64_t> starts;
  std::vector<std::uint32_t> columns;
  std::vector<double> values;

  backend::SparseRows<double> view(std::size_t rows) const { return {starts.data(), columns.data(), values.data(), rows}; }
};

template <class T>
class SparseEntries final : public LinearMap {
 public:
  explicit SparseEntries(SparseView<T> K) : K_(K) {
    require_finite(K, "matrix_view", "K");
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    if (K.rows() > most || K.cols() > most)
      throw InvalidArgument("matrix_view", fmt::format("K is {} x {}, expected at most {} rows and columns", K.rows(), K.cols(), most));
    if constexpr (!std::is_same_v<T, double>) {
      for (std::size_t i = 0; i < K.rows(); ++i) own_.starts.push_back(K.starts()[i] - K.starts()[0]);
      own_.starts.push_back(K.n_values());
      if (K.rows() > 0) own_.columns.assign(K.columns() + K.starts()[0], K.columns() + K.starts()[0] + K.n_values());
      own_.values.assign(K.all_values().begin(), K.all_values().end());
    }
    transpose_entries();
  }

  std::size_t rows() const override { return K_.rows(); }
  std::size_t cols() const override { return K_.cols(); }
  void times(MatrixView<const double> V, MatrixView<double> out, const Execution& execution) const override {
    require_vectors(V, out, cols(), rows());
    multiply_rows(by_rows(), V, out, execution);
  }
  void transposed_times(MatrixView<const double> V, MatrixView<double> out, const Execution& execution) const override {
    require_vectors(V, out, rows(), cols());
    multiply_rows(by_columns_.view(cols()), V, out, execution);
  }
  void take_columns(std::span<const std::size_t> columns, MatrixView<double> out, const Execution&) const override {
    set_zero(out);
    for (std::size_t b = 0; b < columns.size(); ++b) {
      const backend::SparseRow<double> column = by_columns_.view(cols()).row(columns[b]);
      for (std::size_t k = 0; k < column.size; ++k) out(column.columns[k], b) = column.values[k];
    }
  }
  void take_rows(std::span<const std::size_t> rows, MatrixView<double> out, const Execution&) const override {
    set_zero(out);
    for (std::size_t a = 0; a < rows.size(); ++a) {
      const backend::SparseRow<double> row = by_rows().row(rows[a]);
      for (std::size_t k = 0; k < row.size; ++k) out(a, row.columns[k]) = row.values[k];
    }
  }
  /// Entries that are stored zeros must have one opposite.
  bool symmetric() const override {
    if (rows() != cols()) return false;
    const backend::SparseRows<double> K = by_rows(), Kt = by_columns_.view(cols());
    for (std::size_t i = 0; i < rows(); ++i) {
      const auto a = K.row(i), b = Kt.row(i);
      if (a.size != b.size || !std::equal(a.columns, a.columns + a.size, b.columns) || !std::equal(a.values, a.values + a.size, b.values))
        return false;
    }
    return true;
  }

 private:
  backend::SparseRows<double> by_rows() const {
    if constexpr (std::is_same_v<T, double>)
      return backend::rows_of(K_);
    else
      return own_.view(rows());
  }
  void transpose_entries() {
    by_columns_.starts.assign(cols() + 1, 0);
    const backend::SparseRows<double> K = by_rows();
    for (std::size_t i = 0; i < rows(); ++i)
      for (std::size_t k = 0; k < K.row(i).size; ++k) ++by_columns_.starts[K.row(i).columns[k] + 1];
    for (std::size_t j = 0; j < cols(); ++j) by_columns_.starts[j + 1] += by_columns_.starts[j];
    by_columns_.columns.resize(K_.n_values());
    by_columns_.values.resize(K_.n_values());
    std::vector<std::uint64_t> next(by_columns_.starts.begin(), by_columns_.starts.end() - 1);
    for (std::size_t i = 0; i < rows(); ++i) {
      const backend::SparseRow<double> row = K.row(i);
      for (std::size_t k = 0; k < row.size; ++k) {
        const std::uint64_t place = next[row.columns[k]]++;
        by_columns_.columns[place] = static_cast<std::uint32_t>(i);
        by_columns_.values[place] = row.values[k];
      }
    }
  }
  static void multiply_rows(backend::SparseRows<double> A, MatrixView<const double> V, MatrixView<double> out, const Execution& execution) {
    const auto& primitives = backend::select(execution.backend);
    const double work = static_cast<double>(A.count == 0 ? 0 : A.starts[A.count] - A.starts[0]) * static_cast<double>(V.cols()) / 8;
    parallel_for(ceil_div(A.count, view_block), team_for(work, execution), [&](std::size_t task) {
      const std::size_t first = task * view_block, count = std::min(view_block, A.count - first);
      primitives.sparse_product(A.from(first, count), backend::rows_of(V), V.cols(), backend::rows_of(out).from(first, count));
    });
  }

  SparseView<T> K_;
  StoredRows own_, by_columns_;  // own: of floats
};

template <class T>
std::unique_ptr<const LinearMap> view_of_entries(const RowsView<T>& K) {
  if (K.is_sparse()) return std::make_unique<SparseEntries<T>>(K.sparse());
  return std::make_unique<DenseMatrix<T>>(K.dense());
}

// Unit vectors of one product.
constexpr std::size_t units_at_once = 64;

/// Calls use(first, count, product of K or Kᵀ with the unit vectors of places first … first + count - 1).
template <class Use>
void for_unit_vectors(const LinearMap& K, bool of_transpose, std::span<const std::size_t> places, const Execution& execution,
                      const Use& use) {
  const std::size_t n_in = of_transpose ? K.rows() : K.cols(), n_out = of_transpose ? K.cols() : K.rows();
  for (std::size_t first = 0; first < places.size(); first += units_at_once) {
    execution.stop.check();
    const std::size_t count = std::min(units_at_once, places.size() - first);
    Matrix<double> units(n_in, count), product(n_out, count);
    for (std::size_t b = 0; b < count; ++b) units(places[first + b], b) = 1;
    of_transpose ? K.transposed_times(units, product.view(), execution) : K.times(units, product.view(), execution);
    use(first, product);
  }
}

}  // namespace

void LinearMap::take_columns(std::span<const std::size_t> columns, MatrixView<double> out, const Execution& execution) const {
  for_unit_vectors(*this, false, columns, execution, [&](std::size_t first, const Matrix<double>& product) {
    for (std::size_t i = 0; i < product.rows(); ++i)
      std::ranges::copy(product.row(i), out.row(i).begin() + static_cast<std::ptrdiff_t>(first));
  });
}

void LinearMap::take_rows(std::span<const std::size_t> rows, MatrixView<double> out, const Execution& execution) const {
  for_unit_vectors(*this, true, rows, execution, [&](std::size_t first, const Matrix<double>& product) {
    transpose<double>(product, out.middle_rows(first, product.cols()), execution.stop);
  });
}

std::unique_ptr<const LinearMap> matrix_view(const RowsView<double>& K) { return view_of_entries(K); }
std::unique_ptr<const LinearMap> matrix_view(const RowsView<float>& K) { return view_of_entries(K); }

}  // namespace askrff
