// Singular values and factors. Vectors are rows here, so that the backend's product of rows does the large products; the same memory is a
// matrix of columns to Eigen, which does the small factorisations.
#include "landmarks/factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

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

/// One pass of orthonormalisation by the Cholesky factor of the Gram matrix, many times as fast as reflections; returns that factor
/// transposed. Nothing, with the rows as they were, if they are so close to dependent that a second pass could not repair the first.
std::optional<Matrix<double>> cholesky_pass(Matrix<double>& rows, const Execution& execution) {
  constexpr double smallest_pivot = 1e-5;
  Matrix<double> gram = times_transposed(rows, rows, execution);
  std::vector<double> norms(rows.rows());
  for (std::size_t i = 0; i < rows.rows(); ++i) norms[i] = std::sqrt(gram(i, i));
  try {
    cholesky(gram.view(), execution);
  } catch (const NumericalError&) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < rows.rows(); ++i)
    if (!(gram(i, i) > smallest_pivot * norms[i])) return std::nullopt;
  Matrix<double> columns = transposed<double>(rows, execution.stop);
  solve_rows(gram, columns.view(), execution);
  rows = transposed<double>(columns, execution.stop);
  for (std::size_t i = 0; i < gram.rows(); ++i) std::fill(gram.row(i).begin() + static_cast<std::ptrdiff_t>(i) + 1, gram.row(i).end(), 0.0);
  return gram;
}

}  // namespace

Matrix<double> times_transposed(MatrixView<const double> A, MatrixView<const double> B, const Execution& execution) {
  Matrix<double> out(A.rows(), B.rows());
  product_of_rows(A, B, out.view(), execution);
  return out;
}

void add_transposed_product(MatrixView<const double> A, MatrixView<const double> B, bool upper, MatrixView<double> sums,
                            const Execution& execution) {
  constexpr std::size_t slice = 128;
  const auto& primitives = backend::select(execution.backend);
  const std::size_t n = A.cols();
  const double work = static_cast<double>(A.rows()) * static_cast<double>(n) * static_cast<double>(B.cols()) / 32;
  parallel_for(ceil_div(n, slice), team_for(work, execution), [&](std::size_t task) {
    const std::size_t first = task * slice;
    primitives.for_double.transposed_product(backend::rows_of(A), backend::rows_of(B), nullptr, B.cols(), first, upper,
                                             backend::rows_of(sums).from(first, std::min(slice, n - first)));
  });
}

Matrix<double> orthonormalise(Matrix<double>& rows, bool roughly, const Execution& execution) {
  const auto first = cholesky_pass(rows, execution);
  if (first && roughly) return *first;
  const auto second = first ? cholesky_pass(rows, execution) : std::nullopt;
  const auto after_first = [&](const Matrix<double>& triangle) {
    return first ? times_transposed(*first, transposed<double>(triangle, execution.stop), execution) : triangle;
  };
  if (second) return after_first(*second);
  const EigenStop stop(execution.stop);
  const Eigen::Index n = static_cast<Eigen::Index>(rows.rows());
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(columns_of(rows));
  Matrix<double> triangle(rows.rows(), rows.rows());
  columns_of(triangle) = qr.matrixQR().topRows(n).triangularView<Eigen::Upper>();
  columns_of(rows) = qr.householderQ() * Eigen::MatrixXd::Identity(qr.rows(), n);
  return after_first(triangle);
}

namespace {

/// All singular triplets of a small matrix given by its columns' memory; vectors as rows.
TruncatedSvd svd_of(const Eigen::MatrixXd& A, const Execution& execution) {
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

}  // namespace

TruncatedSvd small_svd(MatrixView<const double> A, const Execution& execution) {
  return svd_of(columns_of(transposed<double>(A, execution.stop)), execution);
}

SymmetricEigen symmetric_eigen(const Matrix<double>& A, const Execution& execution) {
  const EigenStop stop(execution.stop);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(columns_of(A));
  if (solver.info() != Eigen::Success || !solver.eigenvalues().allFinite() || !solver.eigenvectors().allFinite())
    throw NumericalError("matrix_factors", fmt::format("the eigendecomposition of a {0} x {0} matrix failed", A.rows()));
  SymmetricEigen out{Matrix<double>(A.rows(), A.rows()), std::vector<double>(A.rows())};
  columns_of(out.vectors) = solver.eigenvectors();
  std::copy_n(solver.eigenvalues().data(), A.rows(), out.values.begin());
  return out;
}

std::vector<double> symmetric_eigenvalues(const Matrix<double>& A, const StopToken& stop) {
  const EigenStop stop_eigen(stop);
  const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(columns_of(A), Eigen::EigenvaluesOnly).eigenvalues();
  return {values.begin(), values.end()};
}

std::vector<double> singular_values(const Matrix<double>& A, const StopToken& stop) {
  const EigenStop stop_eigen(stop);
  const Eigen::VectorXd values = Eigen::BDCSVD<Eigen::MatrixXd>(columns_of(A).transpose()).singularValues();
  return {values.begin(), values.end()};
}

TruncatedSvd truncated_svd(MatrixView<const double> A, std::size_t rank, std::uint64_t seed, const Execution& execution) {
  constexpr std::size_t oversampling = 16, small = 256;
  constexpr int iterations = 2;
  const std::size_t n = std::min(A.rows(), A.cols()), width = rank + oversampling;
  TruncatedSvd svd;
  if (n <= small || 4 * width > 3 * n) {
    svd = small_svd(A, execution);
  } else {
    const Matrix<double> At = transposed<double>(A, execution.stop);
    Matrix<double> basis(width, A.cols());
    for (std::size_t j = 0; j < width; ++j)
      RandomStream(seed, Purpose::landmark_pivots, (std::uint64_t{1} << 32) + j).normals(basis.row(j));
    basis = times_transposed(basis, A, execution);  // row j is A·ω_j
    orthonormalise(basis, true, execution);
    for (int step = 0; step < iterations; ++step) {
      basis = times_transposed(basis, At, execution);
      orthonormalise(basis, true, execution);
      basis = times_transposed(basis, A, execution);
      orthonormalise(basis, step + 1 < iterations, execution);
    }
    // QᵀA = Tᵀ·P with orthonormal rows P: the SVD of Tᵀ is that of A, between Q and P.
    Matrix<double> projected = times_transposed(basis, At, execution);
    const Matrix<double> triangle = orthonormalise(projected, false, execution);
    const TruncatedSvd core = svd_of(columns_of(triangle).transpose(), execution);
    svd = {times_transposed(core.left, transposed<double>(basis, execution.stop), execution),
           times_transposed(core.right, transposed<double>(projected, execution.stop), execution), core.values};
  }
  const std::size_t kept = std::min(rank, n);
  svd.values.resize(kept);
  return {first_rows(svd.left, kept), first_rows(svd.right, kept), std::move(svd.values)};
}

}  // namespace askrff::landmarks
