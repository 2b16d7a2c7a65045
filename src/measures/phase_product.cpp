// Coordinates one by one; masses from the mean cosines of the sum of their phases.
#include "measures/phase_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "askrff/errors.hpp"
#include "measures/rejection.hpp"

namespace askrff::measures {
namespace {

/// Means of max(cos θ, 0), max(-cos θ, 0) and ½|sin θ| from those of cos(nθ), by the series of half_waves.hpp. That one ends at a small
/// term, or with an integral; mean cosines of phases have zeros among larger ones, and oscillate.
template <class MeanCosine>
std::array<double, 3> half_wave_means(const MeanCosine& mean_cosine) {
  constexpr int most_terms = 100'000, enough_small = 100;
  long double plain = 0, alternating = 0;
  for (int k = 1, n_small = 0; k <= most_terms && n_small < enough_small; ++k) {
    const double x = k, value = mean_cosine(2 * x) / (4 * x * x - 1);
    plain += value;
    alternating += k % 2 == 1 ? value : -value;
    n_small = std::fabs(value) < 1e-20 ? n_small + 1 : 0;
  }
  constexpr long double pi = std::numbers::pi_v<long double>;
  const long double even = (1 + 2 * alternating) / pi, odd = 0.5L * mean_cosine(1);
  return {static_cast<double>(even + odd), static_cast<double>(even - odd), static_cast<double>((1 - 2 * plain) / pi)};
}

}  // namespace

PhaseProduct::PhaseProduct(std::string kernel, std::vector<Coordinate> coordinates)
    : kernel_(std::move(kernel)), coordinates_(std::move(coordinates)) {
  if (coordinates_.empty()) throw InvalidArgument(kernel_, "the dimension is 0, expected at least 1");
  for (const Coordinate& each : coordinates_) {
    total_ *= each->total();
    uses_normals_ = uses_normals_ && each->uses_normals();
  }
  if (!(total_ > 1e-300 && total_ < 1e300))
    throw InvalidArgument(kernel_, fmt::format("the total mass in {} dimensions is {}, beyond double precision; expected fewer "
                                               "coordinates, or a kernel of less skew",
                                               dim(), total_));
  masses_ = part_masses();
  for (const Part part : all_parts)
    if (!masses_ || (*masses_)[static_cast<std::size_t>(part)] > 0) parts_.push_back(part);
}

std::complex<double> PhaseProduct::density(std::span<const double> omega) const {
  std::complex<double> product = 1;
  for (std::size_t i = 0; i < coordinates_.size(); ++i) product *= coordinates_[i]->density(omega[i]);
  return product;
}

void PhaseProduct::propose(RandomStream& random, std::span<double> omega) const {
  for (std::size_t i = 0; i < coordinates_.size(); ++i) omega[i] = coordinates_[i]->draw(random);
}

void PhaseProduct::propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const {
  for (std::size_t i = 0; i < coordinates_.size(); ++i) omega[i] = coordinates_[i]->draw_from(normals[i], random);
}

std::complex<double> PhaseProduct::proposal_ratio(std::span<const double> omega) const {
  double real = 1, imaginary = 0;  // products by hand: those of std::complex may be fused, or slow
  for (std::size_t i = 0; i < coordinates_.size(); ++i) {
    const std::complex<double> phase = coordinates_[i]->phase(omega[i]);
    const double next = real * phase.real() - imaginary * phase.imag();
    imaginary = real * phase.imag() + imaginary * phase.real();
    real = next;
  }
  const double size = std::sqrt(real * real + imaginary * imaginary);  // 1 but for roundings
  return {total_ * (real / size), total_ * (imaginary / size)};
}

std::optional<std::array<double, 3>> PhaseProduct::part_masses() const {
  const auto is_positive = [](const Coordinate& each) { return each->is_positive(); };
  const auto n_others = std::ranges::count_if(coordinates_, std::not_fn(is_positive));
  if (n_others == 0) return std::array<double, 3>{total_, 0, 0};
  if (n_others == 1) {
    const Coordinate& other = *std::ranges::find_if_not(coordinates_, is_positive);
    std::array<double, 3> masses = other->masses();
    for (double& mass : masses) mass *= total_ / other->total();
    return masses;
  }
  for (const Coordinate& each : coordinates_)
    if (!each->is_positive() && !each->mean_cosine(1)) return std::nullopt;
  std::array<double, 3> masses = half_wave_means([this](double n) {
    double product = 1, last = 1;
    const PhaseCoordinate* known = nullptr;  // coordinates that are the same are looked at once
    for (const Coordinate& each : coordinates_) {
      if (each->is_positive()) continue;
      if (each.get() != known) last = *each->mean_cosine(n);
      known = each.get();
      product *= last;
    }
    return product;
  });
  for (double& mass : masses) mass = mass > 2e-15 ? mass * total_ : 0.0;
  return masses;
}

std::optional<PartMoments> PhaseProduct::exact_moments(Part part) const {
  if (!masses_) return std::nullopt;
  const double mass = (*masses_)[static_cast<std::size_t>(part)];
  return PartMoments{mass, std::log(mass), std::nullopt};
}

void PhaseProduct::draw(Part part, RandomStream& random, std::span<double> omega) const {
  const bool hopeless = masses_ && (*masses_)[static_cast<std::size_t>(part)] < min_share * total_;
  if (hopeless || !draw_by_rejection(*this, part, random, omega, max_proposals))
    throw NumericalError(
        fmt::format("{}: part {} is too small a share of the measure to be drawn (the least is {:g}); raise drop_tolerance "
                    "above it to leave the part out, or use the polar estimator",
                    kernel_, traits(part).name, min_share));
}

std::optional<double> PhaseProduct::mass_beyond(std::size_t coordinate, double cut) const {
  return total_ * coordinates_[coordinate]->tail(cut);
}

std::optional<double> PhaseProduct::largest_beyond(std::span<const double> distances) const {
  double product = 1;
  for (std::size_t i = 0; i < coordinates_.size(); ++i) product *= coordinates_[i]->largest_beyond(std::fabs(distances[i]));
  return product;
}

}  // namespace askrff::measures
