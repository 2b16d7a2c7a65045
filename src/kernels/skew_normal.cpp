// Π 2Φ(αδ_i/σ) exp(-δ_i²/2σ²): skew normal densities over their value at 0. With x = bσω/√2, b = α/√(1+α²), its measure is
// N(0, 1/σ²)·(1 - i erfi x) in every coordinate, erfi x = 2/√π e^{x²} D(x), D Dawson's integral: a wide Gaussian over |ω| far out.
#include <algorithm>
#include <numbers>
#include <vector>

#include "askrff/kernels.hpp"
#include "core/portable_math.hpp"
#include "kernels/pairs.hpp"
#include "kernels/support.hpp"
#include "measures/adaptive_quadrature.hpp"
#include "measures/phase_product.hpp"

namespace askrff {
namespace {

constexpr double largest_skew = 1000;

/// In u = σω, with w² = 1 + α²: |μ| ∝ e^{-u²/2w²} ψ(x), ψ(x) = √(e^{-2x²} + (4/π) D(x)²) ≤ min(1, peak/|x|).
class SkewCoordinate final : public measures::PhaseCoordinate {
 public:
  SkewCoordinate(double sigma, double alpha)
      : sigma_(sigma), alpha_(alpha), width_(std::sqrt(1 + alpha * alpha)), per_u_(std::fabs(alpha) / width_ / std::numbers::sqrt2) {
    knee_ = per_u_ > 0 ? peak / per_u_ : HUGE_VAL;
    log_reach_ = knee_ < width_ ? portable::log(width_ / knee_) : 0;
    const auto integral = [&](const auto& f) {  // over u > 0, pieces that double
      std::vector<double> places{0, 1, 2, 4, 8};
      while (places.back() < 45 * width_) places.push_back(2 * places.back());
      return measures::adaptive_quadrature(f, places, 1e-14, 1e-300, 2000).value / std::sqrt(2 * std::numbers::pi);
    };
    const double total = 2 * integral([&](double u) { return envelope(u) * modulus(per_u_ * u); });
    skew_mass_ = integral([&](double u) { return envelope(u) * two_over_root_pi * portable::dawson(per_u_ * u); });
    total_ = is_positive() ? 1 : total;
  }
  bool is_positive() const override { return alpha_ == 0; }
  double total() const override { return total_; }
  std::array<double, 3> masses() const override { return {1, 0, is_positive() ? 0 : skew_mass_}; }
  std::optional<double> mean_cosine(double) const override { return std::nullopt; }
  std::complex<double> density(double omega) const override {
    const double u = sigma_ * omega, x = per_u_ * u, front = sigma_ / std::sqrt(2 * std::numbers::pi);
    const double skew = -std::copysign(two_over_root_pi, alpha_) * portable::dawson(x);
    return {front * std::exp(-0.5 * u * u), is_positive() ? 0.0 : front * std::exp(-0.5 * (u / width_) * (u / width_)) * skew};
  }
  std::complex<double> phase(double omega) const override {
    if (is_positive()) return 1.0;
    const double x = per_u_ * (sigma_ * omega), skew = two_over_root_pi * portable::dawson(x), real = portable::exp(-x * x);
    const double size = std::sqrt(real * real + skew * skew);
    return {real / size, (alpha_ > 0 ? -skew : skew) / size};
  }
  // Under e^{-u²/2w²} alone where that falls before 1/|x| does; else under 1 up to the knee, knee/u up to w, and beyond that
  // u e^{-u²/2w²}/w², in proportion to what they hold.
  double draw(RandomStream& random) const override {
    for (;;) {
      double u = 0, kept = 0;
      if (!(knee_ < width_)) {
        u = width_ * random.normal();
        kept = modulus(per_u_ * std::fabs(u));
        if (random.uniform() < kept) return u / sigma_;
        continue;
      }
      constexpr double tail_share = 0.60653065971263342;  // ∫ over u > w of knee u e^{-u²/2w²}/w² is knee·e^{-1/2}
      const double place = random.uniform() * (1 + log_reach_ + tail_share);
      if (place < 1) {
        u = knee_ * place;
        kept = 1;
      } else if (place < 1 + log_reach_) {
        u = knee_ * portable::exp(place - 1);
        kept = knee_ / u;
      } else {
        u = width_ * std::sqrt(1 + 2 * random.exponential());
        kept = knee_ * u / (width_ * width_);  // over the envelope's Gaussian factor
      }
      const double gauss = place < 1 + log_reach_ ? portable::exp(-0.5 * (u / width_) * (u / width_)) : 1.0;
      if (random.uniform() * kept < gauss * modulus(per_u_ * u)) return (random.coin() ? u : -u) / sigma_;
    }
  }
  bool uses_normals() const override { return true; }
  // The given number is kept as a draw of the wide Gaussian would be; where it is not, the draw is a new one.
  double draw_from(double normal, RandomStream& random) const override {
    const double u = width_ * normal;
    return random.uniform() < modulus(per_u_ * std::fabs(u)) ? u / sigma_ : draw(random);
  }
  // |μ| is at most the wide Gaussian, times peak/x beyond the knee.
  double tail(double cut) const override {
    const double wide = width_ * std::erfc(sigma_ * cut / (width_ * std::numbers::sqrt2));
    const double over_knee = std::fmin(1.0, knee_ / (sigma_ * cut));
    return std::fmin(1.0, wide * over_knee / total_);
  }
  double largest_beyond(double distance) const override {
    const double x = distance / sigma_;
    return (is_positive() ? 1 : 2) * std::exp(-0.5 * x * x);
  }

