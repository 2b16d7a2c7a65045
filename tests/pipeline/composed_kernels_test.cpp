// Maps of the named families, of kernels with scales and of composed ones: made with defaults, kept in files, the same features again.
#include <gtest/gtest.h>

#include "askrff/map.hpp"
#include "support/catalogue.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {
namespace {

void expect_same_after_bytes(const KernelChoice& choice, Estimator estimator) {
  const auto X = random_matrix(300, 3, 5);
  const Map map = make_map(choice, X, {.estimator = estimator, .n_features = 64});
  const Map again = Map::from_bytes(map.to_bytes());
  EXPECT_EQ(again.to_bytes(), map.to_bytes());
  EXPECT_EQ(again.content().kernel.name, choice.name);
  const auto Y = random_matrix(7, 3, 6);
  const Matrix<double> before = map.left(MatrixView<const double>(Y)), after = again.left(MatrixView<const double>(Y));
  for (std::size_t i = 0; i < before.rows() * before.cols(); ++i) ASSERT_EQ(before.data()[i], after.data()[i]);
}

TEST(ComposedKernels, MapsComeBackFromBytes) {
  const ParameterValues scales{{"scales", {1.0, 2.0, 0.5}}};
  const KernelChoice choices[] = {{"gaussian", scales},
                                  {"shift-gaussian", scales},
                                  {"gaussian(sigma=0.9) + 0.3*shift-gaussian(sigma=1, shift=[0.1,0.2,0.3])", {}},
                                  {"laplacian*(gaussian - 0.5*cauchy)", scales}};
  for (const KernelChoice& choice : choices)
    for (const Estimator estimator : {Estimator::fourier, Estimator::nystrom}) {
      SCOPED_TRACE(choice.name);
      expect_same_after_bytes(choice, estimator);
    }
}

TEST(ComposedKernels, DefaultsServeTheNamedFamilies) {
  for (const char* name :
       {"rational-quadratic", "generalised-cauchy", "exponential-power", "periodic-gaussian", "gabor", "skew-normal", "causal-gamma"})
    for (const Estimator estimator : {Estimator::automatic, Estimator::fourier, Estimator::nystrom}) {
      SCOPED_TRACE(name);
      expect_same_after_bytes(name, estimator);
    }
}

}  // namespace
}  // namespace askrff::test
