// fit_masses against a minimisation that knows nothing of symmetric and skew parts: every active set, in long double, and a grid.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "askrff/approximate.hpp"
#include "askrff/kernels.hpp"
#include "support/random_inputs.hpp"
#include "oracle/oracle.hpp"
#include "support/plain_kernels.hpp"

namespace askrff::test {
namespace {

using oracle::Real;

/// Atoms with `count` normal frequencies for each of `parts`.
SpectralAtoms draws_of(const std::vector<Part>& parts, std::size_t count, std::size_t dim, std::uint64_t seed) {
  std::vector<PartRecord> records;
  for (const Part part : parts) records.push_back({.part = part, .first = records.size() * count, .count = count});
  return {random_matrix(parts.size() * count, dim, seed), std::vector<std::complex<double>>(parts.size() * count), std::move(records)};
}

/// ‖K - ξ₁G₁ + ξ₂G₂ + 2ξ₃G₃‖², every entry of every matrix as its own summand.
class Objective {
 public:
  Objective(const Kernel& kernel, const SpectralAtoms& draws, MatrixView<const double> X) : k0_(kernel.at_zero(X.cols())) {
    for (std::size_t i = 0; i < X.rows(); ++i)
      for (std::size_t j = 0; j < X.rows(); ++j) {
        std::vector<double> delta;
        for (std::size_t c = 0; c < X.cols(); ++c) delta.push_back(X(i, c) - X(j, c));
        Row row{.k = kernel(delta)};
        for (const PartRecord& part : draws.parts()) {
          Real sum = 0;
          for (std::size_t m = part.first; m < part.first + part.count; ++m) {
            const Real u = oracle::phase(draws.frequencies().row(m), X.row(i)) - oracle::phase(draws.frequencies().row(m), X.row(j));
            sum += part.part == Part::imaginary_positive ? std::sin(u) : std::cos(u);
          }
          row.G[static_cast<std::size_t>(part.part)] = sum / static_cast<Real>(part.count);
        }
        rows_.push_back(row);
      }
  }
  Real k0() const { return k0_; }
  Real operator()(Real xi1, Real xi2, Real xi3) const {
    Real sum = 0;
    for (const Row& row : rows_) {
      const Real residual = row.k - xi1 * row.G[0] + xi2 * row.G[1] + 2 * xi3 * row.G[2];
      sum += residual * residual;
    }
    return sum;
  }
  /// Minimiser over (ξ₂, ξ₃) with ξ₁ = ξ₂ + k(0): a coordinate is free or stands at its lower bound; the best feasible of the four cases.
  std::array<Real, 2> minimiser(Real lower2) const {
    Real aa = 0, ab = 0, bb = 0, ta = 0, tb = 0;  // residual = t - ξ₂ a - ξ₃ b
    for (const Row& row : rows_) {
      const Real t = row.k - k0_ * row.G[0], a = row.G[0] - row.G[1], b = -2 * row.G[2];
      aa += a * a, ab += a * b, bb += b * b, ta += t * a, tb += t * b;
    }
    const Real determinant = aa * bb - ab * ab;
    const std::array<std::array<Real, 2>, 4> candidates{{{(ta * bb - tb * ab) / determinant, (tb * aa - ta * ab) / determinant},
                                                         {ta / aa, 0},
                                                         {lower2, (tb - lower2 * ab) / bb},
                                                         {lower2, 0}}};
    std::array<Real, 2> best{};
    Real least = std::numeric_limits<Real>::infinity();
    for (const auto& [xi2, xi3] : candidates) {
      if (!(xi2 >= lower2) || !(xi3 >= 0)) continue;
      const Real value = (*this)(xi2 + k0_, xi2, xi3);
      if (value < least) least = value, best = {xi2, xi3};
    }
    return best;
  }

