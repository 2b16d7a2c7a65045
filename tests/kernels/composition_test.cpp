// Sums and products of kernels: values, properties and measures, and their text.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/errors.hpp"
#include "askrff/kernels.hpp"
#include "askrff/measure.hpp"
#include "askrff/operators.hpp"
#include "askrff/pair_kernel.hpp"
#include "support/catalogue.hpp"
#include "support/random_inputs.hpp"
#include "support/sparse_rows.hpp"

namespace askrff::test {
namespace {

std::shared_ptr<const Kernel> shared(const std::string& name, const ParameterValues& values = {}) { return make_kernel(name, values); }

std::string error_of(const std::string& text, const ParameterValues& values = {}) {
  try {
    make_kernel(text, values);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(Composition, ValuesAreThoseOfTheFormula) {
  const auto g = gaussian({.sigma = 0.5}), s = shift_gaussian({.sigma = 1, .shift = {0.1, 0.2}}), l = laplacian({.sigma = 3}),
             m = matern_3_2({.sigma = 2});
  const auto a = make_kernel("gaussian(sigma=0.5) + 0.3*shift-gaussian(sigma=1, shift=[0.1,0.2])");
  const auto b = make_kernel("-2*(gaussian(sigma=0.5)-laplacian(sigma=3))*matern-3/2*1e-1");
  const auto c = make_kernel(" ( gaussian(sigma=.5) * laplacian(sigma=3) * shift-gaussian(shift=[0.1,0.2],sigma=1) ) ");
  const auto d = make_kernel("gaussian(sigma=0.5)-laplacian(sigma=3)");
  const auto e = make_kernel("shifted:laplacian(sigma=3,shift=2/d)--0.5*gaussian(sigma=0.5)");
  for (std::uint64_t i = 0; i < 20; ++i) {
    const auto x = random_difference(2, i, 0.7);
    EXPECT_NEAR((*a)(x), (*g)(x) + 0.3 * (*s)(x), 1e-15);
    EXPECT_NEAR((*b)(x), -0.2 * ((*g)(x) - (*l)(x)) * (*m)(x), 1e-15);
    EXPECT_NEAR((*c)(x), (*g)(x) * (*l)(x) * (*s)(x), 1e-15);
    EXPECT_NEAR((*d)(x), (*g)(x) - (*l)(x), 1e-15);
    const std::vector<double> moved{x[0] + 1, x[1] + 1};
    EXPECT_NEAR((*e)(x), (*l)(moved) + 0.5 * (*g)(x), 1e-15);
  }
  EXPECT_EQ(a->name(), "gaussian + 0.3*shift-gaussian");
}

TEST(Composition, PairsOfBothKindsAreTheValues) {
  for (const char* text :
       {"gaussian + 0.3*shift-gaussian - 0.1*laplacian", "gaussian*(cauchy + matern-5/2)*causal-gamma", "periodic-gaussian*gabor"}) {
    const auto kernel = make_kernel(text);
    const auto X = rows_with_zeros<double>(301, 5, 0.4, 1), Y = rows_with_zeros<double>(17, 5, 0.3, 2);
    Matrix<double> dense(301, 17), sparse(301, 17);
    kernel->evaluate_pairs(X, Y, dense.view());
    kernel->evaluate_any_pairs(SparseMatrix<double>::of(X).view(), SparseMatrix<double>::of(Y).view(), sparse.view());
    std::vector<double> delta(5);
    for (std::size_t i = 0; i < X.rows(); i += 20)
      for (std::size_t j = 0; j < Y.rows(); ++j) {
        for (std::size_t c = 0; c < 5; ++c) delta[c] = X(i, c) - Y(j, c);
        EXPECT_NEAR(dense(i, j), (*kernel)(delta), 1e-14) << text;
        EXPECT_NEAR(sparse(i, j), (*kernel)(delta), 1e-13) << text;
      }
    Matrix<double> small(300, 17);
    EXPECT_THROW(kernel->evaluate_pairs(X, Y, small.view()), InvalidArgument);
    EXPECT_THROW(kernel->evaluate_pairs(X, Matrix<double>(17, 4), dense.view()), InvalidArgument);
  }
}

TEST(Composition, PropertiesFollowByRule) {
  struct Case {
    const char* text;
    bool symmetric, positive_definite;
  };
  for (const Case& each :
       {Case{"gaussian + 2*laplacian", true, true}, Case{"gaussian - 2*laplacian", true, false},
        Case{"gaussian*laplacian*cauchy", true, true}, Case{"gaussian*difference-of-gaussians", true, false},
        Case{"gaussian + sinh-gaussian", false, false}, Case{"(gaussian + laplacian)*3*matern-1/2", true, true},
        Case{"-gaussian", true, false}, Case{"-(-gaussian)", true, true}, Case{"gabor(phase=0)*gaussian", true, false}}) {
    EXPECT_EQ(make_kernel(each.text)->symmetric(), each.symmetric) << each.text;
    EXPECT_EQ(make_kernel(each.text)->positive_definite(), each.positive_definite) << each.text;
  }
}

TEST(Composition, MassesOfOneSignAddUpAndMultiply) {
  const Masses sum = exact_masses(*make_kernel("2*gaussian + 0.5*laplacian")->measure(3));
  EXPECT_DOUBLE_EQ(sum.real_positive, 2.5);
  EXPECT_DOUBLE_EQ(sum.total_variation, 2.5);
  const Masses product = exact_masses(*make_kernel("(2*gaussian + 0.5*laplacian)*3*cauchy")->measure(3));
  EXPECT_DOUBLE_EQ(product.real_positive, 7.5);
  EXPECT_DOUBLE_EQ(product.total_variation, 7.5);
  const auto measure = make_kernel("3*gaussian(sigma=2)*cauchy(sigma=1)")->measure(2);
  EXPECT_DOUBLE_EQ(*measure->exact_moments(Part::real_positive)->second_moment, 2 * 0.25 + 2 * 2.0);
  // A multiple, of either sign, of a kernel with three parts.
  const Masses one = exact_masses(*shift_gaussian()->measure(2)), twice = exact_masses(*make_kernel("-2*shift-gaussian")->measure(2));
  EXPECT_DOUBLE_EQ(twice.real_negative, 2 * one.real_positive);
  EXPECT_DOUBLE_EQ(twice.real_positive, 2 * one.real_negative);
  EXPECT_DOUBLE_EQ(twice.imaginary_positive, 2 * one.imaginary_positive);
  EXPECT_DOUBLE_EQ(twice.total_variation, 2 * one.total_variation);
  // A difference: only the imaginary part is known, that of the one term that has any.
  const auto mixed = make_kernel("sinh-gaussian - 0.5*laplacian")->measure(1);
  EXPECT_FALSE(mixed->exact_moments(Part::real_positive));
  EXPECT_FALSE(mixed->exact_total_variation());
  EXPECT_DOUBLE_EQ(mixed->exact_moments(Part::imaginary_positive)->mass, exact_masses(*sinh_gaussian()->measure(1)).imaginary_positive);
}

// Parameters and parentheses make no other kernel of one that stands alone.
TEST(Composition, OneKernelKeepsItsMeasure) {
  const auto alone = gabor({.sigma = 0.5, .wave = 2, .phase = 0.3})->measure(2);
  const std::string text = "gabor(sigma=0.5, wave=2, phase=0.3)";
  const std::shared_ptr<const Kernel> kernel = make_kernel(text);
  EXPECT_EQ(kernel->name(), "gabor");
  for (const auto& measure :
       {kernel->measure(2), make_kernel("(" + text + ")")->measure(2), make_kernel("2*(0.5*" + text + ")")->measure(2),
        product_of({kernel})->measure(2), sum_of({{1, kernel}})->measure(2)}) {
    EXPECT_EQ(measure->exact_total_variation(), alone->exact_total_variation());
    for (const Part part : all_parts) {
      const auto moments = measure->exact_moments(part), expected = alone->exact_moments(part);
      ASSERT_EQ(moments.has_value(), expected.has_value());
      if (moments) {
        EXPECT_EQ(moments->mass, expected->mass);
      }
    }
    EXPECT_EQ(measure->density(std::vector<double>{1.5, 2}), alone->density(std::vector<double>{1.5, 2}));
  }
}

TEST(Composition, KernelsOfPairsMakeKernelsOfPairs) {
  const std::shared_ptr<const Kernel> pairs =
      pair_kernel([](MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out) {
        for (std::size_t i = 0; i < X.rows(); ++i)
          for (std::size_t j = 0; j < Y.rows(); ++j) out(i, j) = 1 + X(i, 0) * X(i, 0) * Y(j, 1);
      });
  const auto sum = sum_of({{2, pairs}, {1, shared("gaussian")}}), product = product_of({shared("gaussian"), pairs}),
             stretched = scaled(product_of({pairs}), CoordinateParameter(2.0));
  const Matrix<double> X = random_matrix(7, 2, 1), Y = random_matrix(5, 2, 2);
  const Matrix<double> of_pairs = exact_gram(*pairs, X, Y), gaussian = exact_gram(*shared("gaussian"), X, Y),
                       of_sum = exact_gram(*sum, X, Y), of_product = exact_gram(*product, X, Y);
  for (std::size_t i = 0; i < 7; ++i)
    for (std::size_t j = 0; j < 5; ++j) {
      EXPECT_DOUBLE_EQ(of_sum(i, j), 2 * of_pairs(i, j) + gaussian(i, j));
      EXPECT_DOUBLE_EQ(of_product(i, j), of_pairs(i, j) * gaussian(i, j));
    }
  for (const Kernel* kernel : {sum.get(), product.get(), stretched.get()}) {
    EXPECT_FALSE(kernel->shift_invariant());
    EXPECT_EQ(kernel->measure(2), nullptr);
  }
  EXPECT_TRUE(make_kernel("gaussian + laplacian")->shift_invariant());
}

// What quadrature makes of a sum's density, against the registered kernel that is the same sum.
TEST(Composition, ADifferenceOfGaussiansByText) {
  const auto by_text = make_kernel("gaussian(sigma=2) - 0.5*gaussian(sigma=4)")->measure(1),
             registered = difference_of_gaussians()->measure(1);
  const Masses found = quadrature_masses(*by_text), exact = exact_masses(*registered);
  for (const Part part : all_parts) EXPECT_NEAR(found.of(part), exact.of(part), 1e-9);
  const double omega = 0.3;
  EXPECT_NEAR(by_text->density(std::span(&omega, 1)).real(), registered->density(std::span(&omega, 1)).real(), 1e-15);
}

TEST(Composition, ErrorsNameThePosition) {
  const std::pair<const char*, const char*> cases[] = {
      {"gaussian + ", "at character 12, got the end, expected a number, '(' or the name of a kernel"},
      {"gaussian + gausian", "at character 12, got 'gausian'"},
      {"gaussian * (laplacian", "at character 22, got the end, expected ')'"},
      {"gaussian(sigma=)", "at character 16, got ')', expected a finite number"},
      {"gaussian(sigma 2)", "at character 16, got '2', expected '='"},
      {"gaussian(sigma=1,sigma=2)", "at character 18, got 'sigma' twice"},
      {"gaussian(beta=1)", "kernel 'gaussian' at character 1: kernel gaussian has no parameter 'beta'"},
      {"2*gaussian(sigma=-1)", "kernel 'gaussian' at character 3: gaussian: sigma is -1"},
      {"gaussian + 1", "at character 10, got a kernel plus a number"},
      {"(2*3)", "got the number 6, expected a kernel"},
      {"0*gaussian", "at character 2, got a weight of 0"},
      {"1e200*gaussian", "got a weight of 1e+200"},
      {"1e999*gaussian", "at character 1, got '1', expected a finite number"},
      {"gaussian)", "at character 9, got ')', expected +, -, * or the end"},
      {"gaussian(shift=[1,2)", "at character 20, got ')', expected ']'"},
      {"gaussian + \xff", "at character 12"},
      {"shifted:sinh-gaussian + gaussian", "only a symmetric kernel can be shifted"},
  };
  for (const auto& [text, part] : cases) EXPECT_NE(error_of(text).find(part), std::string::npos) << text << ": " << error_of(text);
  EXPECT_NE(error_of("gaussian + laplacian", {{"sigma", 2.0}}).find("has no parameter 'sigma'"), std::string::npos);
  EXPECT_NE(error_of("gausian").find("unknown kernel 'gausian'"), std::string::npos);
}

TEST(Composition, HostileTextsAreRefused) {
  EXPECT_NE(error_of(std::string(20'000, '(')).find("expected at most 10000"), std::string::npos);
  EXPECT_NE(error_of(std::string(5000, '(') + "gaussian").find("at most 50 levels"), std::string::npos);
  EXPECT_NE(error_of(std::string(5000, '-') + "gaussian").find("at most 50 levels"), std::string::npos);
  std::string many = "gaussian";
  for (int i = 0; i < 200; ++i) many += "+gaussian";
  EXPECT_NE(error_of(many).find("at most 100"), std::string::npos);
  std::string zeros("gaussian+\0gaussian", 18);
  EXPECT_NE(error_of(zeros), "no error");
  for (const char* formula : {"gaussian + expr: exp(-r)", "gaussian * expr(route=radial): exp(-r)"})
    EXPECT_NE(error_of(formula).find("a formula stands alone"), std::string::npos) << error_of(formula);
}

TEST(Composition, ByNameWithScalesAndInFilesOfNames) {
  const auto kernel = make_kernel("gaussian*laplacian", {{"scales", {2.0, 0.5}}});
  const std::vector<double> delta{0.6, 0.3}, over{0.3, 0.6};
  EXPECT_DOUBLE_EQ((*kernel)(delta), (*make_kernel("gaussian*laplacian"))(over));
  const NamedKernel named = named_kernel("gaussian + laplacian");
  EXPECT_EQ(named.name, "gaussian + laplacian");
  EXPECT_TRUE(named.parameters.empty());
  const NamedKernel fitted = fitted_kernel("gaussian + laplacian", random_matrix(20, 2, 1), 1);  // nothing to stretch
  EXPECT_TRUE(fitted.parameters.empty());
}

TEST(Composition, FactoriesRefuse) {
  EXPECT_THROW(sum_of({}), InvalidArgument);
  EXPECT_THROW(sum_of({{1, nullptr}}), InvalidArgument);
  EXPECT_THROW(sum_of({{0, shared("gaussian")}}), InvalidArgument);
  EXPECT_THROW(sum_of({{std::nan(""), shared("gaussian")}}), InvalidArgument);
  EXPECT_THROW(product_of({}), InvalidArgument);
  EXPECT_THROW(product_of({nullptr}), InvalidArgument);
}

}  // namespace
}  // namespace askrff::test
