// The scalar samplers of the ridge measures.
#include <cmath>
#include <numbers>

#include "askrff/errors.hpp"
#include "core/portable_math.hpp"
#include "measures/ridge_gaussian.hpp"

namespace askrff::measures {
namespace {

constexpr double half_pi = std::numbers::pi / 2;

// Acceptance is at least 0.18 for every s: 10^4 proposals fail with probability below 1e-860.
constexpr int max_coordinate_proposals = 10'000;

// Tries `propose` (which returns a candidate z and its acceptance probability) until one is accepted.
template <class Propose>
double first_accepted(RandomStream& random, const Propose& propose) {
  for (int n = 0; n < max_coordinate_proposals; ++n) {
    const auto [z, probability] = propose();
    if (random.uniform() < probability) return z;
  }
  throw NumericalError("ridge sampler: no proposal accepted; a parameter is not a number");
}

struct Candidate {
  double z, probability;
};

double draw_cos_positive(double s, RandomStream& random) {
  return first_accepted(random, [&] {
    const double z = random.normal();
    return Candidate{z, portable::sincos(s * z).cos};
  });
}

// Small s: only the tail |t| = π/2 + u > π/2 counts; there the Gaussian is below a Gamma(2, 2s²/π) law of u, up to sin(u)/u · e^{-u²/2s²}.
double draw_cos_negative(double s, RandomStream& random) {
  if (s >= 1.75) {
    return first_accepted(random, [&] {
      const double z = random.normal();
      return Candidate{z, -portable::sincos(s * z).cos};
    });
  }
  return first_accepted(random, [&] {
    const double v = random.exponential() + random.exponential();  // u = 2s²v/π
    const double u = 2 * s * s / std::numbers::pi * v, u_over_s = 2 * s / std::numbers::pi * v;
    const double sinc = u > 0 ? portable::sincos(u).sin / u : 1.0;
    const double z = half_pi / s + u_over_s;
    return Candidate{random.coin() ? z : -z, sinc * portable::exp(-0.5 * u_over_s * u_over_s)};
  });
}

// max(sin t, 0): |t| from the symmetric law ∝ n(z)|sin t|, with the sign that makes sin t positive.
double draw_sin_positive(double s, RandomStream& random) {
  return first_accepted(random, [&] {
    const bool small = s < 1.2;
    const double size = small ? std::sqrt(2 * random.exponential()) : std::fabs(random.normal()), t = s * size;
    const double sine = portable::sincos(t).sin, probability = !small ? std::fabs(sine) : t > 0 ? std::fabs(sine) / t : 1.0;
    return Candidate{sine < 0 ? -size : size, probability};
  });
}

}  // namespace

double draw_ridge_coordinate(Part part, const RidgeProfile& profile, double s, RandomStream& random) {
  switch (part) {
    case Part::real_positive:
      return draw_cos_positive(s, random);
    case Part::real_negative:
      return draw_cos_negative(s, random);
    case Part::imaginary_positive:
      return profile.sine_sign * draw_sin_positive(s, random);
  }
  return 0;
}

}  // namespace askrff::measures
