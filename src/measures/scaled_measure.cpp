// Everything asked of the base, in its own lengths.
#include "measures/scaled_measure.hpp"

#include <algorithm>
#include <cmath>

#include "measures/positive_measure.hpp"

namespace askrff::measures {

ScaledMeasure::ScaledMeasure(std::unique_ptr<const ComplexMeasure> base, std::vector<double> scales)
    : base_(std::move(base)), scales_(std::move(scales)), is_exchangeable_(dynamic_cast<const PositiveMeasure*>(base_.get()) != nullptr) {
  for (const double s : scales_) {
    all_equal_ = all_equal_ && s == scales_.front();
    log_product_ += std::log(s);
  }
  if (all_equal_ && base_->gaussian_sigma()) {
    ridge_.assign(base_->ridge().begin(), base_->ridge().end());
    for (double& value : ridge_) value *= scales_.front();
  }
}

void ScaledMeasure::shrink(std::span<double> omega) const {
  for (std::size_t i = 0; i < omega.size(); ++i) omega[i] /= scales_[i];
}

std::vector<double> ScaledMeasure::over_scales(std::span<const double> delta) const {
  std::vector<double> out(delta.begin(), delta.end());
  shrink(out);
  return out;
}

std::vector<double> ScaledMeasure::times_scales(std::span<const double> omega) const {
  std::vector<double> out(omega.begin(), omega.end());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] *= scales_[i];
  return out;
}

std::complex<double> ScaledMeasure::density(std::span<const double> omega) const {
  return base_->density(times_scales(omega)) * std::exp(log_product_);
}

void ScaledMeasure::propose(RandomStream& random, std::span<double> omega) const {
  base_->propose(random, omega);
  shrink(omega);
}

std::complex<double> ScaledMeasure::proposal_ratio(std::span<const double> omega) const {
  return base_->proposal_ratio(times_scales(omega));
}

// Second moments: of equal scales that of the base over s²; where all coordinates have the same law, the mean of 1/s_i² takes its place.
std::optional<PartMoments> ScaledMeasure::exact_moments(Part part) const {
  auto moments = base_->exact_moments(part);
  if (!moments || !moments->second_moment || std::isinf(*moments->second_moment) || *moments->second_moment == 0) return moments;
  double mean = 0;
  for (const double s : scales_) mean += 1 / (s * s) / static_cast<double>(scales_.size());
  if (all_equal_ || is_exchangeable_)
    *moments->second_moment *= mean;
  else
    moments->second_moment.reset();
  return moments;
}

std::optional<std::complex<double>> ScaledMeasure::exact_transform(Part part, std::span<const double> delta) const {
  return base_->exact_transform(part, over_scales(delta));
}

std::optional<std::complex<double>> ScaledMeasure::exact_polar_transform(std::span<const double> delta) const {
  return base_->exact_polar_transform(over_scales(delta));
}

void ScaledMeasure::draw(Part part, RandomStream& random, std::span<double> omega) const {
  base_->draw(part, random, omega);
  shrink(omega);
}

std::complex<double> ScaledMeasure::draw_weighted(RandomStream& random, std::span<double> omega) const {
  const auto weight = base_->draw_weighted(random, omega);
  shrink(omega);
  return weight;
}

std::complex<double> ScaledMeasure::draw_weighted_from(std::span<const double> normals, RandomStream& random,
                                                       std::span<double> omega) const {
  const auto weight = base_->draw_weighted_from(normals, random, omega);
  shrink(omega);
  return weight;
}

NormalVectorUse ScaledMeasure::normal_vector_use() const {
  NormalVectorUse use = base_->normal_vector_use();
  use.scaled_proposals = use.scaled_proposals && all_equal_;
  use.scaled_parts = use.scaled_parts && all_equal_;
  return use;
}

void ScaledMeasure::propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const {
  base_->propose_from(normals, random, omega);
  shrink(omega);
}

void ScaledMeasure::draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const {
  base_->draw_from(part, normals, random, omega);
  shrink(omega);
}

std::optional<double> ScaledMeasure::mass_beyond(std::size_t coordinate, double cut) const {
  return base_->mass_beyond(coordinate, cut * scales_[coordinate]);
}

std::optional<double> ScaledMeasure::largest_beyond(std::span<const double> distances) const {
  return base_->largest_beyond(over_scales(distances));
}

std::optional<double> ScaledMeasure::gaussian_sigma() const {
  const auto sigma = base_->gaussian_sigma();
  return all_equal_ && sigma ? std::optional(*sigma * scales_.front()) : std::nullopt;
}

}  // namespace askrff::measures
