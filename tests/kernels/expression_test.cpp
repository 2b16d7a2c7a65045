// Kernels by expression: equal to the library's own, blocks, sparse rows, symmetry, parameters, refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "askrff/approximate.hpp"
#include "askrff/errors.hpp"
#include "askrff/grid.hpp"
#include "askrff/kernels.hpp"
#include "askrff/operators.hpp"
#include "support/functions.hpp"
#include "support/random_inputs.hpp"
#include "support/same_bits.hpp"
#include "support/sparse_rows.hpp"
#include "support/statistics.hpp"

namespace askrff::test {
namespace {

std::string refusal(const std::string& name, const ParameterValues& values = {}, std::size_t dim = 0) {
  try {
    const auto kernel = make_kernel(name, values);
    if (dim > 0) kernel->at_zero(dim);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

struct Twin {
  std::string expression;
  ParameterValues parameters;
  std::string kernel;
  ParameterValues kernel_parameters;
};

const std::vector<double> shift = {0.3, -0.2, 0.1, 0.4}, widths = {0.5, 1, 2, 4};

std::vector<Twin> twins() {
  const CoordinateParameter vector(shift);
  return {
      {"exp(-r^2/(2*s^2))", {{"s", 0.8}}, "gaussian", {{"sigma", 0.8}}},
      {"exp(-x^2/(2*s^2))", {{"s", 0.8}}, "gaussian", {{"sigma", 0.8}}},
      {"exp(-(x1^2 + x2^2 + x3^2 + x4^2)/(2*s^2))", {{"s", 0.8}}, "gaussian", {{"sigma", 0.8}}},
      {"exp(-abs(x)/s)", {{"s", 0.7}}, "laplacian", {{"sigma", 0.7}}},
      {"exp(-r/s)", {{"s", 0.7}}, "matern-1/2", {{"sigma", 0.7}}},
      {"(1 + sqrt(3)*r/s)*exp(-sqrt(3)*r/s)", {{"s", 0.7}}, "matern-3/2", {{"sigma", 0.7}}},
      {"(1 + sqrt(5)*r/s + 5*r**2/(3*s**2))*exp(-sqrt(5)*r/s)", {{"s", 0.7}}, "matern-5/2", {{"sigma", 0.7}}},
      {"1/(1 + (x/s)^2)", {{"s", 0.6}}, "cauchy", {{"sigma", 0.6}}},
      {"exp(-r^2/2) - 0.25*exp(-r^2/18)", {}, "difference-of-gaussians", {{"sigma", 1.0}, {"sigma2", 3.0}, {"weight", 0.25}}},
      {"exp(-(x + b)^2/(2*s^2))", {{"s", 0.8}, {"b", vector}}, "shift-gaussian", {{"sigma", 0.8}, {"shift", vector}}},
      {"exp(-(x + b)^2/2)",
       {{"b", CoordinateParameter::over_dim(2)}},
       "shift-gaussian",
       {{"sigma", 1.0}, {"shift", CoordinateParameter::over_dim(2)}}},
      {"exp(-(x + 2/d)^2/2)", {}, "shift-gaussian", {{"sigma", 1.0}, {"shift", CoordinateParameter::over_dim(2)}}},
      {"exp(-r^2/(2*s^2)) * (1 + sinh(t))", {{"s", 0.8}, {"a", vector}}, "sinh-gaussian", {{"sigma", 0.8}, {"beta", vector}}},
      {"exp(t - r^2/(2*s^2))", {{"s", 0.8}, {"a", vector}}, "cosh-gaussian", {{"sigma", 0.8}, {"beta", vector}}},
      {"exp(t - r^2/(2*s^2))", {{"s", 0.8}, {"a", 0.25}}, "cosh-gaussian", {{"sigma", 0.8}, {"beta", 0.25}}},
      {"(1 + r^2/(2*q*s^2))^(-q)", {{"s", 0.8}, {"q", 3.5}}, "rational-quadratic", {{"sigma", 0.8}, {"alpha", 3.5}}},
      {"(1 + (r/s)^p)^(-q/p)",
       {{"s", 0.8}, {"q", 7.0}, {"p", 1.25}},
       "generalised-cauchy",
       {{"sigma", 0.8}, {"decay", 7.0}, {"power", 1.25}}},
      {"exp(-(r/s)^p)", {{"s", 0.8}, {"p", 1.25}}, "exponential-power", {{"sigma", 0.8}, {"power", 1.25}}},
      {"exp(-x^2/(2*s^2) - 2*sin(pi*x/p)^2/w^2)",
       {{"s", 0.8}, {"p", 0.9}, {"w", 1.4}},
       "periodic-gaussian",
       {{"sigma", 0.8}, {"period", 0.9}, {"length", 1.4}}},
      {"exp(-r^2/(2*s^2)) * cos(t + f)",
       {{"s", 0.8}, {"f", 0.7}, {"a", vector}},
       "gabor",
       {{"sigma", 0.8}, {"phase", 0.7}, {"wave", vector}}},
      {"exp(-x^2/(2*s^2)) * (1 + erf(w*x/(s*sqrt(2))))", {{"s", 0.8}, {"w", vector}}, "skew-normal", {{"sigma", 0.8}, {"skew", vector}}},
      {"x > 0 ? (x/s/(q - 1))^(q - 1) * exp(q - 1 - x/s) : 0", {{"s", 0.8}, {"q", 2.7}}, "causal-gamma", {{"sigma", 0.8}, {"shape", 2.7}}},
  };
}

// The same function with other roundings: 1e-13 of the largest value, 64 roundings of an exponent up to 60.
TEST(Expression, AgreesWithTheKernelsOfTheLibrary) {
  const Matrix<double> X = random_matrix(37, 4, 1), Y = random_matrix(700, 4, 2);
  for (const Twin& twin : twins()) {
    const auto ours = make_kernel("expr: " + twin.expression, twin.parameters), theirs = make_kernel(twin.kernel, twin.kernel_parameters);
    const Matrix<double> a = exact_gram(*ours, X.view(), Y.view()), b = exact_gram(*theirs, X.view(), Y.view());
    for (std::size_t i = 0; i < X.rows(); ++i)
      for (std::size_t j = 0; j < Y.rows(); ++j)
        ASSERT_NEAR(a(i, j), b(i, j), 1e-13 * std::max(1.0, std::fabs(b(i, j)))) << twin.expression;
    EXPECT_EQ(ours->symmetric(), theirs->symmetric()) << twin.expression;
    EXPECT_FALSE(ours->positive_definite());
    const auto found = ours->measure(4), known = theirs->measure(4);
    ASSERT_NE(found, nullptr) << twin.expression << ": " << ours->measure_reason(4);
    const auto variation = found->exact_total_variation(), known_variation = known->exact_total_variation();
    if (variation && known_variation) {
      EXPECT_NEAR(*variation, *known_variation, 1e-3 * *known_variation) << twin.expression;
    }
    for (const Part part : all_parts) {
      const auto moments = found->exact_moments(part), known_moments = known->exact_moments(part);
      if (moments && known_moments) {
        EXPECT_NEAR(moments->mass, known_moments->mass, 1e-3 * known_variation.value_or(1)) << twin.expression << " " << traits(part).name;
      }
    }
  }
}

// Every family of the registry has a twin; what is only known of one of two measures cannot be compared, so this counts what was.
TEST(Expression, EveryFamilyIsCompared) {
  std::size_t n_variations = 0;
  for (const KernelInfo& info : kernel_registry()) {
    if (info.wraps_another) continue;
    const auto all = twins();
    const auto twin = std::ranges::find(all, info.name, &Twin::kernel);
    ASSERT_NE(twin, all.end()) << info.name;
    if (make_kernel("expr: " + twin->expression, twin->parameters)->measure(4)->exact_total_variation()) ++n_variations;
  }
  EXPECT_GE(n_variations + 1, kernel_registry().size() - 1) << "all but a radial kernel of both signs, and shifted:NAME";
}

// Mean errors over 40 draws of 64 frequencies, within 5 of their joint standard errors: 1e-5 for each by Student's law, 2e-4 in all.
TEST(Expression, FeaturesAreAsExactAsThoseOfTheClosedForm) {
  const Matrix<double> X = uniform_matrix(40, 4, 5);
  for (const Twin& twin : twins()) {
    const auto ours = make_kernel("expr: " + twin.expression, twin.parameters), theirs = make_kernel(twin.kernel, twin.kernel_parameters);
    Moments errors[2];
    for (std::uint64_t trial = 0; trial < 40; ++trial)
      for (const bool mine : {false, true}) {
        const ApproximateOptions options{.n_frequencies = 64, .estimator = Estimator::polar, .seed = derive_seed(17, 2 * trial + mine)};
        const auto atoms = approximate(mine ? *ours : *theirs, 4, options);
        errors[mine].add(approximation_error(*theirs, FeatureMap(atoms), X, X).frobenius);
      }
    const double off = std::hypot(errors[0].standard_error(), errors[1].standard_error());
    EXPECT_NEAR(errors[1].mean, errors[0].mean, 5 * off) << twin.expression;
  }
}

// The route is part of the name: it is kept wherever the name is.
TEST(Expression, ARouteCanBeForced) {
  const auto reason = [](const std::string& name, std::size_t dim) { return make_kernel(name)->measure_reason(dim); };
  EXPECT_TRUE(reason("expr: exp(-r^2)", 3).starts_with("product"));
  EXPECT_TRUE(reason("expr(route=auto): exp(-r^2)", 3).starts_with("product"));
  EXPECT_TRUE(reason("expr(route=radial): exp(-r^2)", 3).starts_with("radial"));
  EXPECT_TRUE(reason("expr(route=grid): exp(-r^2)", 2).starts_with("grid"));
  EXPECT_EQ(reason("expr(route=calibrated): exp(-r^2)", 3), "the route calibrated was asked for, which has no transform");
  EXPECT_EQ(make_kernel("expr(route=calibrated): exp(-r^2)")->measure(3), nullptr);
  EXPECT_EQ(make_kernel("expr(route=radial):exp(-r^2)")->name(), "expr(route=radial):exp(-r^2)");
  EXPECT_NE(refusal_text([&] { reason("expr(route=radial): exp(-abs(x))", 3); }).find("the route radial does not fit"), std::string::npos);
  EXPECT_NE(refusal("expr(route=square): exp(-r)").find("expression: route: got 'square', expected auto, product"), std::string::npos);
  for (const char* name : {"expr(radial): exp(-r)", "expr(route=radial) exp(-r)", "expr(route=radial", "expr("})
    EXPECT_NE(refusal(name).find("expected expr: or expr(route=WORD): before the formula"), std::string::npos) << name;
  EXPECT_NE(refusal("expr(route=radial): exp(-*r)").find("column 6"), std::string::npos);
}

// A number for each coordinate: the same as a row of scaled coordinates.
TEST(Expression, TakesAVectorOfWidths) {
  const auto kernel = make_kernel("expr: exp(-abs(x + 0.1)/s)", {{"s", CoordinateParameter(widths)}});
  const std::vector<double> delta = {0.3, -0.4, 0.5, 2};
  double exponent = 0;
  for (std::size_t c = 0; c < 4; ++c) exponent += std::fabs(delta[c] + 0.1) / widths[c];
  EXPECT_NEAR((*kernel)(delta), std::exp(-exponent), 1e-15);
  EXPECT_FALSE(kernel->symmetric());
}

// Any part of a matrix of values, of dense rows and of sparse ones where they go the same way, one difference alone, on every backend.
TEST(Expression, ValuesDependOnTheirRowsAlone) {
  const Matrix<double> X = random_matrix(9, 4, 3), Y = random_matrix(1100, 4, 4);
  for (const Twin& twin : twins()) {
    const auto kernel = make_kernel("expr: " + twin.expression, twin.parameters);
    for (const Backend backend : {Backend::reference, Backend::simd}) {
      Matrix<double> whole(9, 1100), part(2, 301);
      kernel->evaluate_pairs(X, Y, whole, backend);
      kernel->evaluate_pairs(X.view().middle_rows(3, 2), Y.view().middle_rows(505, 301), part, backend);
      for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 301; ++j) ASSERT_EQ(part(i, j), whole(3 + i, 505 + j)) << twin.expression;
    }
    Matrix<double> whole(9, 1100);
    kernel->evaluate_pairs(X, Y, whole);
    std::vector<double> delta(4);
    for (std::size_t c = 0; c < 4; ++c) delta[c] = X(5, c) - Y(77, c);
    EXPECT_NEAR((*kernel)(delta), whole(5, 77), 1e-14 * std::max(1.0, std::fabs(whole(5, 77)))) << twin.expression;
  }
}

TEST(Expression, SparseRowsGiveTheValuesOfDenseOnes) {
  Matrix<double> X = random_matrix(11, 4, 5), Y = random_matrix(23, 4, 6);
  for (std::size_t i = 0; i < 11; ++i) X(i, i % 4) = 0;
  for (std::size_t j = 0; j < 23; ++j) Y(j, (j / 2) % 4) = 0;
  const auto x = SparseMatrix<double>::of(X), y = SparseMatrix<double>::of(Y);
  for (const Twin& twin : twins()) {
    const auto kernel = make_kernel("expr: " + twin.expression, twin.parameters);
    Matrix<double> dense(11, 23), sparse(11, 23), moved(11, 23);
    kernel->evaluate_pairs(X, Y, dense);
    kernel->evaluate_any_pairs(x.view(), y.view(), sparse);
    for (std::size_t k = 0; k < 11 * 23; ++k)
      EXPECT_NEAR(sparse.data()[k], dense.data()[k], 1e-12 * std::max(1.0, std::fabs(dense.data()[k]))) << twin.expression;
    kernel->evaluate_sparse_pairs(x.view(), y.view(), shift, moved);
    Matrix<double> X_moved = X;
    for (std::size_t i = 0; i < 11; ++i)
      for (std::size_t c = 0; c < 4; ++c) X_moved(i, c) += shift[c];
    kernel->evaluate_pairs(X_moved, Y, dense);
    for (std::size_t k = 0; k < 11 * 23; ++k)
      EXPECT_NEAR(moved.data()[k], dense.data()[k], 1e-12 * std::max(1.0, std::fabs(dense.data()[k]))) << twin.expression;
  }
}

// Exponents that are added up and factors that are multiplied by themselves may leave the doubles where their products do not. A rounding
// for each coordinate: 3000 times 2^-52 and some.
TEST(Expression, ProductsOfManyCoordinatesStayInRange) {
  const auto value = [](const std::string& formula, double delta, std::size_t dim) {
    return (*make_kernel("expr: " + formula))(std::vector<double>(dim, delta));
  };
  for (const std::size_t dim : {1u, 10u, 100u, 300u, 1000u, 3000u}) {
    const double n = static_cast<double>(dim);
    EXPECT_NEAR(value("exp(5)*exp(-abs(x))*e^-5", 0.01, dim), std::exp(-0.01 * n), 1e-11 * std::exp(-0.01 * n));
    EXPECT_NEAR(value("exp(5 - abs(x))*(0.006737946999085467 + 0*x)", 0.01, dim), std::exp(-0.01 * n), 1e-11 * std::exp(-0.01 * n)) << dim;
    EXPECT_NEAR(value("exp(-5 - abs(x))*(148.4131591025766 + 0*x)", 0.01, dim), std::exp(-0.01 * n), 1e-11 * std::exp(-0.01 * n)) << dim;
  }
  EXPECT_EQ(value("exp(-x^2)*(2 + x^2)", 40, 3000), 0);
  // Blocks where only some values are out of range give the others the bits they have alone.
  const auto kernel = make_kernel("expr: exp(5 - abs(x))*(0.006737946999085467 + 0*x)");
  Matrix<double> X(1, 200), Y = random_matrix(50, 200, 8), together(1, 50), alone(1, 1);
  for (std::size_t j = 0; j < 50; j += 3)
    for (double& each : Y.row(j)) each *= 1e-3;
  kernel->evaluate_pairs(X, Y, together);
  for (std::size_t j = 0; j < 50; ++j) {
    kernel->evaluate_pairs(X, Y.view().middle_rows(j, 1), alone);
    EXPECT_EQ(alone(0, 0), together(0, j)) << j;
  }
}

// Powers of powers of powers: as many parts as the formula has, not as many as its product written out would have, 2^90.
TEST(Expression, NestedPowersStaySmall) {
  std::string formula = "x", radial = "r";
  for (int level = 0; level < 30; ++level) {
    formula = "(" + formula + ")^8";
    radial = "(" + radial + ")^8";
  }
  const double big = (*make_kernel("expr: exp(-" + formula + ")"))(std::vector<double>{0.5, 0.25});
  EXPECT_EQ(big, 1);
  EXPECT_EQ((*make_kernel("expr: " + formula))(std::vector<double>{1, -1}), 1);
  EXPECT_EQ((*make_kernel("expr: exp(-" + radial + ")"))(std::vector<double>{0.5, 0.25}), 1);
}

TEST(Expression, SymmetryIsSeen) {
  const auto symmetric = [](const std::string& formula, const ParameterValues& values = {}) {
    return make_kernel("expr: " + formula, values)->symmetric();
  };
  EXPECT_TRUE(symmetric("exp(-abs(x))"));
  EXPECT_TRUE(symmetric("cos(3*x)*exp(-x^2)"));
  EXPECT_TRUE(symmetric("exp(-r)*(1 - r)"));
  EXPECT_TRUE(symmetric("exp(-r^2)*cos(t)", {{"a", 1.0}}));
  EXPECT_TRUE(symmetric("exp(-(x1 - 2*x2)^2 - x3^2)"));
  EXPECT_TRUE(symmetric("exp(-x^2)*(exp(x) + exp(-x))"));
  EXPECT_TRUE(symmetric("1/(x^4 + 1e-40)*exp(-x^2)"));
  EXPECT_FALSE(symmetric("exp(-abs(x + 0.3))"));
  EXPECT_FALSE(symmetric("exp(-x^2)*(1 + 1e-6*x)"));
  EXPECT_TRUE(symmetric("exp(-(x1^2 + x9^2)/d)"));
  EXPECT_FALSE(symmetric("exp(-(x9 - 0.5)^2/d)"));  // has no values in fewer dimensions
  EXPECT_FALSE(symmetric("exp(-(x300 - 0.5)^2/d)"));
  EXPECT_FALSE(symmetric("x*exp(-x^2)"));  // in an even number of dimensions alone
  EXPECT_FALSE(symmetric("exp(-r^2)*(1 + 0.1*sin(t))", {{"a", CoordinateParameter{0.5, -1e-3}}}));
  EXPECT_FALSE(symmetric("exp(-x1^2 - x2^2 - x1*x2^2*exp(-x2^2))"));
  EXPECT_FALSE(symmetric("exp(-abs(x)/s)*(x > 0 ? 1 : 0.5)", {{"s", 1e-9}}));
  EXPECT_FALSE(symmetric("exp(-(x - 1000)^2/(2*w^2))", {{"w", 0.5}}));  // next to 0 wherever no number tells to look
  EXPECT_FALSE(symmetric("exp(-(x - b)^2/(2*0.01^2))", {{"b", 7.123}}));
  EXPECT_FALSE(symmetric("f(x)", {{"f", CoordinateParameter::list({-1, 0, 0, 1, 2, 0})}}));
  EXPECT_TRUE(symmetric("f(abs(x))", {{"f", CoordinateParameter::list({-1, 0, 0, 1, 2, 0})}}));
}

TEST(Expression, ParametersAreThoseNamesThatMeanNothingElse) {
  const auto parameters = kernel_parameters("expr: f(r)*exp(-t/width) + pi*e*d*amplitude");
  ASSERT_EQ(parameters.size(), 4u);
  EXPECT_EQ(parameters[0].name, "f");
  EXPECT_TRUE(parameters[0].is_table);
  EXPECT_EQ(parameters[1].name, "width");
  EXPECT_FALSE(parameters[1].per_coordinate);
  EXPECT_EQ(parameters[2].name, "amplitude");
  EXPECT_EQ(parameters[3].name, "a");
  EXPECT_TRUE(parameters[3].per_coordinate);
  EXPECT_TRUE(kernel_parameters("expr: exp(-x/s)")[0].per_coordinate);
  for (const ParameterInfo& parameter : parameters) EXPECT_TRUE(parameter.is_required);
}

TEST(Expression, RefusalsSayWhereAndWhatWasExpected) {
  EXPECT_EQ(refusal("expr: exp(-x/s)"), "expression, column 8: s is no variable and has no value, expected a parameter s");
  EXPECT_EQ(refusal("expr:exp(-f(x))"), "expression, column 6: f is no function of the language and no table was given");
  EXPECT_NE(refusal("expr: exp(-t)").find("column 6: a is no variable and has no value"), std::string::npos);
  EXPECT_NE(refusal("expr: exp(-x*r)").find("column 8: got r beside x"), std::string::npos);
  EXPECT_NE(refusal("expr: exp(-x*x2)").find("column 8: got x2 beside x"), std::string::npos);
  EXPECT_NE(refusal("expr: exp(-x0)").find("column 6: got x0, expected x1"), std::string::npos);
  EXPECT_NE(refusal("expr: exp(-x55455555555)").find("column 6: got x55455555555, expected a coordinate up to x65536"), std::string::npos);
  EXPECT_NE(refusal("expr: 1 + 2*d").find("column 1: there is no variable"), std::string::npos);
  EXPECT_NE(refusal("expr: exp(-y*y)").find("column 6: there is no variable, expected x, x1, x2, …, r or t (y is a parameter)"),
            std::string::npos);
  EXPECT_NE(refusal("expr:").find("column 1: the expression ends"), std::string::npos);
  EXPECT_NE(refusal("expr: a*t", {{"a", 1.0}}).find("column 1: got a beside t"), std::string::npos);
  EXPECT_NE(refusal("expr: r(2)").find("r is no function"), std::string::npos);
  EXPECT_NE(refusal("expr: exp(-r)", {{"s", 1.0}}).find("has no parameter 's', it has none"), std::string::npos);
  EXPECT_NE(refusal("expr: exp(-r/s)", {{"s", CoordinateParameter{1, 2}}}).find("s is 1,2, expected one number"), std::string::npos);
  EXPECT_NE(refusal("expr: exp(-r/s)", {{"s", std::nan("")}}).find("finite"), std::string::npos);
  EXPECT_NE(refusal("expr: exp(-x/s)", {{"s", CoordinateParameter{1, 2}}}, 3).find("s has 2 values, the data has dimension 3"),
            std::string::npos);
  EXPECT_NE(refusal("expr: exp(-x3^2)", {}, 2).find("it has x3, the data has dimension 2"), std::string::npos);
  EXPECT_NE(refusal("expr: exp(-r/s)", {{"s", 0.0}}).find("column 7: the constant is inf"), std::string::npos);
  EXPECT_NE(refusal("expr: f(x)", {{"f", 1.0}}).find("table f: 1 numbers"), std::string::npos);
  EXPECT_NE(refusal("expr: exp(-x/s)", {{"s", CoordinateParameter::list({1, 2})}}).find("s is a table, expected a number"),
            std::string::npos);
  EXPECT_NE(refusal("expr: log(r)", {}, 2).find("it is -inf where x - y = (0, 0), expected a finite number everywhere"), std::string::npos);
  EXPECT_NE(refusal("expr: sqrt(x - 1)", {}, 1).find("kernel expr: sqrt(x - 1): it is nan where x - y = (0)"), std::string::npos);
  EXPECT_NE(refusal("shifted:expr: exp(-r)", {{"shift", 0.3}}).find("a formula is not shifted; write the shift into it"),
            std::string::npos);
  EXPECT_NE(refusal("expr: exp(-x99999999999999999999)").find("column 6: got x99999999999999999999, expected a coordinate up to x65536"),
            std::string::npos);
  const std::string lengthy(1000, 'q');
  EXPECT_LT(refusal("expr: exp(-r)", {{lengthy, 1.0}}).size(), 200u);
  EXPECT_LT(refusal("expr(route=" + lengthy + "): exp(-r)").size(), 200u);
  EXPECT_NE(refusal("exp(-r)").find("or expr: and a formula"), std::string::npos);
  const auto kernel = make_kernel("expr: exp(-r)");
  EXPECT_THROW(kernel->at_zero(0), InvalidArgument);
  Matrix<double> out(2, 2);
  EXPECT_THROW(kernel->evaluate_pairs(Matrix<double>(2, 3), Matrix<double>(2, 4), out), InvalidArgument);
  EXPECT_THROW(kernel->evaluate_pairs(Matrix<double>(2, 3), Matrix<double>(3, 3), out), InvalidArgument);
  std::vector<double> values(3);
  EXPECT_THROW(kernel->evaluate(Matrix<double>(2, 3), values), InvalidArgument);
}

// Rows that are not finite are the caller's business, as with other kernels; far ones have their value.
TEST(Expression, KnowsRowsOfAnySize) {
  const auto radial = make_kernel("expr: exp(-r^2)"), product = make_kernel("expr: exp(-abs(x))");
  for (const double far : {1e3, 1e100, 1e160, 1e300}) {
    EXPECT_EQ((*radial)(std::vector<double>{far, -far}), 0);
    EXPECT_EQ((*product)(std::vector<double>{far, -far}), 0);
  }
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ((*product)(std::vector<double>{infinity, 0}), 0);
  EXPECT_TRUE(std::isnan((*product)(std::vector<double>{std::nan(""), 0})));
  EXPECT_NO_THROW(product->evaluate_pairs(Matrix<double>(0, 2), Matrix<double>(3, 2), Matrix<double>(0, 3).view()));
}

TEST(Expression, IsFittedAsItWasGiven) {
  const Matrix<double> X = random_matrix(50, 2, 9);
  const NamedKernel fitted = fitted_kernel({"expr: exp(-r/sigma)", {{"sigma", 0.3}}}, X.view(), 1);
  ASSERT_EQ(fitted.parameters.size(), 1u);
  EXPECT_EQ(fitted.parameters[0].second.scalar(), 0.3);
  EXPECT_THROW(fitted_kernel({"expr: exp(-r/sigma)"}, X.view(), 1), InvalidArgument);
  const NamedKernel table = named_kernel("expr: f(r)", {{"f", CoordinateParameter{0, 1, 2, 0}}});  // a plain vector will do
  EXPECT_TRUE(table.parameters[0].second.is_list());
  EXPECT_NO_THROW(fitted_kernel({"expr: f(r)", {{"f", CoordinateParameter{0, 1, 2, 0}}}}, X.view(), 1));
}

/// Of tables with knots at places that no halving of panels meets, in arguments of several kinds.
TEST(Expression, MeasuresWithTablesAreAsNearAsOthers) {
  std::vector<double> pairs;
  for (int i = 0; i <= 20; ++i) {
    const double x = -1 + 0.15 * i;
    pairs.insert(pairs.end(), {x, std::pow((x + 1) * (2 - x), 2) * std::exp(-x)});
  }
  const ParameterValues table = {{"f", CoordinateParameter::list(pairs)}};
  for (const char* name : {"expr: f(x)", "expr: f(0.7*x + 0.1)", "expr: f(x)*exp(-x^2)", "expr: f(2*atan(x))"}) {
    SCOPED_TRACE(name);
    const auto kernel = make_kernel(name, table);
    const std::vector<double> extent = {1.0};
    const auto chosen = choose_grid(*kernel, extent, {.tolerance = 1e-5});  // which a measure that is not known as well as that refuses
    EXPECT_LE(chosen.truncation + chosen.aliasing, 1e-5);
  }
}

TEST(Expression, WordsHaveMeanings) {
  EXPECT_GE(expression_functions().size(), 25u);
  EXPECT_EQ(expression_variables()[0].name, "x");
  for (const ExpressionWord& word : expression_functions()) EXPECT_FALSE(word.meaning.empty()) << word.name;
}

}  // namespace
}  // namespace askrff::test
