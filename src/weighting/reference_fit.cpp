// k(δ) ≈ Σ_j a_j cos(ω_j·δ) + b_j sin(ω_j·δ), c_j = a_j - i b_j: two ridge problems, one for the symmetric, one for the skew part of k.
#include "weighting/reference_fit.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "askrff/errors.hpp"
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
  Eigen::VectorXd symmetric, skew;
};

Pairs pairs_of(const Kernel& kernel, MatrixView<const double> subset) {
  const std::size_t n = subset.rows(), n_pairs = n * (n - 1) / 2 + 1;
  const auto k = split_kernel_matrix(kernel, subset);
  Pairs pairs{Matrix<double>(n_pairs, subset.cols()), Eigen::VectorXd(n_pairs), Eigen::VectorXd(n_pairs)};
  pairs.symmetric[0] = k.symmetric(0, 0);  // δ = 0
  pairs.skew[0] = 0;
  std::size_t p = 1;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j, ++p) {
      for (std::size_t c = 0; c < subset.cols(); ++c) pairs.differences(p, c) = subset(i, c) - subset(j, c);
      pairs.symmetric[static_cast<Eigen::Index>(p)] = k.symmetric(i, j);
      pairs.skew[static_cast<Eigen::Index>(p)] = k.skew(i, j);
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

using Rows = std::vector<Eigen::Index>;

// One of the two ridge problems on the given rows, ready to be solved for several ridges.
class Ridge {
 public:
  Ridge(const Eigen::MatrixXd& design, const Eigen::VectorXd& target, const Rows& rows) {
    const Eigen::MatrixXd A = design(rows, Eigen::all);
    gram_.noalias() = A.transpose() * A;
    right_.noalias() = A.transpose() * Eigen::VectorXd(target(rows));
  }
  Eigen::VectorXd solve(double ridge) const {
    Eigen::MatrixXd shifted = gram_;
    const double mean_eigenvalue = gram_.trace() / static_cast<double>(gram_.rows());
    shifted.diagonal().array() += std::max(ridge * mean_eigenvalue, std::numeric_limits<double>::min());
    return shifted.llt().solve(right_);
  }

 private:
  Eigen::MatrixXd gram_;
  Eigen::VectorXd right_;
};

struct Designs {
  Eigen::MatrixXd cosines, sines;
};

Designs designs_of(const Matrix<double>& differences, const Matrix<double>& normals, double length) {
  Designs d{Eigen::MatrixXd(differences.rows(), normals.rows()), Eigen::MatrixXd(differences.rows(), normals.rows())};
  for (std::size_t j = 0; j < normals.rows(); ++j)
    for (std::size_t p = 0; p < differences.rows(); ++p) {
      const double phase = dot(normals.row(j), differences.row(p)) / length;
      d.cosines(static_cast<Eigen::Index>(p), static_cast<Eigen::Index>(j)) = std::cos(phase);
      d.sines(static_cast<Eigen::Index>(p), static_cast<Eigen::Index>(j)) = std::sin(phase);
    }
  return d;
}

struct Choice {
  double length = 0, ridge = 0, error = std::numeric_limits<double>::infinity();
};

Choice choose(const Pairs& pairs, const Matrix<double>& normals, double unit) {
  Rows fitted, held_out;
  for (Eigen::Index p = 0; p < pairs.symmetric.size(); ++p) (p % held_out_every == 1 ? held_out : fitted).push_back(p);
  Choice best;
  for (const double scale : scales) {
    const Designs d = designs_of(pairs.differences, normals, scale * unit);
    const Ridge even(d.cosines, pairs.symmetric, fitted), odd(d.sines, pairs.skew, fitted);
    for (const double ridge : ridges) {
      const Eigen::VectorXd even_error = d.cosines(held_out, Eigen::all) * even.solve(ridge) - Eigen::VectorXd(pairs.symmetric(held_out));
      const Eigen::VectorXd odd_error = d.sines(held_out, Eigen::all) * odd.solve(ridge) - Eigen::VectorXd(pairs.skew(held_out));
      const double error = even_error.squaredNorm() + odd_error.squaredNorm();
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
    for (double& coordinate : normals.row(j)) coordinate = random.normal();
  }
  const Pairs pairs = pairs_of(kernel, subset);
  const double unit = median_distance(pairs.differences);
  if (!(unit > 0)) throw std::invalid_argument("fit on a subset: all its rows are equal");
  const Choice choice = choose(pairs, normals, unit);
  if (!std::isfinite(choice.error)) throw NumericalError(fmt::format("{}: the least-squares fit on the subset failed", kernel.name()));

  const Designs d = designs_of(pairs.differences, normals, choice.length);
  Rows all(static_cast<std::size_t>(pairs.symmetric.size()));
  for (std::size_t p = 0; p < all.size(); ++p) all[p] = static_cast<Eigen::Index>(p);
  const Eigen::VectorXd a = Ridge(d.cosines, pairs.symmetric, all).solve(choice.ridge),
                        b = Ridge(d.sines, pairs.skew, all).solve(choice.ridge);
  std::vector<std::complex<double>> weights(n_frequencies);
  for (std::size_t j = 0; j < n_frequencies; ++j) weights[j] = {a[static_cast<Eigen::Index>(j)], -b[static_cast<Eigen::Index>(j)]};
  for (std::size_t j = 0; j < n_frequencies; ++j)
    for (double& coordinate : normals.row(j)) coordinate /= choice.length;
  return {std::move(normals), std::move(weights)};
}

}  // namespace askrff::weighting
