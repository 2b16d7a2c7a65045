// matrix_factors(): checks, the way, and all of K looked at: a random range, subspace iteration, a small decomposition.
#include "askrff/kernel_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "askrff/errors.hpp"
#include "askrff/random.hpp"
#include "core/checks.hpp"
#include "core/transpose.hpp"
#include "landmarks/spectral_factors.hpp"

namespace askrff {

namespace landmarks {
namespace {

void check_matrix_options(const LinearMap& K, const MatrixOptions& options) {
  constexpr const char* who = "matrix_factors";
  if (K.rows() == 0 || K.cols() == 0)
    throw InvalidArgument(who, fmt::format("K is {} x {}, expected at least one row and one column", K.rows(), K.cols()));
  if (options.n_features == 0) throw InvalidArgument(who, "n_features is 0, expected at least 1");
  if (options.n_features > max_landmarks || options.n_landmarks > max_landmarks)
    throw InvalidArgument(who, fmt::format("{} features from {} landmarks, expected at most {} of each", options.n_features,
                                           options.n_landmarks, max_landmarks));
  if (options.n_landmarks != 0 && options.n_landmarks < options.n_features)
    throw InvalidArgument(who, fmt::format("{} landmarks for {} features, expected at least as many landmarks as features",
                                           options.n_landmarks, options.n_features));
  if (!(options.cutoff >= 0 && options.cutoff < 1))
    throw InvalidArgument(who, fmt::format("a cutoff of {}, expected at least 0 and below 1", options.cutoff));
}

/// vectors·Kᵀ, or vectors·K, times `scale`: vectors as rows, before and after.
Matrix<double> image(const LinearMap& K, bool of_transpose, const Matrix<double>& vectors, double scale, const Execution& execution) {
  Matrix<double> product(of_transpose ? K.cols() : K.rows(), vectors.rows());
  const Matrix<double> columns = transposed<double>(vectors, execution.stop);
  of_transpose ? K.transposed_times(columns, product.view(), execution) : K.times(columns, product.view(), execution);
  require_finite<double>(product, "matrix_factors", "a product with K", execution.stop);
  Matrix<double> rows = transposed<double>(product, execution.stop);
  scale_all(rows, scale);
  return rows;
}

/// Each vector that row i of `combinations` makes of the rows of `basis`.
Matrix<double> combined(const Matrix<double>& combinations, const Matrix<double>& basis, const Execution& execution) {
  return times_transposed(combinations, transposed<double>(basis, execution.stop), execution);
}

}  // namespace

double unit_scale(const Matrix<double>& values) { return unit_scale({values.data(), values.rows() * values.cols()}); }

double unit_scale(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  return largest == 0 ? 0 : std::ldexp(1.0, std::clamp(-std::ilogb(largest) / 2 * 2, -1000, 1000));
}

void scale_all(Matrix<double>& values, double factor) {
  for (std::size_t i = 0; i < values.rows() && factor != 1; ++i)
    for (double& value : values.row(i)) value *= factor;
}

SignedSvd truncated_core(Matrix<double> A, bool symmetric, std::size_t rank, double cutoff, std::size_t size, const Execution& execution) {
  TruncatedSvd all;
  if (symmetric) {
    for (std::size_t i = 0; i < A.rows(); ++i)
      for (std::size_t j = 0; j < i; ++j) A(i, j) = A(j, i) = 0.5 * (A(i, j) + A(j, i));
    const SymmetricEigen eigen = symmetric_eigen(A, execution);
    std::vector<std::size_t> order(eigen.values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return std::fabs(eigen.values[i]); });
    all = {Matrix<double>(order.size(), A.rows()), Matrix<double>(order.size(), A.rows()), {}};
    for (std::size_t i = 0; i < order.size(); ++i) {
      const double value = eigen.values[order[i]];
      all.values.push_back(std::fabs(value));
      for (std::size_t k = 0; k < A.rows(); ++k) {
        all.right(i, k) = eigen.vectors(order[i], k);
        all.left(i, k) = value < 0 ? -all.right(i, k) : all.right(i, k);
      }
    }
  } else {
    all = small_svd(A, execution);
  }
  const double rounding = static_cast<double>(size) * std::numeric_limits<double>::epsilon();
  const double smallest = std::max(cutoff, rounding) * (all.values.empty() ? 0 : all.values.front());
  std::size_t kept = 0;
  while (kept < std::min(rank, all.values.size()) && all.values[kept] > smallest) ++kept;
  SignedSvd svd{Matrix<double>(kept, A.rows()),
                Matrix<double>(kept, A.cols()),
                {all.values.begin(), all.values.begin() + static_cast<std::ptrdiff_t>(kept)}};
  std::copy_n(all.left.data(), kept * A.rows(), svd.left.data());
  std::copy_n(all.right.data(), kept * A.cols(), svd.right.data());
  return svd;
}

SignedSvd range_svd(const LinearMap& K, bool symmetric, std::size_t rank, double cutoff, std::uint64_t seed, const Execution& execution) {
  constexpr std::size_t oversampling = 16;
  constexpr int iterations = 2;
  const std::size_t most = std::min(K.rows(), K.cols()), width = std::min(rank + oversampling, most);
  Matrix<double> basis(width, K.cols());
  for (std::size_t j = 0; j < width; ++j) RandomStream(seed, Purpose::landmark_pivots, (std::uint64_t{2} << 32) + j).normals(basis.row(j));
  basis = image(K, false, basis, 1, execution);
  const double scale = unit_scale(basis);
  if (scale == 0) return {};
  scale_all(basis, scale);
  orthonormalise(basis, true, execution);
  for (int step = 0; step < iterations; ++step) {
    basis = image(K, true, basis, scale, execution);
    orthonormalise(basis, true, execution);
    basis = image(K, false, basis, scale, execution);
    orthonormalise(basis, step + 1 < iterations, execution);
  }
  Matrix<double> other = image(K, true, basis, scale, execution);  // basis·K = triangle·other
  const Matrix<double> triangle = orthonormalise(other, false, execution);
  const std::size_t size = std::max(K.rows(), K.cols());
  SignedSvd svd;
  if (symmetric) {
    basis = image(K, false, other, scale, execution);
    svd = truncated_core(times_transposed(basis, other, execution), true, rank, cutoff, size, execution);
    svd.left = combined(svd.left, other, execution);
  } else {
    svd = truncated_core(triangle, false, rank, cutoff, size, execution);
    svd.left = combined(svd.left, basis, execution);
  }
  svd.right = combined(svd.right, other, execution);
  for (double& value : svd.values) value /= scale;
  return svd;
}

}  // namespace landmarks

