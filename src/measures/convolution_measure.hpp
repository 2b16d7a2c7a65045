// μ_1 * μ_2 * …: the measure of a product of kernels. A frequency is the sum of theirs, its weight the product.
#pragma once

#include <memory>
#include <vector>

#include "measures/composite_measure.hpp"

namespace askrff::measures {

/// Of positive measures it is positive: masses, second moments, transforms and draws are exact. Else nobody knows its parts or ∫|μ|; it is
/// drawn with weights. Its density is a convolution, which is not known pointwise.
class ConvolutionMeasure final : public CompositeMeasure {
 public:
  using Factor = std::shared_ptr<const ComplexMeasure>;
  /// At least one factor, all of one dimension and with weighted draws.
  explicit ConvolutionMeasure(std::vector<Factor> factors);

  std::size_t dim() const override { return factors_.front()->dim(); }
  bool knows_density() const override { return false; }
  std::vector<Part> parts() const override;
  /// Throws InvalidArgument.
  std::complex<double> density(std::span<const double> omega) const override;
  std::optional<double> proposal_bound(Part part) const override;
  void propose(RandomStream& random, std::span<double> omega) const override;
  std::complex<double> proposal_ratio(std::span<const double> omega) const override;
  std::optional<PartMoments> exact_moments(Part part) const override;
  std::optional<double> exact_total_variation() const override { return is_positive_ ? std::optional(total_) : std::nullopt; }
  std::optional<std::complex<double>> exact_transform(Part part, std::span<const double> delta) const override;
  std::optional<std::complex<double>> exact_polar_transform(std::span<const double> delta) const override;
  bool draws_exactly() const override { return is_positive_; }
  void draw(Part part, RandomStream& random, std::span<double> omega) const override;
  std::optional<double> modulus_bound() const override { return bound_; }
  bool draws_weighted() const override { return !is_positive_; }
  std::complex<double> draw_weighted(RandomStream& random, std::span<double> omega) const override;
  std::complex<double> draw_weighted_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  NormalVectorUse normal_vector_use() const override;
  void propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  void draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  std::optional<double> largest_beyond(std::span<const double> distances) const override;

 private:
  std::vector<Factor> factors_;
  bool is_positive_ = true, is_real_ = true;
  double total_ = 1;
  std::optional<double> bound_ = 1.0;
};

}  // namespace askrff::measures
