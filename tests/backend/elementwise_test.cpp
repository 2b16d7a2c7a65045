// Functions of arrays on every backend: errors against long double, special values, every length and kind of operand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "backend/every_backend.hpp"
#include "support/special_values.hpp"

namespace askrff::test {
namespace {

using backend::Elementwise;
using backend::Operand;
using backend::Step;

constexpr double ulp = 0x1p-52;

class EveryElementwise : public EveryBackend {
 protected:
  std::vector<double> of(Elementwise function, const std::vector<double>& a, const std::vector<double>& b = {},
                         const std::vector<double>& c = {}) const {
    const Step step{function, 0, {{a.data(), false}, {b.data(), false}, {c.data(), false}}};
    std::vector<double> out(a.size());
    primitives().elementwise(&step, 1, out.data(), out.size());
    return out;
  }
};
INSTANTIATE_TEST_SUITE_P(Backends, EveryElementwise, testing::ValuesIn(backend_names()), backend_test_name);

/// What is promised of a function: numbers it is tried on, its value, the error that is allowed there.
struct Promise {
  Elementwise function;
  const char* name;
  std::function<long double(long double)> exact;
  double first, last;
  bool geometric;  ///< points at equal ratios
  std::function<long double(long double a, long double value)> allowed;
};

std::function<long double(long double, long double)> ulps(double n) {
  return [n](long double, long double value) { return n * ulp * std::fabs(value); };
}
std::function<long double(long double, long double)> ulps_or(double n, double least) {
  return [n, least](long double, long double value) { return std::max<long double>(n * ulp * std::fabs(value), least * ulp); };
}

std::vector<Promise> promises() {
  using E = Elementwise;
  const auto tangent = [](long double, long double t) { return ulp * std::max(6 * std::fabs(t), 4 * (1 + t * t)); };
  const auto log_gamma = [](long double, long double value) { return 16 * ulp * (1 + std::fabs(value)); };
  const auto log = [](long double a) { return std::log(a); };
  const auto sine = [](long double a) { return std::sin(a); };
  const auto cosine = [](long double a) { return std::cos(a); };
  const auto tan = [](long double a) { return std::tan(a); };
  const auto erfc = [](long double a) { return std::erfc(a); };
  return {
      {E::square_root, "sqrt", [](long double a) { return std::sqrt(a); }, 1e-300, 1e300, true, ulps(0.5001)},
      {E::exponential, "exp", [](long double a) { return std::exp(a); }, -700, 700, false, ulps(1)},
      {E::exponential_m1, "expm1", [](long double a) { return std::expm1(a); }, -40, 709, false, ulps(3)},
      {E::exponential_m1, "expm1, small", [](long double a) { return std::expm1(a); }, 1e-300, 1, true, ulps(3)},
      {E::logarithm, "log", log, 1e-320, 1e308, true, ulps(2)},
      {E::logarithm, "log near 1", log, 0.5, 2, false, ulps(2)},
      {E::logarithm_p1, "log1p", [](long double a) { return std::log1p(a); }, -0.999, 3, false, ulps(4)},
      {E::logarithm_p1, "log1p, small and large", [](long double a) { return std::log1p(a); }, 1e-300, 1e300, true, ulps(4)},
      {E::sine, "sin", sine, -40, 40, false, ulps_or(3, 1)},
      {E::sine, "sin, far", sine, -1e5, 1e5, false, ulps_or(3, 1)},
      {E::sine, "sin, small", sine, 1e-300, 1, true, ulps(3)},
      {E::cosine, "cos", cosine, -40, 40, false, ulps_or(3, 1)},
      {E::cosine, "cos, far", cosine, -1e5, 1e5, false, ulps_or(3, 1)},
      {E::tangent, "tan", tan, -40, 40, false, tangent},
      {E::tangent, "tan, far", tan, -1e5, 1e5, false, tangent},
      {E::arc_sine, "asin", [](long double a) { return std::asin(a); }, -1, 1, false, ulps(3)},
      {E::arc_cosine, "acos", [](long double a) { return std::acos(a); }, -1, 1, false, ulps(3)},
      {E::arc_tangent, "atan", [](long double a) { return std::atan(a); }, -50, 50, false, ulps(3)},
      {E::arc_tangent, "atan, small and large", [](long double a) { return std::atan(a); }, 1e-300, 1e300, true, ulps(3)},
      {E::hyperbolic_sine, "sinh", [](long double a) { return std::sinh(a); }, -709, 709, false, ulps(6)},
      {E::hyperbolic_sine, "sinh, small", [](long double a) { return std::sinh(a); }, 1e-300, 3, true, ulps(6)},
      {E::hyperbolic_cosine, "cosh", [](long double a) { return std::cosh(a); }, -709, 709, false, ulps(3)},
      {E::hyperbolic_tangent, "tanh", [](long double a) { return std::tanh(a); }, -30, 30, false, ulps(5)},
      {E::hyperbolic_tangent, "tanh, small", [](long double a) { return std::tanh(a); }, 1e-300, 3, true, ulps(5)},
      {E::error_function, "erf", [](long double a) { return std::erf(a); }, -7, 7, false, ulps(2)},
      {E::error_function, "erf, small", [](long double a) { return std::erf(a); }, 1e-300, 3, true, ulps(2)},
      {E::error_function_c, "erfc", erfc, -7, 26.5, false, ulps(8)},
      {E::error_function_c, "erfc near 0", erfc, -1, 1, false, ulps(8)},
      {E::gamma, "gamma", [](long double a) { return std::tgamma(a); }, 0.01, 170, false, ulps(16)},
      {E::log_gamma, "lgamma", [](long double a) { return std::lgamma(a); }, 0.01, 1e4, false, log_gamma},
  };
}

std::vector<double> points_of(const Promise& promise, std::size_t n) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<double> points(n);
  for (double& x : points) {
    const double u = uniform(random);
    x = promise.geometric ? std::exp(std::log(promise.first) + u * (std::log(promise.last) - std::log(promise.first)))
                          : promise.first + (promise.last - promise.first) * u;
  }
  return points;
}

TEST_P(EveryElementwise, StaysWithinTheStatedError) {
  for (const Promise& promise : promises()) {
    const auto x = points_of(promise, 100'000);
    const auto got = of(promise.function, x);
    long double worst = 0;
    double at = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long double exact = promise.exact(x[i]);
      const long double share = std::fabs(got[i] - exact) / promise.allowed(x[i], exact);
      if (!(share <= worst)) worst = share, at = x[i];
    }
    RecordProperty(promise.name, std::to_string(static_cast<double>(worst)));
    EXPECT_LE(static_cast<double>(worst), 1) << promise.name << " at " << at;
  }
}

TEST_P(EveryElementwise, PowersStayWithinTheStatedError) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> a(100'000), b(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = std::exp(30 * uniform(random));
    b[i] = 20 * uniform(random);
  }
  const auto got = of(Elementwise::power, a, b);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const long double exact = std::pow(static_cast<long double>(a[i]), static_cast<long double>(b[i]));
    const long double exponent = std::fabs(b[i] * std::log(static_cast<long double>(a[i])));
    if (exact < 1e-300 || exact > 1e300) continue;
    ASSERT_LE(std::fabs(got[i] - exact), 5 * (1 + exponent) * ulp * exact) << a[i] << " ^ " << b[i];
  }
  const std::vector<double> bases = {-2, -2, -8, 0, 0, 0, 5, infinity, -infinity, nan, 2, 1e300, 1e-320, -1};
  const std::vector<double> exponents = {3, 0.5, -1, 2, -1, 0, 0, -1, 3, 0, nan, 2, 1, 1e300};
  const auto special = of(Elementwise::power, bases, exponents);
  for (std::size_t i = 0; i < bases.size(); ++i) {
    const double exact = std::pow(bases[i], exponents[i]);
    if (std::isnan(exact))
      EXPECT_TRUE(std::isnan(special[i])) << bases[i] << " ^ " << exponents[i];
    else
      EXPECT_EQ(special[i], exact) << bases[i] << " ^ " << exponents[i];
  }
}

