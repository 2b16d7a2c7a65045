// diagnose_matrix(): norms of a kernel matrix and its parts, its spectrum or the largest of it, and how many features to take.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "askrff/diagnose.hpp"
#include "askrff/errors.hpp"
#include "choosing/spectrum.hpp"
#include "landmarks/spectral_factors.hpp"

namespace askrff {
namespace {

constexpr const char* diagnose_matrix_name = "diagnose_matrix";
constexpr std::size_t small_matrix_rows = 1000;  // all of whose spectrum is found within seconds

/// Sums of squares of scale·K and, if it is square, of the symmetric and the skew part of that. The scale is the power of two for the
/// largest entry so far: of very small or large entries squares are no numbers.
struct MatrixSquares {
  double all = 0, symmetric = 0, skew = 0, scale = 0;

  void reach(double unit) {
    if (unit == 0 || (scale != 0 && unit >= scale)) return;
    const double ratio = scale == 0 ? 1 : unit / scale;
    for (double* sum : {&all, &symmetric, &skew}) *sum *= ratio * ratio;
    scale = unit;
  }

  void add_pair(double ij, double ji, double times = 1) {
    symmetric += times * 0.25 * (ij + ji) * (ij + ji);
    skew += times * 0.25 * (ij - ji) * (ij - ji);
  }
};

/// By rows and columns, some at a time.
MatrixSquares squares_of(const LinearMap& K, const Execution& execution) {
  constexpr std::size_t at_once = 64;
  MatrixSquares sums;
  for (std::size_t first = 0; first < K.rows(); first += at_once) {
    execution.stop.check();
    std::vector<std::size_t> places(std::min(at_once, K.rows() - first));
    std::iota(places.begin(), places.end(), first);
    Matrix<double> rows(places.size(), K.cols());
    K.take_rows(places, rows.view(), execution);
    sums.reach(landmarks::unit_scale(rows));
    Matrix<double> columns;
    if (K.rows() == K.cols()) {
      columns = Matrix<double>(K.rows(), places.size());
      K.take_columns(places, columns.view(), execution);
      sums.reach(landmarks::unit_scale(columns));
      landmarks::scale_all(columns, sums.scale);
    }
    landmarks::scale_all(rows, sums.scale);
    for (std::size_t a = 0; a < places.size(); ++a)
      for (std::size_t j = 0; j < K.cols(); ++j) sums.all += rows(a, j) * rows(a, j);
    if (K.rows() != K.cols()) continue;
    for (std::size_t j = 0; j < K.cols(); ++j)
      for (std::size_t a = 0; a < places.size(); ++a) sums.add_pair(rows(a, j), columns(j, a));
  }
  return sums;
}

/// By the entries that are held.
MatrixSquares squares_of(const SparseView<double>& K, const StopToken& stop) {
  MatrixSquares sums;
  for (std::size_t i = 0; i < K.rows(); ++i) sums.reach(landmarks::unit_scale(K.values_of(i)));
  for (std::size_t i = 0; i < K.rows(); ++i) {
    if (i % 1024 == 0) stop.check();
    const auto columns = K.columns_of(i);
    const auto values = K.values_of(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double value = sums.scale * values[k];
      sums.all += value * value;
      if (K.rows() != K.cols()) continue;
      const auto opposite = K.columns_of(columns[k]);
      const auto place = std::ranges::lower_bound(opposite, i);
      const bool is_held = place != opposite.end() && *place == i;
      // An opposite that is not held is met from this side alone, for both.
      is_held ? sums.add_pair(value, sums.scale * K.values_of(columns[k])[static_cast<std::size_t>(place - opposite.begin())])
              : sums.add_pair(value, 0, 2);
    }
  }
  return sums;
}

/// (K + Kᵀ)/2 of a square K.
class SymmetricPart final : public LinearMap {
 public:
  explicit SymmetricPart(const LinearMap& K) : K_(K) {}
  std::size_t rows() const override { return K_.rows(); }
  std::size_t cols() const override { return K_.rows(); }
  void times(MatrixView<const double> V, MatrixView<double> out, const Execution& execution) const override {
    Matrix<double> other(out.rows(), out.cols());
    K_.times(V, out, execution);
    K_.transposed_times(V, other.view(), execution);
    for (std::size_t i = 0; i < out.rows(); ++i)
      for (std::size_t j = 0; j < out.cols(); ++j) out(i, j) = 0.5 * (out(i, j) + other(i, j));
  }
  void transposed_times(MatrixView<const double> V, MatrixView<double> out, const Execution& execution) const override {
    times(V, out, execution);
  }
  bool symmetric() const override { return true; }

