// Amplitudes of sources against dense solves and the conditions of optimality; the rules for the penalty; what is refused.
#include "askrff/inversion.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/errors.hpp"
#include "askrff/features.hpp"
#include "askrff/operators.hpp"
#include "askrff/random.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {
namespace {

using Dense = Eigen::MatrixXd;

Dense dense_of(const Matrix<double>& A) {
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      A.data(), static_cast<Eigen::Index>(A.rows()), static_cast<Eigen::Index>(A.cols()));
}
Eigen::VectorXd vector_of(const std::vector<double>& a) {
  return Eigen::Map<const Eigen::VectorXd>(a.data(), static_cast<Eigen::Index>(a.size()));
}
std::vector<double> values_of(const Eigen::VectorXd& a) { return {a.data(), a.data() + a.size()}; }

SourceOperator operator_of(const Dense& K) {
  const auto times = [](const Dense& A) {
    return [A](MatrixView<const double> v, const Execution&) {
      const Eigen::VectorXd product = A * Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.rows()));
      return Matrix<double>(static_cast<std::size_t>(product.size()), 1, values_of(product));
    };
  };
  return {static_cast<std::size_t>(K.rows()), static_cast<std::size_t>(K.cols()), times(K), times(K.transpose())};
}

/// Readings of three sources among many, carried by the wind, with noise.
struct Scene {
  std::shared_ptr<const Kernel> kernel = shift_gaussian({.sigma = 0.1, .shift = -0.1});
  Matrix<double> sensors, sources;
  Dense K;
  Eigen::VectorXd planted, readings;

  Scene(std::size_t n, std::size_t m, double noise)
      : sensors(uniform_matrix(n, 2, 1, 0.1, 1.1)), sources(uniform_matrix(m, 2, 2)), K(dense_of(exact_gram(*kernel, sensors, sources))) {
    planted = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(m));
    for (const std::size_t j : {m / 7, m / 2, m - 2}) planted[static_cast<Eigen::Index>(j)] = 1 + static_cast<double>(j % 3);
    readings = K * planted + noise * vector_of(column(random_matrix(n, 1, 3)));
  }
  static std::vector<double> column(const Matrix<double>& A) { return {A.data(), A.data() + A.rows()}; }
  GridOperator<double> grid(const Execution& execution = {}) const {
    return {*kernel, std::as_const(sensors).view(), std::as_const(sources).view(), {.tolerance = 1e-11}, execution};
  }
  double largest_eigenvalue() const { return std::pow(K.jacobiSvd().singularValues()[0], 2); }
};

/// The gradient of half the objective.
Eigen::VectorXd gradient_of(const Dense& K, const Eigen::VectorXd& y, double lambda, const Eigen::VectorXd& a) {
  return K.transpose() * (K * a - y) + lambda * a;
}

TEST(Inversion, OfAnySignIsTheDenseSolution) {
  const Scene scene(120, 80, 0.01);
  for (const double lambda : {1.0, 1e-2, 1e-4}) {
    const Dense normal = scene.K.transpose() * scene.K + lambda * Dense::Identity(80, 80);
    const Eigen::VectorXd expected = normal.ldlt().solve(scene.K.transpose() * scene.readings);
    const Inversion found =
        invert_sources(scene.grid(), values_of(scene.readings), {.lambda = lambda, .non_negative = false, .tolerance = 1e-11});
    EXPECT_TRUE(found.converged) << lambda;
    EXPECT_EQ(found.lambda, lambda);
    EXPECT_LT((vector_of(found.amplitudes) - expected).norm(), 1e-5 * expected.norm()) << lambda;
    EXPECT_NEAR(found.residual, (scene.K * expected - scene.readings).norm(), 1e-7);
  }
}

TEST(Inversion, WithoutPenaltyIsLeastSquares) {
  const Dense K = dense_of(random_matrix(60, 20, 5));
  const Eigen::VectorXd y = vector_of(Scene::column(random_matrix(60, 1, 6)));
  const Eigen::VectorXd expected = K.colPivHouseholderQr().solve(y);
  const Inversion found = invert_sources(operator_of(K), values_of(y), {.lambda = 0.0, .non_negative = false, .tolerance = 1e-12});
  EXPECT_TRUE(found.converged);
  EXPECT_LT((vector_of(found.amplitudes) - expected).norm(), 1e-10);
}

