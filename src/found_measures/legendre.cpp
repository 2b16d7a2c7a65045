// Recurrences and finite sums.
#include "found_measures/legendre.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "core/portable_math.hpp"

namespace askrff::found_measures {
namespace {

/// P_n(t) and its derivative, n = panel_order.
std::array<double, 2> last_legendre(double t) {
  double before = 1, now = t;
  for (std::size_t n = 1; n < panel_order; ++n) {
    const double m = static_cast<double>(n), next = ((2 * m + 1) * t * now - m * before) / (m + 1);
    before = now;
    now = next;
  }
  const double order = panel_order;
  return {now, order * (t * now - before) / (t * t - 1)};
}

GaussRule make_rule() {
  GaussRule rule;
  for (std::size_t i = 0; i < panel_order; ++i) {
    double t = -portable::sincos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (panel_order + 0.5)).cos;
    for (int step = 0; step < 8; ++step) {
      const auto [value, slope] = last_legendre(t);
      t -= value / slope;
    }
    const double slope = last_legendre(t)[1];
    rule.nodes[i] = t;
    rule.weights[i] = 2 / ((1 - t * t) * slope * slope);
  }
  return rule;
}

void fill_legendre(double t, PanelValues& values) {
  values[0] = 1;
  values[1] = t;
  for (std::size_t n = 1; n + 1 < panel_order; ++n) {
    const double m = static_cast<double>(n);
    values[n + 1] = ((2 * m + 1) * t * values[n] - m * values[n - 1]) / (m + 1);
  }
}

using Square = std::array<PanelValues, panel_order>;

/// Row n: (2n+1)/2 · weight_i · P_n(node_i).
Square make_projection() {
  const GaussRule& rule = gauss_rule();
  Square matrix;
  for (std::size_t i = 0; i < panel_order; ++i) {
    PanelValues values;
    fill_legendre(rule.nodes[i], values);
    for (std::size_t n = 0; n < panel_order; ++n) matrix[n][i] = (static_cast<double>(n) + 0.5) * rule.weights[i] * values[n];
  }
  return matrix;
}

/// Row m: the m-th derivatives of all P_n at t = 1, (n+m)!/(2^m m! (n-m)!).
Square make_derivatives() {
  Square matrix{};
  for (std::size_t n = 0; n < panel_order; ++n) {
    double value = 1;
    for (std::size_t m = 0; m <= n; ++m) {
      matrix[m][n] = value;
      const double a = static_cast<double>(n + m + 1), b = static_cast<double>(n - m), c = static_cast<double>(2 * (m + 1));
      value = value * a * b / c;
    }
  }
  return matrix;
}

/// κ^n/(2n+1)!! · (1 - y/(2n+3) · (1 - y/(2(2n+5)) · …)), y = κ²/2, for κ ≤ 1.
/// All n side by side: divisions are what takes time here, and vectors of them take less.
PanelValues small_bessel(double kappa) {
  const double y = 0.5 * kappa * kappa;
  PanelValues sums, steps;
  sums.fill(1);
  for (int k = 8; k > 0; --k)
    for (std::size_t n = 0; n < panel_order; ++n) sums[n] = 1 - y / (k * (2 * static_cast<double>(n) + 1 + 2 * k)) * sums[n];
  for (std::size_t n = 0; n < panel_order; ++n) steps[n] = kappa / (2 * static_cast<double>(n) + 3);
  double front = 1;
  for (std::size_t n = 0; n < panel_order; ++n) {
    sums[n] *= front;
    front *= steps[n];
  }
  return sums;
}

}  // namespace

const GaussRule& gauss_rule() {
  static const GaussRule rule = make_rule();
  return rule;
}

PanelValues legendre_coefficients(const PanelValues& values) {
  static const Square projection = make_projection();
  PanelValues coefficients;
  for (std::size_t n = 0; n < panel_order; ++n) {
    double sum = 0;
    for (std::size_t i = 0; i < panel_order; ++i) sum += projection[n][i] * values[i];
    coefficients[n] = sum;
  }
  return coefficients;
}

double legendre_sum(const PanelValues& coefficients, double t) {
  double before = 1, now = t, sum = coefficients[0] + coefficients[1] * t;
  for (std::size_t n = 1; n + 1 < panel_order; ++n) {
    const double m = static_cast<double>(n), next = ((2 * m + 1) * t * now - m * before) / (m + 1);
    before = now;
    now = next;
    sum += coefficients[n + 1] * now;
  }
  return sum;
}

void end_derivatives(const PanelValues& coefficients, PanelValues& at_start, PanelValues& at_end) {
  static const Square derivatives = make_derivatives();
  for (std::size_t m = 0; m < panel_order; ++m) {
    double start = 0, end = 0;
    for (std::size_t n = m; n < panel_order; ++n) {
      const double term = coefficients[n] * derivatives[m][n];
      end += term;
      start += (n + m) % 2 == 0 ? term : -term;
    }
    at_start[m] = start;
    at_end[m] = end;
  }
}

PanelValues spherical_bessel(double kappa) {
  if (kappa <= 1) return small_bessel(kappa);
  PanelValues values;
  const auto wave = portable::sincos(kappa);
  const double first = wave.sin / kappa, second = (wave.sin / kappa - wave.cos) / kappa;
  constexpr std::size_t start = 44;  // downwards from where j_n is nothing beside j_15
  std::array<double, start + 1> over_kappa;
  const auto divide = [&](std::size_t count) {
    for (std::size_t n = 0; n < count; ++n) over_kappa[n] = (2 * static_cast<double>(n) + 1) / kappa;
  };
  if (kappa >= panel_order) {  // upwards, stable while n < κ
    divide(panel_order);
    values[0] = first;
    values[1] = second;
    for (std::size_t n = 1; n + 1 < panel_order; ++n) values[n + 1] = over_kappa[n] * values[n] - values[n - 1];
    return values;
  }
  divide(start + 1);
  double above = 0, now = 1e-280;
  for (std::size_t n = start; n > 0; --n) {
    const double below = over_kappa[n] * now - above;
    above = now;
    now = below;
    if (n - 1 < panel_order) values[n - 1] = now;
  }
  // Both cannot be small at once.
  const bool by_first = first * first > second * second;
  const double scale = by_first ? first / values[0] : second / values[1];
  for (double& value : values) value *= scale;
  return values;
}

std::complex<double> end_series(const PanelValues& derivatives, double kappa) {
  const double inverse = 1 / kappa, square = inverse * inverse;
  // (1/i)^(m+1) is -i, -1, i, 1, …
  double even = 0, odd = 0;
  for (std::size_t m = panel_order; m >= 2; m -= 2) {
    even = derivatives[m - 2] - square * even;
    odd = derivatives[m - 1] - square * odd;
  }
  return {-odd * square, -even * inverse};
}

}  // namespace askrff::found_measures
