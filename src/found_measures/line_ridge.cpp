// A vector across, a number along.
#include "found_measures/line_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/portable_quantiles.hpp"
#include "core/vectors.hpp"

namespace askrff::found_measures {

LineRidge::LineRidge(std::shared_ptr<const TabulatedLine> line, std::vector<double> direction, double sigma)
    : line_(std::move(line)), direction_(std::move(direction)), sigma_(sigma) {}

std::vector<Part> LineRidge::parts() const {
  std::vector<Part> present;
  for (const Part part : all_parts)
    if (line_->table.mass(part) > 0) present.push_back(part);
  return present;
}

double LineRidge::along(std::span<const double> omega) const { return dot(direction_, omega) * line_->length(); }

std::complex<double> LineRidge::density(std::span<const double> omega) const {
  const double t = dot(direction_, omega), across = std::max(0.0, squared_norm(omega) - t * t);
  const double gaussian =
      std::exp(-0.5 * sigma_ * sigma_ * across) * std::pow(sigma_ / std::sqrt(2 * std::numbers::pi), static_cast<double>(dim() - 1));
  return line_->table.density(t * line_->length()) * (line_->length() * line_->height() * gaussian);
}

std::complex<double> LineRidge::proposal_ratio(std::span<const double> omega) const {
  const std::complex<double> ratio = line_->table.envelope_ratio(along(omega));
  return {envelope_total() * ratio.real(), envelope_total() * ratio.imag()};
}

void LineRidge::lift(double t, std::span<double> omega) const {
  for (double& coordinate : omega) coordinate /= sigma_;
  const double correction = t / line_->length() - dot(direction_, omega);
  for (std::size_t i = 0; i < omega.size(); ++i) omega[i] += correction * direction_[i];
}

void LineRidge::propose(RandomStream& random, std::span<double> omega) const {
  const double t = line_->table.envelope_quantile(random.uniform());
  random.normals(omega);
  lift(t, omega);
}

void LineRidge::draw(Part part, RandomStream& random, std::span<double> omega) const {
  const double t = line_->table.part_quantile(part, random.uniform());
  random.normals(omega);
  lift(t, omega);
}

void LineRidge::propose_from(std::span<const double> normals, RandomStream&, std::span<double> omega) const {
  const double t = line_->table.envelope_quantile(portable::normal_share(dot(direction_, normals)));
  std::ranges::copy(normals, omega.begin());
  lift(t, omega);
}

void LineRidge::draw_from(Part part, std::span<const double> normals, RandomStream&, std::span<double> omega) const {
  const double t = line_->table.part_quantile(part, portable::normal_share(dot(direction_, normals)));
  std::ranges::copy(normals, omega.begin());
  lift(t, omega);
}

std::optional<PartMoments> LineRidge::exact_moments(Part part) const {
  const double units = line_->table.mass(part), mass = line_->height() * units;
  if (mass == 0) return PartMoments{0.0, -std::numeric_limits<double>::infinity(), 0.0};
  PartMoments moments{mass, std::log(mass), std::nullopt};
  if (const auto second = line_->table.second_moment(part))
    moments.second_moment = *second / units / (line_->length() * line_->length()) + static_cast<double>(dim() - 1) / (sigma_ * sigma_);
  return moments;
}

// A coordinate is a_i t + √(1 - a_i²) z/σ: one of the two terms is beyond its share of the cut. Shares that suit both laws are not known,
// half for each is a bound.
std::optional<double> LineRidge::mass_beyond(std::size_t coordinate, double cut) const {
  const double a = std::fabs(direction_[coordinate]), b = std::sqrt(std::max(0.0, 1 - a * a));
  const double by_line = a > 0 ? line_->height() * line_->table.mass_beyond(0.5 * cut / a * line_->length()) : 0.0;
  const double by_gaussian = b > 0 ? envelope_total() * std::erfc(0.5 * cut / b * sigma_ / std::numbers::sqrt2) : 0.0;
  return by_line + by_gaussian + line_->height() * line_->table.error();
}

// ‖δ‖ ≥ D, so |a·δ| or the distance across is at least D/√2.
std::optional<double> LineRidge::largest_beyond(std::span<const double> distances) const {
  const double distance = static_cast<double>(scaled_norm(distances)) / std::numbers::sqrt2, x = distance / sigma_;
  const double here = line_->largest_beyond(0.0), there = line_->largest_beyond(distance);
  return line_->height() * std::max(there, here * std::exp(-0.5 * x * x));
}

double LineRidge::value(std::span<const double> delta) const {
  const double t = dot(direction_, delta);
  double across = 0;
  for (std::size_t i = 0; i < delta.size(); ++i) across += (delta[i] - t * direction_[i]) * (delta[i] - t * direction_[i]);
  return line_->value(t) * std::exp(-0.5 * across / (sigma_ * sigma_));
}

}  // namespace askrff::found_measures
