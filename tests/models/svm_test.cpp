// The squared-hinge SVM: judged by its own optimality in long double, by LIBLINEAR, and by refits.
#include "askrff/linear.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "askrff/errors.hpp"
#include "askrff/operators.hpp"
#include "models/problem.hpp"
#include "oracle/liblinear.hpp"
#include "support/same_bits.hpp"

namespace askrff::test {
namespace {

using Real = long double;

TEST(Svm, GradientVanishesAtTheSolution) {
  for (const std::size_t n_classes : {2, 3})
    for (const bool bias : {false, true})
      for (const double c : {0.01, 1.0, 1000.0}) {
        const Problem problem = Problem::with(1500, n_classes, 40);
        const Design<double> design(problem.map.left(), problem.X, {.bias = bias});
        const SvmFit fit = fit_svm(design, problem.labels, c);
        ASSERT_EQ(fit.model.n_outputs(), n_classes == 2 ? 1 : n_classes);
        for (std::size_t output = 0; output < fit.model.n_outputs(); ++output) {
          const std::size_t positive = n_classes == 2 ? 1 : output;
          // The last step promised less than 1e-9 of the objective; quadratic convergence leaves much less.
          EXPECT_LT(relative_gradient(design, problem.labels, positive, fit.model, output, c), 1e-6) << n_classes << bias << c;
          EXPECT_NEAR(svm_objective(design, problem.labels, positive, fit.model, output, c), fit.objectives[output],
                      1e-10 * fit.objectives[output]);
        }
      }
}

/// fit_svm by LIBLINEAR.
SvmFit fit_by_liblinear(const Design<double>& design, const ClassLabels& labels, double c, double tolerance) {
  const oracle::LiblinearRows rows(design);
  const std::size_t n_outputs = labels.n_classes() == 2 ? 1 : labels.n_classes();
  SvmFit fit{{Matrix<double>(design.n_features(), n_outputs), std::vector<double>(n_outputs)}, {}, 0};
  for (std::size_t k = 0; k < n_outputs; ++k) {
    const std::size_t positive = n_outputs == 1 ? 1 : k;
    std::vector<int> targets(design.rows());
    for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = labels.of_rows[i] == positive ? 1 : -1;
    const auto one = rows.fit(targets, c, tolerance);
    for (std::size_t f = 0; f < design.n_features(); ++f) fit.model.weights(f, k) = one.weights[f];
    if (design.has_bias()) fit.model.bias[k] = one.weights.back();
    fit.objectives.push_back(one.objective);
  }
  return fit;
}

TEST(Svm, AgreesWithLiblinear) {
  if (!oracle::has_liblinear()) GTEST_SKIP() << "built without LIBLINEAR";
  for (const std::size_t n_classes : {2, 4})
    for (const double c : {0.0625, 1.0, 32.0}) {
      const Problem problem = Problem::with(2000, n_classes, 30, 7);
      const Matrix<double> fresh = random_matrix(5000, 3, 99);
      const Design<double> design(problem.map.left(), problem.X);
      const SvmFit ours = fit_svm(design, problem.labels, c);
      const SvmFit theirs = fit_by_liblinear(design, problem.labels, c, 1e-8);
      for (std::size_t k = 0; k < ours.objectives.size(); ++k) {
        EXPECT_NEAR(ours.objectives[k], theirs.objectives[k], 1e-6 * theirs.objectives[k]);
        EXPECT_LE(ours.objectives[k], theirs.objectives[k] * (1 + 1e-9));
      }
      const auto outputs_of = [&](const SvmFit& fit) { return multiply(problem.map.left(), fresh, fit.model.weights); };
      const Matrix<double> mine = outputs_of(ours), other = outputs_of(theirs);
      std::size_t same = 0;
      for (std::size_t i = 0; i < fresh.rows(); ++i) {
        const auto taken_for = [&](const Matrix<double>& out, const LinearModel& model) {
          if (out.cols() == 1) return out(i, 0) + model.bias[0] > 0 ? 1L : 0L;
          std::vector<double> values(out.cols());
          for (std::size_t k = 0; k < out.cols(); ++k) values[k] = out(i, k) + model.bias[k];
          return std::ranges::max_element(values) - values.begin();
        };
        same += taken_for(mine, ours.model) == taken_for(other, theirs.model) ? 1 : 0;
      }
      EXPECT_GE(same, fresh.rows() * 999 / 1000);
    }
}

TEST(Svm, ConjugateGradientsReachTheSameObjective) {
  const Problem problem = Problem::with(1200, 3, 50, 3);
  const Design<double> design(problem.map.left(), problem.X);
  for (const double c : {0.1, 10.0, 1000.0}) {
    const SvmFit direct = fit_svm(design, problem.labels, c), iterated = fit_svm(design, problem.labels, c, {.direct_limit = 1});
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(direct.objectives[k], iterated.objectives[k], 1e-6 * direct.objectives[k]) << c;
  }
}

TEST(Svm, FloatFeaturesReachTheObjectiveOfDouble) {
  const Problem problem = Problem::with(2000, 2, 40, 5);
  const Matrix<float> rounded = to_float(problem.X);
  const Design<double> exact(problem.map.left(), problem.X);
  const Design<float> fast(problem.map.left(), rounded);
  const SvmFit a = fit_svm(exact, problem.labels, 4), b = fit_svm(fast, problem.labels, 4);
  EXPECT_NEAR(a.objectives[0], b.objectives[0], 1e-5 * a.objectives[0]);
}

TEST(Svm, SameBitsForThreadsStorageAndBatches) {
  const Problem problem = Problem::with(3000, 3, 40, 11);
  const auto folds = stratified_folds(problem.labels, 4, 0);
  const std::vector<double> c = {0.1, 1, 10};
  const Design<double> stored(problem.map.left(), problem.X), made_again(problem.map.left(), problem.X, {.max_stored = 1});
  ASSERT_TRUE(stored.is_stored());
  ASSERT_FALSE(made_again.is_stored());
  const CrossValidation first = cross_validate_svm(stored, problem.labels, folds, c, {.execution = {1}});
  const SvmFit fit = fit_svm(stored, problem.labels, 1, {.execution = {1}});
  for (const std::size_t n_threads : {2, 3}) {
    const CrossValidation again = cross_validate_svm(made_again, problem.labels, folds, c, {.max_memory = 1, .execution = {n_threads}});
    expect_same(first.scores, again.scores);
    expect_same(first.objectives, again.objectives);
    expect_same(fit.model.weights, fit_svm(made_again, problem.labels, 1, {.execution = {n_threads}}).model.weights);
  }
}

TEST(Svm, CrossValidationIsFitsOnTheOtherFolds) {
  const Problem problem = Problem::with(900, 3, 25, 13);
  const auto folds = stratified_folds(problem.labels, 3, 5);
  const Design<double> design(problem.map.left(), problem.X);
  const std::vector<double> c = {0.5, 8};
  const CrossValidation validation = cross_validate_svm(design, problem.labels, folds, c);
  for (std::uint32_t fold = 0; fold < 3; ++fold) {
    std::vector<double> values;
    ClassLabels labels{problem.labels.names, {}};
    std::size_t n_rows = 0;
    for (std::size_t i = 0; i < folds.size(); ++i) {
      if (folds[i] == fold) continue;
      values.insert(values.end(), problem.X.row(i).begin(), problem.X.row(i).end());
      labels.of_rows.push_back(problem.labels.of_rows[i]);
      ++n_rows;
    }
    const Matrix<double> X(n_rows, 3, values);
    const Design<double> others(problem.map.left(), X);
    for (std::size_t k = 0; k < c.size(); ++k) {
      const SvmFit fit = fit_svm(others, labels, c[k]);
      double objective = 0;
      for (const double each : fit.objectives) objective += each;
      EXPECT_NEAR(validation.objectives(k, fold), objective, 1e-8 * objective);
      const Matrix<double> outputs = multiply(problem.map.left(), problem.X, fit.model.weights);
      std::size_t n_right = 0, n_held = 0;
      for (std::size_t i = 0; i < folds.size(); ++i) {
        if (folds[i] != fold) continue;
        std::size_t best = 0;
        for (std::size_t j = 1; j < 3; ++j)
          if (outputs(i, j) + fit.model.bias[j] > outputs(i, best) + fit.model.bias[best]) best = j;
        n_right += best == problem.labels.of_rows[i] ? 1 : 0;
        ++n_held;
      }
      EXPECT_NEAR(validation.scores(k, fold), static_cast<double>(n_right) / static_cast<double>(n_held),
                  1.01 / static_cast<double>(n_held));
    }
  }
}

using RealMatrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
using RealVector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

Real objective_of(const RealMatrix& Phi, const RealVector& y, const RealVector& w, Real c) {
  const RealVector outputs = Phi * w;
  Real loss = 0;
  for (long i = 0; i < y.size(); ++i) {
    const Real short_of = std::max<Real>(0, 1 - y(i) * outputs(i));
    loss += short_of * short_of;
  }
  return 0.5L * w.squaredNorm() + c * loss;
}

/// The minimum of the objective by damped Newton steps in long double.
Real exact_minimum(const RealMatrix& Phi, const RealVector& y, Real c) {
  RealVector w = RealVector::Zero(Phi.cols());
  Real best = objective_of(Phi, y, w, c);
  for (int step = 0; step < 300; ++step) {
    RealVector gradient = w;
    RealMatrix hessian = RealMatrix::Identity(Phi.cols(), Phi.cols());
    const RealVector outputs = Phi * w;
    for (long i = 0; i < y.size(); ++i) {
      if (y(i) * outputs(i) >= 1) continue;
      gradient += 2 * c * (outputs(i) - y(i)) * Phi.row(i).transpose();
      hessian += 2 * c * Phi.row(i).transpose() * Phi.row(i);
    }
    const RealVector direction = -hessian.ldlt().solve(gradient);
    Real t = 1, value = best;
    for (int halving = 0; halving < 60; ++halving, t /= 2)
      if ((value = objective_of(Phi, y, w + t * direction, c)) < best) break;
    if (!(value < best)) break;
    w += t * direction;
    const Real gain = std::exchange(best, value) - value;
    if (gain < 1e-17L * best) break;
  }
  return best;
}

/// Rows and classes that are hard on a solver.
struct Nasty {
  const char* name;
  Matrix<double> X;
  double noise;  // of the labels; 0: separable

