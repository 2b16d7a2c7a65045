// Singular values and factors. Vectors are rows here, so that the backend's product of rows does the large products; the same memory is a
// matrix of columns to Eigen, which does the small factorisations.
#include "landmarks/factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/dense.hpp"
#include "askrff/errors.hpp"
#include "askrff/random.hpp"
#include "backend/backend.hpp"
#include "core/ceil_div.hpp"
#include "core/threads.hpp"
#include "core/transpose.hpp"
#include "landmarks/kernel_block.hpp"
#include "landmarks/stoppable_eigen.hpp"

namespace askrff::landmarks {
namespace {

using Columns = Eigen::Map<Eigen::MatrixXd>;  // a row of a Matrix is a column of it
using ConstColumns = Eigen::Map<const Eigen::MatrixXd>;

Columns columns_of(Matrix<double>& rows) {
  return {rows.data(), static_cast<Eigen::Index>(rows.cols()), static_cast<Eigen::Index>(rows.rows())};
}
ConstColumns columns_of(const Matrix<double>& rows) {
  return {rows.data(), static_cast<Eigen::Index>(rows.cols()), static_cast<Eigen::Index>(rows.rows())};
}

/// A·Bᵀ.
Matrix<double> times_transposed(MatrixView<const double> A, MatrixView<const double> B, const Execution& execution) {
  Matrix<double> out(A.rows(), B.rows());
  product_of_rows(A, B, out.view(), execution);
  return out;
}

/// Replaces rows by orthonormal ones that span the same space (or a larger one, if they were dependent); returns T with rows = Tᵀ·new rows.
Matrix<double> orthonormalise(Matrix<double>& rows, const Execution& execution) {
  const EigenStop stop(execution.stop);
  const Eigen::Index n = static_cast<Eigen::Index>(rows.rows());
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(columns_of(rows));
  Matrix<double> triangle(rows.rows(), rows.rows());
  columns_of(triangle) = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
  columns_of(rows) = qr.householderQ() * Eigen::MatrixXd::Identity(qr.rows(), n);
  return triangle;
}

/// All singular triplets of a small matrix given by its columns' memory; vectors as rows.
TruncatedSvd small_svd(const Eigen::MatrixXd& A, const Execution& execution) {
  const EigenStop stop(execution.stop);
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const auto n = static_cast<std::size_t>(svd.singularValues().size());
  TruncatedSvd out{Matrix<double>(n, static_cast<std::size_t>(A.rows())), Matrix<double>(n, static_cast<std::size_t>(A.cols())),
                   std::vector<double>(svd.singularValues().data(), svd.singularValues().data() + n)};
  columns_of(out.left) = svd.matrixU();
  columns_of(out.right) = svd.matrixV();
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(out.values, finite) || !svd.matrixU().allFinite() || !svd.matrixV().allFinite())
    throw NumericalError("nystrom", fmt::format("the singular value decomposition of a {} x {} matrix failed", A.rows(), A.cols()));
  return out;
}

Matrix<double> first_rows(const Matrix<double>& rows, std::size_t count) {
  Matrix<double> out(count, rows.cols());
  std::copy_n(rows.data(), count * rows.cols(), out.data());
  return out;
}

/// Left or right features of all rows of the sample, summed block by block: Σ φ(s)φ(s)ᵀ, the lower triangle.
Matrix<double> gram_on_sample(const Kernel& kernel, MatrixView<const double> landmarks, const Matrix<double>& factor, bool left,
                              MatrixView<const double> sample, const Execution& execution) {
  constexpr std::size_t block_rows = 1024, slice = 128;
  const std::size_t n = factor.rows();
  Matrix<double> gram(n, n);
  const auto& primitives = backend::select(execution.backend);
  for (std::size_t first = 0; first < sample.rows(); first += block_rows) {
    const auto rows = sample.middle_rows(first, std::min(block_rows, sample.rows() - first));
    Matrix<double> values(rows.rows(), landmarks.rows());
    if (left)
      kernel_block(kernel, rows, landmarks, values.view(), execution);
    else
      transposed_kernel_block(kernel, landmarks, rows, values.view(), execution);
    const Matrix<double> features = times_transposed(values, factor, execution);
    const double work = static_cast<double>(rows.rows()) * static_cast<double>(n) * static_cast<double>(n) / 32;
    parallel_for(ceil_div(n, slice), team_for(work, execution), [&](std::size_t task) {
      const auto all = backend::rows_of(features.view());
      primitives.for_double.transposed_product(all, all, nullptr, n, task * slice, true,
                                               backend::rows_of(gram.view()).from(task * slice, std::min(slice, n - task * slice)));
    });
  }
  return transposed<double>(gram, execution.stop);
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
    for (std::size_t i = 0; i < factor.rows(); ++i)
      std::fill(factor.row(i).begin() + static_cast<std::ptrdiff_t>(i) + 1, factor.row(i).end(), 0.0);
    return factor;
  }
  throw NumericalError("nystrom", "the features on the sample are collinear; use a larger cutoff");
}

