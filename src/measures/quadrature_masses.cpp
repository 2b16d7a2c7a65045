// Masses by nested adaptive Gauss-Kronrod quadrature of the density over R^d, d ≤ 3. The innermost integral is split where the density
// changes sign, so every rule sees a smooth function. By symmetry (Re μ even, Im μ odd) half of the space is enough.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>

#include "askrff/errors.hpp"
#include "askrff/measure.hpp"
#include "measures/adaptive_quadrature.hpp"

namespace askrff {
namespace {

// ω = scale · x/(1-x)^4 maps [0, 1) to [0, ∞): Gaussian tails vanish smoothly, and algebraic ones |ω|^-a with a > 5/4 are bounded.
struct HalfLine {
  double scale;
  double position(double x) const { return scale * x / std::pow(1 - x, 4); }
  double stretch(double x) const { return scale * (1 + 3 * x) / std::pow(1 - x, 5); }
};

class NestedQuadrature {
 public:
  NestedQuadrature(const ComplexMeasure& measure, const QuadratureOptions& options, double scale)
      : measure_(measure), evaluations_left_(options.max_evaluations), stop_(options.stop), line_{scale}, omega_(measure.dim()) {}

  // ∫ over the half space ω_0 > 0 of value(μ(ω)), to an absolute error if it is positive, else to a relative one. `signed_value` is smooth
  // and changes sign where value has a kink.
  template <class Value, class Signed>
  measures::QuadratureResult half_space(const Value& value, const Signed& signed_value, double absolute, double relative) {
    return integrate(0, value, signed_value, absolute, relative);
  }

 private:
  template <class Value, class Signed>
  measures::QuadratureResult integrate(std::size_t coordinate, const Value& value, const Signed& signed_value, double absolute,
                                       double relative) {
    const bool innermost = coordinate + 1 == measure_.dim();
    measures::QuadratureResult total{0, 0};
    for (const double sign : {+1.0, -1.0}) {
      if (sign < 0 && coordinate == 0) break;
      const auto on_line = [&](double x) {
        const double at = line_.position(x), stretch = line_.stretch(x);
        if (!std::isfinite(at) || !std::isfinite(stretch)) return 0.0;
        omega_[coordinate] = sign * at;
        // Inner integrals get a third of the error, so that the outer rule does not see it as noise.
        const double f = innermost ? count(value(measure_.density(omega_)))
                                   : integrate(coordinate + 1, value, signed_value, absolute / (3 * stretch), relative / 3).value;
        return f > 0 ? f * stretch : 0.0;  // densities are not negative; 0·∞ far out is 0
      };
      const auto breakpoints = innermost ? sign_changes(coordinate, sign, signed_value) : std::vector<double>{0.0, 1.0};
      const auto result = measures::adaptive_quadrature(on_line, breakpoints, relative, 0.5 * absolute, max_intervals);
      total.value += result.value;
      total.error += result.error;
    }
    return total;
  }

  // 0, 1 and the places between them where signed_value changes its sign along the last coordinate. n_samples points show single changes; a
  // pair of changes between two points shows as a local minimum of its size, which is followed down.
  template <class Signed>
  std::vector<double> sign_changes(std::size_t coordinate, double sign, const Signed& signed_value) {
    constexpr int n_samples = 40;
    const auto at = [&](double x) {
      omega_[coordinate] = sign * line_.position(x);
      return std::isfinite(omega_[coordinate]) ? signed_value(measure_.density(omega_)) : 0.0;
    };
    std::array<double, n_samples> x, f;
    for (int i = 0; i < n_samples; ++i) f[i] = at(x[i] = static_cast<double>(i) / n_samples);
    std::vector<double> places{0.0};
    const auto add_change = [&](double from, double to, double f_from, double f_to) {
      boost::uintmax_t steps = 60;
      const auto bracket =
          boost::math::tools::toms748_solve(at, from, to, f_from, f_to, boost::math::tools::eps_tolerance<double>(48), steps);
      places.push_back(0.5 * (bracket.first + bracket.second));
    };
    for (int i = 1; i < n_samples; ++i) {
      if (f[i - 1] * f[i] < 0) add_change(x[i - 1], x[i], f[i - 1], f[i]);
      const bool dips = i + 1 < n_samples && f[i] * f[i - 1] > 0 && f[i] * f[i + 1] > 0 && std::fabs(f[i]) < std::fabs(f[i - 1]) &&
                        std::fabs(f[i]) < std::fabs(f[i + 1]);
      if (!dips) continue;
      const double side = f[i] > 0 ? 1.0 : -1.0;
      const auto [bottom, value] = boost::math::tools::brent_find_minima([&](double y) { return side * at(y); }, x[i - 1], x[i + 1], 30);
      if (value >= 0) continue;
      add_change(x[i - 1], bottom, f[i - 1], side * value);
      add_change(bottom, x[i + 1], side * value, f[i + 1]);
    }
    places.push_back(1.0);
    return places;
  }

