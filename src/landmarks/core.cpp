// The best core on a sample. Matrices have a row for each row of the sample, so that the backend's products go along rows.
#include "landmarks/core.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "askrff/dense.hpp"
#include "askrff/errors.hpp"
#include "backend/backend.hpp"
#include "core/ceil_div.hpp"
#include "core/threads.hpp"
#include "core/transpose.hpp"
#include "landmarks/factors.hpp"
#include "landmarks/kernel_block.hpp"

namespace askrff::landmarks {
namespace {

constexpr std::size_t sample_block = 1024, slice = 128;

/// sums += Aᵀ·B, of the same rows; only from the diagonal on if `upper`.
void add_transposed_product(MatrixView<const double> A, MatrixView<const double> B, bool upper, Matrix<double>& sums,
                            const Execution& execution) {
  const auto& primitives = backend::select(execution.backend);
  const std::size_t n = A.cols();
  const double work = static_cast<double>(A.rows()) * static_cast<double>(n) * static_cast<double>(B.cols()) / 32;
  parallel_for(ceil_div(n, slice), team_for(work, execution), [&](std::size_t task) {
    const std::size_t first = task * slice;
    primitives.for_double.transposed_product(backend::rows_of(A), backend::rows_of(B), nullptr, B.cols(), first, upper,
                                             backend::rows_of(sums.view()).from(first, std::min(slice, n - first)));
  });
}

/// The Cholesky factor; a matrix that rounding has made indefinite gets a ridge, relative to its diagonal.
Matrix<double> cholesky_factor(const Matrix<double>& gram, const Execution& execution) {
  for (double ridge = 0; ridge < 1e-6; ridge = ridge == 0 ? 1e-14 : 10 * ridge) {
    Matrix<double> factor = gram;
    for (std::size_t i = 0; i < gram.rows(); ++i) factor(i, i) *= 1 + ridge;
    try {
      cholesky(factor.view(), execution);
    } catch (const NumericalError&) {
      continue;
    }
    return factor;
  }
  throw NumericalError("nystrom", "the landmarks are collinear on the sample; use a larger cutoff");
}

/// X with X·L = rows, in place: substitution from the end, which is that from the beginning if all indices are read backwards.
void solve_rows_backwards(MatrixView<const double> L, Matrix<double>& rows, const Execution& execution) {
  const std::size_t n = L.rows();
  Matrix<double> reversed(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) reversed(i, j) = L(n - 1 - j, n - 1 - i);
  const auto reverse_all = [&] {
    for (std::size_t i = 0; i < rows.rows(); ++i) std::ranges::reverse(rows.row(i));
  };
  reverse_all();
  solve_rows(reversed, rows.view(), execution);
  reverse_all();
}

/// By what values are multiplied so that sums of their squares and products are numbers, an even power of two; 1 but for very large and
/// very small kernels.
double scale_for(const Matrix<double>& values) {
  constexpr int unusual = 100;
  double largest = 0;
  for (std::size_t i = 0; i < values.rows(); ++i)
    for (const double value : values.row(i)) largest = std::max(largest, std::fabs(value));
  if (largest == 0 || std::abs(std::ilogb(largest)) < unusual) return 1;
  return std::ldexp(1.0, -std::ilogb(largest) / 2 * 2);
}

void multiply(Matrix<double>& values, double scale) {
  if (scale == 1) return;
  for (std::size_t i = 0; i < values.rows(); ++i)
    for (double& value : values.row(i)) value *= scale;
}

/// Kernel values at landmarks for all rows of the sample, and the triangle that makes them orthonormal.
struct Side {
  Matrix<double> values;
  Matrix<double> factor;

