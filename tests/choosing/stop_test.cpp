// The search for a map that is stopped in the middle.
#include <gtest/gtest.h>

#include "askrff/choose.hpp"
#include "askrff/kernels.hpp"
#include "support/random_inputs.hpp"
#include "support/stopping.hpp"

namespace askrff::test {
namespace {

TEST(Stop, ChooseFeatures) {
  const Matrix<double> X = uniform_matrix(8000, 20, 1);
  for (const int milliseconds : {200, 1200, 3000})
    expect_stops(
        [&](const Execution& execution) {
          choose_features(shift_gaussian({.sigma = 2.0}), X, {.n_frequencies = 4096, .execution = execution});
        },
        std::chrono::milliseconds(milliseconds));
}

}  // namespace
}  // namespace askrff::test
