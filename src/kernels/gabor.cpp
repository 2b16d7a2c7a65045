// exp(-‖δ‖²/2σ²) cos(w·δ + φ): a wave under a bell. With g = ½N(w, I/σ²) + ½N(-w, I/σ²) and t = σ²w·ω its measure is
// g(ω)·(cos φ + i sin φ tanh t): all three parts are known, and drawn by their coordinate along w alone.
#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <limits>
#include <numbers>

#include "core/portable_math.hpp"
#include "kernels/ridge_kernel.hpp"
#include "measures/adaptive_quadrature.hpp"
#include "measures/rejection.hpp"

namespace askrff {
namespace {

class GaborMeasure final : public ComplexMeasure {
 public:
  GaborMeasure(double sigma, std::vector<double> wave, double phase)
      : sigma_(sigma), wave_(std::move(wave)), direction_(wave_), length_(scaled_norm<double>(wave_)), s_(sigma * length_) {
    if (!(s_ <= 1e6)) throw InvalidArgument("gabor", fmt::format("sigma·||wave|| is {:.6g}, expected at most 1e6", s_));
    for (double& e : direction_) e = length_ > 0 ? e / length_ : 0.0;
    const auto turn = portable::sincos(phase);
    cos_ = turn.cos;
    sin_ = s_ > 0 ? turn.sin : 0.0;
    total_ = total_variation();
  }
  std::size_t dim() const override { return wave_.size(); }
  std::vector<Part> parts() const override {
    std::vector<Part> parts;
    if (cos_ > 0) parts.push_back(Part::real_positive);
    if (cos_ < 0) parts.push_back(Part::real_negative);
    if (sin_ != 0) parts.push_back(Part::imaginary_positive);
    return parts;
  }
  std::complex<double> density(std::span<const double> omega) const override {
    double ahead = 0, behind = 0;
    for (std::size_t i = 0; i < omega.size(); ++i) {
      ahead += (omega[i] - wave_[i]) * (omega[i] - wave_[i]);
      behind += (omega[i] + wave_[i]) * (omega[i] + wave_[i]);
    }
    const double log_front = static_cast<double>(dim()) * std::log(sigma_ / std::sqrt(2 * std::numbers::pi)) - std::log(2.0);
    const double a = std::exp(log_front - 0.5 * sigma_ * sigma_ * ahead), b = std::exp(log_front - 0.5 * sigma_ * sigma_ * behind);
    return {cos_ * (a + b), sin_ * (a - b)};
  }

  std::optional<double> proposal_bound(Part part) const override { return std::fabs(part == Part::imaginary_positive ? sin_ : cos_); }
  void propose(RandomStream& random, std::span<double> omega) const override {
    random.normals(omega);
    move(random.coin(), omega, omega);
  }
  void propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const override {
    move(random.coin(), normals, omega);
  }
  std::complex<double> proposal_ratio(std::span<const double> omega) const override {
    return {cos_, sin_ * portable_tanh(sigma_ * sigma_ * dot(wave_, omega))};
  }
  std::optional<double> modulus_bound() const override { return std::sqrt(cos_ * cos_ + sin_ * sin_); }

  std::optional<PartMoments> exact_moments(Part part) const override {
    const double d = static_cast<double>(dim()), square = sigma_ * sigma_;
    if (part == Part::imaginary_positive) {
      const double side = std::erf(s_ / std::numbers::sqrt2), mass = 0.5 * std::fabs(sin_) * side;
      if (mass == 0) return nothing();
      const double bell = std::exp(-0.5 * s_ * s_) / std::sqrt(2 * std::numbers::pi);
      return PartMoments{mass, std::log(mass), (d + s_ * s_ + 2 * s_ * bell / side) / square};
    }
    const double mass = std::fmax(part == Part::real_positive ? cos_ : -cos_, 0.0);
    return mass > 0 ? PartMoments{mass, std::log(mass), (d + s_ * s_) / square} : nothing();
  }
  std::optional<double> exact_total_variation() const override { return total_; }
  std::optional<double> mass_beyond(std::size_t coordinate, double cut) const override {
    const double scale = sigma_ / std::numbers::sqrt2, w = wave_[coordinate];
    return 0.5 * (std::erfc(scale * (cut - w)) + std::erfc(scale * (cut + w)));  // |μ| ≤ g
  }
  std::optional<double> largest_beyond(std::span<const double> distances) const override {
    return std::exp(-kernels::half_scaled_square(distances, sigma_));
  }

  bool draws_exactly() const override { return true; }
  void draw(Part part, RandomStream& random, std::span<double> omega) const override {
    const double z = draw_along(part, random);
    random.normals(omega);
    lift(z, omega);
  }
  NormalVectorUse normal_vector_use() const override {
    return {.proposals = true, .parts = true, .scaled_proposals = s_ == 0, .scaled_parts = s_ == 0};
  }
  void draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const override {
    const double z = draw_along(part, random);
    std::ranges::copy(normals, omega.begin());
    lift(z, omega);
  }

