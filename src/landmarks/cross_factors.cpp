// Factors of a matrix of which only some columns and rows are looked at.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "askrff/random.hpp"
#include "core/checks.hpp"
#include "core/transpose.hpp"
#include "landmarks/choose.hpp"
#include "landmarks/spectral_factors.hpp"

namespace askrff::landmarks {
namespace {

/// Orthonormal vectors as rows, the leading directions of some columns (or rows) of K, and how new ones are measured by them: the
/// coordinates of a vector of values at the landmarks are values·coordinates.
struct Basis {
  Matrix<double> vectors;      ///< directions × length of K
  Matrix<double> coordinates;  ///< landmarks × directions
};

/// values: landmarks × length, spoilt. At most `most` directions, none below `cutoff` of the first.
Basis basis_of(Matrix<double> values, std::size_t most, double cutoff, const Execution& execution) {
  const Matrix<double> triangle = orthonormalise(values, false, execution);  // of landmarks: triangle·values
  const TruncatedSvd svd = small_svd(triangle, execution);
  std::size_t kept = 0;
  while (kept < std::min(most, svd.values.size()) && svd.values[kept] > cutoff * svd.values.front()) ++kept;
  Matrix<double> rotation(kept, values.rows());
  std::copy_n(svd.right.data(), kept * values.rows(), rotation.data());
  Basis basis{times_transposed(rotation, transposed<double>(values, execution.stop), execution), Matrix<double>(triangle.rows(), kept)};
  for (std::size_t l = 0; l < triangle.rows(); ++l)
    for (std::size_t k = 0; k < kept; ++k) basis.coordinates(l, k) = svd.left(k, l) / svd.values[k];
  return basis;
}

/// Columns of `vectors` at some places: places × directions.
Matrix<double> at_places(const Matrix<double>& vectors, std::span<const std::size_t> places) {
  Matrix<double> out(places.size(), vectors.rows());
  for (std::size_t p = 0; p < places.size(); ++p)
    for (std::size_t k = 0; k < vectors.rows(); ++k) out(p, k) = vectors(k, places[p]);
  return out;
}

Matrix<double> gram_of_columns(const Matrix<double>& A, const Execution& execution) {
  Matrix<double> gram(A.cols(), A.cols());
  add_transposed_product(A, A, false, gram.view(), execution);
  return gram;
}

/// X with AᵀA·X + X·BᵀB = R, the least squares of all entries known; 0 in directions that hardly any known row or column has.
Matrix<double> between_bases(const Matrix<double>& A, const Matrix<double>& B, const Matrix<double>& R, const Execution& execution) {
  constexpr double hardly = 1e-4;
  const SymmetricEigen a = symmetric_eigen(gram_of_columns(A, execution), execution);
  const SymmetricEigen b = symmetric_eigen(gram_of_columns(B, execution), execution);
  const auto mean = [](const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  };
  const double least = hardly * (mean(a.values) + mean(b.values));
  // rows of a.vectors are eigenvectors: Rᵉ = E·R·Fᵀ, and back X = Eᵀ·Xᵉ·F
  Matrix<double> inside = times_transposed(times_transposed(a.vectors, transposed<double>(R), execution), b.vectors, execution);
  for (std::size_t i = 0; i < inside.rows(); ++i)
    for (std::size_t j = 0; j < inside.cols(); ++j) {
      const double weight = a.values[i] + b.values[j];
      inside(i, j) = weight > least ? inside(i, j) / weight : 0;
    }
  const Matrix<double> left = times_transposed(transposed<double>(a.vectors), transposed<double>(inside), execution);
  return times_transposed(left, transposed<double>(b.vectors), execution);
}

/// Which of `candidates` become landmarks: pivots among rows of `values`, one for each; in increasing order.
std::vector<std::size_t> pivots_among(std::span<const std::size_t> candidates, Matrix<double> values, std::size_t count,
                                      const MatrixOptions& options) {
  std::vector<std::size_t> chosen;
  for (const std::size_t p : pivots_of(std::move(values), count, options.landmarks, options.cutoff, options.seed, options.execution).rows)
    chosen.push_back(candidates[p]);
  std::ranges::sort(chosen);
  return chosen;
}

std::vector<std::size_t> drawn(std::size_t n, std::size_t count, std::uint64_t seed) {
  auto places = choose_rows(n, std::min(n, count), seed, Purpose::landmark_rows);
  std::ranges::sort(places);
  return places;
}

struct Places {
  std::vector<std::size_t> rows, columns;
};

/// Increasing. Unless they are uniform, pivots of the matrix between twice as many of each.
Places choose_places(const LinearMap& K, bool symmetric, const MatrixOptions& options) {
  const std::size_t count = options.n_landmarks, n_drawn = options.landmarks == Landmarks::uniform ? count : 2 * count;
  Places places{drawn(K.rows(), n_drawn, options.seed), {}};
  places.columns = symmetric ? places.rows : drawn(K.cols(), n_drawn, derive_seed(options.seed, 1));
  if (options.landmarks == Landmarks::uniform) return places;
  Matrix<double> values(places.rows.size(), K.cols());
  K.take_rows(places.rows, values.view(), options.execution);
  require_finite<double>(values, "matrix_factors", "K", options.execution.stop);
  Matrix<double> between(places.rows.size(), places.columns.size());
  for (std::size_t i = 0; i < between.rows(); ++i)
    for (std::size_t j = 0; j < between.cols(); ++j) between(i, j) = values(i, places.columns[j]);
  Places chosen;
  chosen.columns = pivots_among(places.columns, transposed<double>(between, options.execution.stop), count, options);
  chosen.rows = symmetric ? chosen.columns : pivots_among(places.rows, std::move(between), count, options);
  return chosen;
}

}  // namespace

MatrixFactors cross_factors(const LinearMap& K, bool symmetric, const MatrixOptions& options) {
  const Execution& execution = options.execution;
  MatrixFactors factors;
  Places places = choose_places(K, symmetric, options);
  if (places.rows.empty() || places.columns.empty()) return factors;
  Matrix<double> rows(places.rows.size(), K.cols()), columns(K.rows(), places.columns.size());
  K.take_rows(places.rows, rows.view(), execution);
  K.take_columns(places.columns, columns.view(), execution);
  require_finite<double>(rows, "matrix_factors", "K", execution.stop);
  require_finite<double>(columns, "matrix_factors", "K", execution.stop);
  const double scale = unit_scale(columns);
  if (scale == 0 || unit_scale(rows) == 0) return factors;
  scale_all(rows, scale);
  scale_all(columns, scale);

  // Directions that are fewer than the landmarks: those of the other side see each of them well then.
  const auto most = [&](std::size_t n) { return std::max<std::size_t>(1, std::min(n, (options.n_features + n + 1) / 2)); };
  const Basis left = basis_of(transposed<double>(columns, execution.stop), most(places.columns.size()), options.cutoff, execution);
  const Basis right = symmetric ? left : basis_of(rows, most(places.rows.size()), options.cutoff, execution);
  const Matrix<double> A = at_places(left.vectors, places.rows), B = at_places(right.vectors, places.columns);
  // Known rows: A·X = rows·rightᵀ; known columns: X·Bᵀ = left·columns.
  const Matrix<double> of_rows = times_transposed(rows, right.vectors, execution);
  const Matrix<double> of_columns = times_transposed(left.vectors, transposed<double>(columns, execution.stop), execution);
  Matrix<double> R(A.cols(), B.cols());
  add_transposed_product(A, of_rows, false, R.view(), execution);
  add_transposed_product(transposed<double>(of_columns), B, false, R.view(), execution);
  const SignedSvd svd = truncated_core(between_bases(A, B, R, execution), symmetric, options.n_features, options.cutoff,
                                       std::max(K.rows(), K.cols()), execution);
  const auto factor = [&](const Basis& basis, const Matrix<double>& vectors) {
    Matrix<double> out = times_transposed(basis.coordinates, vectors, execution);
    for (std::size_t l = 0; l < out.rows(); ++l)
      for (std::size_t f = 0; f < out.cols(); ++f) out(l, f) *= std::sqrt(svd.values[f]) * std::sqrt(scale);
    return out;
  };
  factors.left_factor = factor(left, svd.left);
  factors.right_factor = factor(right, svd.right);
  for (const double value : svd.values) factors.singular_values.push_back(value / scale);
  factors.columns = std::move(places.columns);
  factors.rows = std::move(places.rows);
  return factors;
}

}  // namespace askrff::landmarks