  ClassLabels labels() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < X.rows(); ++i)
      names.emplace_back(X(i, 0) + X(i, 1) + noise * RandomStream(3, Purpose::evaluation_rows, i).normal() > 2 * X(0, X.cols() - 1) ? "yes"
                                                                                                                                    : "no");
    return ClassLabels::of(names);
  }
};

std::vector<Nasty> nasty_problems() {
  const Matrix<double> plain = random_matrix(300, 20, 31);
  Matrix<double> decaying = plain, twice(300, 30), far = random_matrix(300, 6, 32), wide = random_matrix(30, 120, 33);
  for (std::size_t i = 0; i < 300; ++i) {
    for (std::size_t j = 0; j < 20; ++j) decaying(i, j) *= std::pow(0.6, static_cast<double>(j));
    for (std::size_t j = 0; j < 30; ++j) twice(i, j) = j < 12 ? plain(i, j) : j < 24 ? plain(i, j - 12) : j < 27 ? 3 : 0;
    for (std::size_t j = 0; j < 6; ++j) far(i, j) += 1000;
  }
  const auto with_zero = [](Matrix<double> X, double last) {
    X(0, X.cols() - 1) = last;  // where the labels are cut
    return X;
  };
  return {{"decaying", with_zero(decaying, 0), 0.5},
          {"twice", with_zero(twice, 0), 0.5},
          {"separable", with_zero(plain, 0), 0},
          {"far", with_zero(far, 1000), 0.5},
          {"wide", with_zero(wide, 0), 0.5}};
}

