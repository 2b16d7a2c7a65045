// Functions of either side on a sample, and their triangles.
#include "landmarks/sides.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "askrff/dense.hpp"
#include "askrff/errors.hpp"
#include "core/transpose.hpp"
#include "landmarks/factors.hpp"
#include "landmarks/kernel_block.hpp"

namespace askrff::landmarks {
namespace {

constexpr std::size_t sample_block = 1024;

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

Matrix<double> gram_of(MatrixView<const double> values, const Execution& execution) {
  Matrix<double> gram(values.cols(), values.cols());
  for (std::size_t first = 0; first < values.rows(); first += sample_block) {
    const auto rows = values.middle_rows(first, std::min(sample_block, values.rows() - first));
    add_transposed_product(rows, rows, true, gram.view(), execution);
  }
  return transposed<double>(gram, execution.stop);
}

MatrixView<double> columns_from(MatrixView<double> values, std::size_t first, std::size_t count) {
  return {values.data() + first, values.rows(), count, values.stride()};
}

/// k of some rows with all of the sample, weighted by the columns.
void kernel_with_sample(const Kernel& kernel, const RowsView<double>& rows, const Sample& sample, MatrixView<double> out,
                        const Execution& execution) {
  const std::size_t n = sample.landmarks.rows();
  const MatrixView<double> with_landmarks = columns_from(out, 0, n);
  kernel_block(kernel, rows, sample.landmarks, with_landmarks, execution);
  multiply(with_landmarks, sample.landmark_weight());
  if (!sample.others.empty()) kernel_block(kernel, rows, sample.others, columns_from(out, n, sample.others.rows()), execution);
}

}  // namespace

void multiply(MatrixView<double> values, double scale) {
  if (scale == 1) return;
  for (std::size_t i = 0; i < values.rows(); ++i)
    for (double& value : values.row(i)) value *= scale;
}

void function_values(const Kernel& kernel, const RowsView<double>& landmarks, const RowsView<double>& rows, bool left,
                     MatrixView<double> out, const Execution& execution) {
  if (rows.rows() == 0) return;
  if (left)
    kernel_block(kernel, rows, landmarks, out, execution);
  else
    transposed_kernel_block(kernel, landmarks, rows, out, execution);
}

Side::Side(const Kernel& kernel, const Sample& sample, bool left, double& scale, const Execution& execution)
    : execution_(execution), n_landmarks_(sample.landmarks.rows()), values_(sample.size(), n_landmarks_) {
  const MatrixView<double> at_landmarks = values_.view().middle_rows(0, n_landmarks_);
  function_values(kernel, sample.landmarks, sample.landmarks, left, at_landmarks, execution);
  function_values(kernel, sample.landmarks, sample.others, left, values_.view().middle_rows(n_landmarks_, sample.others.rows()), execution);
  multiply(at_landmarks, sample.landmark_weight());
  if (scale == 0) scale = scale_for(values_);
  multiply(values_.view(), scale);
}

void Side::factor(double cutoff) {
  if (!factored_as_they_are()) factor_pivoted(cutoff);
}

void Side::factor_with_ridge(double ridge) {
  if (gram_.rows() == 0) gram_ = gram_of(values_, execution_);
  double trace = 0;
  for (std::size_t i = 0; i < n_landmarks_; ++i) trace += gram_(i, i);
  // Of functions that are all 0 any triangle will do.
  ridge_square_ = trace > 0 ? ridge * trace / static_cast<double>(n_landmarks_) : 1;
  Matrix<double> gram = gram_;
  for (std::size_t i = 0; i < n_landmarks_; ++i) gram(i, i) += ridge_square_;
  factor_ = cholesky_factor(gram, execution_);
}

std::vector<double> Side::largest_values() const {
  std::vector<double> largest(n_landmarks_);
  for (std::size_t i = 0; i < values_.rows(); ++i)
    for (std::size_t l = 0; l < n_landmarks_; ++l) largest[l] = std::max(largest[l], std::fabs(values_(i, l)));
  return largest;
}

void Side::solve(Matrix<double>& rows) const { solve_rows(factor_, rows.view(), execution_); }

Matrix<double> Side::pivotal_values(const Matrix<double>& values) const {
  Matrix<double> chosen(values.rows(), pivots_.rows.size());
  for (std::size_t i = 0; i < chosen.rows(); ++i)
    for (std::size_t j = 0; j < chosen.cols(); ++j) chosen(i, j) = values(i, pivots_.rows[j]);
  solve_rows(pivots_.triangle, chosen.view(), execution_);
  return chosen;
}

Matrix<double> Side::orthonormal_values(const Matrix<double>& values) const {
  Matrix<double> out = pivots_.rows.empty() ? values : pivotal_values(values);
  solve(out);
  return out;
}

Matrix<double> Side::combinations(Matrix<double> vectors) const {
  solve_rows_backwards(factor_, vectors, execution_);
  if (pivots_.rows.empty()) return vectors;
  solve_rows_backwards(pivots_.triangle, vectors, execution_);
  Matrix<double> all(vectors.rows(), n_landmarks_);
  for (std::size_t i = 0; i < vectors.rows(); ++i)
    for (std::size_t j = 0; j < vectors.cols(); ++j) all(i, pivots_.rows[j]) = vectors(i, j);
  return all;
}

/// Where the work is large and no landmark is next to a combination of others: sums of squares lose twice the digits that are lost so.
bool Side::factored_as_they_are() {
  constexpr std::size_t many = 512;
  constexpr double small = 1e-4;
  if (n_landmarks_ < many || 2 * n_landmarks_ > values_.rows()) return false;
  factor_ = gram_of(values_, execution_);
  std::vector<double> norms(n_landmarks_);
  for (std::size_t i = 0; i < n_landmarks_; ++i) norms[i] = std::sqrt(factor_(i, i));
  try {
    cholesky(factor_.view(), execution_);
  } catch (const NumericalError&) {
    return false;
  }
  for (std::size_t i = 0; i < n_landmarks_; ++i)
    if (!(factor_(i, i) > small * norms[i])) return false;
  return true;
}

/// Of the landmarks those that differ on this side (two sides together have up to twice the rank of one), made orthogonal on some rows
/// first, by an algorithm that works on them and not on their squares; then on all.
void Side::factor_pivoted(double cutoff) {
  const std::size_t n_tests = n_test_rows(n_landmarks_, values_.rows());
  pivots_ = pivots_of(transposed<double>(values_.view().middle_rows(0, n_tests), execution_.stop), n_landmarks_, Landmarks::greedy, cutoff,
                      0, execution_);
  values_ = pivots_.rows.empty() ? Matrix<double>(values_.rows(), 0) : pivotal_values(values_);
  if (pivots_.rows.empty()) return;
  factor_ = cholesky_factor(gram_of(values_, execution_), execution_);
}

Matrix<double> between(const Kernel& kernel, const Side& left, const Side& right, const Sample& sample, double scale,
                       const Execution& execution) {
  const Matrix<double> columns = transposed<double>(right.values(), execution.stop);
  Matrix<double> sums(left.values().cols(), columns.rows());
  Matrix<double> kernel_rows(std::min(sample_block, sample.size()), sample.size()), products(kernel_rows.rows(), columns.rows());
  const auto add = [&](const RowsView<double>& rows, double weight, MatrixView<const double> values) {
    for (std::size_t first = 0; first < rows.rows(); first += sample_block) {
      const std::size_t count = std::min(sample_block, rows.rows() - first);
      const MatrixView<double> block = kernel_rows.view().middle_rows(0, count), product = products.view().middle_rows(0, count);
      kernel_with_sample(kernel, rows.middle_rows(first, count), sample, block, execution);
      multiply(block, weight * scale);
      product_of_rows(block, columns, product, execution);
      add_transposed_product(values.middle_rows(first, count), product, false, sums.view(), execution);
    }
  };
  const std::size_t n = sample.landmarks.rows();
  add(sample.landmarks, sample.landmark_weight(), left.values().view().middle_rows(0, n));
  add(sample.others, 1, left.values().view().middle_rows(n, sample.others.rows()));
  return sums;
}

}  // namespace askrff::landmarks