TEST(Inversion, NonNegativeAmplitudesAreOptimal) {
  const Scene scene(120, 80, 0.01);
  const double at_zero = (scene.K.transpose() * scene.readings).norm();
  for (const double lambda : {0.0, 1e-4, 1e-2, 1.0})
    for (const double tolerance : {1e-4, 1e-7}) {
      const Inversion found = invert_sources(scene.grid(), values_of(scene.readings), {.lambda = lambda, .tolerance = tolerance});
      EXPECT_TRUE(found.converged) << lambda;
      const Eigen::VectorXd a = vector_of(found.amplitudes), g = gradient_of(scene.K, scene.readings, lambda, a);
      EXPECT_GE(a.minCoeff(), 0);
      EXPECT_GT((a.array() == 0).count(), 20);  // exactly
      const double curvature = 1.1 * scene.largest_eigenvalue() + lambda;
      EXPECT_LE(g.cwiseMin(curvature * a).norm(), 1.01 * tolerance * at_zero) << lambda;  // free: g = 0; at the bound: g ≥ 0
    }
}

void expect_optimal(const Dense& K, const Eigen::VectorXd& y, double lambda) {
  const Inversion found = invert_sources(operator_of(K), values_of(y), {.lambda = lambda, .tolerance = 1e-12});
  EXPECT_TRUE(found.converged);
  const Eigen::VectorXd a = vector_of(found.amplitudes), g = gradient_of(K, y, lambda, a);
  const double rounding = 1e-11 * (K.transpose() * y).norm();
  for (Eigen::Index j = 0; j < a.size(); ++j) {
    EXPECT_GE(a[j], 0);
    EXPECT_GE(g[j], -rounding);
    if (a[j] > 0) {
      EXPECT_LE(g[j], rounding);
    }
  }
}

TEST(Inversion, NonNegativeAmplitudesOfRandomMatricesAreOptimal) {
  for (const double lambda : {0.0, 0.5})
    expect_optimal(dense_of(random_matrix(50, 70, 5)), vector_of(Scene::column(random_matrix(50, 1, 6))), lambda);
}

TEST(Inversion, ManyAmplitudesAboveZeroAreOptimal) {  // too many for their normal equations
  const Dense K = dense_of(random_matrix(400, 300, 5));
  const Eigen::VectorXd y = K * (vector_of(Scene::column(random_matrix(300, 1, 6))).array() + 1).matrix();
  for (const double lambda : {0.0, 10.0}) expect_optimal(K, y, lambda);
}

TEST(Inversion, TakesSourcesAtTheSamePlace) {  // their columns are the same
  const Dense one = dense_of(random_matrix(30, 3, 5)).cwiseAbs();
  Dense twice(30, 6);
  twice << one, one;
  expect_optimal(twice, one * Eigen::Vector3d(1, 2, 3), 0);
}

TEST(Inversion, TakesOperatorsOfFeatureMaps) {
  const Scene scene(60, 40, 0.01);
  const FeatureMap map(approximate(*scene.kernel, 2, {.n_frequencies = 64, .estimator = Estimator::polar}));
  const LowRankOperator<double> low_rank(map, scene.sensors, scene.sources);
  const Dense K = dense_of(approximate_gram(map, scene.sensors, scene.sources));
  const Eigen::VectorXd expected = (K.transpose() * K + Dense::Identity(40, 40)).ldlt().solve(K.transpose() * scene.readings);
  const Inversion found =
      invert_sources(source_operator(low_rank), values_of(scene.readings), {.lambda = 1.0, .non_negative = false, .tolerance = 1e-11});
  EXPECT_LT((vector_of(found.amplitudes) - expected).norm(), 1e-8 * expected.norm());
}

TEST(Inversion, NoiseDecidesThePenalty) {
  const double noise = 0.05;
  const Scene scene(200, 80, noise);
  for (const bool non_negative : {false, true}) {
    const Inversion found = invert_sources(scene.grid(), values_of(scene.readings), {.noise = noise, .non_negative = non_negative});
    EXPECT_TRUE(found.converged);
    EXPECT_NEAR(found.residual, noise * std::sqrt(200.0), 2e-3 * noise * std::sqrt(200.0));
    const Inversion same = invert_sources(scene.grid(), values_of(scene.readings), {.lambda = found.lambda, .non_negative = non_negative});
    EXPECT_NEAR(same.residual, found.residual, 1e-3 * found.residual);
  }
}

TEST(Inversion, NoiseAsLargeAsTheReadingsLeavesNoSources) {
  const Scene scene(50, 20, 0.01);
  const Inversion found = invert_sources(scene.grid(), values_of(scene.readings), {.noise = 100.0});
  EXPECT_EQ(vector_of(found.amplitudes).norm(), 0);
  EXPECT_EQ(found.lambda, INFINITY);
  EXPECT_TRUE(found.converged);
}

TEST(Inversion, NoiseThatCannotBeReachedShowsInTheResidual) {
  const Dense K = Dense::Ones(20, 2);
  const Eigen::VectorXd y = vector_of(Scene::column(random_matrix(20, 1, 6)));
  const Inversion found = invert_sources(operator_of(K), values_of(y), {.noise = 1e-3, .non_negative = false});
  EXPECT_GT(found.residual, 1e-3 * std::sqrt(20.0));
  EXPECT_NEAR(found.lambda, 1e-12 * 40, 1e-13 * 40);
}

