// Π (δ_i/m)^(a-1) e^(a-1-δ_i/σ) for δ > 0, else 0, m = (a-1)σ: what happened earlier acts on what comes later. Its measure is ∝ (1+iωσ)^-a
// in every coordinate: |μ| is a Student law with a - 1 degrees of freedom, the phases -a·atan(ωσ) add up.
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/quadrature/tanh_sinh.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/sin_pi.hpp>
#include <numbers>
#include <utility>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/kernels.hpp"
#include "core/checks.hpp"
#include "core/portable_math.hpp"
#include "core/row_pairs.hpp"
#include "kernels/pairs.hpp"
#include "kernels/support.hpp"
#include "measures/phase_product.hpp"

namespace askrff {
namespace {

constexpr double smallest_shape = 1.1, largest_shape = 1000;

/// In u = ωσ = tan ψ: |μ| du ∝ cos^p ψ dψ on (-π/2, π/2), p = a - 2, and θ = -aψ.
class CausalCoordinate final : public measures::PhaseCoordinate {
 public:
  explicit CausalCoordinate(GammaParameters p) : sigma_(p.sigma), a_(p.shape), degrees_(p.shape - 1) {
    const double m = a_ - 1;
    log_front_ = m - m * std::log(m) + std::lgamma(a_) - std::log(2 * std::numbers::pi);
    total_ = std::exp(log_front_ + 0.5 * std::log(std::numbers::pi) + std::lgamma(0.5 * m) - std::lgamma(0.5 * a_));
  }
  double total() const override { return total_; }
  std::complex<double> density(double omega) const override {
    const double u = omega * sigma_;
    return std::polar(sigma_ * std::exp(log_front_ - 0.5 * a_ * std::log1p(u * u)), -a_ * std::atan(u));
  }
  double draw(RandomStream& random) const override { return draw_from(random.normal(), random); }
  bool uses_normals() const override { return true; }
  double draw_from(double normal, RandomStream& random) const override {
    return normal / (std::sqrt(random.chi_squared(degrees_)) * sigma_);
  }
  std::complex<double> phase(double omega) const override {
    const auto turn = portable::sincos(-a_ * portable::atan(omega * sigma_));
    return {turn.cos, turn.sin};
  }
  std::array<double, 3> masses() const override {
    const auto [positive, negative] = shares([this](double psi) { return std::cos(a_ * psi); }, 0.5);
    const auto [up, down] = shares([this](double psi) { return std::sin(a_ * psi); }, 1.0);
    const double skew = 0.5 * (up + down);
    return {positive * total_, negative * total_, skew * total_};
  }
  // Γ(1 + p/2)² / (Γ(1 + (p + na)/2) Γ(1 + (p - na)/2)), Cauchy's integral; the second by reflection where its argument is negative.
  std::optional<double> mean_cosine(double n) const override {
    const double p = a_ - 2, up = 1 + 0.5 * (p + n * a_), down = 1 + 0.5 * (p - n * a_);
    const double log_both = 2 * std::lgamma(1 + 0.5 * p) - std::lgamma(up);
    if (down > 0) return std::exp(log_both - std::lgamma(down));
    return boost::math::sin_pi(down) / std::numbers::pi * std::exp(log_both + std::lgamma(1 - down));
  }
  double tail(double cut) const override {
    const boost::math::students_t law(degrees_);
    return 2 * boost::math::cdf(boost::math::complement(law, sigma_ * cut * std::sqrt(degrees_)));
  }
  double largest_beyond(double distance) const override {
    const double t = std::fmax(distance / sigma_ / (a_ - 1), 1.0);
    return std::isinf(t) ? 0.0 : std::exp((a_ - 1) * (std::log(t) + 1 - t));
  }

