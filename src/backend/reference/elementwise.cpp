// Functions of numbers by the C library, one after another: the judge of the vectorised ones.
#include "backend/reference/elementwise.hpp"

#include <cmath>
#include <iterator>

#include "core/platform.hpp"

namespace askrff::backend {
namespace {

double holds(bool condition) { return condition ? 1.0 : 0.0; }

// In the order of Elementwise.
constexpr double (*of_one[])(double) = {
    [](double a) { return -a; },
    [](double a) { return std::fabs(a); },
    [](double a) { return std::sqrt(a); },
    [](double a) { return a > 0   ? 1.0
                          : a < 0 ? -1.0
                                  : a; },
    [](double a) { return std::isnan(a) ? a : holds(!(a < 0)); },
    [](double a) { return std::floor(a); },
    [](double a) { return std::ceil(a); },
    [](double a) { return std::exp(a); },
    [](double a) { return std::expm1(a); },
    [](double a) { return std::log(a); },
    [](double a) { return std::log1p(a); },
    [](double a) { return std::sin(a); },
    [](double a) { return std::cos(a); },
    [](double a) { return std::tan(a); },
    [](double a) { return std::asin(a); },
    [](double a) { return std::acos(a); },
    [](double a) { return std::atan(a); },
    [](double a) { return std::sinh(a); },
    [](double a) { return std::cosh(a); },
    [](double a) { return std::tanh(a); },
    [](double a) { return std::erf(a); },
    [](double a) { return std::erfc(a); },
    [](double a) { return std::tgamma(a); },
    platform::log_gamma,
};
constexpr double (*of_two[])(double, double) = {
    [](double a, double b) { return a + b; },
    [](double a, double b) { return a - b; },
    [](double a, double b) { return a * b; },
    [](double a, double b) { return a / b; },
    [](double a, double b) { return std::pow(a, b); },
    [](double a, double b) { return std::atan2(a, b); },
    [](double a, double b) { return a < b ? a : b; },
    [](double a, double b) { return a > b ? a : b; },
    [](double a, double b) { return holds(a < b); },
    [](double a, double b) { return holds(a <= b); },
    [](double a, double b) { return holds(a == b); },
    [](double a, double b) { return holds(a != b); },
    [](double a, double b) { return holds(a != 0 && b != 0); },
    [](double a, double b) { return holds(a != 0 || b != 0); },
};
constexpr std::size_t n_of_one = std::size(of_one);
static_assert(n_of_one == static_cast<std::size_t>(Elementwise::add));
static_assert(n_of_one + std::size(of_two) == static_cast<std::size_t>(Elementwise::select));

}  // namespace

double elementwise_value(Elementwise function, double a, double b, double c) {
  if (function == Elementwise::select) return a != 0 ? b : c;
  if (function == Elementwise::multiply_add) return a * b + c;
  const auto place = static_cast<std::size_t>(function);
  return place < n_of_one ? of_one[place](a) : of_two[place - n_of_one](a, b);
}

namespace reference {

void elementwise(const Step* steps, std::size_t n_steps, double* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    double result = 0;
    for (std::size_t s = 0; s < n_steps; ++s) {
      const Step& step = steps[s];
      double values[3] = {};
      for (std::size_t o = 0; o < n_operands(step.function); ++o) {
        const Operand& operand = step.operands[o];
        values[o] = (step.carried >> o & 1) != 0 ? result : operand.values[operand.is_constant ? 0 : i];
      }
      result = elementwise_value(step.function, values[0], values[1], values[2]);
    }
    out[i] = result;
  }
}

}  // namespace reference
}  // namespace askrff::backend
