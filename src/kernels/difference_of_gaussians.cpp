// exp(-‖δ‖²/2σ²) - w exp(-‖δ‖²/2σ₂²): symmetric, indefinite. Its measure G₁ - wG₂ is radial and changes sign at one radius, so both parts
// have closed masses (incomplete gamma functions) and are drawn radius first.
#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <numbers>

#include "askrff/errors.hpp"
#include "askrff/kernels.hpp"
#include "core/portable_math.hpp"
#include "core/vectors.hpp"
#include "kernels/pairs.hpp"
#include "kernels/support.hpp"
#include "measures/rejection.hpp"

namespace askrff {
namespace {

class DifferenceMeasure final : public ComplexMeasure {
 public:
  DifferenceMeasure(std::size_t dim, const DifferenceParameters& p) : dim_(dim), p_(p) {
    const double d = static_cast<double>(dim_);
    // log(wG₂/G₁) = log_ratio_at_zero_ - (σ₂² - σ²)‖ω‖²/2; portable, because draws depend on it.
    log_ratio_at_zero_ = portable::log(p_.weight) + d * (portable::log(p_.sigma2) - portable::log(p_.sigma));
    slope_ = 0.5 * (p_.sigma2 - p_.sigma) * (p_.sigma2 + p_.sigma);
    const double squared_radius = log_ratio_at_zero_ / slope_;  // where both are equal; never if negative
    positive_outside_ = slope_ > 0;
    crosses_ = squared_radius > 0;
    squared_radius_ = crosses_ ? squared_radius : 0;
    for (const Part part : all_parts) moments_[static_cast<std::size_t>(part)] = compute_moments(part);
  }

  std::size_t dim() const override { return dim_; }
  std::vector<Part> parts() const override {
    if (crosses_) return {Part::real_positive, Part::real_negative};
    return {positive_outside_ ? Part::real_positive : Part::real_negative};
  }
  std::complex<double> density(std::span<const double> omega) const override {
    const double rho2 = squared_norm(omega);
    return std::exp(log_gaussian(p_.sigma, rho2)) - p_.weight * std::exp(log_gaussian(p_.sigma2, rho2));
  }

  // Proposal: the mixture (G₁ + wG₂)/(1 + w).
  std::optional<double> proposal_bound(Part part) const override {
    return part == Part::imaginary_positive ? std::nullopt : std::optional<double>(1 + p_.weight);
  }
  void propose(RandomStream& random, std::span<double> omega) const override {
    const double sigma = mixture_sigma(random);
    random.normals(omega);
    for (double& coordinate : omega) coordinate /= sigma;
  }
  void propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const override {
    const double sigma = mixture_sigma(random);
    for (std::size_t i = 0; i < omega.size(); ++i) omega[i] = normals[i] / sigma;
  }
  std::optional<double> modulus_bound() const override { return 1 + p_.weight; }
  NormalVectorUse normal_vector_use() const override { return {true, true, true, true}; }
  std::complex<double> proposal_ratio(std::span<const double> omega) const override {
    const double log_ratio = log_weighted_ratio(squared_norm(omega));
    if (log_ratio > 0) {
      const double inverse = portable::exp(-log_ratio);
      return (1 + p_.weight) * (inverse - 1) / (inverse + 1);
    }
    const double ratio = portable::exp(log_ratio);
    return (1 + p_.weight) * (1 - ratio) / (1 + ratio);
  }

  std::optional<PartMoments> exact_moments(Part part) const override { return moments_[static_cast<std::size_t>(part)]; }
  std::optional<double> exact_total_variation() const override {
    return exact_moments(Part::real_positive)->mass + exact_moments(Part::real_negative)->mass;
  }

  std::optional<double> mass_beyond(std::size_t, double cut) const override {
    return std::erfc(p_.sigma * cut / std::numbers::sqrt2) + p_.weight * std::erfc(p_.sigma2 * cut / std::numbers::sqrt2);
  }
  std::optional<double> largest_beyond(std::span<const double> distances) const override {
    return std::exp(-kernels::half_scaled_square(distances, p_.sigma)) +
           p_.weight * std::exp(-kernels::half_scaled_square(distances, p_.sigma2));
  }

  bool draws_exactly() const override { return true; }
  void draw(Part part, RandomStream& random, std::span<double> omega) const override {
    const double rho2 = draw_squared_radius(part, random);
    random.normals(omega);
    set_squared_norm(rho2, omega);
  }
  void draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const override {
    std::ranges::copy(normals, omega.begin());
    set_squared_norm(draw_squared_radius(part, random), omega);
  }