TEST(Inversion, ReadingsHeldOutDecideThePenalty) {
  const Scene scene(200, 80, 0.05);
  const Inversion found = invert_sources(scene.grid(), values_of(scene.readings), {.seed = 1});
  ASSERT_GT(found.path.size(), 3u);
  double best = INFINITY, best_lambda = 0, taken = 0;
  for (std::size_t k = 0; k < found.path.size(); ++k) {
    if (k > 0) {
      EXPECT_NEAR(found.path[k].lambda, found.path[k - 1].lambda / std::sqrt(10.0), 1e-9 * found.path[k].lambda);
    }
    if (found.path[k].lambda == found.lambda) taken = found.path[k].error;
    if (found.path[k].error < best) std::tie(best, best_lambda) = std::pair(found.path[k].error, found.path[k].lambda);
  }
  EXPECT_GE(found.lambda, best_lambda);  // the largest that is as good
  EXPECT_LE(0.999 * taken, best);
  EXPECT_LT(best, 0.06);  // little above the noise
  EXPECT_GT(best, 0.04);
  EXPECT_LT((vector_of(found.amplitudes) - scene.planted).norm(), 0.7 * scene.planted.norm());
  const Inversion other = invert_sources(scene.grid(), values_of(scene.readings), {.seed = 2});
  EXPECT_NE(other.path[0].error, found.path[0].error);  // other folds
}

TEST(Inversion, HeldOutErrorIsThatOfSolvesWithoutTheReadings) {
  const Dense K = dense_of(random_matrix(6, 4, 5));
  const Eigen::VectorXd y = vector_of(Scene::column(random_matrix(6, 1, 6)));
  const Inversion found =
      invert_sources(operator_of(K), values_of(y), {.non_negative = false, .tolerance = 1e-12, .n_folds = 6});  // each reading alone
  for (const HeldOutReadings& tried : found.path) {
    double squares = 0;
    for (Eigen::Index i = 0; i < 6; ++i) {
      Dense some = K;
      Eigen::VectorXd some_y = y;
      some.row(i).setZero();
      some_y[i] = 0;
      const Eigen::VectorXd a = (some.transpose() * some + tried.lambda * Dense::Identity(4, 4)).ldlt().solve(some.transpose() * some_y);
      squares += std::pow(K.row(i).dot(a) - y[i], 2);
    }
    EXPECT_NEAR(tried.error, std::sqrt(squares / 6), 1e-8);
  }
}

TEST(Inversion, ScalesWithTheReadings) {
  const Scene scene(60, 40, 0.01);
  const Inversion one = invert_sources(scene.grid(), values_of(scene.readings), {.lambda = 0.01});
  for (const double factor : {1e-200, 1e200}) {
    const Inversion scaled = invert_sources(scene.grid(), values_of(factor * scene.readings), {.lambda = 0.01});
    for (std::size_t j = 0; j < 40; ++j) EXPECT_NEAR(scaled.amplitudes[j] / factor, one.amplitudes[j], 1e-6);
  }
}

TEST(Inversion, TakesFewReadingsAndFewSources) {
  const Dense one = Dense::Constant(1, 1, 2.0);
  for (const bool non_negative : {false, true}) {
    const InversionOptions options{.lambda = 1.0, .non_negative = non_negative, .tolerance = 1e-12};
    EXPECT_NEAR(invert_sources(operator_of(one), std::vector<double>{3.0}, options).amplitudes[0], 6.0 / 5, 1e-11);
  }
  EXPECT_EQ(invert_sources(operator_of(one), std::vector<double>{-3.0}, {.lambda = 1.0}).amplitudes[0], 0);
  EXPECT_EQ(invert_sources(operator_of(Dense(0, 3)), {}, {.lambda = 1.0}).amplitudes, std::vector<double>(3));
  EXPECT_EQ(invert_sources(operator_of(Dense(0, 3)), {}, {.noise = 1.0}).residual, 0);
  const Inversion no_sources = invert_sources(operator_of(Dense(2, 0)), std::vector<double>{3.0, 4.0}, {.lambda = 1.0});
  EXPECT_TRUE(no_sources.amplitudes.empty());
  EXPECT_NEAR(no_sources.residual, 5, 1e-14);
  const Matrix<double> none(0, 2), some(3, 2);
  const GridOperator<double> grid(*gaussian({.sigma = 1.0}), none.view(), some.view());
  EXPECT_EQ(invert_sources(grid, {}, {.lambda = 1.0}).amplitudes, std::vector<double>(3));
}

