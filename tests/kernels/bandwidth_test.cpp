// median_distance: the median of what it says, and why there is none.
#include "askrff/kernels.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "askrff/errors.hpp"

namespace askrff::test {
namespace {

std::string refusal(const Matrix<double>& X, std::size_t n_pairs = 100) {
  try {
    median_distance(X, 1, Distance::euclidean, n_pairs);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MedianDistance, OfAllPairsOfFewRows) {
  EXPECT_EQ(median_distance(Matrix<double>(3, 1, {0, 1, 5}), 1), 4.0);
  EXPECT_EQ(median_distance(Matrix<double>(3, 2, {0, 0, 3, 4, 3, 4}), 1), 5.0);  // rows that are the same do not count
  EXPECT_EQ(median_distance(Matrix<double>(2, 2, {0, 0, 3, 4}), 1, Distance::absolute), 7.0);
}

TEST(MedianDistance, SaysWhyThereIsNone) {
  EXPECT_NE(refusal(Matrix<double>(2, 1, {3, 3})).find("all rows are the same"), std::string::npos);
  EXPECT_NE(refusal(Matrix<double>(2, 1, {-1.7e308, 1.7e308})).find("overflow"), std::string::npos);
  EXPECT_NE(refusal(Matrix<double>(2, 1, {1, 2}), 0).find("0 pairs"), std::string::npos);
  EXPECT_NE(refusal(Matrix<double>(1, 1, {1})).find("at least two"), std::string::npos);
}

TEST(FittedKernel, SaysThatRowsAreTooFarApartForAWidth) {
  for (const double size : {1e200, 1e-200}) {
    try {
      fitted_kernel("gaussian", Matrix<double>(3, 1, {0, size, 3 * size}), 1);
      ADD_FAILURE() << size;
    } catch (const DataError& error) {
      EXPECT_NE(error.message().find(size > 1 ? "2e+200 apart, too far" : "2e-200 apart, too near"), std::string::npos) << error.message();
    }
  }
}

}  // namespace
}  // namespace askrff::test