 private:
  static constexpr double peak = 0.7500;  // sup x ψ(x) is 0.7489
  static constexpr double two_over_root_pi = 2 * std::numbers::inv_sqrtpi;

  double envelope(double u) const { return std::exp(-0.5 * (u / width_) * (u / width_)); }
  static double modulus(double x) {
    const double real = portable::exp(-x * x), skew = two_over_root_pi * portable::dawson(x);
    return std::sqrt(real * real + skew * skew);
  }

  double sigma_, alpha_, width_, per_u_;  // x = per_u·u
  double knee_ = 0, log_reach_ = 0;       // where peak/x is 1, and log(w/knee)
  double total_ = 1, skew_mass_ = 0;
};

class SkewNormal final : public kernels::PairKernel {
 public:
  explicit SkewNormal(SkewParameters p) : p_(std::move(p)) {
    kernels::positive_scale(p_.sigma, name(), "sigma");
    p_.skew.require_finite(name(), "skew");
    if (!p_.skew.is_vector()) skews_in(1);
  }
  std::string name() const override { return "skew-normal"; }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    const auto skews = skews_in(differences.cols());
    kernels::evaluate_rows(differences, out, [&](std::span<const double> delta) {
      double product = std::exp(-kernels::half_scaled_square(delta, p_.sigma));
      for (std::size_t i = 0; i < delta.size(); ++i) product *= side(skews[i] * (delta[i] / p_.sigma));
      return product;
    });
  }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override {
    const auto skews = skews_in(dim);
    std::vector<measures::PhaseProduct::Coordinate> coordinates;
    for (std::size_t i = 0; i < dim; ++i)
      coordinates.push_back(i > 0 && skews[i] == skews[i - 1] ? coordinates.back() : std::make_shared<SkewCoordinate>(p_.sigma, skews[i]));
    return std::make_unique<measures::PhaseProduct>(name(), std::move(coordinates));
  }

 private:
  std::vector<double> skews_in(std::size_t dim) const {
    auto skews = p_.skew.expand(dim, name(), "skew");
    for (const double skew : skews) kernels::within(skew, -largest_skew, largest_skew, name(), "skew");
    return skews;
  }
  /// 2Φ(z)
  static double side(double z) { return std::erfc(-z / std::numbers::sqrt2); }

  // The Gaussian factor by the backend; rows written out, because every coordinate has a factor of its own.
  void fill_values(const kernels::PairRows& rows, MatrixView<double> out, Backend backend) const override {
    if (rows.X().is_sparse()) return Kernel::evaluate_sparse_pairs(rows.X().sparse(), rows.Y().sparse(), rows.shift(), out, backend);
    const auto exponentials = kernels::fill_with_form(kernels::PairForm::squared, rows, out, backend);
    const auto skews = skews_in(rows.dim());
    const MatrixView<const double> X = rows.X().dense(), Y = rows.Y().dense();
    for (std::size_t i = 0; i < out.rows(); ++i) {
      kernels::scaled_exponentials(out.row(i), kernels::gaussian_factor(p_.sigma), exponentials);
      for (std::size_t j = 0; j < out.cols(); ++j)
        for (std::size_t c = 0; c < skews.size() && out(i, j) != 0; ++c) out(i, j) *= side(skews[c] * ((X(i, c) - Y(j, c)) / p_.sigma));
    }
  }

  SkewParameters p_;
};

}  // namespace

std::unique_ptr<Kernel> skew_normal(SkewParameters parameters) { return std::make_unique<SkewNormal>(std::move(parameters)); }

}  // namespace askrff
