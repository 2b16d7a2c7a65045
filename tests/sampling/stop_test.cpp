// Draws that are stopped in the middle.
#include <gtest/gtest.h>

#include "askrff/kernels.hpp"
#include "askrff/measure.hpp"
#include "askrff/sampling.hpp"
#include "support/stopping.hpp"

namespace askrff::test {
namespace {

TEST(Stop, RotationsOfPointSets) {
  const auto measure = gaussian({.sigma = 1})->measure(1900);
  for (const Sampler sampler : {Sampler::mub, Sampler::orthogonal})
    expect_stops([&](const Execution& execution) { draw_polar_atoms(*measure, 20000, {.sampler = sampler, .stop = execution.stop}); });
}

TEST(Stop, RejectionOfARarePart) {
  const auto measure = shift_gaussian({.sigma = 3})->measure(4);
  expect_stops([&](const Execution& execution) {
    draw_frequencies(*measure, Part::real_negative, 0, 1000000,
                     {.sampler = Sampler::rejection, .min_acceptance = 1e-300, .stop = execution.stop});
  });
}

TEST(Stop, QuadratureOfMasses) {
  const auto measure = shift_gaussian({.sigma = 0.3})->measure(3);
  expect_stops([&](const Execution& execution) { quadrature_masses(*measure, {.tolerance = 1e-12, .stop = execution.stop}); },
               std::chrono::milliseconds(200));
}

}  // namespace
}  // namespace askrff::test
