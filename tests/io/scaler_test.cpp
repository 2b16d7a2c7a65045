// Columns brought to comparable size.
#include "askrff/rows.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <boost/multiprecision/cpp_dec_float.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "askrff/random.hpp"
#include "io/temporary_files.hpp"

namespace askrff::test {
namespace {

using Values = std::vector<double>;

Matrix<double> scaled(Matrix<double> X, Scaling kind) {
  Scaler::fitted_to(X, kind).apply(X);
  return X;
}

/// Columns of different size and place, the last one constant.
Matrix<double> some_rows(std::size_t rows) {
  Matrix<double> X(rows, 4);
  for (std::size_t i = 0; i < rows; ++i) {
    RandomStream random(7, Purpose::builtin_data, i);
    X(i, 0) = random.normal();
    X(i, 1) = 1e9 + 1e-3 * random.normal();  // what Σx² - (Σx)²/n would lose
    X(i, 2) = i == 0 ? 1e12 : random.uniform();
    X(i, 3) = 0.1;
  }
  return X;
}

TEST(Scaler, MinmaxGoesToTheUnitInterval) {
  EXPECT_EQ(elements(scaled(Matrix<double>(3, 3, {1, 5, -2, 2, 5, 0, 3, 5, 6}), Scaling::minmax)),
            (Values{0, 0, 0, 0.5, 0, 0.25, 1, 0, 1}));
  const Matrix<double> X = some_rows(1000);
  const Matrix<double> Z = scaled(X, Scaling::minmax);
  for (std::size_t j = 0; j < 3; ++j) {
    double low = X(0, j), high = X(0, j);
    for (std::size_t i = 0; i < X.rows(); ++i) low = std::min(low, X(i, j)), high = std::max(high, X(i, j));
    for (std::size_t i = 0; i < X.rows(); ++i) ASSERT_EQ(Z(i, j), (X(i, j) - low) / (high - low));
  }
  EXPECT_EQ(*std::min_element(Z.data(), Z.data() + 4000), 0.0);
  EXPECT_EQ(*std::max_element(Z.data(), Z.data() + 4000), 1.0);
}

TEST(Scaler, Extremes) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  const Matrix<double> Z = scaled(Matrix<double>(4, 3,
                                                 {1e308, 0, 1 - 0x1p-53,     //
                                                  -0.7e308, tiny, 1,         //
                                                  0, 2 * tiny, 1 + 0x1p-52,  //
                                                  tiny, tiny, 1}),
                                  Scaling::minmax);
  for (const double x : elements(Z)) EXPECT_TRUE(x >= 0 && x <= 1) << x;
  EXPECT_EQ(Z(0, 0), 1.0);
  EXPECT_EQ(Z(1, 1), 0.5);
  EXPECT_EQ(Z(2, 1), 1.0);
  EXPECT_EQ(Z(2, 2), 1.0);
}

TEST(Scaler, StandardAgainstLongDouble) {
  const Matrix<double> X = some_rows(5000);
  const Scaler scaler = Scaler::fitted_to(X, Scaling::standard);
  for (std::size_t j = 0; j < 3; ++j) {
    long double mean = 0, squares = 0;
    for (std::size_t i = 0; i < X.rows(); ++i) mean += X(i, j);
    mean /= static_cast<long double>(X.rows());
    for (std::size_t i = 0; i < X.rows(); ++i) squares += (X(i, j) - mean) * (X(i, j) - mean);
    const double deviation = static_cast<double>(std::sqrt(squares / static_cast<long double>(X.rows())));
    EXPECT_NEAR(scaler.offset[j], static_cast<double>(mean), 1e-13 * std::abs(static_cast<double>(mean)) + 1e-13 * deviation) << j;
    EXPECT_NEAR(scaler.width[j] / deviation, 1, 1e-12) << j;
  }
}

/// Digits enough that nothing here is rounded but at the end.
using Decimal = boost::multiprecision::number<boost::multiprecision::cpp_dec_float<60>>;

TEST(Scaler, StandardIsTheNearestDoubleInAnyOrder) {
  Matrix<double> X = some_rows(2001);
  const Scaler scaler = Scaler::fitted_to(X, Scaling::standard);
  for (std::size_t j = 0; j < 3; ++j) {
    Decimal mean = 0, squares = 0;
    for (std::size_t i = 0; i < X.rows(); ++i) mean += Decimal(X(i, j));
    mean /= X.rows();
    for (std::size_t i = 0; i < X.rows(); ++i) squares += (Decimal(X(i, j)) - mean) * (Decimal(X(i, j)) - mean);
    const Decimal deviation = sqrt(squares / X.rows());
    EXPECT_EQ(scaler.offset[j], mean.convert_to<double>()) << j;
    EXPECT_EQ(scaler.width[j], deviation.convert_to<double>()) << j;
  }
  for (std::size_t i = 0; i < X.rows() / 2; ++i)
    for (std::size_t j = 0; j < X.cols(); ++j) std::swap(X(i, j), X(X.rows() - 1 - i, j));
  EXPECT_EQ(Scaler::fitted_to(X, Scaling::standard), scaler);
}

// Quantiles of 0 … n-1 are p(n-1): the values of numpy.quantile.
TEST(Scaler, RobustIsMedianAndQuantilesWhateverTheOutliers) {
  constexpr std::size_t n = 1001;
  Matrix<double> X(n, 2);
  for (std::size_t i = 0; i < n; ++i) {
    X(i, 0) = static_cast<double>((10 * i) % n);  // 0 … 1000 in another order
    X(i, 1) = X(i, 0) >= 990 ? 1e9 : X(i, 0) <= 5 ? -1e12 : X(i, 0);
  }
  const Scaler scaler = Scaler::fitted_to(X, Scaling::robust);
  EXPECT_EQ(scaler.offset, (Values{500, 500}));
  EXPECT_NEAR(scaler.width[0], 900, 1e-10);
  EXPECT_NEAR(scaler.width[1], 900, 1e-10);
  EXPECT_EQ(Scaler::fitted_to(Matrix<double>(4, 1, {1, 2, 4, 8}), Scaling::robust).offset, (Values{3}));
  EXPECT_NEAR(Scaler::fitted_to(Matrix<double>(4, 1, {1, 2, 4, 8}), Scaling::robust).width[0], (4 + 0.85 * 4) - (1 + 0.15), 1e-14);
  EXPECT_EQ(Scaler::fitted_to(Matrix<double>(1, 1, {3}), Scaling::robust).width, (Values{0}));
}

TEST(Scaler, RobustWidthOfARareValueIsThatOfMinmax) {
  Matrix<double> X(200, 1);
  X(17, 0) = 4;
  const Scaler scaler = Scaler::fitted_to(X, Scaling::robust);
  EXPECT_EQ(scaler.offset, (Values{0}));
  EXPECT_EQ(scaler.width, (Values{4}));
}

// More rows than are kept: the ranks of the quantiles are within five standard deviations, √(p(1-p)/65536), of what they should be (three
// quantiles, fixed rows and seed: 2e-6 of all seeds would fail), and the cuts do not matter.
TEST(Scaler, RobustOfMoreRowsThanItKeeps) {
  constexpr std::size_t n = 200'000;
  ASSERT_EQ(Scaler::exact_rows(1), 65536u);
  EXPECT_EQ(Scaler::exact_rows(1024), 16384u);
  EXPECT_EQ(Scaler::exact_rows(10'000'000), 500u);
  Matrix<double> X(n, 1);
  for (std::size_t i = 0; i < n; ++i) X(i, 0) = static_cast<double>((77'777 * i) % n) / (n - 1);
  const Scaler scaler = Scaler::fitted_to(X, Scaling::robust);
  EXPECT_NEAR(scaler.offset[0], 0.5, 5 * 0.5 / 256);
  EXPECT_NEAR(scaler.width[0], 0.9, 10 * std::sqrt(0.05 * 0.95) / 256);
  ScalerFit fit(1, Scaling::robust);
  for (std::size_t i = 0; i < n; i += 12'345) fit.add(X.view().middle_rows(i, std::min<std::size_t>(12'345, n - i)));
  EXPECT_EQ(fit.finish(), scaler);
}

TEST(Scaler, AConstantColumnIsMovedOnly) {
  for (const Scaling kind : {Scaling::minmax, Scaling::standard, Scaling::robust}) {
    const Scaler scaler = Scaler::fitted_to(some_rows(100), kind);
    EXPECT_EQ(scaler.offset[3], 0.1);
    EXPECT_EQ(scaler.width[3], 0.0);
    Matrix<double> later(2, 4, {0, 0, 0, 0.1, 0, 0, 0, 3.1});
    scaler.apply(later);
    EXPECT_EQ(later(0, 3), 0.0);
    EXPECT_EQ(later(1, 3), 3.0);  // a new value shows
  }
}

TEST(Scaler, MaxabsKeepsZerosAndSigns) {
  // A column of both signs, one below 0, one of zeros, a constant.
  Matrix<double> X(3, 4, {-4, -1, 0, 3, 0, -2, -0.0, 3, 2, -8, 0, 3});
  const Scaler scaler = Scaler::fitted_to(X, Scaling::maxabs);
  EXPECT_EQ(scaler.offset, (Values{0, 0, 0, 0}));
  EXPECT_EQ(scaler.width, (Values{4, 8, 0, 3}));
  scaler.apply(X);
  EXPECT_EQ(elements(X), (Values{-1, -0.125, 0, 1, 0, -0.25, 0, 1, 0.5, -1, 0, 1}));
  Matrix<double> later(1, 4, {8, 0, 5, 0});
  scaler.apply(later);
  EXPECT_EQ(elements(later), (Values{2, 0, 5, 0}));
  // Neither too wide for a double nor too small.
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(Scaler::fitted_to(Matrix<double>(2, 1, {-largest, largest}), Scaling::maxabs).width, Values{largest});
}

TEST(Scaler, NumbersTooLargeToBeScaledAreNamed) {
  const Matrix<double> X(4, 2, {0, 1, 0, 1 + 1e-10, 0, 1 + 2e-10, 0, 1 + 3e-10});
  const double largest = std::numeric_limits<double>::max(), nothing = std::numeric_limits<double>::quiet_NaN();
  for (const Scaling kind : {Scaling::minmax, Scaling::standard, Scaling::robust}) {
    const Scaler scaler = Scaler::fitted_to(X, kind);
    for (const double far : {1e300, -1e300, largest}) {
      Matrix<double> later(1, 2, {0, far});
      try {
        scaler.apply(later);
        ADD_FAILURE() << far;
      } catch (const DataError& error) {
        EXPECT_NE(error.message().find("column 2 holds "), std::string::npos) << error.message();
        EXPECT_NE(error.message().find("too large to be scaled"), std::string::npos) << error.message();
      }
    }
    Matrix<double> near(1, 2, {0, 1e297});
    scaler.apply(near);
    EXPECT_TRUE(std::isfinite(near(0, 1)));
    Matrix<double> no_number(1, 2, {0, nothing});  // for others to tell
    scaler.apply(no_number);
    EXPECT_TRUE(std::isnan(no_number(0, 1)));
  }
  Matrix<double> wide(2, 1, {-8e307, 8e307});
  Scaler::fitted_to(wide, Scaling::minmax).apply(wide);
  EXPECT_EQ(elements(wide), (Values{0, 1}));
}

TEST(Scaler, CutsDoNotChangeABit) {
  const Matrix<double> X = some_rows(1000);
  for (const Scaling kind : {Scaling::minmax, Scaling::standard, Scaling::robust, Scaling::maxabs}) {
    const Scaler whole = Scaler::fitted_to(X, kind);
    for (const std::size_t block : {1, 7, 333}) {
      ScalerFit fit(4, kind);
      for (std::size_t i = 0; i < X.rows(); i += block) fit.add(X.view().middle_rows(i, std::min(block, X.rows() - i)));
      EXPECT_EQ(fit.finish(), whole) << block;
    }
  }
}

TEST(Scaler, NoneChangesNothing) {
  const Matrix<double> X = some_rows(5);
  EXPECT_EQ(elements(scaled(X, Scaling::none)), elements(X));
  EXPECT_TRUE(Scaler::fitted_to(X, Scaling::none).offset.empty());
  EXPECT_EQ(name_of(Scaling::standard), "standard");
}

std::string refusal(MatrixView<const double> X, Scaling kind) {
  try {
    Scaler::fitted_to(X, kind);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Scaler, DeviationsOfAnySize) {
  for (const double size : {1e-320, 1e-170, 1e-8, 1.0, 1e170, 1e307}) {
    Matrix<double> X(4, 1, {0, size, 2 * size, 3 * size});
    const Scaler scaler = Scaler::fitted_to(X, Scaling::standard);
    EXPECT_NEAR(scaler.width[0] / size, std::sqrt(1.25), size < 1e-300 ? 1e-3 : 1e-14) << size;
    scaler.apply(X);
    EXPECT_NEAR(X(3, 0), 1.5 / std::sqrt(1.25), size < 1e-300 ? 1e-3 : 1e-14) << size;
  }
  Matrix<double> growing(5, 1, {0, 1e-200, 1, 1e100, 2e100});
  EXPECT_NEAR(Scaler::fitted_to(growing, Scaling::standard).width[0] / 8e99, 1, 1e-14);
}

TEST(Scaler, Refused) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Scaling kind : {Scaling::minmax, Scaling::standard, Scaling::robust}) {
    EXPECT_EQ(refusal(Matrix<double>(2, 2, {1, 2, 3, infinity}), kind), "Scaler: row 2, column 2 is inf, expected a finite number");
    EXPECT_EQ(refusal(Matrix<double>(1, 1, {std::nan("")}), kind), "Scaler: row 1, column 1 is nan, expected a finite number");
    EXPECT_EQ(refusal(Matrix<double>(0, 2), kind), "Scaler: no rows, expected at least one to fit to");
    EXPECT_TRUE(
        contains(refusal(Matrix<double>(2, 1, {-1.5e308, 1.5e308}), kind), "column 1 goes from -1.5e+308 to 1.5e+308, which is too wide"));
  }
  Matrix<double> three(1, 3);
  EXPECT_THROW(Scaler::fitted_to(some_rows(5), Scaling::minmax).apply(three), std::invalid_argument);
  ScalerFit fit(4, Scaling::minmax);
  EXPECT_THROW(fit.add(three), std::invalid_argument);
}

}  // namespace
}  // namespace askrff::test
