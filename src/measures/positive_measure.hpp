// The probability measure of a symmetric positive definite kernel with k(0) = 1: one part, drawn exactly.
#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "askrff/measure.hpp"

namespace askrff::measures {

class PositiveMeasure : public ComplexMeasure {
 public:
  explicit PositiveMeasure(std::size_t dim) : dim_(dim) {}

  /// log of the probability density at ω.
  virtual double log_density(std::span<const double> omega) const = 0;
  virtual void draw_one(RandomStream& random, std::span<double> omega) const = 0;
  /// k(δ) = ∫ cos(ω·δ) μ(dω).
  virtual double transform(std::span<const double> delta) const = 0;
  /// -Δk(δ) = ∫ ‖ω‖² cos(ω·δ) μ(dω); absent where E‖ω‖² is infinite.
  virtual std::optional<double> minus_laplacian(std::span<const double> delta) const = 0;
  /// The probability that |ω_i| > cut, the same for every coordinate i.
  virtual double tail(double cut) const = 0;
  /// What largest_beyond() says. This one is for a k that falls in every |δ_i|.
  virtual std::optional<double> bound_beyond(std::span<const double> distances) const { return transform(distances); }
  /// e^{i shift·ω} μ(ω), shift ≠ 0, if there is a better form of it than ShiftedMeasure; else null.
  virtual std::unique_ptr<const ComplexMeasure> shifted_by(const std::vector<double>&) const { return nullptr; }

  /// Draws one part of e^{i shift·ω} μ(ω) directly and returns true, if there is a better way than rejection from μ; else returns false.
  virtual bool draw_shifted(Part, std::span<const double> /*shift*/, RandomStream&, std::span<double> /*omega*/) const { return false; }

  std::size_t dim() const final { return dim_; }
  std::vector<Part> parts() const final { return {Part::real_positive}; }
  std::complex<double> density(std::span<const double> omega) const final { return std::exp(log_density(omega)); }
  std::optional<double> proposal_bound(Part part) const final {
    return part == Part::real_positive ? std::optional<double>(1.0) : std::nullopt;
  }
  void propose(RandomStream& random, std::span<double> omega) const final { draw_one(random, omega); }
  std::complex<double> proposal_ratio(std::span<const double>) const final { return 1.0; }
  std::optional<PartMoments> exact_moments(Part part) const final {
    if (part != Part::real_positive) return PartMoments{0.0, -std::numeric_limits<double>::infinity(), 0.0};
    const std::vector<double> origin(dim_, 0.0);
    return PartMoments{1.0, 0.0, minus_laplacian(origin).value_or(std::numeric_limits<double>::infinity())};
  }
  std::optional<double> exact_total_variation() const final { return 1.0; }
  std::optional<std::complex<double>> exact_transform(Part part, std::span<const double> delta) const final {
    return part == Part::real_positive ? transform(delta) : 0.0;
  }
  std::optional<std::complex<double>> exact_polar_transform(std::span<const double> delta) const final { return transform(delta); }
  std::optional<double> mass_beyond(std::size_t, double cut) const final { return tail(cut); }
  std::optional<double> largest_beyond(std::span<const double> distances) const final { return bound_beyond(distances); }
  bool draws_exactly() const final { return true; }
  void draw(Part, RandomStream& random, std::span<double> omega) const final { draw_one(random, omega); }
  std::optional<double> modulus_bound() const final { return 1.0; }
  void draw_from(Part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const final {
    propose_from(normals, random, omega);
  }

 private:
  std::size_t dim_;
};

}  // namespace askrff::measures