TEST(Inversion, OfNothingIsNothing) {
  const Dense zero = Dense::Zero(10, 3);
  for (const bool non_negative : {false, true})
    for (const std::optional<double> lambda : {std::optional<double>(), std::optional<double>(0.0)}) {
      const Inversion found =
          invert_sources(operator_of(zero), std::vector<double>(10, 1.0), {.lambda = lambda, .non_negative = non_negative});
      EXPECT_EQ(found.amplitudes, std::vector<double>(3));
      EXPECT_TRUE(found.converged);
      EXPECT_EQ(found.lambda, lambda.value_or(INFINITY));
      EXPECT_NEAR(found.residual, std::sqrt(10.0), 1e-14);
    }
}

TEST(Inversion, SaysWhetherItConverged) {
  const Scene scene(60, 40, 0.01);
  for (const bool non_negative : {false, true}) {
    const Inversion found =
        invert_sources(scene.grid(), values_of(scene.readings), {.lambda = 1e-9, .non_negative = non_negative, .max_iterations = 3});
    EXPECT_FALSE(found.converged);
    EXPECT_EQ(found.iterations, 3u);
  }
}

TEST(Inversion, IsTheSameForAnyNumberOfThreads) {
  const Scene scene(3000, 500, 0.05);
  for (const bool non_negative : {false, true})
    for (const std::optional<double> noise : {std::optional<double>(), std::optional<double>(0.05)}) {
      const auto found = [&](std::size_t n_threads) {
        const Execution execution{.n_threads = n_threads};
        return invert_sources(scene.grid(execution), values_of(scene.readings),
                              {.noise = noise, .non_negative = non_negative, .tolerance = 1e-3, .execution = execution});
      };
      const Inversion one = found(1), three = found(3);
      EXPECT_EQ(one.amplitudes, three.amplitudes);
      EXPECT_EQ(one.lambda, three.lambda);
      EXPECT_EQ(one.residual, three.residual);
    }
}

TEST(Inversion, TellsHowFarItIs) {
  const Scene scene(60, 40, 0.01);
  double last = 0;
  bool searched = false;
  const auto hear = [&](const Progress& progress) {
    searched |= progress.stage == "search for lambda";
    if (progress.stage == "sources") last = progress.done;
  };
  (void)invert_sources(scene.grid(), values_of(scene.readings), {.execution = {.progress = hear}});
  EXPECT_TRUE(searched);
  EXPECT_EQ(last, 1);
}

TEST(Inversion, SensorsThatSeeNothingFindNoSources) {
  const Scene scene(120, 80, 0.01);
  const Matrix<double> far = uniform_matrix(120, 2, 4, 4.0, 5.0);
  for (const double tolerance : {1e-2, 1e-6, 1e-10}) {
    const GridOperator<double> K(*scene.kernel, far.view(), std::as_const(scene.sources).view(), {.tolerance = tolerance});
    for (const bool non_negative : {true, false})
      for (const InversionOptions& options : {InversionOptions{}, {.lambda = 0.0}, {.noise = 1e-3}}) {
        InversionOptions with_sign = options;
        with_sign.non_negative = non_negative;
        const Inversion found = invert_sources(K, values_of(scene.readings), with_sign);
        EXPECT_EQ(vector_of(found.amplitudes).norm(), 0);
        EXPECT_EQ(found.lambda, options.lambda.value_or(INFINITY));
        EXPECT_NEAR(found.residual, scene.readings.norm(), 1e-12);
      }
  }
}

TEST(Inversion, SaysWhatIsWrong) {
  const SourceOperator K = operator_of(Dense::Ones(3, 2));
  const std::vector<double> y(3, 1.0);
  const auto says = [&](const std::string& part, const std::vector<double>& readings, const InversionOptions& options) {
    try {
      (void)invert_sources(K, readings, options);
      ADD_FAILURE() << "nothing thrown, expected: " << part;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(error.where(), "invert_sources");
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  says("2 readings, expected 3", {1, 1}, {.lambda = 1.0});
  says("readings holds nan", {1, NAN, 1}, {.lambda = 1.0});
  says("lambda is -1", y, {.lambda = -1.0});
  says("lambda is nan", y, {.lambda = NAN});
  says("noise is 0", y, {.noise = 0.0});
  says("noise is inf", y, {.noise = INFINITY});
  says("both given", y, {.lambda = 1.0, .noise = 1.0});
  says("tolerance is 0", y, {.lambda = 1.0, .tolerance = 0});
  says("tolerance is 1", y, {.lambda = 1.0, .tolerance = 1});
  says("max_iterations is 0", y, {.lambda = 1.0, .max_iterations = 0});
  says("5 folds for 3 readings", y, {});
  says("1 folds", y, {.n_folds = 1});
  EXPECT_THROW((void)invert_sources(operator_of(Dense::Constant(3, 2, 1e308)), y, {.lambda = 1.0}), NumericalError);
}

}  // namespace
}  // namespace askrff::test