 private:
  const LinearMap& K_;
};

/// Of the factors of a symmetric matrix, whose sides differ in signs. Fewer than were asked for: the others are 0.
std::vector<double> eigenvalues_of(const MatrixFactors& factors, std::size_t n_asked) {
  std::vector<double> values = factors.singular_values;
  for (std::size_t f = 0; f < values.size(); ++f) {
    double product = 0;
    for (std::size_t i = 0; i < factors.left_factor.rows(); ++i) product += factors.left_factor(i, f) * factors.right_factor(i, f);
    if (product < 0) values[f] = -values[f];
  }
  if (values.size() < n_asked) values.push_back(0);
  return values;
}

void multiply_all(std::vector<double>& values, double factor) {
  for (double& value : values) value *= factor;
}

/// The largest singular values and eigenvalues of scale·K, n of each.
void look_at_largest(const LinearMap& K, std::size_t n, const MatrixSquares& squares, const DiagnoseOptions& options,
                     MatrixDiagnosis& found) {
  const MatrixOptions how{.n_features = n, .seed = options.seed, .execution = options.execution};
  const MatrixFactors factors = matrix_factors(K, how);
  found.singular_values = factors.singular_values;
  multiply_all(found.singular_values, squares.scale);
  found.is_whole = factors.n_features() < n || n == std::min(K.rows(), K.cols());
  if (!found.symmetry) return;
  auto values = eigenvalues_of(K.symmetric() ? factors : matrix_factors(SymmetricPart(K), how), n);
  multiply_all(values, squares.scale);
  choosing::judge_eigenvalues(*found.symmetry, values, std::sqrt(squares.symmetric));
}

/// All of scale·K.
void look_at_all(const LinearMap& K, double scale, const DiagnoseOptions& options, MatrixDiagnosis& found) {
  std::vector<std::size_t> places(K.rows());
  std::iota(places.begin(), places.end(), std::size_t{0});
  Matrix<double> entries(K.rows(), K.cols());
  K.take_rows(places, entries.view(), options.execution);
  landmarks::scale_all(entries, scale);
  static_cast<SpectrumFacts&>(found) = choosing::spectrum_of(entries, options.execution.stop);
  if (found.symmetry) found.symmetry = choosing::symmetry_of(entries, found.norm, options.execution.stop);
}

const char* sides_text(const MatrixDiagnosis& found) {
  if (!found.symmetry || found.symmetry->kernel_class == KernelClass::asymmetric) return "left and right features differ";
  if (found.symmetry->kernel_class == KernelClass::indefinite) return "left and right features differ in signs";
  return found.is_whole ? "left and right features are the same" : "left and right features are the same, as far as eigenvalues were found";
}

void recommend_features(MatrixDiagnosis& found, double beyond) {
  constexpr std::size_t usual = 512;
  const std::size_t few = std::max<std::size_t>(1, std::min(found.n_rows, found.n_columns) / 4);
  const bool low_rank = found.features_for_1e_2 > 0 && found.features_for_1e_2 <= few;
  found.n_features = low_rank ? found.features_for_1e_2 : std::min({few, usual, found.singular_values.size()});
  found.best_error = choosing::best_error(found.singular_values, found.n_features, beyond);
  found.reason = fmt::format("{}: {} feature{} leave{} a relative error of {:.3g} at best; {}",
                             low_rank ? "singular values fall fast" : "singular values fall slowly", found.n_features,
                             found.n_features == 1 ? "" : "s", found.n_features == 1 ? "s" : "", found.best_error, sides_text(found));
}

/// To K's own unit.
void rescale(MatrixDiagnosis& found, double factor) {
  found.norm *= factor;
  multiply_all(found.singular_values, factor);
  if (!found.symmetry) return;
  found.symmetry->smallest_eigenvalue *= factor;
  found.symmetry->largest_eigenvalue *= factor;
}

MatrixDiagnosis diagnosed_matrix(const LinearMap& K, const MatrixSquares& squares, const DiagnoseOptions& options) {
  MatrixDiagnosis found;
  found.n_rows = K.rows();
  found.n_columns = K.cols();
  found.norm = std::sqrt(squares.all);
  if (found.norm == 0) throw InvalidArgument(diagnose_matrix_name, fmt::format("K, {} x {}, is zero", K.rows(), K.cols()));
  if (!std::isfinite(found.norm / squares.scale)) throw InvalidArgument(diagnose_matrix_name, "K is too large: its norm overflows");
  if (K.rows() == K.cols())
    found.symmetry =
        SymmetryFacts{.symmetric_share = std::sqrt(squares.symmetric) / found.norm, .skew_share = std::sqrt(squares.skew) / found.norm};
  double beyond = 0;
  if (std::max(K.rows(), K.cols()) <= std::max(small_matrix_rows, options.n_rows)) {
    look_at_all(K, squares.scale, options, found);
  } else {
    look_at_largest(K, std::min({options.n_rows, K.rows(), K.cols()}), squares, options, found);
    double known = 0;
    for (const double s : found.singular_values) known += s * s;
    if (!found.is_whole) beyond = std::max(0.0, squares.all - known);
    choosing::count_features(found, beyond);
  }
  recommend_features(found, beyond);
  rescale(found, 1 / squares.scale);
  return found;
}

void check_matrix(std::size_t rows, std::size_t cols, const DiagnoseOptions& options) {
  choosing::check_n_rows(options);
  if (rows == 0 || cols == 0)
    throw InvalidArgument(diagnose_matrix_name, fmt::format("K is {} x {}, expected at least one row and one column", rows, cols));
}

}  // namespace

MatrixDiagnosis diagnose_matrix(const RowsView<double>& K, const DiagnoseOptions& options) {
  check_matrix(K.rows(), K.cols(), options);
  const auto matrix = matrix_view(K);
  return diagnosed_matrix(*matrix, K.is_sparse() ? squares_of(K.sparse(), options.execution.stop) : squares_of(*matrix, options.execution),
                          options);
}

MatrixDiagnosis diagnose_matrix(const LinearMap& K, const DiagnoseOptions& options) {
  check_matrix(K.rows(), K.cols(), options);
  return diagnosed_matrix(K, squares_of(K, options.execution), options);
}

}  // namespace askrff