namespace {

/// Row i divided by the root of values[i], as a column.
Matrix<double> over_roots(const Matrix<double>& rows, const std::vector<double>& values, const StopToken& stop) {
  Matrix<double> columns = transposed<double>(rows, stop);
  for (std::size_t i = 0; i < columns.rows(); ++i)
    for (std::size_t f = 0; f < values.size(); ++f) columns(i, f) /= std::sqrt(values[f]);
  return columns;
}

/// The largest number of every left feature's factor is positive: signs of singular vectors would else hang on the last bits of K.
void fix_signs(MatrixFactors& factors) {
  for (std::size_t f = 0; f < factors.n_features(); ++f) {
    double largest = 0;
    for (std::size_t l = 0; l < factors.columns.size(); ++l)
      if (std::fabs(factors.left_factor(l, f)) > std::fabs(largest)) largest = factors.left_factor(l, f);
    if (largest >= 0) continue;
    for (std::size_t l = 0; l < factors.columns.size(); ++l) factors.left_factor(l, f) = -factors.left_factor(l, f);
    for (std::size_t l = 0; l < factors.rows.size(); ++l) factors.right_factor(l, f) = -factors.right_factor(l, f);
  }
}

bool same_factors(const Matrix<double>& a, const Matrix<double>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && std::equal(a.data(), a.data() + a.rows() * a.cols(), b.data());
}

}  // namespace

bool MatrixFactors::is_one_sided() const { return n_rows == n_columns && columns == rows && same_factors(left_factor, right_factor); }

MatrixFactors matrix_factors(const LinearMap& K, const MatrixOptions& options) {
  landmarks::check_matrix_options(K, options);
  const bool symmetric = K.symmetric();
  MatrixFactors factors;
  if (options.n_landmarks != 0) {
    factors = landmarks::cross_factors(K, symmetric, options);
  } else {
    landmarks::SignedSvd svd = landmarks::range_svd(K, symmetric, options.n_features, options.cutoff, options.seed, options.execution);
    factors.columns.resize(K.cols());
    factors.rows.resize(K.rows());
    std::iota(factors.columns.begin(), factors.columns.end(), std::size_t{0});
    std::iota(factors.rows.begin(), factors.rows.end(), std::size_t{0});
    factors.left_factor = over_roots(svd.right, svd.values, options.execution.stop);
    factors.right_factor = over_roots(svd.left, svd.values, options.execution.stop);
    factors.singular_values = std::move(svd.values);
  }
  if (factors.singular_values.empty())
    throw InvalidArgument("matrix_factors", fmt::format("K is {} x {} and zero{}, expected numbers that are not", K.rows(), K.cols(),
                                                        options.n_landmarks != 0 ? " at all landmarks" : ""));
  fix_signs(factors);
  factors.n_rows = K.rows();
  factors.n_columns = K.cols();
  return factors;
}

MatrixFactors matrix_factors(const RowsView<double>& K, const MatrixOptions& options) { return matrix_factors(*matrix_view(K), options); }

}  // namespace askrff
