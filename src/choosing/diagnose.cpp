// diagnose(): the matrix of some rows, k along lines, and a recommendation that follows from both.
#include "askrff/diagnose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "askrff/errors.hpp"
#include "askrff/grid.hpp"
#include "askrff/operators.hpp"
#include "askrff/random.hpp"
#include "choosing/kernel_lines.hpp"
#include "choosing/spectrum.hpp"
#include "core/checks.hpp"
#include "landmarks/spectral_factors.hpp"

namespace askrff {
namespace {

constexpr const char* diagnose_name = "diagnose";

void check(const RowsView<double>& X, const DiagnoseOptions& options) {
  if (X.rows() < 2) throw InvalidArgument(diagnose_name, fmt::format("{} rows, expected at least 2", X.rows()));
  if (X.cols() == 0) throw InvalidArgument(diagnose_name, "the data has no columns, expected at least 1");
  choosing::check_n_rows(options);
  require_finite_rows(X, diagnose_name, "the data", options.execution.stop);
}

/// How far apart rows are in every column.
std::vector<double> extent_of(const ColumnRange& range) {
  constexpr double most = 1e150;  // squares of distances beyond are no numbers
  std::vector<double> extent;
  for (std::size_t k = 0; k < range.lowest.size(); ++k) {
    extent.push_back(range.highest[k] - range.lowest[k]);
    if (!(extent[k] < most))
      throw InvalidArgument(diagnose_name, fmt::format("rows are up to {:.3g} apart in column {}, expected less than {:g}: scale them",
                                                       extent[k], k + 1, most));
  }
  return extent;
}

/// Of a power of two times K, because squares of very small or large entries are no numbers.
void look_at_matrix(const Kernel& kernel, const RowsView<double>& rows, const Execution& execution, Diagnosis& found) {
  Matrix<double> K = exact_gram(kernel, rows, rows, execution);
  for (std::size_t i = 0; i < K.rows(); ++i)
    for (const double value : K.row(i))
      if (!std::isfinite(value))
        throw InvalidArgument(
            diagnose_name, fmt::format("kernel {} is {} between two of the rows looked at, expected finite numbers", kernel.name(), value));
  const double scale = landmarks::unit_scale(K);
  if (scale == 0)
    throw InvalidArgument(diagnose_name, fmt::format("kernel {} is zero between all {} rows looked at", kernel.name(), rows.rows()));
  landmarks::scale_all(K, scale);
  static_cast<SymmetryFacts&>(found) = choosing::symmetry_of(K, choosing::frobenius_norm(K), execution.stop);
  static_cast<SpectrumFacts&>(found) = choosing::spectrum_of(K, execution.stop);
  for (double* value : {&found.smallest_eigenvalue, &found.largest_eigenvalue}) *value /= scale;
  for (double& value : found.singular_values) value /= scale;
}

Matrix<double> written_out(const RowsView<double>& rows) {
  Matrix<double> X(rows.rows(), rows.cols());
  if (rows.is_sparse())
    rows.sparse().copy_to(X.view());
  else
    for (std::size_t i = 0; i < X.rows(); ++i) std::ranges::copy(rows.dense().row(i), X.row(i).begin());
  return X;
}

/// Pairs of rows moved by differences between rows.
double shift_variation(const Kernel& kernel, const RowsView<double>& rows, const Execution& execution) {
  constexpr std::size_t n_pairs = 64, n_steps = 8;
  const std::size_t n = std::min(n_pairs, rows.rows()), dim = rows.cols();
  const Matrix<double> X = written_out(rows.middle_rows(0, n));
  const Matrix<double> K = exact_gram(kernel, RowsView<double>(X.view()), RowsView<double>(X.view()), execution);
  double largest = 0, variation = 0;
  for (std::size_t step = 0; step < n_steps; ++step) {
    Matrix<double> moved = X;
    const auto from = X.row(step % n), to = X.row((step * 7 + 3) % n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t c = 0; c < dim; ++c) moved(i, c) += to[c] - from[c];
    const Matrix<double> M = exact_gram(kernel, RowsView<double>(moved.view()), RowsView<double>(moved.view()), execution);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        largest = std::max({largest, std::abs(K(i, j)), std::abs(M(i, j))});
        variation = std::max(variation, std::abs(M(i, j) - K(i, j)));
      }
  }
  return largest > 0 ? variation / largest : 0;
}

/// Null without a measure; says what is known of it.
std::unique_ptr<const ComplexMeasure> measure_of(const Kernel& kernel, const Execution& execution, Diagnosis& found) {
  try {
    auto measure = kernel.measure(found.dim, execution);
    const std::string reason = kernel.measure_reason(found.dim);
    if (!measure) {
      found.measure_reason = reason.empty() ? "its Fourier measure is not known" : reason;
      return nullptr;
    }
    found.total_variation = measure->exact_total_variation();
    found.has_measure = true;
    found.measure_reason = found.total_variation ? fmt::format("Fourier measure of total variation {:.6g}", *found.total_variation)
                                                 : "Fourier measure of unknown total variation";
    if (!reason.empty()) found.measure_reason += " (" + reason + ")";
    return measure;
  } catch (const InvalidArgument& error) {
    found.measure_reason = error.message();
  } catch (const NumericalError& error) {
    found.measure_reason = error.message();
  }
  return nullptr;
}

/// The difference of neighbouring rows of the sample, or of rows 2, 3 … places apart, at which |k| is largest.
std::vector<double> largest_difference(const Kernel& kernel, const RowsView<double>& rows) {
  constexpr std::size_t n_pairs = 1024;
  const Matrix<double> X = written_out(rows);
  Matrix<double> differences(n_pairs, X.cols());
  for (std::size_t p = 0; p < n_pairs; ++p) {
    const std::size_t i = p % X.rows(), j = (i + 1 + p / X.rows()) % X.rows();
    for (std::size_t c = 0; c < X.cols(); ++c) differences(p, c) = X(i, c) - X(j, c);
  }
  std::vector<double> values(n_pairs);
  kernel.evaluate(differences.view(), values);
  const auto largest = std::ranges::max_element(values, {}, [](double value) { return std::abs(value); });
  const auto row = std::as_const(differences).row(static_cast<std::size_t>(largest - values.begin()));
  return {row.begin(), row.end()};
}

void look_at_lines(const Kernel& kernel, const RowsView<double>& rows, std::span<const double> extent, const Execution& execution,
                   Diagnosis& found) {
  const std::vector<choosing::Direction> directions = choosing::directions_of(extent);
  const auto measure = measure_of(kernel, execution, found);
  if (directions.empty()) return;  // all rows are the same
  found.smoothness = choosing::smoothness_along(kernel, directions, largest_difference(kernel, rows), execution.stop);
  found.decay = choosing::decay_along(kernel, directions, execution.stop);
  found.integrable = choosing::integrable_far_out(kernel, extent, execution.stop);
  for (const choosing::Direction& direction : directions) found.lines.push_back(choosing::line_of(kernel, measure.get(), direction));
}

/// The frequencies of a grid that keeps to `tolerance`; absent where there is none that fits into memory, or none at all.
std::optional<std::size_t> grid_size(const Kernel& kernel, std::span<const double> extent, double tolerance) {
  try {
    return choose_grid(kernel, extent, {.tolerance = tolerance}).grid.size();
  } catch (const InvalidArgument&) {
    return std::nullopt;
  }
}

void recommend(const Kernel& kernel, std::span<const double> extent, Diagnosis& found) {
  const std::size_t few = std::max<std::size_t>(1, found.n_rows / 4);
  const bool low_rank = found.features_for_1e_2 <= few;
  const std::string rank =
      fmt::format("{} features can do for 1e-2 and {} for 1e-3 of {} rows", found.features_for_1e_2, found.features_for_1e_3, found.n_rows);
  const auto set = [&](const char* route, std::string reason) {
    found.route = route;
    found.reason = std::move(reason);
  };
  if (!found.shift_invariant) return set("nystrom", "k is no function of x - y, which all other ways need; " + rank);
  constexpr double grid_tolerance = 1e-3;
  if (found.has_measure && found.dim <= 3 && !low_rank)
    if (const auto size = grid_size(kernel, extent, grid_tolerance))
      return set("grid",
                 fmt::format("k is narrow beside the rows ({}), and in {} dimension{} a grid of {} frequencies has a tolerance of {:g}",
                             rank, found.dim, found.dim == 1 ? "" : "s", *size, grid_tolerance));
  if (found.has_measure)
    return set("fourier", fmt::format("it has a Fourier measure of finite mass; {}{}", rank,
                                      low_rank ? ", so Nyström maps are worth trying (best)" : ""));
  if (found.smoothness == Smoothness::jump) return set("nystrom", "k jumps, and frequencies cannot follow a jump; " + rank);
  if (low_rank) return set("nystrom", "it has no Fourier measure to draw from; " + rank);
  set("calibrated", "it has no Fourier measure to draw from: generic frequencies with fitted weights; " + rank);
}

}  // namespace

Diagnosis diagnose(const Kernel& kernel, const RowsView<double>& X, const DiagnoseOptions& options) {
  check(X, options);
  Diagnosis found;
  found.dim = X.cols();
  found.n_rows = std::min(X.rows(), options.n_rows);
  const auto sample = RowsMatrix<double>::taken_from(X, choose_rows(X.rows(), found.n_rows, options.seed, Purpose::evaluation_rows));
  const std::vector<double> extent = kernel.shift_invariant() ? extent_of(ColumnRange::of(X)) : std::vector<double>();
  look_at_matrix(kernel, sample, options.execution, found);
  found.shift_invariant = kernel.shift_invariant();
  if (!found.shift_invariant) {
    found.shift_variation = shift_variation(kernel, sample, options.execution);
    found.measure_reason = "k is no function of differences";
  } else {
    look_at_lines(kernel, sample, extent, options.execution, found);
  }
  recommend(kernel, extent, found);
  return found;
}

}  // namespace askrff
