// The measure of a product over coordinates, Π k_i(δ_i): moduli multiply, phases add. Behind causal-gamma and skew-normal.
#pragma once

#include <array>
#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "askrff/measure.hpp"

namespace askrff::measures {

/// μ_1(ω) of one coordinate, with ∫|μ_1| = total(). Draws and phases by portable arithmetic.
class PhaseCoordinate {
 public:
  virtual ~PhaseCoordinate() = default;
  virtual double total() const = 0;
  virtual std::complex<double> density(double omega) const = 0;
  /// A draw from |μ_1|/total().
  virtual double draw(RandomStream& random) const = 0;
  /// μ_1/|μ_1|.
  virtual std::complex<double> phase(double omega) const = 0;
  /// Whether μ_1 ≥ 0.
  virtual bool is_positive() const { return false; }
  /// Masses of the three parts of μ_1, in the order of the enumeration.
  virtual std::array<double, 3> masses() const = 0;
  /// E cos(nθ), θ = arg μ_1 under |μ_1|/total(), for real n ≥ 0; absent: unknown. A law of θ that is symmetric is assumed.
  virtual std::optional<double> mean_cosine(double n) const = 0;
  /// P(|ω| > cut) under |μ_1|/total().
  virtual double tail(double cut) const = 0;
  /// A bound of |k_1(δ)| over |δ| ≥ distance.
  virtual double largest_beyond(double distance) const = 0;
  /// Whether draws can be made of a normal number, which draw_from() then takes.
  virtual bool uses_normals() const { return false; }
  virtual double draw_from(double /*normal*/, RandomStream& random) const { return draw(random); }
};

/// Draws of |μ| are exact, those of parts by rejection from them. The masses of parts are known where all mean cosines are, with an
/// absolute error of 1e-15·∫|μ|, in few dimensions up to 10^(-5-5·decay)·∫|μ| for mean cosines that fall like n^-decay; and where at most
/// one coordinate is not positive.
class PhaseProduct final : public ComplexMeasure {
 public:
  using Coordinate = std::shared_ptr<const PhaseCoordinate>;
  /// `kernel` names the owner in errors. Throws InvalidArgument without coordinates, and if ∫|μ| overflows or underflows.
  PhaseProduct(std::string kernel, std::vector<Coordinate> coordinates);

  std::size_t dim() const override { return coordinates_.size(); }
  std::vector<Part> parts() const override { return parts_; }
  std::complex<double> density(std::span<const double> omega) const override;
  std::optional<double> proposal_bound(Part) const override { return total_; }
  void propose(RandomStream& random, std::span<double> omega) const override;
  std::complex<double> proposal_ratio(std::span<const double> omega) const override;
  std::optional<PartMoments> exact_moments(Part part) const override;
  std::optional<double> exact_total_variation() const override { return total_; }
  bool draws_exactly() const override { return true; }
  void draw(Part part, RandomStream& random, std::span<double> omega) const override;
  std::optional<double> modulus_bound() const override { return total_; }
  NormalVectorUse normal_vector_use() const override { return {.proposals = uses_normals_}; }
  void propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  std::optional<double> mass_beyond(std::size_t coordinate, double cut) const override;
  std::optional<double> largest_beyond(std::span<const double> distances) const override;

 private:
  std::optional<std::array<double, 3>> part_masses() const;

  std::string kernel_;
  std::vector<Coordinate> coordinates_;
  double total_ = 1;
  bool uses_normals_ = true;
  std::optional<std::array<double, 3>> masses_;
  std::vector<Part> parts_;
};

}  // namespace askrff::measures
