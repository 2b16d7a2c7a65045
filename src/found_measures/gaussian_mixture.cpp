// Sums over the widths.
#include "found_measures/gaussian_mixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "askrff/errors.hpp"
#include "core/portable_math.hpp"
#include "core/vectors.hpp"
#include "measures/rejection.hpp"

namespace askrff::found_measures {

GaussianMixture::GaussianMixture(std::size_t dim, std::vector<double> widths, std::vector<double> weights, double error)
    : dim_(dim), widths_(std::move(widths)), weights_(std::move(weights)), error_(error) {
  for (const double weight : weights_) {
    size_ += std::fabs(weight);
    cumulative_.push_back(size_);
    is_one_sign_ = is_one_sign_ && (weight > 0) == (weights_.front() > 0);
  }
}

std::vector<Part> GaussianMixture::parts() const {
  if (!is_one_sign_) return {Part::real_positive, Part::real_negative};
  return {weights_.front() > 0 ? Part::real_positive : Part::real_negative};
}

std::complex<double> GaussianMixture::density(std::span<const double> omega) const {
  const double square = squared_norm(omega), d = static_cast<double>(dim_);
  double sum = 0;
  for (std::size_t j = 0; j < widths_.size(); ++j)
    sum += weights_[j] * std::exp(-0.5 * square / (widths_[j] * widths_[j]) - d * std::log(widths_[j] * std::sqrt(2 * std::numbers::pi)));
  return sum;
}

std::complex<double> GaussianMixture::proposal_ratio(std::span<const double> omega) const {
  if (is_one_sign_) return weights_.front() > 0 ? size_ : -size_;
  // Over the largest term, so that none overflows.
  const double square = squared_norm(omega), d = static_cast<double>(dim_);
  std::vector<double> exponents(widths_.size());
  double largest = -std::numeric_limits<double>::infinity(), sum = 0, absolute = 0;
  for (std::size_t j = 0; j < widths_.size(); ++j) {
    exponents[j] = -0.5 * square / (widths_[j] * widths_[j]) - d * portable::log(widths_[j]);
    largest = std::max(largest, exponents[j]);
  }
  for (std::size_t j = 0; j < widths_.size(); ++j) {
    const double term = weights_[j] * portable::exp(exponents[j] - largest);
    sum += term;
    absolute += std::fabs(term);
  }
  return absolute > 0 ? size_ * std::clamp(sum / absolute, -1.0, 1.0) : 0.0;
}

double GaussianMixture::draw_width(RandomStream& random) const {
  const auto found = std::ranges::upper_bound(cumulative_, random.uniform() * size_);
  return widths_[std::min(static_cast<std::size_t>(found - cumulative_.begin()), widths_.size() - 1)];
}

void GaussianMixture::propose(RandomStream& random, std::span<double> omega) const {
  const double width = draw_width(random);
  random.normals(omega);
  for (double& coordinate : omega) coordinate *= width;
}

void GaussianMixture::propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const {
  const double width = draw_width(random);
  for (std::size_t i = 0; i < omega.size(); ++i) omega[i] = normals[i] * width;
}

void GaussianMixture::draw(Part part, RandomStream& random, std::span<double> omega) const {
  if (is_one_sign_) return propose(random, omega);
  if (!measures::draw_by_rejection(*this, part, random, omega, measures::max_proposals))
    throw NumericalError("radial function", fmt::format("part {} is too small a share of the measure to be drawn; use the polar estimator",
                                                        traits(part).name));
}

void GaussianMixture::draw_from(Part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const {
  propose_from(normals, random, omega);
}

std::optional<PartMoments> GaussianMixture::exact_moments(Part part) const {
  if (!is_one_sign_) return std::nullopt;
  if (part != parts().front()) return PartMoments{0.0, -std::numeric_limits<double>::infinity(), 0.0};
  double second = 0;
  for (std::size_t j = 0; j < widths_.size(); ++j) second += std::fabs(weights_[j]) / size_ * widths_[j] * widths_[j];
  return PartMoments{size_, std::log(size_), static_cast<double>(dim_) * second};
}

std::optional<double> GaussianMixture::exact_total_variation() const { return is_one_sign_ ? std::optional<double>(size_) : std::nullopt; }

std::optional<std::complex<double>> GaussianMixture::exact_transform(Part part, std::span<const double> delta) const {
  if (!is_one_sign_) return std::nullopt;
  return part == parts().front() ? std::fabs(value(delta)) : 0.0;
}

// e^{2iθ} is 1 for measures of one sign.
std::optional<std::complex<double>> GaussianMixture::exact_polar_transform(std::span<const double> delta) const {
  return is_one_sign_ ? std::optional<std::complex<double>>(std::fabs(value(delta))) : std::nullopt;
}

std::optional<double> GaussianMixture::mass_beyond(std::size_t, double cut) const {
  double sum = error_;
  for (std::size_t j = 0; j < widths_.size(); ++j) sum += std::fabs(weights_[j]) * std::erfc(cut / (widths_[j] * std::numbers::sqrt2));
  return sum;
}

std::optional<double> GaussianMixture::largest_beyond(std::span<const double> distances) const {
  const double distance = static_cast<double>(scaled_norm(distances));
  double sum = 0;
  for (std::size_t j = 0; j < widths_.size(); ++j) {
    const double x = widths_[j] * distance;
    sum += std::fabs(weights_[j]) * std::exp(-0.5 * x * x);
  }
  return sum;
}

double GaussianMixture::value(std::span<const double> delta) const {
  const double distance = static_cast<double>(scaled_norm(delta));
  double sum = 0;
  for (std::size_t j = 0; j < widths_.size(); ++j) {
    const double x = widths_[j] * distance;
    sum += weights_[j] * std::exp(-0.5 * x * x);
  }
  return sum;
}

}  // namespace askrff::found_measures