template <class T>
double worst_excess(const Nasty& nasty, double c, const SvmOptions& options) {
  const Matrix<T> X = rounded_to<T>(nasty.X);
  const ClassLabels labels = nasty.labels();
  const Design<T> design(ColumnFeatures(X.cols()), X);
  const SvmFit fit = fit_svm(design, labels, c, options);
  RealMatrix Phi(static_cast<long>(design.rows()), static_cast<long>(design.n_columns()));
  RealVector y(Phi.rows()), w(Phi.cols());
  std::vector<double> row(design.n_columns());
  for (std::size_t i = 0; i < design.rows(); ++i) {
    design.copy_row(i, row);
    for (std::size_t f = 0; f < row.size(); ++f) Phi(static_cast<long>(i), static_cast<long>(f)) = row[f];
    y(static_cast<long>(i)) = labels.of_rows[i] == 1 ? 1 : -1;
  }
  for (std::size_t f = 0; f < row.size(); ++f)
    w(static_cast<long>(f)) = f < design.n_features() ? fit.model.weights(f, 0) : fit.model.bias[0];
  const Real minimum = exact_minimum(Phi, y, c);
  return static_cast<double>((objective_of(Phi, y, w, c) - minimum) / minimum);
}

TEST(Svm, NastyProblemsReachTheirMinimum) {
  for (const Nasty& nasty : nasty_problems())
    for (const double c : {1e-3, 1.0, 1e3}) {
      EXPECT_LT(worst_excess<double>(nasty, c, {}), 1e-9) << nasty.name << c;
      EXPECT_LT(worst_excess<float>(nasty, c, {}), 1e-5) << nasty.name << c;
      EXPECT_LT(worst_excess<double>(nasty, c, {.direct_limit = 1}), 1e-8) << nasty.name << c << " by conjugate gradients";
    }
  for (const Nasty& nasty : nasty_problems()) EXPECT_LT(worst_excess<double>(nasty, 1e8, {}), 1e-7) << nasty.name;
}

