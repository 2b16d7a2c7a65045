// Density, masses and draws of the ridge measures.
#include "measures/ridge_gaussian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/portable_math.hpp"
#include "core/vectors.hpp"
#include "askrff/errors.hpp"

namespace askrff::measures {

RidgeGaussian::RidgeGaussian(const std::string& kernel, double sigma, std::vector<double> ridge, RidgeProfile profile)
    : sigma_(sigma), ridge_(std::move(ridge)), direction_(ridge_), profile_(profile) {
  const double length = scaled_norm<double>(ridge_);
  s_ = length / sigma_;
  extended_s_ = scaled_norm(ridge_) / sigma_;
  if (profile_.growing && !(s_ <= 37))
    throw InvalidArgument(kernel,
                          fmt::format("sigma·||beta|| is {:.6g}, above 37: the masses e^(sigma²||beta||²/2) overflow double precision; "
                                      "use a smaller sigma or beta",
                                      s_));
  if (!(s_ <= 1e6)) throw InvalidArgument(kernel, fmt::format("||shift||/sigma is {:.6g}, expected at most 1e6", s_));
  for (double& e : direction_) e = length > 0 ? e / length : 0.0;
  log_amplitude_ = profile_.growing ? extended_s_ * extended_s_ / 2 : 0.0L;
  amplitude_ = static_cast<double>(std::exp(log_amplitude_));
  proposal_amplitude_ = profile_.growing ? portable::exp(0.5 * s_ * s_) : 1.0;
  expectations_ = extended_ridge_expectations(extended_s_);
}

std::vector<Part> RidgeGaussian::parts() const {
  if (s_ == 0) return {Part::real_positive};
  if (profile_.cosine_real) return {all_parts.begin(), all_parts.end()};
  return {Part::real_positive, Part::imaginary_positive};
}

std::complex<double> RidgeGaussian::proposal_ratio(std::span<const double> omega) const {
  const auto t = portable::sincos(dot(ridge_, omega));
  return {profile_.cosine_real ? proposal_amplitude_ * t.cos : 1.0, profile_.sine_sign * proposal_amplitude_ * t.sin};
}

std::complex<double> RidgeGaussian::density(std::span<const double> omega) const {
  const double log_gaussian =
      -0.5 * sigma_ * sigma_ * squared_norm(omega) + static_cast<double>(dim()) * std::log(sigma_ / std::sqrt(2 * std::numbers::pi));
  const double t = dot(ridge_, omega), scaled = std::exp(log_gaussian + static_cast<double>(log_amplitude_));
  return {profile_.cosine_real ? scaled * std::cos(t) : std::exp(log_gaussian), profile_.sine_sign * scaled * std::sin(t)};
}

std::optional<double> RidgeGaussian::proposal_bound(Part part) const {
  return part == Part::real_positive && !profile_.cosine_real ? 1.0 : proposal_amplitude_;
}

void RidgeGaussian::propose(RandomStream& random, std::span<double> omega) const {
  random.normals(omega);
  for (double& coordinate : omega) coordinate /= sigma_;
}

std::optional<PartMoments> RidgeGaussian::exact_moments(Part part) const {
  const auto moments = [&](long double mass, long double log_mass, long double z2) {
    const long double second = (static_cast<long double>(dim() - 1) + z2) / (static_cast<long double>(sigma_) * sigma_);
    const long double scaled = std::exp(log_mass + log_amplitude_);
    // The direct product is the more exact one where the mass itself does not underflow.
    return PartMoments{static_cast<double>(mass > 0 ? mass * std::exp(log_amplitude_) : scaled),
                       static_cast<double>(log_mass + log_amplitude_), static_cast<double>(second)};
  };
  const auto empty = PartMoments{0.0, -std::numeric_limits<double>::infinity(), 0.0};
  const auto& e = expectations_;
  switch (part) {
    case Part::real_positive:
      if (!profile_.cosine_real) return PartMoments{1.0, 0.0, static_cast<double>(dim()) / (sigma_ * sigma_)};
      return moments(e.cos_positive, std::log(e.cos_positive), e.cos_positive_second_moment);
    case Part::real_negative:
      if (!profile_.cosine_real || s_ == 0) return empty;
      return moments(e.cos_negative, e.log_cos_negative, e.cos_negative_second_moment);
    case Part::imaginary_positive:
      if (s_ == 0) return empty;
      return moments(e.sin_positive, std::log(e.sin_positive), e.sin_positive_second_moment);
  }
  return std::nullopt;
}

// A Gaussian vector whose component along the ridge is replaced by one from the part's own law.
void RidgeGaussian::draw(Part part, RandomStream& random, std::span<double> omega) const {
  if (is_plain(part)) return propose(random, omega);
  const double z = draw_ridge_coordinate(part, profile_, s_, random);
  random.normals(omega);
  lift(z, omega);
}

void RidgeGaussian::draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const {
  if (is_plain(part)) return propose_from(normals, random, omega);
  std::ranges::copy(normals, omega.begin());
  lift(draw_ridge_coordinate(part, profile_, s_, random), omega);
}

void RidgeGaussian::propose_from(std::span<const double> normals, RandomStream&, std::span<double> omega) const {
  for (std::size_t i = 0; i < omega.size(); ++i) omega[i] = normals[i] / sigma_;
}

// |h| is C for cosine profiles, √(1 + C² sin² t) otherwise.
std::optional<double> RidgeGaussian::mass_beyond(std::size_t, double cut) const {
  return *modulus_bound() * std::erfc(sigma_ * cut / std::numbers::sqrt2);
}

// A Gaussian moved by a, or by ±a, times C; of sinh also one that stays where it is.
std::optional<double> RidgeGaussian::largest_beyond(std::span<const double> distances) const {
  const auto exponent = [&](std::span<const double> delta) {
    const double x = static_cast<double>(scaled_norm(delta) / sigma_);
    return -0.5 * x * x;
  };
  const double moved = std::exp(static_cast<double>(log_amplitude_) + exponent(reduced_by(distances, ridge_)));
  return profile_.cosine_real ? moved : moved + std::exp(exponent(distances));
}

std::optional<double> RidgeGaussian::modulus_bound() const {
  const double c = proposal_amplitude_;  // ≥ 1; divided out first, because its square may overflow
  return profile_.cosine_real ? c : c * std::sqrt(1 + 1 / (c * c));
}

void RidgeGaussian::lift(double z, std::span<double> omega) const {
  double along = 0;  // the dot product with the direction, in one loop with the divisions: they fill the pauses of its chain of additions
  for (std::size_t i = 0; i < omega.size(); ++i) {
    omega[i] /= sigma_;
    along += direction_[i] * omega[i];
  }
  const double correction = z / sigma_ - along;
  for (std::size_t i = 0; i < omega.size(); ++i) omega[i] += correction * direction_[i];
}

}  // namespace askrff::measures
