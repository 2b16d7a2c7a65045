// What rational-quadratic, generalised-cauchy and exponential-power share: functions of ‖δ‖ alone that are scale mixtures of Gaussians
// (measures/stable_mixture.hpp), so that draws, density and tails are the same code.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "core/vectors.hpp"
#include "kernels/positive_kernel.hpp"
#include "measures/stable_mixture.hpp"

namespace askrff::kernels {

/// Powers a of ‖δ‖: from the least whose frequencies are doubles, E^-18 for uniform numbers E down to 2^-53, to the largest for which
/// e^{-‖δ‖^a} is positive definite.
constexpr double smallest_power = 0.2, largest_power = 2;

inline double checked_power(double power, const std::string& owner) {
  return within(power, smallest_power, largest_power, owner, "power",
                power > largest_power ? "above 2 the kernel is not positive definite" : "");
}

/// The base of a family whose k is a function of ‖δ‖^a; a family adds name, at(), from_form() and minus_laplacian().
struct StableFamily {
  double sigma;
  double unit;  ///< of ω: a draw of the mixture over this
  measures::StableMixture mixture;

  static constexpr auto pair_form = PairForm::squared;
  /// Squares of differences in units of about σ neither overflow nor underflow where k has a value of its own.
  double pair_unit() const { return sigma < 1e-20 || sigma > 1e20 ? std::ldexp(1.0, std::ilogb(sigma)) : 1.0; }
  /// ‖δ‖²/σ² of a squared distance in pair units is this times it.
  double inverse_square() const {
    const double in_units = sigma / pair_unit();
    return 1 / (in_units * in_units);
  }
  double in_sigmas(std::span<const double> delta) const { return static_cast<double>(scaled_norm(delta) / sigma); }
  double log_density(std::span<const double> omega) const {
    return mixture.log_density(omega.size(), unit * scaled_norm<double>(omega)) + static_cast<double>(omega.size()) * std::log(unit);
  }
  double tail(double cut) const { return mixture.tail(unit * cut); }
  void draw(RandomStream& random, std::span<double> omega) const {
    const double scale = mixture.draw_scale(random) / unit;
    random.normals(omega);
    for (double& coordinate : omega) coordinate *= scale;
  }
  static constexpr bool isotropic = true, is_gaussian = false;
  void draw_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const {
    const double scale = mixture.draw_scale(random) / unit;
    for (std::size_t i = 0; i < omega.size(); ++i) omega[i] = normals[i] * scale;
  }
};

}  // namespace askrff::kernels