TEST(Svm, SameBitsInFloatAndByConjugateGradients) {
  const Problem problem = Problem::with(2500, 3, 20, 17);
  const Matrix<float> X = to_float(problem.X);
  const Design<float> stored(problem.map.left(), X), made_again(problem.map.left(), X, {.max_stored = 1});
  for (const std::size_t direct_limit : {1, 4096}) {
    const SvmOptions one{.direct_limit = direct_limit, .execution = {1}}, three{.direct_limit = direct_limit, .execution = {3}};
    expect_same(fit_svm(stored, problem.labels, 2, one).model.weights, fit_svm(made_again, problem.labels, 2, three).model.weights);
  }
}

TEST(Svm, RefusesFoldsThatAreNone) {
  const Problem problem = Problem::with(100, 2, 10);
  const Design<double> design(problem.map.left(), problem.X);
  std::vector<std::uint32_t> folds(100);
  EXPECT_THROW(cross_validate_svm(design, problem.labels, folds, {1}), std::invalid_argument);  // one fold: nothing to train on
  folds[7] = std::numeric_limits<std::uint32_t>::max();
  EXPECT_THROW(cross_validate_svm(design, problem.labels, folds, {1}), std::invalid_argument);
  folds[7] = 2;
  EXPECT_THROW(cross_validate_svm(design, problem.labels, folds, {1}), std::invalid_argument);  // fold 1 is empty
  folds.pop_back();
  EXPECT_THROW(cross_validate_svm(design, problem.labels, folds, {1}), std::invalid_argument);
}

TEST(Svm, RefusesWhatItCannotFit) {
  const Problem problem = Problem::with(100, 2, 10);
  const Design<double> design(problem.map.left(), problem.X);
  EXPECT_THROW(fit_svm(design, problem.labels, 0), std::invalid_argument);
  EXPECT_THROW(fit_svm(design, problem.labels, std::numeric_limits<double>::infinity()), std::invalid_argument);
  for (const double tolerance : {-1.0, 0.0, 1.0})
    EXPECT_THROW(fit_svm(design, problem.labels, 1, {.tolerance = tolerance}), std::invalid_argument);
  ClassLabels labels = problem.labels;
  labels.of_rows.pop_back();
  EXPECT_THROW(fit_svm(design, labels, 1), std::invalid_argument);
  labels = problem.labels;
  std::ranges::fill(labels.of_rows, 0U);
  EXPECT_THROW(fit_svm(design, labels, 1), std::invalid_argument);
  EXPECT_THROW(fit_svm(design, ClassLabels{{"one"}, std::vector<std::uint32_t>(100)}, 1), std::invalid_argument);
  EXPECT_THROW(fit_svm(design, problem.labels, 1000, {.max_iterations = 1}), NumericalError);
  EXPECT_THROW(svm_objective(design, problem.labels, 1, LinearModel{Matrix<double>(5, 1), {0}}, 0, 1), std::invalid_argument);
  const Matrix<double> none(0, 3), wide(5, 4);
  EXPECT_THROW(Design<double>(problem.map.left(), none), std::invalid_argument);
  EXPECT_THROW(Design<double>(problem.map.left(), wide), std::invalid_argument);
}

}  // namespace
}  // namespace askrff::test