// 0, infinities, NaN, ends of domains, beyond them: exactly what the C library says, or the same to 4 ulp where it is a number.
TEST_P(EveryElementwise, KnowsSpecialNumbers) {
  const std::vector<double> special = {0.0,       -0.0,   1,    -1,    2,    -2,   0.5,   -0.5,         1e-310,        -1e-310, 1e-17,
                                       709.5,     -709.5, 750,  -750,  1e5,  -1e5, 1e18,  -1e18,        1e300,         -1e300,  infinity,
                                       -infinity, nan,    27.5, -27.5, 19.9, 20.1, -20.1, 1.0000000001, -1.0000000001, 39000.5, 3};
  for (std::size_t f = 0; f < static_cast<std::size_t>(Elementwise::add); ++f) {
    const auto function = static_cast<Elementwise>(f);
    const auto got = of(function, special);
    for (std::size_t i = 0; i < special.size(); ++i) {
      const double expected = backend::elementwise_value(function, special[i]);
      const std::string what = "function " + std::to_string(f) + " of " + std::to_string(special[i]);
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(got[i])) << what;
      else if (std::isinf(expected) || expected == 0)
        EXPECT_EQ(got[i], expected) << what;
      else
        EXPECT_NEAR(got[i], expected, 6 * ulp * std::fabs(expected) + 1e-322) << what;
    }
  }
}

TEST_P(EveryElementwise, FunctionsOfTwoAndThreeNumbersAreExact) {
  const std::vector<double> numbers = {0.0, -0.0, 1, -1.5, 2.25, 1e300, -1e300, infinity, -infinity, nan};
  std::vector<double> a, b, c;
  for (const double x : numbers)
    for (const double y : numbers) {
      a.push_back(x);
      b.push_back(y);
      c.push_back(static_cast<double>(a.size()));
    }
  for (std::size_t f = static_cast<std::size_t>(Elementwise::add); f < backend::n_elementwise; ++f) {
    const auto function = static_cast<Elementwise>(f);
    if (function == Elementwise::power) continue;
    const auto got = of(function, a, b, c);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double expected = backend::elementwise_value(function, a[i], b[i], c[i]);
      if (std::isnan(expected))
        EXPECT_TRUE(std::isnan(got[i])) << f << ": " << a[i] << ", " << b[i];
      else if (function == Elementwise::multiply_add && std::isfinite(expected))
        EXPECT_NEAR(got[i], expected, ulp * std::fabs(expected)) << a[i] << ", " << b[i];  // rounded once or twice
      else
        EXPECT_EQ(got[i], expected) << f << ": " << a[i] << ", " << b[i];
    }
  }
}

