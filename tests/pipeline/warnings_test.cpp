// What a map says of itself: rows too far from those it was fitted on, and features that hardly stand for the kernel.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/map.hpp"
#include "askrff/operators.hpp"
#include "askrff/random.hpp"
#include "io/temporary_files.hpp"
#include "pipeline/sample_models.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {
namespace {

/// Rows of length 1 with few entries, as texts are: many have one in a column where others have none.
Matrix<double> sparse_rows(std::size_t n, std::uint64_t seed) {
  constexpr std::size_t dim = 600, n_words = 8;
  Matrix<double> X(n, dim);
  for (std::size_t i = 0; i < n; ++i) {
    RandomStream random(seed, Purpose::builtin_data, i);
    for (std::size_t word = 0; word < n_words; ++word) X(i, static_cast<std::size_t>(dim * std::pow(random.uniform(), 3))) += 1;
    double squares = 0;
    for (const double x : X.row(i)) squares += x * x;
    for (double& x : X.row(i)) x /= std::sqrt(squares);
  }
  return X;
}

Matrix<double> moved(Matrix<double> X, std::size_t column, double by) {
  for (std::size_t i = 0; i < X.rows(); ++i) X(i, column) += by;
  return X;
}

/// Against rows of the fit, relative to the kernel among those.
double error_of(const Map& map, const Matrix<double>& X, const Matrix<double>& fitted) {
  const Kernel& kernel = *map.content().kernel.kernel;
  const Matrix<double> features = map.left(X), others = map.right(fitted);
  double errors = 0, values = 0;
  Matrix<double> exact(X.rows(), fitted.rows()), among(fitted.rows(), fitted.rows());
  kernel.evaluate_pairs(X, fitted, exact);
  kernel.evaluate_pairs(fitted, fitted, among);
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < fitted.rows(); ++j) {
      double product = 0;
      for (std::size_t f = 0; f < features.cols(); ++f) product += features(i, f) * others(j, f);
      errors += (product - exact(i, j)) * (product - exact(i, j));
    }
  for (std::size_t i = 0; i < fitted.rows(); ++i)
    for (const double k : among.row(i)) values += k * k;
  return std::sqrt(errors / static_cast<double>(X.rows()) * static_cast<double>(fitted.rows()) / values);
}

// Most of these rows have an entry where every row of the fit has zero, and the error is that of the certificate all the same.
TEST(RowsOutside, NewEntriesOfSparseRowsDoNotCount) {
  const Matrix<double> X = sparse_rows(450, 1), fresh = sparse_rows(200, 2);
  for (const Estimator estimator : {Estimator::fourier, Estimator::nystrom}) {
    SCOPED_TRACE(name_of(estimator));
    const Map map = make_map("gaussian", X, {.estimator = estimator, .n_frequencies = 64});
    const ColumnRange& range = *map.fitted_range();
    std::size_t n_new = 0;
    for (std::size_t i = 0; i < fresh.rows(); ++i) {
      bool is_new = false;
      for (std::size_t j = 0; j < fresh.cols(); ++j) is_new = is_new || fresh(i, j) > range.highest[j];
      n_new += is_new ? 1 : 0;
    }
    EXPECT_GT(n_new, 50u);
    EXPECT_LT(error_of(map, fresh, X), 1.2 * map.content().certificate->error.error);
    EXPECT_EQ(map.rows_outside(fresh), 0u);
    EXPECT_EQ(map.rows_outside(X), 0u);
    EXPECT_EQ(map.rows_outside(moved(fresh, 5, 4)), 200u);
  }
}

