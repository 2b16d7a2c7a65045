// The stated error of sine and cosine, measured on every backend: a wave of frequency 2π at x is cos and sin of x turns, so that rows of
// one coordinate sweep the phase.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <numbers>
#include <vector>

#include "backend/backend.hpp"

namespace askrff::test {
namespace {

/// Largest |error| of cos and sin of 2πx over the given x. Judge: sin and cos of the C library in double for float, in long double for
/// double, of the exactly reduced phase.
template <class T>
double largest_error(const backend::Primitives& primitives, const std::vector<T>& x) {
  using Judge = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  // The double nearest to 2π is 1 turn after division and rounding: the phase is x to the bit.
  const Matrix<double> omega(1, 1, {2 * std::numbers::pi});
  const auto projection = primitives.make_projection(omega);
  const backend::Amplitudes one({1.0}, {0.0});
  std::vector<T> out(2 * x.size());
  primitives.of<T>().waves(*projection, one, backend::Rows<const T>{x.data(), x.size(), 1}, {out.data(), x.size(), 2},
                           backend::Store::cached);
  Judge largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Judge r = static_cast<Judge>(x[i]) - std::round(static_cast<Judge>(x[i])), u = 2 * std::numbers::pi_v<Judge> * r;
    largest = std::max({largest, std::fabs(out[2 * i] - std::cos(u)), std::fabs(out[2 * i + 1] - std::sin(u))});
  }
  return static_cast<double>(largest);
}

/// Every float from 1/8 to 1/2 turn (the two upper binades of a reduced phase), every 61st of the smaller ones down to 2^-24, and negative
/// ones.
std::vector<float> float_phases(std::uint32_t step_up, std::uint32_t step_below) {
  std::vector<float> phases{0.0f, -0.0f, 0.5f, -0.5f};
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  for (std::uint32_t b = bits(0.125f); b <= bits(0.5f); b += step_up) phases.push_back(std::bit_cast<float>(b));
  for (std::uint32_t b = bits(0x1p-24f); b < bits(0.125f); b += step_below) phases.push_back(-std::bit_cast<float>(b));
  return phases;
}

TEST(PhaseSweep, FloatWithinTheStatedErrorOnEveryBackend) {
  for (const backend::Primitives* each : backend::available()) {
    const bool best = each == backend::simd_primitives().front();
    const auto phases = best ? float_phases(1, 61) : float_phases(7, 499);  // exhaustive for the one that runs
    const double error = largest_error(*each, phases);
    std::printf("%s: %.3g\n", std::string(each->name).c_str(), error);
    EXPECT_LE(error, each->name == "reference" ? 6.1e-8 : 7e-7) << each->name;
  }
}

TEST(PhaseSweep, DoubleWithinTheStatedErrorOnEveryBackend) {
  std::vector<double> phases{0.0, -0.0, 0.5, -0.5};
  for (int i = 0; i < 400000; ++i) phases.push_back((i + std::numbers::phi - 1) / 800001.0 * (i % 2 ? -1 : 1));
  for (double x = 0.4; x > 1e-18; x *= 0.99) phases.push_back(x);
  for (const backend::Primitives* each : backend::available()) EXPECT_LE(largest_error(*each, phases), 1.3e-15) << each->name;
}

/// Whole turns added to a phase change nothing but the rounding of the sum itself, which is exact here.
TEST(PhaseSweep, WholeTurnsAreTakenOffExactly) {
  std::vector<double> large;
  for (const double turns : {1.0, 7.0, 1000.0, 0x1p20, 0x1p40})
    for (int i = -50; i <= 50; ++i) large.push_back(turns + i / 128.0);
  std::vector<float> narrow;
  for (const float turns : {1.0f, 7.0f, 100.0f, 1000.0f, 0x1p14f})
    for (int i = -50; i <= 50; ++i) narrow.push_back(turns + static_cast<float>(i) / 128.0f);
  for (const backend::Primitives* each : backend::available()) {
    if (each->name == "reference") continue;  // its phases are in radians, where whole turns are not whole numbers
    EXPECT_LE(largest_error(*each, large), 1.3e-15) << each->name;
    EXPECT_LE(largest_error(*each, narrow), 7e-7) << each->name;
  }
}

}  // namespace
}  // namespace askrff::test
