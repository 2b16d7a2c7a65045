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
#include "landmarks/choose.hpp"
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

void multiply(MatrixView<double> values, double scale) {
  if (scale == 1) return;
  for (std::size_t i = 0; i < values.rows(); ++i)
    for (double& value : values.row(i)) value *= scale;
}

Matrix<double> gram_of(MatrixView<const double> values, const Execution& execution) {
  Matrix<double> gram(values.cols(), values.cols());
  for (std::size_t first = 0; first < values.rows(); first += sample_block) {
    const auto rows = values.middle_rows(first, std::min(sample_block, values.rows() - first));
    add_transposed_product(rows, rows, true, gram.view(), execution);
  }
  return transposed<double>(gram, execution.stop);
}

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

/// Functions of one side, k(·,z) or k(z,·), on all rows of the sample, weighted, and the triangles that make them orthonormal there.
class Side {
 public:
  Side(const Kernel& kernel, const Sample& sample, bool left, double cutoff, double& scale, const Execution& execution)
      : execution_(execution), n_landmarks_(sample.landmarks.rows()), values_(sample.size(), n_landmarks_) {
    const auto fill = [&](const RowsView<double>& rows, MatrixView<double> out) {
      if (rows.rows() == 0) return;
      if (left)
        kernel_block(kernel, rows, sample.landmarks, out, execution);
      else
        transposed_kernel_block(kernel, sample.landmarks, rows, out, execution);
    };
    fill(sample.landmarks, values_.view().middle_rows(0, n_landmarks_));
    fill(sample.others, values_.view().middle_rows(n_landmarks_, sample.others.rows()));
    multiply(values_.view().middle_rows(0, n_landmarks_), sample.landmark_weight());
    if (scale == 0) scale = scale_for(values_);
    multiply(values_.view(), scale);
    if (!factored_as_they_are()) factor_pivoted(cutoff);
  }

  /// One row for each of the sample.
  const Matrix<double>& values() const { return values_; }
  /// X with X·Cᵀ = rows, for values = Q·Cᵀ.
  void solve(Matrix<double>& rows) const { solve_rows(factor_, rows.view(), execution_); }
  /// Vectors between the orthonormal functions, as rows, become combinations of kernel values at all landmarks.
  Matrix<double> combinations(Matrix<double> vectors) const {
    solve_rows_backwards(factor_, vectors, execution_);
    if (pivots_.rows.empty()) return vectors;
    solve_rows_backwards(pivots_.triangle, vectors, execution_);
    Matrix<double> all(vectors.rows(), n_landmarks_);
    for (std::size_t i = 0; i < vectors.rows(); ++i)
      for (std::size_t j = 0; j < vectors.cols(); ++j) all(i, pivots_.rows[j]) = vectors(i, j);
    return all;
  }

 private:
  /// Where the work is large and no landmark is next to a combination of others: sums of squares lose twice the digits that are lost so.
  bool factored_as_they_are() {
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
  void factor_pivoted(double cutoff) {
    const std::size_t n_tests = n_test_rows(n_landmarks_, values_.rows());
    pivots_ = pivots_of(transposed<double>(values_.view().middle_rows(0, n_tests), execution_.stop), n_landmarks_, Landmarks::greedy,
                        cutoff, 0, execution_);
    if (pivots_.rows.empty()) return;
    Matrix<double> chosen(values_.rows(), pivots_.rows.size());
    for (std::size_t i = 0; i < values_.rows(); ++i)
      for (std::size_t j = 0; j < chosen.cols(); ++j) chosen(i, j) = values_(i, pivots_.rows[j]);
    values_ = std::move(chosen);
    solve_rows(pivots_.triangle, values_.view(), execution_);
    factor_ = cholesky_factor(gram_of(values_, execution_), execution_);
  }

  Execution execution_;
  std::size_t n_landmarks_;
  Matrix<double> values_, factor_;
  Pivots pivots_;  // none: all landmarks, as they are
};

/// left valuesᵀ · K(S,S) · right values, K weighted as they are, by blocks of rows of it.
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

/// The first vectors, each of the size of its singular value's root.
Matrix<double> scaled_vectors(const Matrix<double>& rows, const std::vector<double>& values) {
  Matrix<double> out(values.size(), rows.cols());
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < rows.cols(); ++j) out(i, j) = rows(i, j) * std::sqrt(values[i]);
  return out;
}

}  // namespace

Factors best_on_sample(const Kernel& kernel, const RowsView<double>& landmarks, const RowsView<double>& sample, std::size_t n_features,
                       double cutoff, std::uint64_t seed, const Execution& execution) {
  const bool definite = kernel.symmetric() && kernel.positive_definite();
  double scale = 0;
  const Sample all{landmarks, sample};
  const Side left(kernel, all, true, cutoff, scale, execution);
  std::optional<Side> other;
  if (!kernel.symmetric()) other.emplace(kernel, all, false, cutoff, scale, execution);
  const Side& right = other ? *other : left;
  if (left.values().cols() == 0 || right.values().cols() == 0) return {};
  Matrix<double> core = between(kernel, left, right, all, scale, execution);
  right.solve(core);
  core = transposed<double>(core, execution.stop);
  left.solve(core);
  const TruncatedSvd svd = truncated_svd(transposed<double>(core, execution.stop), n_features, seed, execution);
  const double smallest = static_cast<double>(landmarks.rows()) * std::numeric_limits<double>::epsilon() * svd.values.front();
  const auto kept = std::ranges::count_if(svd.values, [&](double value) { return value > smallest; });
  Factors factors;
  factors.values.assign(svd.values.begin(), svd.values.begin() + kept);
  factors.right = right.combinations(scaled_vectors(svd.right, factors.values));
  // Of a definite core both are the same vectors: those on the left differ in rounding only, which could turn a sign.
  factors.left = definite ? factors.right : left.combinations(scaled_vectors(svd.left, factors.values));
  // Scaled values on both sides make a scaled product: one of the two is too many.
  multiply(factors.left.view(), std::sqrt(scale));
  multiply(factors.right.view(), std::sqrt(scale));
  for (double& value : factors.values) value /= scale;
  return factors;
}

}  // namespace askrff::landmarks
