// diagnose() against what is known of the kernels it looks at.
#include "askrff/diagnose.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "askrff/errors.hpp"
#include "askrff/pair_kernel.hpp"
#include "askrff/random.hpp"

namespace askrff {
namespace {

Matrix<double> rows_in(std::size_t n, std::size_t dim, double width = 1) {
  Matrix<double> X(n, dim);
  for (std::size_t i = 0; i < n; ++i) {
    RandomStream random(3, Purpose::subset_rows, i);
    for (std::size_t k = 0; k < dim; ++k) X(i, k) = width * random.uniform();
  }
  return X;
}

class OfDifference final : public Kernel {
 public:
  using Function = std::function<double(std::span<const double>)>;
  explicit OfDifference(Function function) : function_(std::move(function)) {}
  std::string name() const override { return "mine"; }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = function_(differences.row(i));
  }

 private:
  Function function_;
};

Diagnosis of(const Kernel& kernel, std::size_t dim, DiagnoseOptions options = {.n_rows = 120}) {
  const Matrix<double> X = rows_in(200, dim);
  return diagnose(kernel, X.view(), options);
}

TEST(Diagnose, KnowsClassesOfTheRegistry) {
  EXPECT_EQ(of(*gaussian({.sigma = 0.5}), 3).kernel_class, KernelClass::positive_definite);
  EXPECT_EQ(of(*laplacian({.sigma = 0.5}), 3).kernel_class, KernelClass::positive_definite);
  EXPECT_EQ(of(*difference_of_gaussians({.sigma = 0.3, .sigma2 = 0.6, .weight = 0.9}), 3).kernel_class, KernelClass::indefinite);
  EXPECT_EQ(of(*shift_gaussian({.sigma = 0.5, .shift = 0.1}), 3).kernel_class, KernelClass::asymmetric);
  EXPECT_EQ(of(*shift_gaussian({.sigma = 0.5, .shift = 0.0}), 3).kernel_class, KernelClass::positive_definite);
}

TEST(Diagnose, SharesOfSymmetricAndSkewPartsAreThoseOfTheMatrix) {
  const Diagnosis found = of(*sinh_gaussian({.sigma = 0.7, .beta = 1.0}), 2);
  EXPECT_NEAR(found.symmetric_share * found.symmetric_share + found.skew_share * found.skew_share, 1, 1e-12);
  EXPECT_GT(found.skew_share, 0.1);
  // sin(δ) alone is skew.
  const Diagnosis skew = of(OfDifference([](auto delta) { return std::sin(delta[0]); }), 1);
  EXPECT_NEAR(skew.skew_share, 1, 1e-12);
  EXPECT_EQ(skew.negative_share, 0);
}

TEST(Diagnose, FindsEigenvaluesAndRanks) {
  // cos(3δ): two eigenvalues, and no more.
  const Diagnosis found = of(OfDifference([](auto delta) { return std::cos(3 * delta[0]); }), 1);
  EXPECT_EQ(found.features_for_1e_3, 2u);
  EXPECT_NEAR(found.singular_values[0] + found.singular_values[1], 120, 1e-9);
  EXPECT_LT(found.singular_values[2], 1e-12 * found.singular_values[0]);
  // -cos(3δ) has no positive one.
  const Diagnosis negative = of(OfDifference([](auto delta) { return -std::cos(3 * delta[0]); }), 1);
  EXPECT_NEAR(negative.negative_share, 1, 1e-12);
  EXPECT_EQ(negative.kernel_class, KernelClass::indefinite);
}

TEST(Diagnose, TellsJumpsKinksAndSmoothFunctions) {
  struct Case {
    const char* name;
    OfDifference::Function function;
    Smoothness expected;
  };
  const double far = 0.3123456;  // the point is nowhere special
  const Case cases[] = {
      {"gaussian", [](auto delta) { return std::exp(-delta[0] * delta[0]); }, Smoothness::smooth},
      {"narrow gaussian", [far](auto delta) { return std::exp(-std::pow((delta[0] - far) / 3e-3, 2)); }, Smoothness::smooth},
      {"laplacian", [](auto delta) { return std::exp(-std::abs(delta[0])); }, Smoothness::kink},
      {"kink elsewhere", [far](auto delta) { return std::exp(-std::abs(delta[0] - far)); }, Smoothness::kink},
      {"matern-3/2", [](auto delta) { return (1 + std::abs(delta[0])) * std::exp(-std::abs(delta[0])); }, Smoothness::smooth},
      {"one-sided", [](auto delta) { return delta[0] > 0 ? std::exp(-delta[0]) : 0.0; }, Smoothness::jump},
      {"jump elsewhere", [far](auto delta) { return delta[0] > far ? std::exp(-delta[0]) : 0.5; }, Smoothness::jump},
      {"causal gamma", [](auto delta) { return delta[0] > 0 ? delta[0] * std::exp(-delta[0]) : 0.0; }, Smoothness::kink},
      {"constant", [](auto) { return 1.0; }, Smoothness::smooth},
  };
  for (const Case& each : cases) EXPECT_EQ(of(OfDifference(each.function), 1).smoothness, each.expected) << each.name;
}

TEST(Diagnose, TellsWhatIsIntegrable) {
  const auto norm = [](std::span<const double> delta) {
    double squares = 0;
    for (const double x : delta) squares += x * x;
    return std::sqrt(squares);
  };
  for (const std::size_t dim : {1, 2, 5, 12}) {
    EXPECT_TRUE(of(*gaussian({.sigma = 0.3}), dim).integrable) << dim;
    EXPECT_TRUE(of(*cauchy({.sigma = 0.3}), dim).integrable) << dim;
    EXPECT_TRUE(of(*shift_gaussian({.sigma = 1.0, .shift = 3.0}), dim).integrable) << dim;
    EXPECT_FALSE(of(OfDifference([](auto) { return 1.0; }), dim).integrable) << dim;
    EXPECT_FALSE(of(OfDifference([](auto delta) { return std::cos(delta[0]); }), dim).integrable) << dim;
    const auto d = static_cast<double>(dim);
    EXPECT_FALSE(of(OfDifference([=](auto delta) { return std::pow(1 + norm(delta), 0.5 - d); }), dim).integrable) << dim;
    EXPECT_TRUE(of(OfDifference([=](auto delta) { return std::pow(1 + norm(delta), -d - 0.5); }), dim).integrable) << dim;
  }
  EXPECT_TRUE(std::isinf(of(*gaussian({.sigma = 0.3}), 2).decay));
  EXPECT_NEAR(of(OfDifference([&](auto delta) { return 1 / (1 + std::pow(norm(delta), 3)); }), 2).decay, 3, 0.01);
  EXPECT_NEAR(of(OfDifference([](auto) { return 1.0; }), 2).decay, 0, 1e-12);
}

TEST(Diagnose, KernelsThatGrowAreNotSeenToBeIntegrable) {
  for (const char* name : {"expr: exp(abs(x))", "expr: exp(r^2)", "expr: exp(x1)", "expr: 1 + r", "expr: exp(80*r^2)"}) {
    const Diagnosis found = of(*make_kernel(name), 2);
    EXPECT_FALSE(found.integrable) << name;
    EXPECT_LE(found.decay, 0) << name;
  }
  EXPECT_NEAR(of(*make_kernel("expr: 1 + r"), 2).decay, -1, 0.01);
}

// Of a sum of a wide Gaussian and a constant the Gaussian falls, far out, and the sum does not.
TEST(Diagnose, WideKernelsAreLookedAtFurtherOut) {
  for (const std::size_t dim : {1, 3, 40}) {
    const Diagnosis found = of(*gaussian({.sigma = 1e6}), dim);
    EXPECT_TRUE(found.integrable) << dim;
    EXPECT_TRUE(std::isinf(found.decay)) << dim;
  }
  EXPECT_FALSE(of(*make_kernel("expr: exp(-r^2/1e12) + 1e-6"), 2).integrable);
  EXPECT_FALSE(of(*gaussian({.sigma = 1e25}), 1).integrable);  // beyond what is looked at
}

TEST(Diagnose, KernelsAndRowsOfAnySize) {
  const OfDifference usual([](auto delta) { return std::exp(-std::abs(delta[0] + 0.2) - std::abs(delta[1])); });
  const Diagnosis expected = of(usual, 2);
  for (const double size : {1e-290, 1e-170, 1e170, 1e290}) {
    const Diagnosis found = of(OfDifference([&](auto delta) { return size * usual(delta); }), 2);
    EXPECT_EQ(found.kernel_class, expected.kernel_class) << size;
    EXPECT_EQ(found.smoothness, expected.smoothness) << size;
    EXPECT_EQ(found.features_for_1e_2, expected.features_for_1e_2) << size;
    EXPECT_NEAR(found.skew_share, expected.skew_share, 1e-9) << size;
    EXPECT_NEAR(found.singular_values[0] / size, expected.singular_values[0], 1e-9) << size;
    EXPECT_NEAR(found.smallest_eigenvalue / size, expected.smallest_eigenvalue, 1e-9) << size;
    EXPECT_TRUE(found.integrable) << size;
  }
  for (const double width : {1e-140, 1e-100, 1e100, 1e140}) {
    const Matrix<double> X = rows_in(60, 2, width);
    const Diagnosis found = diagnose(*make_kernel("expr: exp(-r/s)", {{"s", width}}), X.view());
    EXPECT_EQ(found.smoothness, Smoothness::kink) << width;
    EXPECT_TRUE(found.integrable) << width;
    EXPECT_EQ(found.lines.size(), 3u) << width;
  }
  const Matrix<double> far = rows_in(60, 2, 1e200);
  try {
    diagnose(*make_kernel("expr: exp(-r)"), far.view());
    ADD_FAILURE() << "rows whose distances are no numbers were taken";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(error.message().find("apart in column 1"), std::string::npos) << error.message();
  }
}

TEST(Diagnose, LinesHoldTheKernelItsSkewPartAndTheDensity) {
  const auto kernel = shift_gaussian({.sigma = 0.5, .shift = {0.3, 0.0}});
  const Diagnosis found = of(*kernel, 2);
  ASSERT_EQ(found.lines.size(), 3u);
  EXPECT_EQ(found.lines[0].name, "x1");
  EXPECT_EQ(found.lines[2].name, "diagonal");
  const auto measure = kernel->measure(2);
  for (std::size_t l = 0; l < 3; ++l) {
    const KernelLine& line = found.lines[l];
    const double a = l == 2 ? std::numbers::sqrt2 / 2 : l == 0, b = l == 2 ? std::numbers::sqrt2 / 2 : l == 1;
    for (std::size_t i = 0; i < line.at.size(); i += 16) {
      const double s = line.at[i];
      EXPECT_NEAR(line.value[i], (*kernel)(std::vector{s * a, s * b}), 1e-14);
      EXPECT_NEAR(line.skew[i], 0.5 * ((*kernel)(std::vector{s * a, s * b}) - (*kernel)(std::vector{-s * a, -s * b})), 1e-14);
    }
    ASSERT_EQ(line.frequency.size(), line.at.size());
    for (std::size_t i = 0; i < line.at.size(); i += 16) {
      const std::complex<double> mu = measure->density(std::vector{line.frequency[i] * a, line.frequency[i] * b});
      EXPECT_NEAR(line.real[i], mu.real(), 1e-14);
      EXPECT_NEAR(line.imaginary[i], mu.imag(), 1e-14);
    }
  }
}

TEST(Diagnose, OfPairsThatAreNoDifferences) {
  const PairFunction inner = [](MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out) {
    for (std::size_t i = 0; i < X.rows(); ++i)
      for (std::size_t j = 0; j < Y.rows(); ++j) out(i, j) = X(i, 0) * Y(j, 0) + 0.5 * X(i, 0);
  };
  const auto kernel = pair_kernel(inner);
  const Diagnosis found = of(*kernel, 2);
  EXPECT_FALSE(found.shift_invariant);
  EXPECT_GT(found.shift_variation, 0.1);
  EXPECT_EQ(found.kernel_class, KernelClass::asymmetric);
  EXPECT_EQ(found.features_for_1e_3, 1u);
  EXPECT_EQ(found.route, "nystrom");
  EXPECT_TRUE(found.lines.empty());
}

TEST(Diagnose, RecommendsWhatSuits) {
  EXPECT_EQ(of(*gaussian({.sigma = 0.5}), 2).route, "fourier");
  EXPECT_EQ(of(*gaussian({.sigma = 0.01}), 2).route, "grid");
  EXPECT_EQ(of(*gaussian({.sigma = 0.1}), 8).route, "fourier");
  EXPECT_EQ(of(OfDifference([](auto delta) { return std::exp(-delta[0] * delta[0]); }), 1).route, "nystrom");
  EXPECT_EQ(of(OfDifference([](auto delta) { return delta[0] > 0 ? std::exp(-30 * delta[0]) : 0.0; }), 1).route, "nystrom");
  const auto narrow = [](std::span<const double> delta) {
    double product = 1;
    for (const double x : delta) product *= std::exp(-200 * x * x) * (1 + std::tanh(9 * x));
    return product;
  };
  EXPECT_EQ(of(OfDifference(narrow), 5).route, "calibrated");
}

// A grid is recommended where it is accepted.
TEST(Diagnose, RecommendsNoGridForKernelsThatFallTooSlowly) {
  for (const char* name : {"expr: (1+1e6*r^2)^-0.3", "generalised-cauchy(sigma=0.001, decay=0.5)"}) {
    const Diagnosis found = of(*make_kernel(name), 2);
    EXPECT_TRUE(found.has_measure) << found.measure_reason;
    EXPECT_GT(found.features_for_1e_2, found.n_rows / 4);
    EXPECT_EQ(found.route, "fourier") << name << ": " << found.reason;
  }
}

// The density of a product is a convolution that nobody knows: k is looked at all the same.
TEST(Diagnose, ProductsOfNamedKernelsHaveNoDensityToShow) {
  for (const char* name : {"gaussian*laplacian", "gaussian*gaussian(sigma=2)", "causal-gamma*gaussian", "gaussian + gaussian*laplacian"}) {
    const Diagnosis found = of(*make_kernel(name), 3);
    EXPECT_TRUE(found.has_measure) << name << ": " << found.measure_reason;
    ASSERT_FALSE(found.lines.empty());
    EXPECT_FALSE(found.lines.front().value.empty());
    EXPECT_TRUE(found.lines.front().frequency.empty());
  }
}

TEST(Diagnose, SparseRowsAreTheSame) {
  const Matrix<double> X = rows_in(60, 3);
  const auto sparse = SparseMatrix<double>::of(X.view());
  const auto kernel = gaussian({.sigma = 0.5});
  const Diagnosis a = diagnose(*kernel, X.view(), {.n_rows = 40}), b = diagnose(*kernel, sparse.view(), {.n_rows = 40});
  EXPECT_NEAR(a.largest_eigenvalue, b.largest_eigenvalue, 1e-6);
  EXPECT_EQ(a.features_for_1e_2, b.features_for_1e_2);
  EXPECT_EQ(a.lines[0].value, b.lines[0].value);
}

TEST(Diagnose, SaysWhatIsWrong) {
  const auto kernel = gaussian();
  const Matrix<double> X = rows_in(5, 2), one = rows_in(1, 2);
  EXPECT_THROW(diagnose(*kernel, one.view()), InvalidArgument);
  EXPECT_THROW(diagnose(*kernel, X.view(), {.n_rows = 1}), InvalidArgument);
  EXPECT_THROW(diagnose(*kernel, X.view(), {.n_rows = 2001}), InvalidArgument);
  Matrix<double> bad = X;
  bad(2, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(diagnose(*kernel, bad.view()), InvalidArgument);
  EXPECT_THROW(diagnose(OfDifference([](auto) { return 0.0; }), X.view()), InvalidArgument);
  EXPECT_THROW(diagnose(OfDifference([](auto) { return std::nan(""); }), X.view()), InvalidArgument);
  EXPECT_THROW(diagnose(OfDifference([](auto delta) { return std::abs(delta[0]) > 0.5 ? INFINITY : 1.0; }), X.view()), InvalidArgument);
  // Rows that are all the same have no lines.
  const Matrix<double> same(4, 2);
  EXPECT_TRUE(diagnose(*kernel, same.view()).lines.empty());
  StopSource source;
  source.request_stop();
  EXPECT_THROW(diagnose(*kernel, X.view(), {.execution = {.stop = source.token()}}), Stopped);
}

}  // namespace
}  // namespace askrff