 private:
  struct Row {
    Real k = 0;
    std::array<Real, 3> G{};
  };
  Real k0_;
  std::vector<Row> rows_;
};

struct Problem {
  std::string name;
  std::unique_ptr<Kernel> kernel;
};

std::vector<Problem> problems() {
  std::vector<Problem> list;
  list.push_back({"shift", shift_gaussian({.sigma = 1.0, .shift = {0.5, -0.25}})});
  list.push_back({"mirrored shift", shift_gaussian({.sigma = 1.0, .shift = {-0.5, 0.25}})});
  list.push_back({"cosh", cosh_gaussian({.sigma = 1.0, .beta = {0.7, 0.2}})});
  list.push_back({"difference, k(0) > 0", difference_of_gaussians({.sigma = 1.0, .sigma2 = 2.0, .weight = 0.5})});
  list.push_back({"difference, k(0) < 0", difference_of_gaussians({.sigma = 1.0, .sigma2 = 0.5, .weight = 1.5})});
  list.push_back({"difference, k(0) < 0, wide", difference_of_gaussians({.sigma = 0.5, .sigma2 = 3.0, .weight = 4.0})});
  return list;
}

TEST(FitMasses, ThreePartsMatchTheBestActiveSetAndNoGridPointIsBetter) {
  std::size_t at_bound = 0, free = 0, negative_k0 = 0;
  for (const Problem& problem : problems())
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(problem.name + ", seed " + std::to_string(seed));
      const auto draws = draws_of({all_parts.begin(), all_parts.end()}, 3, 2, 100 + seed);
      const auto X = random_matrix(5, 2, seed);
      const Objective objective(*problem.kernel, draws, X);
      const MassFit fit = fit_masses(*problem.kernel, draws, X);
      const Real lower = std::max<Real>(0, -objective.k0());
      const auto [xi2, xi3] = objective.minimiser(lower);
      EXPECT_NEAR(fit.real_negative, static_cast<double>(xi2), 1e-12 * (1 + fit.real_negative));
      EXPECT_NEAR(fit.imaginary_positive, static_cast<double>(xi3), 1e-12 * (1 + fit.imaginary_positive));
      EXPECT_NEAR(fit.real_positive, static_cast<double>(xi2 + objective.k0()), 1e-12 * (1 + fit.real_positive));
      const Real least = objective(fit.real_positive, fit.real_negative, fit.imaginary_positive);
      EXPECT_NEAR(fit.residual, static_cast<double>(std::sqrt(least)), 1e-12 * (1 + fit.residual));
      for (int p = 0; p <= 40; ++p)
        for (int q = 0; q <= 40; ++q) {
          const Real grid2 = lower + p * Real(0.05), grid3 = q * Real(0.05);
          EXPECT_GE(objective(grid2 + objective.k0(), grid2, grid3), least * (1 - 1e-12L));
        }
      at_bound += fit.real_negative == static_cast<double>(lower);
      free += fit.real_negative > static_cast<double>(lower);
      negative_k0 += objective.k0() < 0;
    }
  EXPECT_GT(at_bound, 10u);  // both cases of the solution were met, and both signs of k(0)
  EXPECT_GT(free, 10u);
  EXPECT_EQ(negative_k0, 40u);
}

TEST(FitMasses, UnconstrainedValuesAreTheMinimisersWithoutBounds) {
  constexpr Real none = -1e6L;
  for (const Problem& problem : problems()) {
    const auto draws = draws_of({Part::real_positive, Part::real_negative, Part::imaginary_positive}, 4, 2, 7);
    const auto X = random_matrix(6, 2, 8);
    const Objective objective(*problem.kernel, draws, X);
    const MassFit fit = fit_masses(*problem.kernel, draws, X);
    const auto free2 = objective.minimiser(none)[0];
    EXPECT_NEAR(fit.unconstrained_real_negative, static_cast<double>(free2), 1e-12 * (1 + std::fabs(fit.unconstrained_real_negative)))
        << problem.name;
    const Real xi3 = fit.unconstrained_imaginary_positive, step = 1e-3L;
    for (const Real other : {xi3 - step, xi3 + step}) EXPECT_GT(objective(0, 0, other), objective(0, 0, xi3)) << problem.name;
  }
}

/// ξ₁ - ξ₂ = k(0) leaves nothing to fit where a real part is missing.
TEST(FitMasses, OnePartAndTwoParts) {
  const auto X = random_matrix(6, 2, 3);
  const auto shift = shift_gaussian({.sigma = 1.0, .shift = {0.5, -0.25}});
  const auto negative = difference_of_gaussians({.sigma = 1.0, .sigma2 = 0.5, .weight = 1.5});
  const auto fitted = [&](const Kernel& kernel, const std::vector<Part>& parts) {
    const auto draws = draws_of(parts, 5, 2, 4);
    const MassFit fit = fit_masses(kernel, draws, X);
    const Real least = Objective(kernel, draws, X)(fit.real_positive, fit.real_negative, fit.imaginary_positive);
    EXPECT_NEAR(fit.residual, static_cast<double>(std::sqrt(least)), 1e-12 * fit.residual);
    return fit;
  };
  const MassFit positive_only = fitted(*shift, {Part::real_positive});
  EXPECT_EQ(positive_only.real_positive, shift->at_zero(2));
  EXPECT_EQ(positive_only.real_negative, 0.0);
  EXPECT_EQ(positive_only.imaginary_positive, 0.0);
  const MassFit negative_only = fitted(*negative, {Part::real_negative});
  EXPECT_EQ(negative_only.real_negative, -negative->at_zero(2));
  EXPECT_EQ(negative_only.real_positive, 0.0);
  const MassFit imaginary_only = fitted(*shift, {Part::imaginary_positive});
  EXPECT_EQ(imaginary_only.real_positive, 0.0);
  EXPECT_EQ(imaginary_only.real_negative, 0.0);
  const MassFit without_negative = fitted(*shift, {Part::real_positive, Part::imaginary_positive});
  EXPECT_EQ(without_negative.real_positive, shift->at_zero(2));
  EXPECT_EQ(without_negative.real_negative, 0.0);
  const auto draws = draws_of({Part::real_positive, Part::real_negative}, 5, 2, 4);
  const MassFit symmetric = fitted(*negative, {Part::real_positive, Part::real_negative});
  EXPECT_NEAR(symmetric.real_negative, static_cast<double>(Objective(*negative, draws, X).minimiser(-negative->at_zero(2))[0]), 1e-12);
  EXPECT_GE(symmetric.real_positive, 0.0);
  EXPECT_GE(symmetric.real_negative, -negative->at_zero(2));
}

/// One row, or equal rows: G₁ = G₂ and G₃ = 0 hold no information; the fit is k(0) and nothing else.
TEST(FitMasses, DegenerateSubsets) {
  const auto kernel = cosh_gaussian({.sigma = 1.0, .beta = {0.7, 0.2}});
  const auto negative = difference_of_gaussians({.sigma = 1.0, .sigma2 = 0.5, .weight = 1.5});
  const auto draws = draws_of({all_parts.begin(), all_parts.end()}, 4, 2, 1);
  for (const std::size_t n : {1, 4}) {
    Matrix<double> rows(n, 2);  // all zero: every sine is exactly 0, every cosine exactly 1
    const MassFit fit = fit_masses(*kernel, draws, rows);
    EXPECT_EQ(fit.real_positive, 1.0);
    EXPECT_EQ(fit.real_negative, 0.0);
    EXPECT_EQ(fit.imaginary_positive, 0.0);
    EXPECT_NEAR(fit.residual, 0.0, 1e-15);
    const MassFit mirrored = fit_masses(*negative, draws, rows);
    EXPECT_EQ(mirrored.real_positive, 0.0);
    EXPECT_EQ(mirrored.real_negative, -negative->at_zero(2));
  }
}

/// Equal rows away from the origin: only rounding distinguishes G₁ from G₂, which must not become a mass.
TEST(FitMasses, RoundingIsNotFitted) {
  const auto kernel = cosh_gaussian({.sigma = 1.0, .beta = {0.7, 0.2}});
  for (std::uint64_t seed = 0; seed < 30; ++seed)
    for (const auto& [n, count] : {std::pair<std::size_t, std::size_t>{1, 7}, {3, 7}, {1, 300}, {3, 300}}) {
      const auto point = random_matrix(1, 2, seed);
      Matrix<double> rows(n, 2);
      for (std::size_t i = 0; i < n; ++i) std::ranges::copy(point.row(0), rows.row(i).begin());
      const MassFit fit = fit_masses(*kernel, draws_of({all_parts.begin(), all_parts.end()}, count, 2, seed), rows);
      EXPECT_NEAR(fit.real_positive, 1.0, 1e-6) << seed;
      EXPECT_NEAR(fit.real_negative, 0.0, 1e-6) << seed;
      EXPECT_NEAR(fit.imaginary_positive, 0.0, 1e-6) << seed;
    }
}

TEST(FitMasses, RefusesWhatCannotBeFitted) {
  const auto kernel = gaussian();
  const auto draws = draws_of({Part::real_positive, Part::real_negative}, 3, 2, 1);
  const auto X = random_matrix(4, 2, 2);
  EXPECT_THROW(fit_masses(*kernel, draws, random_matrix(4, 3, 2)), std::invalid_argument);
  EXPECT_THROW(fit_masses(*kernel, draws, Matrix<double>(0, 2)), std::invalid_argument);
  EXPECT_THROW(fit_masses(*kernel, random_atoms(3, 2, 1), X), std::invalid_argument);  // not drawn part by part
  EXPECT_THROW(fit_masses(ConstantKernel(std::numeric_limits<double>::quiet_NaN()), draws, X), std::invalid_argument);
  EXPECT_THROW(fit_masses(ConstantKernel(std::numeric_limits<double>::infinity()), draws, X), std::invalid_argument);
  auto with_nan = X;
  with_nan(2, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(fit_masses(*kernel, draws, with_nan), std::invalid_argument);
}

}  // namespace
}  // namespace askrff::test