// Every length around those of vectors, constants in every place, the result over an operand: the same bits, nothing written behind the
// end.
TEST_P(EveryElementwise, GivesTheSameBitsInAnyPlaceAndOfConstants) {
  const double constant = 1.75;
  for (std::size_t f = 0; f < backend::n_elementwise; ++f) {
    const auto function = static_cast<Elementwise>(f);
    const std::size_t count = backend::n_operands(function);
    for (std::size_t n : {0u, 1u, 2u, 3u, 7u, 8u, 9u, 17u, 35u})
      for (std::size_t constants = 0; constants < (std::size_t{1} << count); ++constants) {
        std::vector<double> values[3];
        Step step{function};
        Operand* const operands = step.operands;
        for (std::size_t o = 0; o < count; ++o) {
          for (std::size_t i = 0; i <= n; ++i) values[o].push_back(std::cos(static_cast<double>(i * (o + 2) + o)));
          operands[o] = (constants >> o & 1) != 0 ? Operand{&constant, true} : Operand{values[o].data(), false};
        }
        std::vector<double> alone(n);
        for (std::size_t i = 0; i < n; ++i) {
          Step single{function};
          for (std::size_t o = 0; o < count; ++o) single.operands[o] = {operands[o].values + (operands[o].is_constant ? 0 : i), false};
          primitives().elementwise(&single, 1, &alone[i], 1);
        }
        std::vector<double> out(n + 1, -77);
        primitives().elementwise(&step, 1, out.data(), n);
        EXPECT_EQ(out[n], -77);
        const double behind = values[0][n];
        primitives().elementwise(&step, 1, values[0].data(), n);
        EXPECT_EQ(values[0][n], behind);
        for (std::size_t i = 0; i < n; ++i) {
          EXPECT_TRUE(out[i] == alone[i] || (std::isnan(out[i]) && std::isnan(alone[i]))) << f << " of " << n;
          EXPECT_TRUE(values[0][i] == alone[i] || (std::isnan(alone[i]) && std::isnan(values[0][i]))) << f << " of " << n << " in place";
        }
      }
  }
}

/// Of three arrays and a constant; a step carries its first operand, its second, both or its third, as what is promised allows.
struct RandomChain {
  std::vector<Step> steps;

  RandomChain(std::mt19937& random, const std::vector<double>* arrays, const double& constant) {
    steps.resize(1 + random() % backend::max_steps);
    for (Step& step : steps) {
      step.function = static_cast<Elementwise>(random() % backend::n_elementwise);
      const std::size_t count = backend::n_operands(step.function);
      const unsigned ways[] = {1, 2, 4, 3};
      if (&step != steps.data()) step.carried = count == 1 ? 1 : ways[random() % 4];
      if (count == 2 && step.carried == 4) step.carried = 1;
      for (Operand& operand : step.operands)
        operand = random() % 3 == 0 ? Operand{&constant, true} : Operand{arrays[random() % 3].data(), false};
    }
  }
};

// Chains of every length over every length: each step by itself gives the same bits, and the result may lie over an operand.
TEST_P(EveryElementwise, AChainGivesTheBitsOfItsSteps) {
  std::mt19937 random(11);
  const double constant = 0.75;
  for (int trial = 0; trial < 2000; ++trial) {
    const std::size_t n = trial % 4 == 0 ? 200 : random() % 70;
    std::vector<double> arrays[3];
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t i = 0; i < n; ++i) arrays[a].push_back(2 * std::cos(static_cast<double>(i * (a + 2) + a)));
    const RandomChain chain(random, arrays, constant);
    std::vector<double> expected(n);
    for (Step step : chain.steps) {
      for (std::size_t o = 0; o < 3; ++o)
        if ((step.carried >> o & 1) != 0) step.operands[o] = {expected.data(), false};
      step.carried = 0;
      primitives().elementwise(&step, 1, expected.data(), n);
    }
    std::vector<double> out(n + 1, -77);
    primitives().elementwise(chain.steps.data(), chain.steps.size(), out.data(), n);
    EXPECT_EQ(out[n], -77);
    primitives().elementwise(chain.steps.data(), chain.steps.size(), arrays[1].data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_TRUE(out[i] == expected[i] || (std::isnan(out[i]) && std::isnan(expected[i]))) << trial << " at " << i;
      ASSERT_TRUE(arrays[1][i] == expected[i] || (std::isnan(arrays[1][i]) && std::isnan(expected[i]))) << trial << " in place";
    }
  }
}

}  // namespace
}  // namespace askrff::test
