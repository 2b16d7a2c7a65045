// Nyström maps that are stopped in the middle, wherever they are.
#include <gtest/gtest.h>

#include "askrff/kernels.hpp"
#include "askrff/nystrom.hpp"
#include "landmarks/factors.hpp"
#include "support/random_inputs.hpp"
#include "support/stopping.hpp"

namespace askrff::test {
namespace {

TEST(Stop, Nystrom) {
  const Matrix<double> X = uniform_matrix(8192, 8, 1);
  for (const int milliseconds : {100, 700, 1500})
    expect_stops(
        [&](const Execution& execution) {
          nystrom(shift_gaussian({.sigma = 0.3}), X, {.n_features = 1024, .n_landmarks = 3072, .execution = execution});
        },
        std::chrono::milliseconds(milliseconds));
}

TEST(Stop, SingularValues) {
  for (const auto& [size, rank] : {std::pair{2048, 2048}, std::pair{4096, 1500}}) {  // all of them, and those of a projection
    const Matrix<double> A = uniform_matrix(static_cast<std::size_t>(size), static_cast<std::size_t>(size), 2);
    for (const int milliseconds : {300, 2000, 5000})
      expect_stops([&, n = static_cast<std::size_t>(rank)](const Execution& execution) { landmarks::truncated_svd(A, n, 1, execution); },
                   std::chrono::milliseconds(milliseconds));
  }
}

}  // namespace
}  // namespace askrff::test