 private:
  /// ∫ wave⁺(ψ) cos^p ψ dψ and ∫ wave⁻(ψ) cos^p ψ dψ over (0, π/2), over that of cos^p; the wave begins positive and changes its sign at
  /// (k + first)π/a.
  template <class Wave>
  std::pair<double, double> shares(const Wave& wave, double first) const {
    using std::numbers::pi;
    boost::math::quadrature::tanh_sinh<double> rule;
    const double p = a_ - 2, end = 0.5 * pi;
    double sums[2] = {0, 0}, from = 0;
    for (int k = 0; from < end; ++k) {
      const double change = (k + first) * pi / a_;
      const bool is_last = change > end - 1e-9;
      const double to = is_last ? end : change;
      // Near π/2 the cosine is the sine of what is left.
      const auto f = [&](double psi, double left) {
        const double cosine = is_last && left > 0 ? std::sin(left) : std::cos(psi);
        return std::fabs(wave(psi)) * (cosine > 0 ? std::pow(cosine, p) : 0.0);
      };
      const double piece = rule.integrate(f, from, to, 1e-14);
      sums[k % 2] += piece;
      if (p > 0 && piece < 1e-20 * (sums[0] + sums[1])) break;  // cos^p falls
      from = to;
    }
    const double all = std::exp(0.5 * std::log(pi) + std::lgamma(0.5 * (p + 1)) - std::lgamma(0.5 * p + 1) - std::log(2.0));
    return {sums[0] / all, sums[1] / all};
  }

  double sigma_, a_, degrees_, log_front_ = 0, total_ = 0;
};

class CausalGamma final : public Kernel {
 public:
  explicit CausalGamma(GammaParameters p) : p_(p) {
    kernels::positive_scale(p.sigma, name(), "sigma");
    if (p.shape <= 1)
      throw InvalidArgument(name(), fmt::format("shape is {}, expected more than 1: at 1 and below the kernel jumps at 0, and its Fourier "
                                                "measure has no finite mass; use a larger shape, or a kernel of one's own with calibrated "
                                                "weights or landmarks",
                                                p.shape));
    kernels::within(p.shape, smallest_shape, largest_shape, name(), "shape", "frequencies of smaller ones leave the doubles");
  }
  std::string name() const override { return "causal-gamma"; }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    kernels::evaluate_rows(differences, out, [&](std::span<const double> delta) {
      double exponent = 0;
      for (const double x : delta) exponent += log_value(x);
      return std::exp(exponent);
    });
  }
  void evaluate_pairs(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out, Backend backend) const override;
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override {
    return std::make_unique<measures::PhaseProduct>(
        name(), std::vector<measures::PhaseProduct::Coordinate>(dim, std::make_shared<CausalCoordinate>(p_)));
  }

 private:
  /// -∞ for δ ≤ 0.
  double log_value(double x) const {
    const double t = x / p_.sigma / (p_.shape - 1);
    if (!(t > 0) || std::isinf(t)) return std::isnan(t) ? t : -HUGE_VAL;
    return (p_.shape - 1) * (std::log(t) + 1 - t);
  }

  GammaParameters p_;
};

// One logarithm for a pair, of the product of its coordinates, and its exponential by the backend.
void CausalGamma::evaluate_pairs(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out, Backend backend) const {
  require_columns(Y, X.cols(), "Kernel::evaluate_pairs", "Y", "X has");
  require_shape(out, X.rows(), Y.rows(), "Kernel::evaluate_pairs", "out");
  const auto& primitives = backend::select(backend);
  const double power = p_.shape - 1, mode = power * p_.sigma, dim = static_cast<double>(X.cols());
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const auto x = X.row(i);
    for (std::size_t j = 0; j < Y.rows(); ++j) {
      const auto y = Y.row(j);
      double product = 1, sum = 0, least = HUGE_VAL;
      for (std::size_t c = 0; c < x.size(); ++c) {
        const double t = (x[c] - y[c]) / mode;
        product *= t;
        sum += t;
        least = t < least ? t : least;
      }
      double exponent = -HUGE_VAL;
      if (least > 0 && product > 1e-290 && product < 1e290) {
        exponent = power * (std::log(product) + (dim - sum));
      } else if (least > 0) {
        exponent = 0;
        for (std::size_t c = 0; c < x.size(); ++c) exponent += log_value(x[c] - y[c]);
      }
      out(i, j) = exponent;
    }
    primitives.exponentials(out.row(i).data(), out.cols());
  }
}

}  // namespace

std::unique_ptr<Kernel> causal_gamma(GammaParameters parameters) { return std::make_unique<CausalGamma>(parameters); }

}  // namespace askrff