void scale_rows(Matrix<double>& rows, const std::vector<double>& values) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const double scale = 1 / std::sqrt(values[i]);
    for (double& value : rows.row(i)) value *= scale;
  }
}

}  // namespace

TruncatedSvd truncated_svd(MatrixView<const double> A, std::size_t rank, std::uint64_t seed, const Execution& execution) {
  constexpr std::size_t oversampling = 16, small = 256;
  constexpr int iterations = 2;
  const std::size_t n = A.rows(), width = rank + oversampling;
  TruncatedSvd svd;
  if (n <= small || 4 * width > 3 * n) {
    svd = small_svd(columns_of(transposed<double>(A, execution.stop)), execution);
  } else {
    const Matrix<double> At = transposed<double>(A, execution.stop);
    Matrix<double> basis(width, n);
    for (std::size_t j = 0; j < width; ++j)
      RandomStream(seed, Purpose::landmark_pivots, (std::uint64_t{1} << 32) + j).normals(basis.row(j));
    basis = times_transposed(basis, A, execution);  // row j is A·ω_j
    orthonormalise(basis, execution);
    for (int step = 0; step < iterations; ++step) {
      basis = times_transposed(basis, At, execution);
      orthonormalise(basis, execution);
      basis = times_transposed(basis, A, execution);
      orthonormalise(basis, execution);
    }
    // QᵀA = Tᵀ·P with orthonormal rows P: the SVD of Tᵀ is that of A, between Q and P.
    Matrix<double> projected = times_transposed(basis, At, execution);
    const Matrix<double> triangle = orthonormalise(projected, execution);
    const TruncatedSvd core = small_svd(columns_of(triangle).transpose(), execution);
    svd = {times_transposed(core.left, transposed<double>(basis, execution.stop), execution),
           times_transposed(core.right, transposed<double>(projected, execution.stop), execution), core.values};
  }
  const std::size_t kept = std::min(rank, n);
  svd.values.resize(kept);
  return {first_rows(svd.left, kept), first_rows(svd.right, kept), std::move(svd.values)};
}

Factors balanced_inverse(const TruncatedSvd& core, double smallest, bool positive_definite) {
  const auto kept = static_cast<std::size_t>(std::ranges::count_if(core.values, [&](double value) { return value > smallest; }));
  Factors factors{first_rows(core.right, kept),
                  first_rows(positive_definite ? core.right : core.left, kept),
                  {core.values.begin(), core.values.begin() + static_cast<std::ptrdiff_t>(kept)},
                  positive_definite};
  scale_rows(factors.left, factors.values);
  scale_rows(factors.right, factors.values);
  return factors;
}

Factors best_on_sample(const Kernel& kernel, MatrixView<const double> landmarks, const Factors& factors, MatrixView<const double> sample,
                       std::size_t n_features, const Execution& execution) {
  const Matrix<double> left = cholesky_factor(gram_on_sample(kernel, landmarks, factors.left, true, sample, execution), execution);
  const Matrix<double> right =
      factors.one_sided ? left : cholesky_factor(gram_on_sample(kernel, landmarks, factors.right, false, sample, execution), execution);
  const EigenStop stop(execution.stop);
  const TruncatedSvd svd = small_svd(columns_of(left) * columns_of(right).transpose(), execution);  // C_lᵀ·C_r
  const std::size_t kept = std::min(n_features, svd.values.size());
  // left features times C_r V T^{-1/2}, right ones times C_l U T^{-1/2}.
  const auto combine = [&](const Matrix<double>& vectors, const Matrix<double>& triangle, const Matrix<double>& factor) {
    Matrix<double> combinations = times_transposed(first_rows(vectors, kept), triangle, execution);
    scale_rows(combinations, svd.values);
    return times_transposed(combinations, transposed<double>(factor, execution.stop), execution);
  };
  Matrix<double> best_left = combine(svd.right, right, factors.left);
  Matrix<double> best_right = factors.one_sided ? best_left : combine(svd.left, left, factors.right);
  return {std::move(best_left),
          std::move(best_right),
          {svd.values.begin(), svd.values.begin() + static_cast<std::ptrdiff_t>(kept)},
          factors.one_sided};
}

}  // namespace askrff::landmarks
