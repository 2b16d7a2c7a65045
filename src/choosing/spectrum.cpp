// Decompositions of small matrices, and what follows from their values.
#include "choosing/spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "askrff/errors.hpp"
#include "landmarks/factors.hpp"

namespace askrff::choosing {
namespace {

constexpr std::size_t max_matrix_rows = 2000;

/// √Σ value(i,j)², summed row by row.
template <class Value>
double norm_of(std::size_t n_rows, std::size_t n_columns, Value value) {
  double squares = 0;
  for (std::size_t i = 0; i < n_rows; ++i) {
    double row = 0;
    for (std::size_t j = 0; j < n_columns; ++j) row += value(i, j) * value(i, j);
    squares += row;
  }
  return std::sqrt(squares);
}

/// 0 if more are needed than there are values.
std::size_t features_for(double tolerance, std::span<const double> singular_values, double beyond) {
  double all = beyond, rest = beyond;
  for (const double s : singular_values) all += s * s;
  if (rest > tolerance * tolerance * all) return 0;
  std::size_t n = singular_values.size();
  while (n > 0 && rest + singular_values[n - 1] * singular_values[n - 1] <= tolerance * tolerance * all) {
    rest += singular_values[n - 1] * singular_values[n - 1];
    --n;
  }
  return n;
}

}  // namespace

void check_n_rows(const DiagnoseOptions& options) {
  if (options.n_rows < 2 || options.n_rows > max_matrix_rows)
    throw InvalidArgument("diagnose", fmt::format("n_rows is {}, expected 2 to {}", options.n_rows, max_matrix_rows));
}

double frobenius_norm(const Matrix<double>& K) {
  return norm_of(K.rows(), K.cols(), [&](std::size_t i, std::size_t j) { return K(i, j); });
}

SymmetryFacts symmetry_of(const Matrix<double>& K, double norm, const StopToken& stop) {
  const std::size_t n = K.rows();
  Matrix<double> symmetric(n, n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) symmetric(i, j) = 0.5 * (K(i, j) + K(j, i));
  SymmetryFacts facts;
  facts.symmetric_share = frobenius_norm(symmetric) / norm;
  facts.skew_share = norm_of(n, n, [&](std::size_t i, std::size_t j) { return K(i, j) - K(j, i); }) / (2 * norm);
  const std::vector<double> eigenvalues = landmarks::symmetric_eigenvalues(symmetric, stop);
  judge_eigenvalues(facts, eigenvalues, norm_of(1, n, [&](std::size_t, std::size_t i) { return eigenvalues[i]; }));
  return facts;
}

void judge_eigenvalues(SymmetryFacts& facts, std::span<const double> eigenvalues, double norm) {
  const auto [smallest, largest] = std::ranges::minmax(eigenvalues);
  facts.smallest_eigenvalue = smallest;
  facts.largest_eigenvalue = largest;
  const double size = std::max(std::abs(smallest), std::abs(largest));
  const bool is_indefinite = smallest < -spectrum_rounding * size;
  if (size > 0 && is_indefinite) {
    double squares = 0;
    for (const double value : eigenvalues) squares += value < 0 ? value * value : 0;
    facts.negative_share = std::sqrt(squares) / norm;
  }
  if (facts.skew_share <= spectrum_rounding) {
    facts.skew_share = 0;
    facts.kernel_class = is_indefinite ? KernelClass::indefinite : KernelClass::positive_definite;
  } else {
    facts.kernel_class = KernelClass::asymmetric;
  }
}

SpectrumFacts spectrum_of(const Matrix<double>& K, const StopToken& stop) {
  SpectrumFacts facts;
  facts.singular_values = landmarks::singular_values(K, stop);
  count_features(facts);
  return facts;
}

void count_features(SpectrumFacts& facts, double beyond) {
  facts.features_for_1e_2 = features_for(1e-2, facts.singular_values, beyond);
  facts.features_for_1e_3 = features_for(1e-3, facts.singular_values, beyond);
}

double best_error(std::span<const double> singular_values, std::size_t n_features, double beyond) {
  double all = beyond, rest = beyond;
  for (std::size_t i = 0; i < singular_values.size(); ++i) {
    const double square = singular_values[i] * singular_values[i];
    all += square;
    if (i >= n_features) rest += square;
  }
  return all > 0 ? std::sqrt(rest / all) : 0;
}

}  // namespace askrff::choosing
