// e^{i r·ω} μ(ω) for a real measure μ: the measure of k(δ + r), k symmetric.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "askrff/measure.hpp"

namespace askrff::measures {

class PositiveMeasure;

/// Base: a measure without imaginary part that draws exactly and knows its masses. If it is positive, masses, second moments and component
/// kernels of the shifted measure are exact too (half_waves.hpp); for a signed base they are not known in closed form.
/// Draws: by the base's own draw_shifted where it has one, else from |μ|, kept with probability max(±cos t, 0) or max(sin t, 0), t = r·ω;
/// exact in law, acceptance = mass / ‖μ_base‖.
class ShiftedMeasure final : public ComplexMeasure {
 public:
  ShiftedMeasure(std::unique_ptr<const ComplexMeasure> base, std::vector<double> shift);
  ~ShiftedMeasure() override;

  std::size_t dim() const override { return base_->dim(); }
  std::vector<Part> parts() const override { return {all_parts.begin(), all_parts.end()}; }
  std::complex<double> density(std::span<const double> omega) const override;
  std::optional<double> proposal_bound(Part part) const override;
  void propose(RandomStream& random, std::span<double> omega) const override;
  std::complex<double> proposal_ratio(std::span<const double> omega) const override;
  std::optional<PartMoments> exact_moments(Part part) const override;
  std::optional<double> exact_total_variation() const override { return base_total_; }
  std::optional<std::complex<double>> exact_transform(Part part, std::span<const double> delta) const override;
  std::optional<std::complex<double>> exact_polar_transform(std::span<const double> delta) const override;
  bool draws_exactly() const override { return true; }
  void draw(Part part, RandomStream& random, std::span<double> omega) const override;
  std::optional<double> modulus_bound() const override { return base_total_; }
  std::optional<double> mass_beyond(std::size_t coordinate, double cut) const override { return base_->mass_beyond(coordinate, cut); }
  std::optional<double> largest_beyond(std::span<const double> distances) const override;
  NormalVectorUse normal_vector_use() const override;
  void propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;

 private:
  Part draw_sign(RandomStream& random) const;              // the part of the base a proposal comes from
  double base_value(std::span<const double> omega) const;  // of the sign of the base at ω

  std::unique_ptr<const ComplexMeasure> base_;
  const PositiveMeasure* positive_base_;  // base_ if it is positive, else null
  std::vector<double> shift_;
  double base_positive_ = 0, base_total_ = 0;
  std::array<std::optional<PartMoments>, 3> moments_;
};

}  // namespace askrff::measures
