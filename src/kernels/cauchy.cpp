// Π 1/(1 + δ_i²/σ²); spectral law: independent Laplace coordinates of scale 1/σ.
#include <numbers>

#include "askrff/kernels.hpp"
#include "core/portable_math.hpp"
#include "core/vectors.hpp"
#include "kernels/positive_kernel.hpp"
#include "measures/rejection.hpp"

namespace askrff {
namespace {

struct Cauchy {
  double sigma;

  std::string name() const { return "cauchy"; }
  double at(std::span<const double> delta) const {
    double product = 1;
    for (const double x : delta) product /= 1 + (x / sigma) * (x / sigma);
    return product;
  }
  // Relative error (2·dim + 2)·2^-53, and dim·2^-53·(|x_i| + |y_i|)/σ of the largest coordinate for dividing by σ first; 0 where the
  // product overflows, that is for values below 5.6e-309.
  static constexpr auto pair_form = kernels::PairForm::product;
  double pair_unit() const { return sigma; }
  void from_form(std::span<double> values, const kernels::Exponentials&) const {
    for (double& value : values) value = 1 / value;
  }
  double log_density(std::span<const double> omega) const {
    return static_cast<double>(omega.size()) * std::log(sigma / 2) - sigma * norm_l1(omega);
  }
  double tail(double cut) const { return std::exp(-sigma * cut); }
  void draw(RandomStream& random, std::span<double> omega) const {
    for (double& coordinate : omega) {
      const double size = random.exponential() / sigma;
      coordinate = random.coin() ? size : -size;
    }
  }
  // A Laplace coordinate is a normal one with an exponential variance.
  static constexpr bool isotropic = false, is_gaussian = false;
  void draw_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const {
    for (std::size_t i = 0; i < omega.size(); ++i) omega[i] = normals[i] * std::sqrt(2 * random.exponential()) / sigma;
  }
  // The part of a small shift where cos t < 0 is a far tail |t| > π/2: drawn under exponential tilting, g(ω) e^{λt} with λ such that the
  // mean of t is π/2, and kept with probability -cos(t) e^{-λ(t - π/2)}. Tilted Laplace coordinates are two-sided exponential with rates σ
  // ∓ λr_i.
  bool draw_shifted(Part part, std::span<const double> shift, RandomStream& random, std::span<double> omega) const {
    const double tilt = part == Part::real_negative ? tilt_for(shift) : 0;
    if (tilt == 0) return false;
    for (std::uint64_t n = 0; n < measures::max_proposals; ++n) {
      double t = 0;
      for (std::size_t i = 0; i < omega.size(); ++i) {
        const double up = sigma - tilt * shift[i], down = sigma + tilt * shift[i];
        const bool positive = random.uniform() * (up + down) < down;  // sides weigh 1/up and 1/down
        omega[i] = positive ? random.exponential() / up : -random.exponential() / down;
        t += shift[i] * omega[i];
      }
      const double beyond = t - half_pi;
      if (beyond <= 0 || !(random.uniform() < -portable::sincos(t).cos * portable::exp(-tilt * beyond))) continue;
      if (random.coin())
        for (double& coordinate : omega) coordinate = -coordinate;  // the other tail
      return true;
    }
    return false;
  }
  // λ with E t = Σ 2λr_i²/(σ² - λ²r_i²) = π/2, by bisection; 0 if t is so wide that plain draws reach π/2 easily.
  double tilt_for(std::span<const double> shift) const {
    double largest = 0, squares = 0;
    for (const double r : shift) largest = std::fmax(largest, std::fabs(r)), squares += (r / sigma) * (r / sigma);
    if (2 * squares > 1) return 0;
    double low = 0, high = sigma / largest;
    for (int step = 0; step < 60; ++step) {
      const double middle = 0.5 * (low + high);
      double mean = 0;
      for (const double r : shift) mean += 2 * middle * r * r / ((sigma - middle * r) * (sigma + middle * r));
      (mean < half_pi ? low : high) = middle;
    }
    return low;
  }
  static constexpr double half_pi = std::numbers::pi / 2;
  // Each coordinate contributes -f''/f = 2/σ² · (1 - 3x²/σ²)/(1 + x²/σ²)².
  std::optional<double> minus_laplacian(std::span<const double> delta) const {
    double sum = 0;
    for (const double x : delta) {
      const double y = (x / sigma) * (x / sigma);
      sum += 2 / (sigma * sigma) * (1 - 3 * y) / ((1 + y) * (1 + y));
    }
    const double k = at(delta);
    return k > 0 ? sum * k : 0.0;
  }
};

}  // namespace

std::unique_ptr<Kernel> cauchy(SigmaParameters parameters) {
  return std::make_unique<kernels::PositiveKernel<Cauchy>>(Cauchy{parameters.sigma});
}

}  // namespace askrff
