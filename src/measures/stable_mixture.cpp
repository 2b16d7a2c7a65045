// Draws by Kanter's representation of positive stable variables, densities by the inverse of their Mellin transform, which is a product of
// gamma functions.
#include "measures/stable_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "core/portable_math.hpp"

namespace askrff::measures {
namespace {

using Complex = std::complex<double>;

/// log Γ(z) up to a multiple of 2πi, Re z > 0; error of Γ about |z|·log|z|·2^-52, relative.
Complex complex_log_gamma(Complex z) {
  Complex product = 1;
  for (; z.real() < 16; z += 1) product *= z;
  const Complex inverse = 1.0 / z, square = inverse * inverse;
  const Complex series =
      inverse * (1.0 / 12 + square * (-1.0 / 360 + square * (1.0 / 1260 + square * (-1.0 / 1680 + square * (1.0 / 1188)))));
  return (z - 0.5) * std::log(z) - z + 0.5 * std::log(2 * std::numbers::pi) + series - std::log(product);
}

/// log of a Gamma(shape) variable, finite for small shapes too.
double draw_log_gamma(double shape, RandomStream& random) {
  if (shape >= 1) return portable::log(random.gamma(shape));
  const double above = portable::log(random.gamma(shape + 1));
  return above + portable::log(random.uniform()) / shape;
}

/// log S of a positive stable variable of index alpha < 1: S = sin(αU)/(sin U)^{1/α} · (sin((1-α)U)/E)^{(1-α)/α}, U uniform on (0, π).
double draw_log_stable(double alpha, RandomStream& random) {
  const double u = random.uniform(), angle = std::numbers::pi * u;
  const double sine = portable::sincos_turns(0.5 * std::fmin(u, 1 - u)).sin;  // of an angle near π from the other end, to all its digits
  const double first = portable::sincos(alpha * angle).sin, second = portable::sincos((1 - alpha) * angle).sin;
  return portable::log(first) - portable::log(sine) / alpha +
         (1 - alpha) / alpha * (portable::log(second) - portable::log(random.exponential()));
}

/// One vertical line Re t = c with nodes t = c + ik·step, k = 0, 1, …, and M(t) there.
struct Contour {
  double c, step;
  std::vector<Complex> values;
  double rounding = 0;  // of integral()
  double residue = 0;   // at the poles between it and the strip of analyticity

  /// (1/π)·step·Re Σ' values·radius^{-it}: what is left of (1/2πi)∫ M(t) radius^{-t} dt when radius^{-c} is taken out.
  double integral(double log_radius) const {
    const double angle = -step * log_radius;
    const Complex turn(std::cos(angle), std::sin(angle));
    double sum = 0;
    Complex wave = 1;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (k % 64 == 0) wave = std::polar(1.0, angle * static_cast<double>(k));  // products of rotations add up their roundings
      sum += (k == 0 ? 0.5 : 1.0) * (values[k] * wave).real();
      wave *= turn;
    }
    return sum * step / std::numbers::pi;
  }
  /// log of a bound of what it integrates to, and so of where its roundings are.
  double log_size(double log_radius) const { return std::log(std::abs(values[0])) - c * log_radius; }
};

}  // namespace

