// Searches of measures are stopped on every route, say how far they are, and leave nothing when they were stopped.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "found_measures/function_measure.hpp"
#include "support/functions.hpp"
#include "support/stopping.hpp"

namespace askrff::test {
namespace {

/// Kinks, so that its table is long, at odd places.
double kinked(double x) { return std::fmax(0.0, 1 - std::fabs(x - 0.3)) + 0.5 * std::fmax(0.0, 1 - 3 * std::fabs(x + 0.7)); }
double squared(std::span<const double> x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

/// Again and again, so that there is time.
void expect_search_stops(const BlockFunction& f, std::size_t dim, Route route, double tolerance) {
  EXPECT_EQ(found_measures::measure_of_function(f, dim, {.tolerance = std::fmax(tolerance, 1e-4)}).route, route);
  expect_stops([&](const Execution& execution) {
    for (int again = 0; again < 1000; ++again) found_measures::measure_of_function(f, dim, {.tolerance = tolerance}, execution);
  });
}

TEST(Stop, SearchOfATable) {
  expect_search_stops(for_every_row([](std::span<const double> x) { return kinked(x[0]); }), 1, Route::product, 1e-7);
}

TEST(Stop, SearchOfASumOfGaussians) {
  expect_search_stops(for_every_row([](std::span<const double> x) { return 1 / std::pow(1 + squared(x), 3); }), 4, Route::radial, 1e-8);
}

TEST(Stop, SearchOfAGrid) {
  expect_search_stops(for_every_row([](std::span<const double> x) { return std::exp(-squared(x)) * (1 + std::tanh(x[0] * x[1] + x[2])); }),
                      3, Route::grid, 1e-6);
}

TEST(FunctionKernel, ASearchThatWasStoppedIsBegunAnew) {
  const auto kernel = function_kernel(for_every_row([](std::span<const double> x) { return kinked(x[0]); }));
  StopSource source;
  int n_told = 0;
  const auto stop_soon = [&](const Progress& progress) {
    EXPECT_EQ(progress.stage, "search of the Fourier measure");
    if (++n_told == 40) source.request_stop();
  };
  EXPECT_THROW(kernel->find_measure(1, {.stop = source.token(), .progress = stop_soon}), Stopped);
  EXPECT_EQ(n_told, 40);
  std::vector<double> done;
  const auto measure = kernel->measure(1, {.progress = [&](const Progress& progress) { done.push_back(progress.done); }});
  ASSERT_TRUE(measure);
  EXPECT_GT(done.size(), 40u);
  EXPECT_EQ(done.back(), 1);
  done.clear();
  kernel->find_measure(1, {.progress = [&](const Progress& progress) { done.push_back(progress.done); }});
  EXPECT_TRUE(done.empty()) << "it was found already";
}

}  // namespace
}  // namespace askrff::test
