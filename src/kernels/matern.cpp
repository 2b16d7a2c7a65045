// Matérn kernels of smoothness ν = 1/2, 3/2, 5/2 in x = √(2ν)‖δ‖/σ: e^{-x}·{1, 1 + x, 1 + x + x²/3};
// spectral law: multivariate Student with 2ν degrees of freedom and scale 1/σ.
#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <numbers>

#include "askrff/kernels.hpp"
#include "core/vectors.hpp"
#include "kernels/positive_kernel.hpp"
#include "measures/student_ridge.hpp"

namespace askrff {
namespace {

template <int twice_nu>
struct Matern {
  static_assert(twice_nu == 1 || twice_nu == 3 || twice_nu == 5);
  double sigma;

  std::string name() const { return fmt::format("matern-{}/2", twice_nu); }
  double argument(std::span<const double> delta) const {
    return std::sqrt(static_cast<double>(twice_nu)) * static_cast<double>(scaled_norm(delta) / sigma);
  }
  // What e^{-x} is multiplied by; beyond 1000, where that is 0, the polynomial stays finite.
  static constexpr double far = 1000;
  static double polynomial(double x) {
    if constexpr (twice_nu == 1) return 1;
    if constexpr (twice_nu == 3) return 1 + x;
    return 1 + x + x * x / 3;
  }
  double at(std::span<const double> delta) const {
    const double x = std::min(argument(delta), far);
    return polynomial(x) * std::exp(-x);
  }
  // Squares of differences that matter do not underflow unless σ is tiny; then rows are divided by a power of two first, which is exact.
  static constexpr auto pair_form = kernels::PairForm::squared;
  double pair_unit() const { return sigma < 1e-100 ? std::ldexp(1.0, std::ilogb(sigma)) : 1.0; }
  void from_form(std::span<double> values, const kernels::Exponentials& exponentials) const {
    const double factor = std::sqrt(static_cast<double>(twice_nu)) / (sigma / pair_unit());
    std::array<double, 128> exponents;
    for (std::size_t first = 0; first < values.size(); first += exponents.size()) {
      const auto piece = values.subspan(first, std::min(exponents.size(), values.size() - first));
      for (std::size_t j = 0; j < piece.size(); ++j) {
        piece[j] = std::min(factor * std::sqrt(piece[j]), far);
        exponents[j] = -piece[j];
      }
      exponentials(std::span(exponents).first(piece.size()));
      for (std::size_t j = 0; j < piece.size(); ++j) piece[j] = polynomial(piece[j]) * exponents[j];
    }
  }
  double log_density(std::span<const double> omega) const {
    const double d = static_cast<double>(omega.size()), n = twice_nu;
    return std::lgamma((n + d) / 2) - std::lgamma(n / 2) + d * (std::log(sigma) - 0.5 * std::log(n * std::numbers::pi)) -
           (n + d) / 2 * std::log1p(sigma * sigma * squared_norm(omega) / n);
  }
  // A coordinate has Student's law in one dimension.
  double tail(double cut) const { return 2 * boost::math::cdf(boost::math::complement(boost::math::students_t(twice_nu), sigma * cut)); }
  // z·√(n/χ²_n)/σ; χ² as a sum of squares, exact for whole degrees of freedom.
  void draw(RandomStream& random, std::span<double> omega) const {
    const double scale = draw_scale(random);
    random.normals(omega);
    for (double& coordinate : omega) coordinate *= scale;
  }
  double draw_scale(RandomStream& random) const {
    double chi_squared = 0;
    for (int i = 0; i < twice_nu; ++i) {
      const double z = random.normal();
      chi_squared += z * z;
    }
    return std::sqrt(twice_nu / chi_squared) / sigma;
  }
  static constexpr bool isotropic = true, is_gaussian = false;
  void draw_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const {
    const double scale = draw_scale(random);
    for (std::size_t i = 0; i < omega.size(); ++i) omega[i] = normals[i] * scale;
  }
  bool draw_shifted(Part part, std::span<const double> shift, RandomStream& random, std::span<double> omega) const {
    measures::draw_shifted_student(part, twice_nu, sigma, shift, random, omega);
    return true;
  }
  // With a = √(2ν)/σ: a²(d - x)e^{-x} for 3/2, a²/3·(d(1 + x) - x²)e^{-x} for 5/2; E‖ω‖² is infinite for 1/2.
  std::optional<double> minus_laplacian(std::span<const double> delta) const {
    if constexpr (twice_nu == 1) return std::nullopt;
    const double x = argument(delta), d = static_cast<double>(delta.size()), a2 = twice_nu / (sigma * sigma);
    if (x > 1e100) return 0.0;
    if constexpr (twice_nu == 3) return a2 * (d - x) * std::exp(-x);
    return a2 / 3 * (d * (1 + x) - x * x) * std::exp(-x);
  }
};

template <int twice_nu>
std::unique_ptr<Kernel> matern(double sigma) {
  return std::make_unique<kernels::PositiveKernel<Matern<twice_nu>>>(Matern<twice_nu>{sigma});
}

}  // namespace

std::unique_ptr<Kernel> matern_1_2(SigmaParameters parameters) { return matern<1>(parameters.sigma); }
std::unique_ptr<Kernel> matern_3_2(SigmaParameters parameters) { return matern<3>(parameters.sigma); }
std::unique_ptr<Kernel> matern_5_2(SigmaParameters parameters) { return matern<5>(parameters.sigma); }

}  // namespace askrff