// Rows near a line: off it weights and landmarks know nothing, and a quarter of a typical distance is far.
TEST(RowsOutside, AStepOffALineCounts) {
  const auto on_line = [](std::size_t n, std::uint64_t seed) {
    Matrix<double> X = uniform_matrix(n, 3, seed);
    for (std::size_t i = 0; i < n; ++i) X(i, 1) *= 0.01, X(i, 2) *= 0.01;
    return X;
  };
  const Matrix<double> X = on_line(500, 3), fresh = on_line(100, 4);
  for (const Estimator estimator : {Estimator::fourier, Estimator::nystrom}) {
    const Map map = make_map("gaussian", X, {.estimator = estimator, .n_frequencies = 64});
    EXPECT_NEAR(map.fitted_range()->typical, 1 - std::sqrt(0.5), 0.05);  // 1000 pairs: √(1/4000)/1.41 = 0.011 in standard deviation
    EXPECT_EQ(map.rows_outside(fresh), 0u);
    const Matrix<double> off = moved(fresh, 1, 0.075);
    EXPECT_EQ(map.rows_outside(off), 100u);
    EXPECT_GT(error_of(map, off, X), 2 * map.content().certificate->error.error);
  }
}

TEST(RowsOutside, ARowWithinEveryColumnsRangeMayBeFarFromAllRows) {
  const ColumnRange range = ColumnRange::of(sparse_rows(600, 1));
  EXPECT_EQ(range.rows_outside(Matrix<double>(1, 600, range.highest)), 1u);
  ColumnRange of_older_file{range.lowest, range.highest};
  EXPECT_EQ(of_older_file.rows_outside(Matrix<double>(1, 600, range.highest)), 0u);
  EXPECT_EQ(of_older_file.rows_outside(Matrix<double>(1, 600, std::vector<double>(600, 9))), 1u);
}

// Where calibration gains a factor of fifty and more nearly every step out of the box counts, but not the steps that fitted rows take
// themselves. Their share is about exponential with mean 1/n, n some 120 rows of the fit: it is above 5 % for one seed in 400.
TEST(RowsOutside, RowsOfTheSameLawDoNotCountWhateverItsTails) {
  for (const double power : {0.0, 0.5, 1.0}) {
    const auto draw = [&](std::size_t n, std::uint64_t seed) {
      Matrix<double> X = uniform_matrix(n, 2, seed, -1, 1);
      for (std::size_t i = 0; i < n; ++i)
        for (double& x : X.row(i)) x /= std::pow(1.001 - std::abs(x), power);  // from uniform to the tails of a Cauchy law
      return X;
    };
    const Map map = make_map("gaussian", draw(200, 11), {.n_frequencies = 128, .weights = Weights::unconstrained});
    const Calibration& calibration = *map.atoms()->provenance().calibration;
    if (power == 0) {
      EXPECT_GT(calibration.error_before, 50 * calibration.error_after);
    }
    EXPECT_EQ(Map::outside_warning(map.rows_outside(draw(8000, 12)), 8000), "") << power;
  }
}

TEST(RowsOutside, ColumnsWithoutWidthAndNumbersOfAnySize) {
  const ColumnRange same = ColumnRange::of(Matrix<double>(3, 2, {1, 2, 1, 2, 1, 2}));
  EXPECT_EQ(same.typical, 0);
  EXPECT_EQ(same.rows_outside(Matrix<double>(3, 2, {1, 2, 1, 2.5, 0, 2})), 2u);
  const ColumnRange large = ColumnRange::of(Matrix<double>(2, 1, {-1.5e308, 1.5e308}));
  EXPECT_TRUE(std::isfinite(large.radius) && std::isfinite(large.typical) && large.centre[0] == 0);
  // One outlier whose square is too large for a double: the rows of the fit are not outside, nor are others like them.
  Matrix<double> X = uniform_matrix(300, 2, 5);
  X(7, 0) = 1e300;
  const ColumnRange with_outlier = ColumnRange::of(X);
  EXPECT_NEAR(with_outlier.radius, 1e300 * 299 / 300, 1e286);
  EXPECT_EQ(with_outlier.rows_outside(X), 0u);
  EXPECT_EQ(with_outlier.rows_outside(uniform_matrix(100, 2, 6)), 0u);
  Matrix<double> tiny = uniform_matrix(300, 2, 5);
  for (std::size_t i = 0; i < 300; ++i)
    for (double& x : tiny.row(i)) x *= 1e-300;
  const ColumnRange of_tiny = ColumnRange::of(tiny);
  EXPECT_NEAR(of_tiny.typical, 1e-300 * ColumnRange::of(uniform_matrix(300, 2, 5)).typical, 1e-310);
  EXPECT_EQ(of_tiny.rows_outside(tiny), 0u);
}