  /// `scale` is that of the values, or 0: to be found.
  Side(const Kernel& kernel, MatrixView<const double> landmarks, MatrixView<const double> triangle, bool left,
       MatrixView<const double> sample, double& scale, const Execution& execution)
      : values(sample.rows(), landmarks.rows()) {
    if (left)
      kernel_block(kernel, sample, landmarks, values.view(), execution);
    else
      transposed_kernel_block(kernel, landmarks, sample, values.view(), execution);
    if (scale == 0) scale = scale_for(values);
    multiply(values, scale);
    if (!triangle.empty()) solve_rows(triangle, values.view(), execution);
    Matrix<double> gram(landmarks.rows(), landmarks.rows());
    const MatrixView<const double> all = values;
    for (std::size_t first = 0; first < all.rows(); first += sample_block) {
      const auto rows = all.middle_rows(first, std::min(sample_block, all.rows() - first));
      add_transposed_product(rows, rows, true, gram, execution);
    }
    factor = cholesky_factor(transposed<double>(gram, execution.stop), execution);
  }
};

/// left valuesᵀ · K(S,S) · right values, by blocks of rows of K.
Matrix<double> between(const Kernel& kernel, const Side& left, const Side& right, MatrixView<const double> sample, double scale,
                       const Execution& execution) {
  const Matrix<double> columns = transposed<double>(right.values, execution.stop);
  Matrix<double> sums(columns.rows(), columns.rows());
  for (std::size_t first = 0; first < sample.rows(); first += sample_block) {
    const std::size_t count = std::min(sample_block, sample.rows() - first);
    Matrix<double> block(count, sample.rows()), products(count, columns.rows());
    kernel_block(kernel, sample.middle_rows(first, count), sample, block.view(), execution);
    multiply(block, scale);
    product_of_rows(block, columns, products.view(), execution);
    add_transposed_product(left.values.view().middle_rows(first, count), products, false, sums, execution);
  }
  return sums;
}

/// Vectors between orthonormal functions, as rows, become combinations of kernel values, of the size of their singular values' roots.
Matrix<double> combinations(Matrix<double> vectors, const std::vector<double>& values, const Side& side, MatrixView<const double> triangle,
                            const Execution& execution) {
  for (std::size_t i = 0; i < vectors.rows(); ++i)
    for (double& value : vectors.row(i)) value *= std::sqrt(values[i]);
  solve_rows_backwards(side.factor, vectors, execution);
  if (!triangle.empty()) solve_rows_backwards(triangle, vectors, execution);
  return vectors;
}

Matrix<double> leading(const Matrix<double>& rows, std::size_t count) {
  return Matrix<double>(count, rows.cols(), std::vector<double>(rows.data(), rows.data() + count * rows.cols()));
}

/// Whether what was left of the last landmarks is so little of the first that sums of squares would lose it.
bool needs_triangle(MatrixView<const double> triangle) {
  constexpr double much_smaller = 1e-3;
  double smallest = HUGE_VAL, largest = 0;
  for (std::size_t i = 0; i < triangle.rows(); ++i) {
    smallest = std::min(smallest, triangle(i, i));
    largest = std::max(largest, triangle(i, i));
  }
  return smallest < much_smaller * largest;
}

}  // namespace

Factors best_on_sample(const Kernel& kernel, MatrixView<const double> landmarks, MatrixView<const double> triangle,
                       MatrixView<const double> sample, std::size_t n_features, std::uint64_t seed, const Execution& execution) {
  if (!needs_triangle(triangle)) triangle = {};
  const bool definite = kernel.symmetric() && kernel.positive_definite();
  double scale = 0;
  const Side left(kernel, landmarks, triangle, true, sample, scale, execution);
  std::optional<Side> other;
  if (!kernel.symmetric()) other.emplace(kernel, landmarks, triangle, false, sample, scale, execution);
  const Side& right = other ? *other : left;
  Matrix<double> core = between(kernel, left, right, sample, scale, execution);
  solve_rows(right.factor, core.view(), execution);
  core = transposed<double>(core, execution.stop);
  solve_rows(left.factor, core.view(), execution);
  const TruncatedSvd svd = truncated_svd(transposed<double>(core, execution.stop), n_features, seed, execution);
  const double smallest = static_cast<double>(landmarks.rows()) * std::numeric_limits<double>::epsilon() * svd.values.front();
  const auto kept = static_cast<std::size_t>(std::ranges::count_if(svd.values, [&](double value) { return value > smallest; }));
  // Of a definite core both are the same vectors: those on the left differ in rounding only, which could turn a sign.
  Factors factors;
  factors.values.assign(svd.values.begin(), svd.values.begin() + static_cast<std::ptrdiff_t>(kept));
  factors.right = combinations(leading(svd.right, kept), factors.values, right, triangle, execution);
  factors.left = definite ? factors.right : combinations(leading(svd.left, kept), factors.values, left, triangle, execution);
  // Scaled values on both sides make a scaled product: one of the two is too many.
  multiply(factors.left, std::sqrt(scale));
  multiply(factors.right, std::sqrt(scale));
  for (double& value : factors.values) value /= scale;
  return factors;
}

}  // namespace askrff::landmarks
