// k(δ) ≈ Σ_j a_j cos(ω_j·δ) + b_j sin(ω_j·δ), c_j = a_j - i b_j: two ridge problems, one for the symmetric, one for the skew part of k.
#include "weighting/reference_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "askrff/dense.hpp"
#include "askrff/errors.hpp"
#include "backend/backend.hpp"
#include "core/threads.hpp"
#include "core/vectors.hpp"
#include "weighting/subset_kernel.hpp"

namespace askrff::weighting {
namespace {

constexpr std::size_t most_frequencies = 8192;          // two M × M matrices of 512 MiB each
constexpr std::array scales{0.25, 0.5, 1.0, 2.0, 4.0};  // of the median distance
constexpr std::array ridges{1e-10, 1e-7, 1e-4, 1e-2};   // of the mean eigenvalue
constexpr std::size_t held_out_every = 5;

// Unordered pairs of rows: their difference, and the symmetric and skew part of k there.
struct Pairs {
  Matrix<double> differences;
  std::vector<double> symmetric, skew;
};

Pairs pairs_of(const Kernel& kernel, MatrixView<const double> subset) {
  const std::size_t n = subset.rows(), n_pairs = n * (n - 1) / 2 + 1;
  const auto k = split_kernel_matrix(kernel, subset);
  Pairs pairs{Matrix<double>(n_pairs, subset.cols()), std::vector<double>(n_pairs), std::vector<double>(n_pairs)};
  pairs.symmetric[0] = k.symmetric(0, 0);  // δ = 0
  std::size_t p = 1;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j, ++p) {
      for (std::size_t c = 0; c < subset.cols(); ++c) pairs.differences(p, c) = subset(i, c) - subset(j, c);
      pairs.symmetric[p] = k.symmetric(i, j);
      pairs.skew[p] = k.skew(i, j);
    }
  return pairs;
}

double median_distance(const Matrix<double>& differences) {
  std::vector<double> distances;
  for (std::size_t p = 1; p < differences.rows(); ++p) distances.push_back(static_cast<double>(scaled_norm(differences.row(p))));
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  if (*middle > 0) return *middle;
  return *std::max_element(distances.begin(), distances.end());
}

// cos(ω_j·δ_p) in columns 0 … M-1, sin(ω_j·δ_p) in columns M … 2M-1, for ω_j the normal numbers over a length.
class Design {
 public:
  Design(const Matrix<double>& differences, const Matrix<double>& normals, double length)
      : n_frequencies_(normals.rows()), waves_(differences.rows(), 2 * normals.rows()) {
    Matrix<double> frequencies = normals;
    for (std::size_t i = 0; i < frequencies.rows(); ++i)
      for (double& value : frequencies.row(i)) value /= length;
    const auto& primitives = backend::select(Backend::automatic);
    const backend::Amplitudes ones(std::vector<double>(n_frequencies_, 1.0), std::vector<double>(n_frequencies_, 0.0));
    primitives.for_double.waves(*primitives.make_projection(frequencies), ones, backend::rows_of(differences.view()),
                                backend::rows_of(waves_.view()), backend::Store::cached);
  }
  MatrixView<const double> cosines() const { return {waves_.data(), waves_.rows(), n_frequencies_, waves_.cols()}; }
  MatrixView<const double> sines() const { return {waves_.data() + n_frequencies_, waves_.rows(), n_frequencies_, waves_.cols()}; }

 private:
  std::size_t n_frequencies_;
  Matrix<double> waves_;
};

// One of the two ridge problems on the rows of weight 1 (the others have weight 0), ready to be solved for several ridges.
class Ridge {
 public:
  Ridge(MatrixView<const double> design, const std::vector<double>& target, const std::vector<double>& weights)
      : gram_(design.cols(), design.cols()), right_(design.cols(), 1) {
    const auto& product = backend::select(Backend::automatic).for_double.transposed_product;
    const auto rows = backend::rows_of(design);
    constexpr std::size_t slice = 256;
    const double work = static_cast<double>(design.rows()) * static_cast<double>(design.cols()) * static_cast<double>(design.cols()) / 32;
    parallel_for((design.cols() + slice - 1) / slice, threads_for(work, {}), [&](std::size_t task) {
      const std::size_t first = task * slice, count = std::min(slice, design.cols() - first);
      product(rows, rows, weights.data(), design.cols(), first, true, backend::rows_of(gram_.view()).from(first, count));
    });
    for (std::size_t i = 0; i < gram_.rows(); ++i)
      for (std::size_t j = 0; j < i; ++j) gram_(i, j) = gram_(j, i);
    product(rows, {target.data(), target.size(), 1}, weights.data(), 1, 0, false, backend::rows_of(right_.view()));
  }
  // NaN where the matrix is too close to singular for the ridge.
  std::vector<double> solve(double ridge) const {
    Matrix<double> shifted = gram_, solution = right_;
    double trace = 0;
    for (std::size_t i = 0; i < gram_.rows(); ++i) trace += gram_(i, i);
    const double shift = std::max(ridge * trace / static_cast<double>(gram_.rows()), std::numeric_limits<double>::min());
    for (std::size_t i = 0; i < gram_.rows(); ++i) shifted(i, i) += shift;
    try {
      cholesky(shifted.view());
    } catch (const NumericalError&) {
      return std::vector<double>(gram_.rows(), std::numeric_limits<double>::quiet_NaN());
    }
    solve_cholesky(shifted, solution.view());
    return {solution.data(), solution.data() + solution.rows()};
  }

