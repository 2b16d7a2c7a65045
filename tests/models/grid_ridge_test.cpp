// Ridge regression on a grid against dense solves with the same atoms, and with the exact kernel.
#include "askrff/grid_ridge.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "askrff/errors.hpp"
#include "askrff/grid.hpp"
#include "askrff/operators.hpp"
#include "askrff/random.hpp"

namespace askrff {
namespace {

struct Data {
  Matrix<double> X;
  std::vector<double> y;
};

Data data_in(std::size_t n, std::size_t dim, std::uint64_t seed = 1) {
  Data data{Matrix<double>(n, dim), std::vector<double>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    RandomStream random(seed, Purpose::landmark_pivots, i);
    double sum = 0;
    for (std::size_t k = 0; k < dim; ++k) sum += data.X(i, k) = random.uniform();
    data.y[i] = 2 + std::sin(7 * sum) + 0.1 * random.normal();
  }
  return data;
}

SpectralAtoms atoms_of(const Kernel& kernel, std::size_t dim, double tolerance) {
  const std::vector<double> extent(dim, 1.0);
  return grid_atoms(*kernel.measure(dim), choose_grid(kernel, extent, {.tolerance = tolerance}).grid);
}

/// mean + K(X', X)(K + λ/w)^{-1}(y - mean) by a dense solve, and the standard deviations.
struct Dense {
  Eigen::VectorXd mean, deviation;
};
Dense dense_solve(const Kernel& kernel, const Data& data, const std::vector<double>& weights, const Matrix<double>& at, double ridge) {
  const auto n = static_cast<Eigen::Index>(data.X.rows()), m = static_cast<Eigen::Index>(at.rows());
  const Matrix<double> K = exact_gram(kernel, data.X, data.X), k = exact_gram(kernel, at, data.X), kk = exact_gram(kernel, at, at);
  using Rows = Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>;
  Eigen::MatrixXd A = Rows(K.data(), n, n);
  Eigen::VectorXd y(n);
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < data.X.rows(); ++i) {
    sum += weights[i] * data.y[i];
    total += weights[i];
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    A(i, i) += ridge / weights[static_cast<std::size_t>(i)];
    y(i) = data.y[static_cast<std::size_t>(i)] - sum / total;
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(A);
  const Rows cross(k.data(), m, n);
  Dense out{(cross * factor.solve(y)).array() + sum / total, Eigen::VectorXd(m)};
  const Eigen::MatrixXd solved = factor.solve(cross.transpose());
  for (Eigen::Index i = 0; i < m; ++i) out.deviation(i) = std::sqrt(kk(i, i) - cross.row(i).dot(solved.col(i)));
  return out;
}

TEST(GridRidge, AgreesWithDenseSolves) {
  for (std::size_t dim = 1; dim <= 3; ++dim) {
    const auto kernel = gaussian({.sigma = 0.3});
    const Data data = data_in(300, dim), other = data_in(40, dim, 9);
    std::vector<double> weights(300);
    for (std::size_t i = 0; i < 300; ++i) weights[i] = i % 3 == 0 ? 0.5 : 1.5;
    GridRidge ridge(atoms_of(*kernel, dim, 1e-11), 0);
    ridge.add(data.X.view(), data.y, weights);
    const auto fits = ridge.fit(std::vector<double>{0.1});
    const Dense dense = dense_solve(*kernel, data, weights, other.X, 0.1);
    const std::vector<double> found = fits[0].function(other.X.view());
    EXPECT_TRUE(fits[0].converged);
    for (std::size_t i = 0; i < 40; ++i) EXPECT_NEAR(found[i], dense.mean(static_cast<Eigen::Index>(i)), 1e-7) << dim << " dimensions";
    const std::vector<double> deviations = ridge.standard_deviations(other.X.view().middle_rows(0, 5), 0.1);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(deviations[i], dense.deviation(static_cast<Eigen::Index>(i)), 1e-6);
  }
}

TEST(GridRidge, AgreesWithDenseSolvesOfAKernelWithASlowSpectrum) {
  const auto kernel = matern_3_2({.sigma = 0.3});
  const Data data = data_in(300, 1), other = data_in(40, 1, 9);
  GridRidge ridge(atoms_of(*kernel, 1, 1e-9), 0);
  ridge.add(data.X.view(), data.y);
  const Dense dense = dense_solve(*kernel, data, std::vector<double>(300, 1.0), other.X, 0.01);
  const std::vector<double> found = ridge.fit(std::vector<double>{0.01})[0].function(other.X.view());
  for (std::size_t i = 0; i < 40; ++i) EXPECT_NEAR(found[i], dense.mean(static_cast<Eigen::Index>(i)), 1e-6);
}

TEST(GridRidge, HeldOutErrorsAreThoseOfFitsWithoutTheFold) {
  const auto kernel = gaussian({.sigma = 0.3});
  const Data data = data_in(400, 2);
  const SpectralAtoms atoms = atoms_of(*kernel, 2, 1e-9);
  const std::vector<double> ridges{10.0, 0.1, 0.001};
  GridRidge all(atoms, 4);
  all.add(data.X.view(), data.y);
  const auto fits = all.fit(ridges);
  std::vector<double> errors(3, 0.0);
  for (std::size_t fold = 0; fold < 4; ++fold) {
    GridRidge others(atoms, 0);
    Matrix<double> left_out(100, 2);
    std::vector<double> y;
    for (std::size_t i = 0, row = 0; i < 400; ++i) {
      if (i % 4 == fold) {
        std::ranges::copy(data.X.row(i), left_out.row(row++).begin());
        y.push_back(data.y[i]);
      } else {
        others.add(data.X.view().middle_rows(i, 1), std::span(data.y).subspan(i, 1));
      }
    }
    const auto of_others = others.fit(ridges);
    for (std::size_t r = 0; r < 3; ++r) {
      const std::vector<double> found = of_others[r].function(std::as_const(left_out).view());
      for (std::size_t i = 0; i < 100; ++i) errors[r] += (found[i] - y[i]) * (found[i] - y[i]) / 400;
    }
  }
  for (std::size_t r = 0; r < 3; ++r) EXPECT_NEAR(fits[r].held_out_error, errors[r], 1e-7 * errors[r]) << ridges[r];
}

TEST(GridRidge, GivesTheSameBitsForAnyCallsAndThreads) {
  const auto kernel = gaussian({.sigma = 0.2});
  const Data data = data_in(1000, 2);
  const SpectralAtoms atoms = atoms_of(*kernel, 2, 1e-6);
  std::vector<std::complex<double>> first;
  for (const std::size_t piece : {1000, 333, 1}) {
    GridRidge ridge(atoms, 0, {.n_threads = piece == 333 ? 3u : 1u});
    for (std::size_t i = 0; i < 1000; i += piece) {
      const std::size_t count = std::min<std::size_t>(piece, 1000 - i);
      ridge.add(data.X.view().middle_rows(i, count), std::span(data.y).subspan(i, count));
    }
    const auto coefficients = ridge.fit(std::vector<double>{0.1})[0].function.coefficients;
    if (first.empty()) first = coefficients;
    EXPECT_EQ(coefficients, first) << piece;
  }
}

TEST(GridRidge, SaysWhatIsWrong) {
  const auto kernel = gaussian({.sigma = 0.2});
  const Data data = data_in(20, 2);
  const auto says = [&](const std::string& part, const auto& act) {
    try {
      act();
      ADD_FAILURE() << "nothing thrown, expected: " << part;
    } catch (const InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  const SpectralAtoms atoms = atoms_of(*kernel, 2, 1e-6);
  GridRidge ridge(atoms, 0);
  says("no rows", [&] { ridge.fit(std::vector<double>{1.0}); });
  says("1 fold", [&] { GridRidge(atoms, 1); });
  says("not positive definite", [&] { GridRidge(atoms_of(*shift_gaussian({.sigma = 0.2, .shift = 0.1}), 2, 1e-6)); });
  says("20 targets, 10 rows", [&] { ridge.add(data.X.view().middle_rows(0, 10), data.y); });
  Matrix<double> far = data.X;
  far(3, 0) = 5;
  says("apart in column 0", [&] { ridge.add(std::as_const(far).view(), data.y); });
  EXPECT_EQ(ridge.n_rows(), 0u);
  ridge.add(data.X.view(), data.y);
  says("a ridge of 0", [&] { ridge.fit(std::vector<double>{0.0}); });
  (void)ridge.fit(std::vector<double>{1.0});
  says("rows after fit()", [&] { ridge.add(data.X.view(), data.y); });
}

}  // namespace
}  // namespace askrff