TEST(OutsideWarning, IsOneSentenceInWholePerCent) {
  EXPECT_EQ(Map::outside_warning(0, 0), "");
  EXPECT_EQ(Map::outside_warning(5, 100), "");
  EXPECT_TRUE(starts_with(Map::outside_warning(6, 100), "6 % of the rows lie far outside those the features were fitted on: "));
  EXPECT_TRUE(starts_with(Map::outside_warning(200, 200), "100 % of the rows"));
}

TEST(AccuracyWarning, SaysWhatToDo) {
  const Matrix<double> X = uniform_matrix(400, 6, 7);
  Matrix<double> wide = X;
  for (std::size_t i = 0; i < 400; ++i) wide(i, 2) *= 5000;
  const KernelChoice narrow("gaussian", {{"sigma", CoordinateParameter(0.05)}});
  const std::string hardly = "the features hardly stand for the kernel, their relative error is ";
  const std::string of_wide = make_map(narrow, wide, {.n_frequencies = 64}).accuracy_warning();
  EXPECT_TRUE(starts_with(of_wide, hardly)) << of_wide;
  EXPECT_TRUE(contains(of_wide, ": one column is 50")) << of_wide;
  EXPECT_TRUE(contains(of_wide, " times as wide as most, so scale the columns (minmax, standard or robust)")) << of_wide;
  for (const Scaling scale : {Scaling::none, Scaling::minmax}) {
    const std::string of_narrow = make_map(narrow, X, {.n_frequencies = 64, .scale = scale}).accuracy_warning();
    EXPECT_TRUE(contains(of_narrow, ": sigma is 0.05 where rows are 0.9")) << of_narrow;
  }
  const MapOptions exact{.n_frequencies = 64, .weights = Weights::exact};
  EXPECT_TRUE(contains(make_map(narrow, X, exact).accuracy_warning(), "more features, or a wider kernel"));
  const MapOptions uncertified{.n_frequencies = 64, .certify = false};
  EXPECT_TRUE(starts_with(make_map(narrow, X, uncertified).accuracy_warning(), hardly));
}

TEST(AccuracyWarning, NothingIsSaidOfFeaturesThatServe) {
  for (const Estimator estimator : {Estimator::fourier, Estimator::nystrom, Estimator::paper})
    EXPECT_EQ(make_map("gaussian", uniform_matrix(400, 6, 7), {.estimator = estimator}).accuracy_warning(), "");
  EXPECT_EQ(make_map("linear", uniform_matrix(40, 6, 7)).accuracy_warning(), "");
  // A certificate of few rows that cannot tell.
  EXPECT_EQ(calibrated_map()
                .with([](MapContent& content) {
                  content.certificate = Certificate{{0.9, 0.1, 2, 3, 9}, 6, 12, true};
                })
                .accuracy_warning(),
            "");
}

