// Ridge regression on a grid against sums of all products of the same features, and against dense solves with the exact kernel.
#include "askrff/grid_ridge.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "askrff/errors.hpp"
#include "askrff/grid.hpp"
#include "askrff/operators.hpp"
#include "askrff/random.hpp"

namespace askrff {
namespace {

struct Data {
  Matrix<double> X, Y;
  std::vector<double> weights;
  std::vector<std::uint32_t> folds;
};

Data data_in(std::size_t n, std::size_t dim, std::size_t n_targets = 1, std::uint64_t seed = 1, std::size_t n_folds = 4) {
  Data data{Matrix<double>(n, dim), Matrix<double>(n, n_targets), {}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    RandomStream random(seed, Purpose::landmark_pivots, i);
    double sum = 0;
    for (std::size_t k = 0; k < dim; ++k) sum += data.X(i, k) = random.uniform();
    for (std::size_t t = 0; t < n_targets; ++t)
      data.Y(i, t) = 2 + static_cast<double>(t) + std::sin((7 + static_cast<double>(t)) * sum) + 0.1 * random.normal();
    data.weights.push_back(i % 3 == 0 ? 0.5 : 1.5);
    data.folds.push_back(static_cast<std::uint32_t>(i * 7 % n_folds));
  }
  return data;
}

SpectralAtoms atoms_of(const Kernel& kernel, std::size_t dim, double tolerance) {
  const std::vector<double> extent(dim, 1.0);
  return grid_atoms(*kernel.measure(dim), choose_grid(kernel, extent, {.tolerance = tolerance}).grid);
}

std::vector<double> outputs(const SpectralAtoms& atoms, const LinearModel& model, const Matrix<double>& X, std::size_t target = 0) {
  const Matrix<double> products = multiply(FeatureMap(atoms).left(), X.view(), model.weights.view());
  std::vector<double> out;
  for (std::size_t i = 0; i < X.rows(); ++i) out.push_back(products(i, target) + model.bias[target]);
  return out;
}

/// With noise of variance λ/w, and an unknown constant: means, and variances over λ.
struct Dense {
  Eigen::VectorXd mean, variance;
};
Dense dense_solve(const Kernel& kernel, const Data& data, const Matrix<double>& at, double ridge) {
  const auto n = static_cast<Eigen::Index>(data.X.rows()), m = static_cast<Eigen::Index>(at.rows());
  const Matrix<double> K = exact_gram(kernel, data.X, data.X), k = exact_gram(kernel, at, data.X), kk = exact_gram(kernel, at, at);
  using Rows = Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>;
  Eigen::MatrixXd A = Rows(K.data(), n, n);
  Eigen::VectorXd y(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    A(i, i) += ridge / data.weights[static_cast<std::size_t>(i)];
    y(i) = data.Y(static_cast<std::size_t>(i), 0);
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(A);
  const Rows cross(k.data(), m, n);
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(n), of_ones = factor.solve(ones);
  const double information = ones.dot(of_ones), mean = of_ones.dot(y) / information;
  Dense out{(cross * factor.solve(y - mean * ones)).array() + mean, Eigen::VectorXd(m)};
  const Eigen::MatrixXd solved = factor.solve(cross.transpose());
  for (Eigen::Index i = 0; i < m; ++i) {
    const double rest = 1 - cross.row(i).dot(of_ones);
    out.variance(i) = (kk(i, i) - cross.row(i).dot(solved.col(i)) + rest * rest / information) / ridge;
  }
  return out;
}

TEST(GridRidge, AgreesWithDenseSolves) {
  for (std::size_t dim = 1; dim <= 3; ++dim) {
    const auto kernel = gaussian({.sigma = 0.3});
    const Data data = data_in(300, dim), other = data_in(40, dim, 1, 9);
    const double lambda = 0.1, c = 0.5 / lambda;
    const SpectralAtoms atoms = atoms_of(*kernel, dim, 1e-11);
    GridRidge ridge(atoms);
    ridge.add(data.X.view(), data.Y.view(), {}, data.weights);
    const RidgeFit fit = ridge.solve({.c = {c}});
    const Dense dense = dense_solve(*kernel, data, other.X, lambda);
    const std::vector<double> found = outputs(atoms, fit.model, other.X);
    for (std::size_t i = 0; i < 40; ++i) EXPECT_NEAR(found[i], dense.mean(static_cast<Eigen::Index>(i)), 1e-7) << dim << " dimensions";
    const std::vector<double> variances = ridge.posterior_variances(other.X.view().middle_rows(0, 5), c);
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_NEAR(variances[i], dense.variance(static_cast<Eigen::Index>(i)), 1e-6 * variances[i]) << dim << " dimensions";
  }
}

TEST(GridRidge, AgreesWithDenseSolvesOfAKernelWithASlowSpectrum) {
  const auto kernel = matern_3_2({.sigma = 0.3});
  const Data data = data_in(300, 1), other = data_in(40, 1, 1, 9);
  const SpectralAtoms atoms = atoms_of(*kernel, 1, 1e-9);
  GridRidge ridge(atoms);
  ridge.add(data.X.view(), data.Y.view(), {}, data.weights);
  const Dense dense = dense_solve(*kernel, data, other.X, 0.01);
  const std::vector<double> found = outputs(atoms, ridge.solve({.c = {50}}).model, other.X);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_NEAR(found[i], dense.mean(static_cast<Eigen::Index>(i)), 1e-6);
}

/// Every kernel, symmetric or not: features of |c| are what a model sees.
TEST(GridRidge, IsRidgeRegressionOnTheLeftFeatures) {
  const std::shared_ptr<const Kernel> kernels[] = {gaussian({.sigma = 0.3}), shift_gaussian({.sigma = 0.3, .shift = 0.2}),
                                                   sinh_gaussian({.sigma = 0.4, .beta = 0.5})};
  for (const auto& kernel : kernels)
    for (const bool bias : {true, false})
      for (std::size_t dim = 1; dim <= 2; ++dim) {
        const Data data = data_in(400, dim, 2), other = data_in(30, dim, 2, 9);
        const SpectralAtoms atoms = atoms_of(*kernel, dim, 1e-5);
        const Features features = FeatureMap(atoms).left();
        RidgeAccumulator<double> all(features, 2, 4);
        all.add(RowsView<double>(data.X.view()), data.Y.view(), data.folds, data.weights);
        GridRidge on_grid(atoms, 2, 4);
        on_grid.add(data.X.view(), data.Y.view(), data.folds, data.weights);
        const RidgeOptions options{.c = {0.01, 1, 100}, .bias = bias};
        const RidgeFit expected = solve_ridge(all.moments(), options), found = on_grid.solve(options);
        const std::string which = std::string(kernel->name()) + (bias ? " with bias" : " without bias");
        EXPECT_EQ(found.c, expected.c) << which;
        EXPECT_NEAR(found.training_error, expected.training_error, 1e-8 * expected.training_error) << which;
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t fold = 0; fold < 4; ++fold)
            EXPECT_NEAR(found.validation.scores(i, fold), expected.validation.scores(i, fold), 1e-7 * expected.validation.scores(i, fold))
                << which;
        for (std::size_t target = 0; target < 2; ++target) {
          const std::vector<double> a = outputs(atoms, found.model, other.X, target), b = outputs(atoms, expected.model, other.X, target);
          for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-7) << which;
        }
        const std::vector<LinearModel> folds = on_grid.solve_folds(found), expected_folds = solve_ridge_folds(all.moments(), expected);
        for (std::size_t fold = 0; fold < 4; ++fold)
          EXPECT_NEAR(outputs(atoms, folds[fold], other.X)[0], outputs(atoms, expected_folds[fold], other.X)[0], 1e-7) << which;
      }
}

TEST(GridRidge, GivesTheSameBitsForAnyCallsAndThreadsAndGoesOnAfterASolve) {
  const auto kernel = gaussian({.sigma = 0.2});
  const Data data = data_in(1000, 2, 1, 1, 2);
  const SpectralAtoms atoms = atoms_of(*kernel, 2, 1e-6);
  std::vector<double> first;
  for (const std::size_t piece : {1000, 333, 1}) {
    const Execution execution{.n_threads = piece == 333 ? 3u : 1u};
    GridRidge ridge(atoms, 1, 2, execution);
    for (std::size_t i = 0; i < 1000; i += piece) {
      const std::size_t count = std::min<std::size_t>(piece, 1000 - i);
      ridge.add(data.X.view().middle_rows(i, count), data.Y.view().middle_rows(i, count), std::span(data.folds).subspan(i, count));
      if (piece == 333) (void)ridge.solve({.c = {0.1}, .execution = execution});
      if (piece == 333) ridge = GridRidge(atoms, GridRidgeState(ridge.state()), execution);
    }
    const RidgeFit fit = ridge.solve({.c = {1, 10}, .execution = execution});
    std::vector<double> weights(fit.model.weights.data(), fit.model.weights.data() + fit.model.weights.rows());
    weights.push_back(fit.model.bias[0]);
    if (first.empty()) first = weights;
    EXPECT_EQ(weights, first) << piece;
  }
}

/// A single solve of many steps says how far it is.
TEST(GridRidge, TellsItsProgressWithinASolveAndStopsWhenItThrows) {
  const auto kernel = matern_3_2({.sigma = 0.05});
  const Data data = data_in(2000, 2, 2);
  const SpectralAtoms atoms = atoms_of(*kernel, 2, 1e-3);
  GridRidge ridge(atoms, 2);
  ridge.add(data.X.view(), data.Y.view());
  std::vector<double> parts;
  const auto note = [&](const Progress& progress) { parts.push_back(progress.done); };
  const RidgeFit fit = ridge.solve({.c = {10}, .execution = {.progress = note}});
  EXPECT_GT(parts.size(), 6u);
  EXPECT_TRUE(std::ranges::is_sorted(parts));
  EXPECT_EQ(parts.front(), 0);
  EXPECT_EQ(parts.back(), 1);
  EXPECT_EQ(ridge.solve({.c = {10}}).model.bias, fit.model.bias);
  const auto enough = [](const Progress& progress) {
    if (progress.done > 0.2) throw std::range_error("enough");
  };
  EXPECT_THROW((void)ridge.solve({.c = {10}, .execution = {.progress = enough}}), std::range_error);
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
  GridRidge ridge(atoms, 1, 2);
  const auto rows = [&](std::size_t n) { return data.X.view().middle_rows(0, n); };
  const auto targets = [&](std::size_t n) { return data.Y.view().middle_rows(0, n); };
  says("no rows", [&] { ridge.solve({.c = {1.0}}); });
  says("0 targets and 1 folds", [&] { GridRidge(atoms, 0); });
  says("not on a grid", [&] { GridRidge(SpectralAtoms(Matrix<double>(1, 2), {1.0})); });
  says("Y is 20 x 1, expected 10 x 1", [&] { ridge.add(rows(10), targets(20), data.folds); });
  says("0 numbers of folds for 20 rows", [&] { ridge.add(rows(20), targets(20)); });
  says("of fold 3, expected 0 to 1", [&] { ridge.add(rows(20), targets(20), data.folds); });
  Matrix<double> far = data.X;
  far(3, 0) = 5;
  const std::vector<std::uint32_t> folds(20, 0);
  says("apart in column 0", [&] { ridge.add(std::as_const(far).view(), targets(20), folds); });
  EXPECT_EQ(ridge.n_rows(), 0u);
  ridge.add(rows(20), targets(20), folds);
  says("fold 2 of 2 has no rows", [&] { ridge.solve({.c = {1.0}}); });
  GridRidge single(atoms);
  single.add(rows(20), targets(20));
  says("no folds to choose by", [&] { single.solve({}); });
  GridRidgeState state = single.state();
  state.folds[0].ones.pop_back();
  says("a grid of weights has", [&] { GridRidge(atoms, state); });
}

}  // namespace
}  // namespace askrff
