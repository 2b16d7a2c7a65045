// Functions of different coordinates are transformed on several threads, with the same result for any number.
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "askrff/errors.hpp"
#include "askrff/kernels.hpp"

namespace askrff::test {
namespace {

std::string reason_with(const std::string& formula, const ParameterValues& values, std::size_t dim, std::size_t n_threads) {
  const auto kernel = make_kernel(formula, values);
  const std::thread::id caller = std::this_thread::get_id();
  kernel->find_measure(dim, {.n_threads = n_threads, .progress = [&](const Progress&) { EXPECT_EQ(std::this_thread::get_id(), caller); }});
  const auto measure = kernel->measure(dim);
  return kernel->measure_reason(dim) + (measure ? std::to_string(*measure->modulus_bound()) : "");
}

TEST(ProductThreads, TheSameForAnyNumber) {
  const ParameterValues values = {{"s", CoordinateParameter{0.5, 1.1, 1.7, 2.3, 2.9}}};
  const std::string formula = "expr: exp(-(x/s)^2)*(1+0.5*tanh(x))";
  const std::string one = reason_with(formula, values, 5, 1);
  EXPECT_NE(one.find("5 different functions"), std::string::npos) << one;
  for (const std::size_t n_threads : {2, 4}) EXPECT_EQ(reason_with(formula, values, 5, n_threads), one);
}

// Of those that cannot be transformed the first is spoken of: it jumps at 1, the others at 2, 3 and 4.
TEST(ProductThreads, TheFirstThatFailsIsSpokenOf) {
  const ParameterValues values = {{"s", CoordinateParameter{0.5, 1.0, 2.0, 3.0, 4.0}}};
  const std::string formula = "expr: exp(-x^2)*(x < s ? 1 : s > 0.7 ? 0.5 : 1)";
  for (const std::size_t n_threads : {1, 2, 5}) {
    const std::string reason = reason_with(formula, values, 5, n_threads);
    EXPECT_NE(reason.find("jumps at a difference of about 1,"), std::string::npos) << reason;
  }
}

}  // namespace
}  // namespace askrff::test
