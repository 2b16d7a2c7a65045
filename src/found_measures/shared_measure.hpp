// A measure that others hold too: what kernels hand out that keep the measure they found.
#pragma once

#include <memory>
#include <vector>

#include "askrff/measure.hpp"

namespace askrff::found_measures {

class SharedMeasure final : public ComplexMeasure {
 public:
  explicit SharedMeasure(std::shared_ptr<const ComplexMeasure> measure) : measure_(std::move(measure)) {}

  std::size_t dim() const override { return measure_->dim(); }
  std::vector<Part> parts() const override { return measure_->parts(); }
  std::complex<double> density(std::span<const double> omega) const override { return measure_->density(omega); }
  std::optional<double> proposal_bound(Part part) const override { return measure_->proposal_bound(part); }
  void propose(RandomStream& random, std::span<double> omega) const override { measure_->propose(random, omega); }
  std::complex<double> proposal_ratio(std::span<const double> omega) const override { return measure_->proposal_ratio(omega); }
  std::optional<PartMoments> exact_moments(Part part) const override { return measure_->exact_moments(part); }
  std::optional<double> exact_total_variation() const override { return measure_->exact_total_variation(); }
  std::optional<std::complex<double>> exact_transform(Part part, std::span<const double> delta) const override {
    return measure_->exact_transform(part, delta);
  }
  std::optional<std::complex<double>> exact_polar_transform(std::span<const double> delta) const override {
    return measure_->exact_polar_transform(delta);
  }
  bool draws_exactly() const override { return measure_->draws_exactly(); }
  void draw(Part part, RandomStream& random, std::span<double> omega) const override { measure_->draw(part, random, omega); }
  std::optional<double> modulus_bound() const override { return measure_->modulus_bound(); }
  NormalVectorUse normal_vector_use() const override { return measure_->normal_vector_use(); }
  void propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const override {
    measure_->propose_from(normals, random, omega);
  }
  void draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const override {
    measure_->draw_from(part, normals, random, omega);
  }
  std::optional<double> mass_beyond(std::size_t coordinate, double cut) const override { return measure_->mass_beyond(coordinate, cut); }
  std::optional<double> largest_beyond(std::span<const double> distances) const override { return measure_->largest_beyond(distances); }
  std::optional<double> gaussian_sigma() const override { return measure_->gaussian_sigma(); }
  std::span<const double> ridge() const override { return measure_->ridge(); }

 private:
  std::shared_ptr<const ComplexMeasure> measure_;
};

}  // namespace askrff::found_measures