 private:
  double mixture_sigma(RandomStream& random) const { return random.uniform() * (1 + p_.weight) < 1 ? p_.sigma : p_.sigma2; }
  static void set_squared_norm(double rho2, std::span<double> omega) {
    const double squares = squared_norm(omega);
    if (squares == 0) return;  // a structured direction cut to dim coordinates may be 0; it has no length to set
    const double scale = std::sqrt(rho2 / squares);
    for (double& coordinate : omega) coordinate *= scale;
  }
  // ‖ω‖² from the part's own Gaussian, kept with probability 1 - other/own; the direction is uniform.
  double draw_squared_radius(Part part, RandomStream& random) const {
    const bool positive = part == Part::real_positive;
    const double sigma = positive ? p_.sigma : p_.sigma2, own_weight = positive ? 1.0 : p_.weight;
    if (exact_moments(part)->mass < measures::min_share * own_weight) refuse(part);
    for (std::uint64_t n = 0; n < measures::max_proposals; ++n) {
      const double rho2 = random.chi_squared(static_cast<double>(dim_)) / (sigma * sigma);
      const double log_ratio = log_weighted_ratio(rho2);
      if (random.uniform() < 1 - portable::exp(positive ? log_ratio : -log_ratio)) return rho2;
    }
    refuse(part);
  }
  [[noreturn]] void refuse(Part part) const {
    throw NumericalError(
        fmt::format("difference-of-gaussians: part {} has mass {:.3g}, too little of its Gaussian to be drawn; raise drop_tolerance "
                    "above it to leave the part out",
                    traits(part).name, exact_moments(part)->mass));
  }
  PartMoments compute_moments(Part part) const {
    if (part == Part::imaginary_positive) return PartMoments{0.0, -std::numeric_limits<double>::infinity(), 0.0};
    const bool positive = part == Part::real_positive, outside = positive == positive_outside_;
    const double d = static_cast<double>(dim_), sign = positive ? 1.0 : -1.0;
    const double mass = sign * (share(p_.sigma, d / 2, outside) - p_.weight * share(p_.sigma2, d / 2, outside));
    const double moment = sign * (d / (p_.sigma * p_.sigma) * share(p_.sigma, d / 2 + 1, outside) -
                                  p_.weight * d / (p_.sigma2 * p_.sigma2) * share(p_.sigma2, d / 2 + 1, outside));
    if (!(mass > 0)) return PartMoments{0.0, -std::numeric_limits<double>::infinity(), 0.0};
    return PartMoments{mass, std::log(mass), moment / mass};
  }
  double log_weighted_ratio(double rho2) const { return log_ratio_at_zero_ - slope_ * rho2; }
  double log_gaussian(double sigma, double rho2) const {
    return static_cast<double>(dim_) * std::log(sigma / std::sqrt(2 * std::numbers::pi)) - 0.5 * sigma * sigma * rho2;
  }
  // Share of Gamma(a) in σ²‖ω‖²/2 that lies outside (inside) the radius of the change of sign.
  double share(double sigma, double a, bool outside) const {
    const double x = 0.5 * sigma * sigma * squared_radius_;
    return outside ? boost::math::gamma_q(a, x) : boost::math::gamma_p(a, x);
  }

  std::size_t dim_;
  DifferenceParameters p_;
  double log_ratio_at_zero_, slope_, squared_radius_;
  bool positive_outside_, crosses_;
  std::array<PartMoments, 3> moments_;
};

class DifferenceOfGaussians final : public kernels::PairKernel {
 public:
  explicit DifferenceOfGaussians(DifferenceParameters p) : p_(p) {
    for (const auto& [value, what] : {std::pair{p.sigma, "sigma"}, {p.sigma2, "sigma2"}, {p.weight, "weight"}})
      kernels::positive_scale(value, name(), what);
    if (p.sigma == p.sigma2) throw InvalidArgument(name(), "sigma and sigma2 are equal, expected two different bandwidths");
  }
  std::string name() const override { return "difference-of-gaussians"; }
  bool symmetric() const override { return true; }
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    kernels::evaluate_rows(differences, out, [&](std::span<const double> delta) {
      return std::exp(-kernels::half_scaled_square(delta, p_.sigma)) - p_.weight * std::exp(-kernels::half_scaled_square(delta, p_.sigma2));
    });
  }
  // The error is relative to the sum of both Gaussians.
  void fill_values(const kernels::PairRows& rows, MatrixView<double> out, Backend backend) const override {
    const auto exponentials = kernels::fill_with_form(kernels::PairForm::squared, rows, out, backend);
    std::vector<double> second(out.cols());
    for (std::size_t i = 0; i < out.rows(); ++i) {
      const auto first = out.row(i);
      std::ranges::copy(first, second.begin());
      kernels::scaled_exponentials(first, kernels::gaussian_factor(p_.sigma), exponentials);
      kernels::scaled_exponentials(second, kernels::gaussian_factor(p_.sigma2), exponentials);
      for (std::size_t j = 0; j < first.size(); ++j) first[j] -= p_.weight * second[j];
    }
  }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override {
    if (dim == 0) throw InvalidArgument(name(), "the dimension is 0, expected at least 1");
    return std::make_unique<DifferenceMeasure>(dim, p_);
  }

 private:
  DifferenceParameters p_;
};

}  // namespace

std::unique_ptr<Kernel> difference_of_gaussians(DifferenceParameters parameters) {
  return std::make_unique<DifferenceOfGaussians>(parameters);
}

}  // namespace askrff
