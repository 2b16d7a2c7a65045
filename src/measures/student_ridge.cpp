// With e = shift/‖shift‖, s = ‖shift‖/σ and z = σ e·ω ~ Student(n): t = shift·ω = s z decides the part, and given z the rest of σω is
// Student with n + 1 degrees of freedom and scale √((n + z²)/(n + 1)).
#include "measures/student_ridge.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "askrff/errors.hpp"
#include "core/portable_math.hpp"
#include "core/vectors.hpp"
#include "measures/rejection.hpp"

namespace askrff::measures {
namespace {

double sum_of_squares(int count, RandomStream& random) {
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    const double z = random.normal();
    sum += z * z;
  }
  return sum;
}

double student(int n, RandomStream& random) {
  const double z = random.normal();
  return z * std::sqrt(n / sum_of_squares(n, random));
}

[[noreturn]] void give_up(Part part) {
  throw NumericalError(
      fmt::format("shifted Matérn kernel: part {} is too small a share of the measure to be drawn; raise drop_tolerance above its "
                  "mass to leave it out, or use a larger shift or smaller sigma",
                  traits(part).name));
}

// The tail |z| > z0 = π/2s under the Pareto law n z0^n |z|^{-n-1}, which bounds the Student density up to ((z²/n)/(1 + z²/n))^{(n+1)/2}.
double draw_tail(int n, double s, RandomStream& random) {
  const double z0 = std::numbers::pi / (2 * s);
  for (std::uint64_t i = 0; i < max_proposals; ++i) {
    const double z = z0 * portable::exp(random.exponential() / n), ratio = z * z / n;
    const double bound = portable::exp(-0.5 * (n + 1) * portable::log(1 + 1 / ratio));
    if (random.uniform() < -portable::sincos(s * z).cos * bound) return random.coin() ? z : -z;
  }
  give_up(Part::real_negative);
}

double draw_coordinate(Part part, int n, double s, RandomStream& random) {
  // Where the first zero of the cosine is far out, nearly every plain draw would be refused.
  if (part == Part::real_negative && std::numbers::pi / (2 * s) > 2) return draw_tail(n, s, random);
  for (std::uint64_t i = 0; i < max_proposals; ++i) {
    const double z = student(n, random);
    const auto t = portable::sincos(s * z);
    const double probability = part == Part::real_positive ? t.cos : part == Part::real_negative ? -t.cos : std::fabs(t.sin);
    if (random.uniform() < probability) return part == Part::imaginary_positive && t.sin < 0 ? -z : z;
  }
  give_up(part);
}

}  // namespace

void draw_shifted_student(Part part, int n, double sigma, std::span<const double> shift, RandomStream& random, std::span<double> omega) {
  const double length = scaled_norm<double>(shift);
  const double z = draw_coordinate(part, n, length / sigma, random);
  const double across_scale = std::sqrt((n + z * z) / sum_of_squares(n + 1, random));
  random.normals(omega);
  for (double& coordinate : omega) coordinate = coordinate * across_scale / sigma;
  double along = 0;
  for (std::size_t i = 0; i < omega.size(); ++i) along += omega[i] * (shift[i] / length);
  for (std::size_t i = 0; i < omega.size(); ++i) omega[i] += (z / sigma - along) * (shift[i] / length);
}

}  // namespace askrff::measures