 private:
  Matrix<double> gram_, right_;
};

// Σ (design·x - target)² over the rows of weight 0.
double held_out_error(MatrixView<const double> design, const std::vector<double>& x, const std::vector<double>& target,
                      const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t p = 0; p < design.rows(); ++p) {
    if (weights[p] != 0) continue;
    const double error = dot(design.row(p), x) - target[p];
    sum += error * error;
  }
  return sum;
}

struct Choice {
  double length = 0, ridge = 0, error = std::numeric_limits<double>::infinity();
};

Choice choose(const Pairs& pairs, const Matrix<double>& normals, double unit) {
  std::vector<double> fitted(pairs.symmetric.size());  // 1, or 0 where held out
  for (std::size_t p = 0; p < fitted.size(); ++p) fitted[p] = p % held_out_every == 1 ? 0.0 : 1.0;
  Choice best;
  for (const double scale : scales) {
    const Design design(pairs.differences, normals, scale * unit);
    const Ridge even(design.cosines(), pairs.symmetric, fitted), odd(design.sines(), pairs.skew, fitted);
    for (const double ridge : ridges) {
      const double error = held_out_error(design.cosines(), even.solve(ridge), pairs.symmetric, fitted) +
                           held_out_error(design.sines(), odd.solve(ridge), pairs.skew, fitted);
      if (error < best.error) best = {scale * unit, ridge, error};
    }
  }
  return best;
}

}  // namespace

SpectralAtoms fit_reference_atoms(const Kernel& kernel, MatrixView<const double> subset, std::size_t n_frequencies, std::uint64_t seed) {
  if (subset.rows() < 3) throw std::invalid_argument(fmt::format("fit on a subset: {} rows, expected at least 3", subset.rows()));
  if (n_frequencies > most_frequencies)
    throw std::invalid_argument(
        fmt::format("{} has no Fourier measure: fitting a weight for each of {} frequencies needs too much memory, expected at most {}",
                    kernel.name(), n_frequencies, most_frequencies));
  constexpr double most_entries = 1 << 27;  // 1 GiB for each of the two design matrices
  const double n_pairs = 0.5 * static_cast<double>(subset.rows()) * static_cast<double>(subset.rows());
  if (n_pairs * static_cast<double>(n_frequencies) > most_entries)
    throw std::invalid_argument(
        fmt::format("{} has no Fourier measure: fitting {} weights on {} rows needs too much memory, use fewer of either", kernel.name(),
                    n_frequencies, subset.rows()));
  Matrix<double> normals(n_frequencies, subset.cols());
  for (std::size_t j = 0; j < n_frequencies; ++j) {
    RandomStream random(seed, Purpose::reference_frequencies, j);
    random.normals(normals.row(j));
  }
  const Pairs pairs = pairs_of(kernel, subset);
  const double unit = median_distance(pairs.differences);
  if (!(unit > 0)) throw std::invalid_argument("fit on a subset: all its rows are equal");
  const Choice choice = choose(pairs, normals, unit);
  if (!std::isfinite(choice.error)) throw NumericalError(fmt::format("{}: the least-squares fit on the subset failed", kernel.name()));

  const Design design(pairs.differences, normals, choice.length);
  const std::vector<double> all(pairs.symmetric.size(), 1.0);
  const auto a = Ridge(design.cosines(), pairs.symmetric, all).solve(choice.ridge),
             b = Ridge(design.sines(), pairs.skew, all).solve(choice.ridge);
  std::vector<std::complex<double>> weights(n_frequencies);
  for (std::size_t j = 0; j < n_frequencies; ++j) {
    weights[j] = {a[j], -b[j]};
    if (!std::isfinite(a[j]) || !std::isfinite(b[j]))
      throw NumericalError(fmt::format("{}: the least-squares fit on the subset failed", kernel.name()));
  }
  for (std::size_t j = 0; j < n_frequencies; ++j)
    for (double& coordinate : normals.row(j)) coordinate /= choice.length;
  return {std::move(normals), std::move(weights)};
}

}  // namespace askrff::weighting
