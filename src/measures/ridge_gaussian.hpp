// The measures of shift-, sinh- and cosh-Gaussian: a Gaussian times a function of one scalar t = a·ω.
#pragma once

#include <string>
#include <vector>

#include "askrff/measure.hpp"
#include "measures/ridge_expectations.hpp"

namespace askrff::measures {

/// h(t) with μ(ω) = N(ω; 0, I/σ²)·h(a·ω):  Re h = C cos t or 1,  Im h = sine_sign · C sin t.
struct RidgeProfile {
  bool cosine_real = true;  ///< Re h = C cos t, else 1
  double sine_sign = 1;
  bool growing = false;  ///< C = e^{s²/2}, else 1
};
inline constexpr RidgeProfile shift_profile{true, +1, false};  // e^{it}
inline constexpr RidgeProfile sinh_profile{false, -1, true};   // 1 - iC sin t
inline constexpr RidgeProfile cosh_profile{true, -1, true};    // C e^{-it}

/// With s = ‖a‖/σ: exact masses, second moments, component kernels and draws in any dimension, from the law of z = t/s alone.
class RidgeGaussian final : public ComplexMeasure {
 public:
  /// `kernel` names the owner in errors. Throws std::invalid_argument if C overflows (s > 37) or s is above 10^6.
  RidgeGaussian(const std::string& kernel, double sigma, std::vector<double> ridge, RidgeProfile profile);

  std::size_t dim() const override { return ridge_.size(); }
  std::vector<Part> parts() const override;
  std::complex<double> density(std::span<const double> omega) const override;
  std::optional<double> proposal_bound(Part part) const override;
  void propose(RandomStream& random, std::span<double> omega) const override;
  std::complex<double> proposal_ratio(std::span<const double> omega) const override;
  std::optional<PartMoments> exact_moments(Part part) const override;
  std::optional<double> exact_total_variation() const override;
  std::optional<std::complex<double>> exact_transform(Part part, std::span<const double> delta) const override;
  std::optional<std::complex<double>> exact_polar_transform(std::span<const double> delta) const override;
  bool draws_exactly() const override { return true; }
  void draw(Part part, RandomStream& random, std::span<double> omega) const override;
  std::optional<double> modulus_bound() const override;
  std::optional<double> mass_beyond(std::size_t coordinate, double cut) const override;
  std::optional<double> largest_beyond(std::span<const double> distances) const override;
  NormalVectorUse normal_vector_use() const override { return {true, true, true, s_ == 0}; }
  void propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  void draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const override;
  std::optional<double> gaussian_sigma() const override { return sigma_; }
  std::span<const double> ridge() const override { return s_ > 0 ? std::span<const double>(ridge_) : std::span<const double>(); }

 private:
  bool is_plain(Part part) const { return part == Part::real_positive && (!profile_.cosine_real || s_ == 0); }  // the Gaussian itself
  void lift(double z, std::span<double> omega) const;  // standard normal vector → frequency whose component along the ridge is z/σ
  double scaled_gaussian(std::span<const double> delta, double n) const;  // C exp(-‖δ + n a‖²/2σ²), without overflow of C alone

  double sigma_;
  std::vector<double> ridge_, direction_;  // a and a/‖a‖
  RidgeProfile profile_;
  // For exact integrals: long double, then rounded. For draws: double and portable, the same bits everywhere.
  long double extended_s_ = 0, log_amplitude_ = 0;
  double amplitude_ = 1;
  double s_ = 0, proposal_amplitude_ = 1;
  ExtendedRidgeExpectations expectations_{};
};

/// z = t/s from the density ∝ n(z)·part(h(sz)); bounded rejection with acceptance ≥ 0.18 for every s > 0.
double draw_ridge_coordinate(Part part, const RidgeProfile& profile, double s, RandomStream& random);

}  // namespace askrff::measures