// Rows far from 0, moved by much more than they differ: in float32 some of them are equal.
TEST(Float32, ACertificateOfItKnowsOfRounding) {
  const KernelChoice kernel("gaussian", {{"sigma", CoordinateParameter(0.5)}});
  for (const Estimator estimator : {Estimator::fourier, Estimator::nystrom, Estimator::best})
    for (const double offset : {0.0, 1e4, 1e6, 1.7e9}) {
      SCOPED_TRACE(fmt::format("{} {}", name_of(estimator), offset));
      const Matrix<double> X = moved(moved(uniform_matrix(400, 2, 21), 0, offset), 1, offset);
      MapOptions options{.estimator = estimator, .n_features = 64, .precision = Precision::float32};
      const Map map = make_map(kernel, X, options);
      Matrix<float> left(X.rows(), map.n_features(FeatureSide::left)), right = left;
      map.transform<float, double>(FeatureSide::left, X, left);
      map.transform<float, double>(FeatureSide::right, X, right);
      Matrix<double> exact(X.rows(), X.rows());
      map.content().kernel.kernel->evaluate_pairs(X, X, exact);
      double errors = 0, values = 0;
      for (std::size_t i = 0; i < X.rows(); ++i)
        for (std::size_t j = 0; j < X.rows(); ++j) {
          double product = 0;
          for (std::size_t f = 0; f < left.cols(); ++f) product += static_cast<double>(left(i, f)) * right(j, f);
          errors += std::pow(product - exact(i, j), 2);
          values += std::pow(exact(i, j), 2);
        }
      const double measured = std::sqrt(errors / values);
      const Certificate certificate = *map.content().certificate;
      EXPECT_LE(measured, certificate.error.upper);
      EXPECT_GE(measured, certificate.rounding / 2);
      EXPECT_GE(certificate.error.error, certificate.rounding);
      EXPECT_GT(certificate.rounding, offset == 0 ? 1e-9 : 1e-13 * offset);
      EXPECT_EQ(contains(map.accuracy_warning(), "float32 keeps too few digits"), offset > 1e9) << map.accuracy_warning();
      options.precision = Precision::float64;
      EXPECT_EQ(make_map(kernel, X, options).content().certificate->rounding, 0);
    }
}

TEST(Float32, IsWarnedOfWhereTheCertificateDoesNotTell) {
  const auto certified = [](double upper) {
    return calibrated_map().with([&](MapContent& content) {
      content.certificate = Certificate{{upper / 2, upper / 4, upper, 300, 9}, 6, 12, true};
    });
  };
  EXPECT_EQ(certified(1e-8).float32_warning(1e-6), "");
  EXPECT_EQ(certified(1e-3).float32_warning(8e-4), "");
  EXPECT_TRUE(
      starts_with(certified(1e-8).float32_warning(8e-4), "float32 keeps too few digits of these rows: features may be off by 0.0008 "));
  EXPECT_TRUE(contains(certified(0.1).float32_warning(30), " off by 1 of their size"));
  EXPECT_EQ(certified(1e-8).with([](MapContent& content) { content.certificate.reset(); }).float32_warning(8e-4), "");
}

TEST(Float32, FeaturesTooLargeForItAreRefused) {
  const KernelChoice large = "1e90*gaussian(sigma=1)";
  const Matrix<double> X = uniform_matrix(60, 2, 23);
  EXPECT_TRUE(make_map(large, X, {.n_features = 8}).content().certificate);
  EXPECT_TRUE(contains(message_of<InvalidArgument>([&] { make_map(large, X, {.n_features = 8, .precision = Precision::float32}); }),
                       "do not fit into float"));
}

TEST(Float32, ATolerantMapMayMissItByRounding) {
  const Matrix<double> X = moved(uniform_matrix(400, 2, 22), 0, 1e5);
  const KernelChoice kernel("gaussian", {{"sigma", CoordinateParameter(0.5)}});
  const Map map = make_map(kernel, X, {.tolerance = 1e-4, .precision = Precision::float32});
  EXPECT_FALSE(map.content().certificate->reached);
  EXPECT_TRUE(starts_with(map.content().reason, "0.0001 was not reached: the error of float32 features is ")) << map.content().reason;
  EXPECT_TRUE(make_map(kernel, X, {.tolerance = 1e-4}).content().certificate->reached);
}

TEST(AccuracyWarning, AnIntervalThatReachesToAnythingIsToldOf) {
  const std::string warning = calibrated_map()
                                  .with([](MapContent& content) {
                                    content.certificate = Certificate{{0.11, 0.011, 114, 300, 9}, 6, 12, true};
                                  })
                                  .accuracy_warning();
  EXPECT_TRUE(starts_with(warning, "the features hardly stand for the kernel, their relative error is 0.11, or up to 1.1e+02: "))
      << warning;
}

}  // namespace
}  // namespace askrff::test
