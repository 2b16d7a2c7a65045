// The measure of k(δ_1/s_1, …, δ_d/s_d): frequencies ω_i/s_i of another measure.
#pragma once

#include <memory>
#include <vector>

#include "measures/composite_measure.hpp"

namespace askrff::measures {

class ScaledMeasure final : public CompositeMeasure {
 public:
  /// One scale > 0 for every dimension of the base.
  ScaledMeasure(std::unique_ptr<const ComplexMeasure> base, std::vector<double> scales);

  std::size_t dim() const override { return base_->dim(); }
  bool knows_density() const override { return measures::knows_density(*base_); }
  std::vector<Part> parts() const override { return base_->parts(); }
  std::complex<double> density(std::span<const double> omega) const override;
  std::optional<double> proposal_bound(Part part) const override { return base_->proposal_bound(part); }
  void propose(RandomStream& random, std::span<double> omega) const override;
  std::complex<double> proposal_ratio(std::span<const double> omega) const override;
  std::optional<PartMoments> exact_moments(Part part) const override;
  std::optional<double> exact_total_variation() const override { return base_->exact_total_variation(); }
  std::optional<std::complex<double>> exact_transform(Part part, std::span<const double> delta) const override;
  std::optional<std::complex<double>> exact_polar_transform(std::span<const double> delta) const override;
  bool draws_exactly() const override { return base_->draws_exactly(); }
  void draw(Part part, RandomStream& random, std::span<double> omega) const override;
  std::optional<double> modulus_bound() const override { return base_->modulus_bound(); }
  bool draws_weighted() const override { return base_->draws_weighted(); }
  std::complex<double> draw_weighted(RandomStream& random, std::span<double> omega) const override;
  std::complex<double> draw_weighted_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  NormalVectorUse normal_vector_use() const override;
  void propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  void draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  std::optional<double> mass_beyond(std::size_t coordinate, double cut) const override;
  std::optional<double> largest_beyond(std::span<const double> distances) const override;
  std::optional<double> gaussian_sigma() const override;
  std::span<const double> ridge() const override { return ridge_; }

 private:
  void shrink(std::span<double> omega) const;
  std::vector<double> over_scales(std::span<const double> delta) const;
  std::vector<double> times_scales(std::span<const double> omega) const;

  std::unique_ptr<const ComplexMeasure> base_;
  std::vector<double> scales_, ridge_;
  bool all_equal_ = true, is_exchangeable_ = false;
  double log_product_ = 0;
};

}  // namespace askrff::measures
