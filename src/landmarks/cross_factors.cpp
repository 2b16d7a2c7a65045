// Factors of a matrix of which only some columns and rows are looked at.
#include <algorithm>
#include <cmath>
#include <functional>
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

/// values: landmarks × length, spoilt. No directions below `cutoff` of the first.
Basis basis_of(Matrix<double> values, double cutoff, const Execution& execution) {
  const Matrix<double> triangle = orthonormalise(values, false, execution);  // of landmarks: triangle·values
  const TruncatedSvd svd = small_svd(triangle, execution);
  std::size_t kept = 0;
  while (kept < svd.values.size() && svd.values[kept] > cutoff * svd.values.front()) ++kept;
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

/// The least squares of known rows and columns: X with A·X ≈ of_rows and B·Xᵀ ≈ of_columns, that is AᵀA·X + X·BᵀB = Aᵀ·of_rows +
/// of_columnsᵀ·B; 0 in directions that hardly any of them has.
Matrix<double> between_bases(const Matrix<double>& A, const Matrix<double>& of_rows, const Matrix<double>& B,
                             const Matrix<double>& of_columns, const Execution& execution) {
  constexpr double hardly = 1e-4;
  Matrix<double> R(A.cols(), B.cols());
  add_transposed_product(A, of_rows, false, R.view(), execution);
  add_transposed_product(of_columns, B, false, R.view(), execution);
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

/// What is known of K in terms of the directions of both sides: for the i-th known row its place among the left ones, A, and its
/// coordinates by the right ones, of_rows; for the known columns B and, a row for each, of_columns. So A·X ≈ of_rows, B·Xᵀ ≈ of_columns.
struct KnownEntries {
  Matrix<double> A, of_rows, B, of_columns;
  std::vector<double> row_squares, column_squares;  ///< ‖·‖² of each

  KnownEntries(const Matrix<double>& rows, const Matrix<double>& columns, std::span<const std::size_t> row_places,
               std::span<const std::size_t> column_places, const Basis& left, const Basis& right, const Execution& execution)
      : A(at_places(left.vectors, row_places)),
        of_rows(times_transposed(rows, right.vectors, execution)),
        B(at_places(right.vectors, column_places)),
        of_columns(times_transposed(columns, left.vectors, execution)),
        row_squares(squares_of(rows)),
        column_squares(squares_of(columns)) {}

  /// columns: a row for each.
  static std::vector<double> squares_of(const Matrix<double>& rows) {
    std::vector<double> squares;
    for (std::size_t i = 0; i < rows.rows(); ++i)
      squares.push_back(std::inner_product(rows.row(i).begin(), rows.row(i).end(), rows.row(i).begin(), 0.0));
    return squares;
  }
};

constexpr std::size_t n_shares = 10;  // of landmarks: one judges what the others give

/// The first `left` and `right` columns of A and B (and of what belongs to them), of landmarks whose number is or is not one of the judging
/// share; all of them for `everything`.
enum class Which { everything, fitting, judging };
Matrix<double> part_of(const Matrix<double>& all, std::size_t n_columns, Which which) {
  const auto is_in = [which](std::size_t i) { return which == Which::everything || (i % n_shares == 0) == (which == Which::judging); };
  std::size_t count = 0;
  for (std::size_t i = 0; i < all.rows(); ++i) count += is_in(i);
  Matrix<double> part(count, n_columns);
  for (std::size_t i = 0, next = 0; i < all.rows(); ++i)
    if (is_in(i)) std::copy_n(all.row(i).begin(), n_columns, part.row(next++).begin());
  return part;
}

/// The core between the leading directions, of rank n_features.
SignedSvd core_of(const KnownEntries& known, std::size_t n_directions, Which which, bool symmetric, const MatrixOptions& options,
                  std::size_t size) {
  const std::size_t n_left = std::min(n_directions, known.A.cols()), n_right = std::min(n_directions, known.B.cols());
  const Matrix<double> A = part_of(known.A, n_left, which), B = part_of(known.B, n_right, which);
  const Matrix<double> of_rows = part_of(known.of_rows, n_right, which), of_columns = part_of(known.of_columns, n_left, which);
  return truncated_core(between_bases(A, of_rows, B, of_columns, options.execution), symmetric, options.n_features, options.cutoff, size,
                        options.execution);
}

/// Σ‖row - its approximation‖² over the judging rows of one side. core: X, or Xᵀ.
double judged_errors(const Matrix<double>& A, const Matrix<double>& coordinates, const std::vector<double>& squares,
                     const Matrix<double>& core, const Execution& execution) {
  const Matrix<double> at = part_of(A, core.rows(), Which::judging), wanted = part_of(coordinates, core.cols(), Which::judging);
  const Matrix<double> got = times_transposed(at, transposed<double>(core), execution);
  double errors = 0;
  for (std::size_t i = 0; i < got.rows(); ++i) {
    errors += squares[i * n_shares];
    for (std::size_t k = 0; k < got.cols(); ++k) {
      const double error = wanted(i, k) - got(i, k);
      errors += error * error - wanted(i, k) * wanted(i, k);
    }
  }
  return errors;
}

/// How many directions of both sides are taken: as many as the known entries tell apart. Where singular values fall slowly, more of them
/// would be fitted to what is known and be wrong elsewhere.
std::size_t best_directions(const KnownEntries& known, bool symmetric, const MatrixOptions& options, std::size_t size) {
  const std::size_t most = (options.n_features + std::max(known.A.rows(), known.B.rows()) + 1) / 2, n = options.n_features;
  if (std::min(known.A.rows(), known.B.rows()) < 2 * n_shares) return most;
  std::size_t best = most;
  double least = HUGE_VAL;
  for (const std::size_t tried : {most, (most + n) / 2, n, n / 2, n / 4, n / 8}) {
    if (tried == 0 || tried > most) continue;
    const SignedSvd svd = core_of(known, tried, Which::fitting, symmetric, options, size);
    Matrix<double> core(svd.left.cols(), svd.right.cols());
    Matrix<double> scaled = svd.left;
    for (std::size_t f = 0; f < svd.values.size(); ++f)
      for (double& value : scaled.row(f)) value *= svd.values[f];
    add_transposed_product(scaled, svd.right, false, core.view(), options.execution);
    const double errors = judged_errors(known.A, known.of_rows, known.row_squares, core, options.execution) +
                          judged_errors(known.B, known.of_columns, known.column_squares, transposed<double>(core), options.execution);
    if (errors < least) {
      least = errors;
      best = tried;
    }
  }
  return best;
}

double largest_of(std::span<const double> values) {
  double largest = 0;
  for (const double value : values) largest = std::fmax(largest, std::fabs(value));
  return largest;
}

/// Which of `candidates` become landmarks, in increasing order: pivots among rows of `between`, one for each. Of a sparse K these may be
/// zero; then candidates follow that have something elsewhere, by their largest entries, which `largest` tells of all candidates.
template <class Largest>
std::vector<std::size_t> landmarks_among(std::span<const std::size_t> candidates, Matrix<double> between, std::size_t count,
                                         const MatrixOptions& options, const Largest& largest) {
  std::vector<std::size_t> zero;
  for (std::size_t p = 0; p < candidates.size(); ++p)
    if (largest_of(between.row(p)) == 0) zero.push_back(p);
  auto chosen = pivots_of(std::move(between), count, options.landmarks, options.cutoff, options.seed, options.execution).rows;
  if (chosen.size() < count && !zero.empty()) {
    const std::vector<double> sizes = largest();
    std::erase_if(zero, [&](std::size_t p) { return sizes[p] == 0; });
    std::ranges::stable_sort(zero, std::greater(), [&](std::size_t p) { return sizes[p]; });
    zero.resize(std::min(zero.size(), count - chosen.size()));
    chosen.insert(chosen.end(), zero.begin(), zero.end());
  }
  for (std::size_t& p : chosen) p = candidates[p];
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
  const auto largest_in_rows = [](const Matrix<double>& rows) {
    std::vector<double> largest;
    for (std::size_t i = 0; i < rows.rows(); ++i) largest.push_back(largest_of(rows.row(i)));
    return largest;
  };
  const auto largest_in_columns = [&] {
    if (symmetric) return largest_in_rows(values);
    Matrix<double> columns(K.rows(), places.columns.size());
    K.take_columns(places.columns, columns.view(), options.execution);
    return largest_in_rows(transposed<double>(columns, options.execution.stop));
  };
  Places chosen;
  chosen.columns = landmarks_among(places.columns, transposed<double>(between, options.execution.stop), count, options, largest_in_columns);
  chosen.rows = symmetric ? chosen.columns
                          : landmarks_among(places.rows, std::move(between), count, options, [&] { return largest_in_rows(values); });
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

  const Matrix<double> turned_columns = transposed<double>(columns, execution.stop);
  const Basis left = basis_of(turned_columns, options.cutoff, execution);
  const Basis right = symmetric ? left : basis_of(rows, options.cutoff, execution);
  const KnownEntries known(rows, turned_columns, places.rows, places.columns, left, right, execution);
  const std::size_t size = std::max(K.rows(), K.cols());
  const std::size_t n_directions = best_directions(known, symmetric, options, size);
  const SignedSvd svd = core_of(known, n_directions, Which::everything, symmetric, options, size);
  const auto factor = [&](const Basis& basis, const Matrix<double>& vectors) {
    const Matrix<double> leading = part_of(basis.coordinates, vectors.cols(), Which::everything);
    Matrix<double> out = times_transposed(leading, vectors, execution);
    for (std::size_t l = 0; l < out.rows(); ++l)
      for (std::size_t f = 0; f < out.cols(); ++f) out(l, f) *= std::sqrt(svd.values[f]) * std::sqrt(scale);
    return out;
  };
  factors.left_factor = factor(left, svd.left);
  factors.right_factor = factor(right, svd.right);
  for (const double value : svd.values) factors.singular_values.push_back(value / scale);
  require_finite<double>(MatrixView<const double>(factors.singular_values.data(), 1, factors.singular_values.size()), "matrix_factors",
                         "the row of K's singular values", execution.stop);
  factors.columns = std::move(places.columns);
  factors.rows = std::move(places.rows);
  return factors;
}

}  // namespace askrff::landmarks
