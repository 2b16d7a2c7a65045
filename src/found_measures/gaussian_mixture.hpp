// The measure of a sum of Gaussians of the distance, in any dimension: a mixture of normal laws around 0.
#pragma once

#include <vector>

#include "found_measures/envelope_measure.hpp"

namespace askrff::found_measures {

/// k(δ) = Σ_j weights[j] e^{-(widths[j] ‖δ‖)²/2}, so μ = Σ_j weights[j] N(0, widths[j]² I). Proposal: the same with |weights|. With weights
/// of one sign everything is exact; with both the total variation and the masses of parts are not known, and draws of parts are made by
/// rejection.
class GaussianMixture final : public EnvelopeMeasure {
 public:
  /// There is at least one weight, and none is 0. error: of k.
  GaussianMixture(std::size_t dim, std::vector<double> widths, std::vector<double> weights, double error);

  double envelope_total() const override { return size_; }
  std::size_t dim() const override { return dim_; }
  std::vector<Part> parts() const override;
  std::complex<double> density(std::span<const double> omega) const override;
  void propose(RandomStream& random, std::span<double> omega) const override;
  std::complex<double> proposal_ratio(std::span<const double> omega) const override;
  std::optional<PartMoments> exact_moments(Part part) const override;
  std::optional<double> exact_total_variation() const override;
  std::optional<std::complex<double>> exact_transform(Part part, std::span<const double> delta) const override;
  std::optional<std::complex<double>> exact_polar_transform(std::span<const double> delta) const override;
  void draw(Part part, RandomStream& random, std::span<double> omega) const override;
  NormalVectorUse normal_vector_use() const override { return {true, is_one_sign_, true, is_one_sign_}; }
  void propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  void draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  /// With the error: a grid for a tolerance below that is refused.
  std::optional<double> mass_beyond(std::size_t coordinate, double cut) const override;
  std::optional<double> largest_beyond(std::span<const double> distances) const override;

  double value(std::span<const double> delta) const override;

 private:
  double draw_width(RandomStream& random) const;

  std::size_t dim_;
  std::vector<double> widths_, weights_, cumulative_;
  double error_, size_ = 0;  // size_: Σ|weights|
  bool is_one_sign_ = true;
};

}  // namespace askrff::found_measures