  double count(double value) {
    if (evaluations_left_ % 256 == 0) stop_.check();
    if (evaluations_left_-- == 0)
      throw NumericalError(
          "quadrature of the masses: the limit of density evaluations was reached before the tolerance; loosen the tolerance or use the "
          "subset fit");
    if (!std::isfinite(value)) throw InvalidArgument("quadrature of the masses: the measure's density is not finite");
    return value;
  }

  static constexpr int max_intervals = 2000;
  const ComplexMeasure& measure_;
  std::size_t evaluations_left_;
  StopToken stop_;
  HalfLine line_;
  std::vector<double> omega_;
};

// A length on which the density lives: where |μ| along the axes has fallen to half of its value at 0, within a factor of 2.
double density_scale(const ComplexMeasure& measure) {
  std::vector<double> omega(measure.dim(), 0.0);
  const double at_zero = std::abs(measure.density(omega));
  double scale = 0;
  for (std::size_t i = 0; i < measure.dim() && at_zero > 0; ++i) {
    double radius = 1e-250;
    for (; radius < 1e250; radius *= 2) {
      omega[i] = radius;
      if (!(std::abs(measure.density(omega)) >= 0.5 * at_zero)) break;
    }
    omega[i] = 0;
    scale = std::max(scale, radius);
  }
  return scale > 1e-250 && scale < 1e250 ? scale : 1.0;
}

}  // namespace

Masses quadrature_masses(const ComplexMeasure& measure, const QuadratureOptions& options) {
  constexpr std::array default_tolerance{1e-11, 1e-8, 1e-4};
  const std::size_t dim = measure.dim();
  if (dim < 1 || dim > default_tolerance.size())
    throw InvalidArgument(
        fmt::format("quadrature of the masses: the dimension is {}, expected 1 to 3; use the exact masses or the subset fit", dim));
  if (!(options.tolerance >= 0) || options.tolerance > 0.1)
    throw InvalidArgument(fmt::format("quadrature of the masses: the tolerance is {}, expected 0 to 0.1", options.tolerance));
  const double tolerance = options.tolerance > 0 ? options.tolerance : default_tolerance[dim - 1];

  NestedQuadrature quadrature(measure, options, density_scale(measure));
  // A coarse total variation first: it says what an error of `tolerance` means in absolute terms, for small parts as for large ones.
  const auto modulus = [](std::complex<double> mu) { return std::abs(mu); };
  const auto real = [](std::complex<double> mu) { return mu.real(); };
  const auto imaginary = [](std::complex<double> mu) { return mu.imag(); };
  // |μ| has its kinks where a real μ changes sign, and bends most sharply where Im μ does.
  const auto parts = measure.parts();
  const bool is_real = std::find(parts.begin(), parts.end(), Part::imaginary_positive) == parts.end();
  const auto kinks = [is_real](std::complex<double> mu) { return is_real ? mu.real() : mu.imag(); };
  const auto coarse = quadrature.half_space(modulus, kinks, 0.0, 1e-3);
  if (!(coarse.value > 0))
    throw NumericalError(
        "quadrature of the masses: the density is zero wherever it was looked at; its scale is beyond the range of the quadrature");
  double error = coarse.error > 2e-3 * coarse.value ? coarse.error : 0.0;
  const auto integrate = [&](const auto& value, const auto& signed_value) {
    const auto result = quadrature.half_space(value, signed_value, tolerance * coarse.value, 0.0);
    error = std::max(error, result.error);
    return result.value;
  };
  Masses masses;
  if (error == 0) {
    for (const Part part : parts) {
      // μ_I^+ on the whole space is |Im μ| on the half space; the real parts are twice theirs.
      masses.of(part) = part == Part::imaginary_positive
                            ? integrate([](std::complex<double> mu) { return std::fabs(mu.imag()); }, imaginary)
                            : 2 * integrate([part](std::complex<double> mu) { return part_of(part, mu); }, real);
      masses.total += std::abs(traits(part).coefficient) * masses.of(part);
    }
    masses.total_variation = 2 * integrate(modulus, kinks);
  }
  if (!(error <= 10 * tolerance * coarse.value))
    throw NumericalError(
        fmt::format("quadrature of the masses: relative error {:.2g} after the finest subdivision, wanted {:.2g}; the density oscillates "
                    "too far out or the kernel has no finite total mass (one with a jump has none)",
                    error / coarse.value, tolerance));
  return masses;
}

}  // namespace askrff
