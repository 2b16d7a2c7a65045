// Distances of wide rows take their time, and are stopped.
#include <gtest/gtest.h>

#include "askrff/kernels.hpp"
#include "support/random_inputs.hpp"
#include "support/stopping.hpp"

namespace askrff::test {
namespace {

TEST(Stop, MedianDistance) {
  const Matrix<double> X = uniform_matrix(300, 20'000, 1);
  expect_stops([&](const Execution& execution) { median_distance(X, 1, Distance::euclidean, 2'000'000, execution.stop); });
}

}  // namespace
}  // namespace askrff::test