 private:
  static PartMoments nothing() { return {0.0, -std::numeric_limits<double>::infinity(), 0.0}; }
  static double portable_tanh(double t) {
    const double small = portable::exp(-2 * std::fabs(t)), size = (1 - small) / (1 + small);
    return t < 0 ? -size : size;
  }
  void move(bool ahead, std::span<const double> normals, std::span<double> omega) const {
    for (std::size_t i = 0; i < omega.size(); ++i) omega[i] = normals[i] / sigma_ + (ahead ? wave_[i] : -wave_[i]);
  }
  /// z = σ e·ω, e = w/‖w‖: of the real parts ±s + n; of the imaginary one n(z) sinh(sz) on the side of sin φ.
  double draw_along(Part part, RandomStream& random) const {
    if (part != Part::imaginary_positive) return random.coin() ? s_ + random.normal() : random.normal() - s_;
    for (;;) {
      double z = 0, kept = 0;
      if (s_ < 1) {  // sinh x ≤ x e^{x²/6}: under z e^{-z²(1 - s²/3)/2}
        z = std::sqrt(2 * random.exponential() / (1 - s_ * s_ / 3));
        const double x = s_ * z;
        const double ratio = x < 1e-3 ? 1 + x * x / 6 : (portable::exp(x) - portable::exp(-x)) / (2 * x);
        kept = ratio * portable::exp(-x * x / 6);
      } else {  // under N(s, 1), of which e^{-2sz} is what the other bell takes off
        z = s_ + random.normal();
        kept = z > 0 ? 1 - portable::exp(-2 * s_ * z) : 0;
      }
      if (random.uniform() < kept) return sin_ > 0 ? z : -z;
    }
  }
  /// A standard normal vector → frequency whose component along w is z/σ.
  void lift(double z, std::span<double> omega) const {
    double along = 0;
    for (std::size_t i = 0; i < omega.size(); ++i) along += direction_[i] * omega[i];
    for (std::size_t i = 0; i < omega.size(); ++i) omega[i] = (omega[i] + (length_ > 0 ? z - along : 0.0) * direction_[i]) / sigma_;
  }
  /// E √(cos² φ + sin² φ tanh² sz), z ~ N(s, 1): |tanh| is even, so one bell stands for both.
  double total_variation() const {
    if (sin_ == 0) return std::fabs(cos_);
    const auto f = [this](double z) {
      return std::exp(-0.5 * (z - s_) * (z - s_)) * std::hypot(cos_, sin_ * std::tanh(s_ * z)) / std::sqrt(2 * std::numbers::pi);
    };
    std::vector<double> places{s_ - 39, s_ + 39};
    // Around 0 it bends where s z is about cos φ.
    for (const double near : {0.0, -1 / s_, 1 / s_, -std::fabs(cos_) / s_, std::fabs(cos_) / s_, s_ - 3, s_ + 3, s_ - 9, s_ + 9, s_})
      if (near > s_ - 39 && near < s_ + 39) places.push_back(near);
    std::ranges::sort(places);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return measures::adaptive_quadrature(f, places, 1e-14, 1e-300, 2000).value;
  }

  double sigma_;
  std::vector<double> wave_, direction_;
  double length_, s_, cos_ = 1, sin_ = 0, total_ = 1;
};

class Gabor final : public kernels::RidgeKernel {
 public:
  explicit Gabor(GaborParameters p) : kernels::RidgeKernel(p.sigma, std::move(p.wave), "gabor", "wave"), phase_(p.phase) {
    kernels::within(phase_, -1e6, 1e6, name(), "phase");
  }
  bool symmetric() const override { return phase_ == 0; }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    const auto wave = vector_in(differences.cols());
    kernels::evaluate_rows(differences, out, [&](std::span<const double> delta) {
      const double bell = std::exp(-kernels::half_scaled_square(delta, sigma_));
      return bell == 0 ? 0.0 : bell * std::cos(dot(wave, delta) + phase_);
    });
  }
  // Relative to the bell: (dim + 8)·2^-52·(q + |w·δ| + |φ| + 1).
  void fill_values(const kernels::PairRows& rows, MatrixView<double> out, Backend backend) const override {
    fill_ridge_values(rows, out, backend,
                      [this](std::span<double> exponents, std::span<double> b, const kernels::Exponentials& exponentials) {
                        exponentials(exponents);
                        for (std::size_t j = 0; j < b.size(); ++j)
                          if (exponents[j] != 0) exponents[j] *= std::cos(b[j] + phase_);
                      });
  }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override {
    return std::make_unique<GaborMeasure>(sigma_, vector_in(dim), phase_);
  }

 private:
  double phase_;
};

}  // namespace

std::unique_ptr<Kernel> gabor(GaborParameters parameters) { return std::make_unique<Gabor>(std::move(parameters)); }

}  // namespace askrff