/// The law of R = ‖ω‖ in `dim` dimensions from M(t) = E R^t = 2^t Γ((d+t)/2)/Γ(d/2) · Γ(1-t/a)/Γ(1-t/2) · Γ(s+t/a)/Γ(s), which is analytic
/// for -min(d, as) < Re t < a (all larger Re t where a = 2).
class MellinDensity {
 public:
  MellinDensity(double a, double shape, std::size_t dim) : a_(a), shape_(shape), d_(static_cast<double>(dim)) {
    const double left = shape > 0 ? std::fmin(d_, a * shape) : d_, near = std::fmin(left, 4.0);
    std::vector<double> places{-0.8 * near, -0.4 * near, 0.0};
    if (a < 2)
      places.insert(places.end(), {0.4 * a, 0.8 * a});
    else
      places.insert(places.end(), {1.0, 3.0, 8.0, 20.0, 50.0});
    for (const double c : places) {
      const double to_pole = std::fmin(c + left, a < 2 ? a - c : std::numeric_limits<double>::infinity());
      density_.push_back(contour(c, to_pole, false));
      if (c != 0) tail_.push_back(contour(c, std::fmin(to_pole, std::fabs(c)), true));
    }
    // Where the density is finite at 0, a line beyond the pole at -d, whose residue is that density: near 0 it loses no digits.
    const double room = shape > 0 ? a * shape - d_ : 2.0;
    if (room > 0.02) {
      const double beyond = std::fmin(1.0, 0.5 * room);
      density_.push_back(contour(-d_ - beyond, beyond, false));
      double log_residue = (1 - d_) * std::log(2.0) - std::lgamma(0.5 * d_);
      if (a < 2) log_residue += std::lgamma(1 + d_ / a) - std::lgamma(1 + 0.5 * d_);
      if (shape > 0) log_residue += std::lgamma(shape - d_ / a) - std::lgamma(shape);
      density_.back().residue = std::exp(log_residue);
    }
  }
  /// log of R's density over the surface of its sphere.
  double log_density(double radius) const {
    const double log_radius = std::log(radius);
    const Contour& best = nearest(density_, log_radius);
    const double value = best.integral(log_radius);
    const double log_surface = std::log(2.0) + 0.5 * d_ * std::log(std::numbers::pi) - std::lgamma(0.5 * d_);
    if (best.residue > 0) return std::log(best.residue + value * std::exp(-(best.c + d_) * log_radius)) - log_surface;
    return value > best.rounding ? std::log(value) - (best.c + d_) * log_radius - log_surface : -std::numeric_limits<double>::infinity();
  }
  double tail(double radius) const {
    const double log_radius = std::log(radius);
    const Contour& best = nearest(tail_, log_radius);
    const double value = best.integral(log_radius) * std::exp(-best.c * log_radius);
    return std::clamp(best.c < 0 ? 1 + value : value, 0.0, 1.0);  // left of 0, the residue at 0 is left out
  }

 private:
  static const Contour& nearest(const std::vector<Contour>& contours, double log_radius) {
    return *std::ranges::min_element(contours, {}, [&](const Contour& each) { return each.log_size(log_radius); });
  }
  Complex moment(Complex t) const {
    Complex log_value = t * std::log(2.0) + complex_log_gamma(0.5 * (d_ + t)) - std::lgamma(0.5 * d_);
    if (a_ < 2) log_value += complex_log_gamma(1.0 - t / a_) - complex_log_gamma(1.0 - 0.5 * t);
    if (shape_ > 0) log_value += complex_log_gamma(shape_ + t / a_) - std::lgamma(shape_);
    return std::exp(log_value);
  }
  // The trapezoid rule has the relative error e^{-2π to_pole/step}; M falls at least like e^{-π|Im t|/4}.
  Contour contour(double c, double to_pole, bool over_t) const {
    constexpr std::size_t max_nodes = 200'000;
    Contour made{c, std::fmin(0.17 * to_pole, 0.5), {}};
    double largest = 0;
    for (std::size_t k = 0; k < max_nodes; ++k) {
      const Complex t(c, made.step * static_cast<double>(k));
      made.values.push_back(over_t ? moment(t) / t : moment(t));
      largest = std::fmax(largest, std::abs(made.values.back()));
      made.rounding += 1e-14 * made.step / std::numbers::pi * std::abs(made.values.back());
      if (std::abs(made.values.back()) < 1e-18 * largest) break;
    }
    return made;
  }

  double a_, shape_, d_;
  std::vector<Contour> density_, tail_;
};

StableMixture::Tables::~Tables() = default;

StableMixture::StableMixture(double a, double shape) : a_(a), shape_(shape), tables_(std::make_shared<Tables>()) {}

double StableMixture::draw_scale(RandomStream& random) const {
  double log_v = a_ < 2 ? draw_log_stable(0.5 * a_, random) : 0.0;
  if (shape_ > 0) log_v += 2 / a_ * draw_log_gamma(shape_, random);
  return portable::exp(0.5 * (log_v + std::numbers::ln2));
}

const MellinDensity& StableMixture::density_in(std::size_t dim) const {
  const std::lock_guard lock(tables_->mutex);
  auto& table = tables_->by_dim[dim];
  if (!table) table = std::make_unique<const MellinDensity>(a_, shape_, dim);
  return *table;
}

double StableMixture::log_density(std::size_t dim, double radius) const {
  return density_in(dim).log_density(std::fmax(radius, 1e-300));  // 0, too, has a value where the density is finite there
}

double StableMixture::tail(double cut) const { return cut > 0 ? density_in(1).tail(cut) : 1.0; }

}  // namespace askrff::measures
