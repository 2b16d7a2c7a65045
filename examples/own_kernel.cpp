// A kernel of your own: the causal gamma kernel k(δ) = δ^{a-1} e^{-δ} for δ > 0, else 0 ("what happened δ ago"), in one dimension.
// It is not in the registry. k alone is enough for the subset fit; with its Fourier measure it gets samplers, quadrature and exact weights.
#include <askrff/askrff.hpp>
#include <cmath>
#include <cstdio>
#include <numbers>

// μ(ω) = Γ(a)/2π · (1 + iω)^{-a}; |μ| is a Student law with a - 1 degrees of freedom, which is also the proposal.
class CausalGammaMeasure final : public askrff::ComplexMeasure {
 public:
  explicit CausalGammaMeasure(double a) : a_(a) {}
  std::size_t dim() const override { return 1; }
  std::vector<askrff::Part> parts() const override { return {askrff::all_parts.begin(), askrff::all_parts.end()}; }
  std::complex<double> density(std::span<const double> omega) const override {
    return std::tgamma(a_) / (2 * std::numbers::pi) * std::pow(std::complex<double>(1, omega[0]), -a_);
  }
  std::optional<double> exact_total_variation() const override {
    return std::tgamma(a_) / (2 * std::numbers::pi) * std::sqrt(std::numbers::pi) * std::tgamma((a_ - 1) / 2) / std::tgamma(a_ / 2);
  }
  std::optional<double> proposal_bound(askrff::Part) const override { return exact_total_variation(); }
  void propose(askrff::RandomStream& random, std::span<double> omega) const override {
    const double z = random.normal();
    omega[0] = z / std::sqrt(random.chi_squared(a_ - 1));
  }
  std::complex<double> proposal_ratio(std::span<const double> omega) const override {
    const double phase = -a_ * std::atan(omega[0]);
    return *exact_total_variation() * std::complex<double>(std::cos(phase), std::sin(phase));
  }

 private:
  double a_;
};

class CausalGamma final : public askrff::Kernel {
 public:
  explicit CausalGamma(double a) : a_(a) {}
  std::string name() const override { return "causal-gamma"; }
  void evaluate(askrff::MatrixView<const double> differences, std::span<double> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double delta = differences(i, 0);
      out[i] = delta > 0 ? std::pow(delta, a_ - 1) * std::exp(-delta) : 0.0;
    }
  }
  std::unique_ptr<const askrff::ComplexMeasure> measure(std::size_t dim) const override {
    if (dim != 1) throw std::invalid_argument("causal-gamma lives in one dimension");
    return std::make_unique<CausalGammaMeasure>(a_);
  }

 private:
  double a_;
};

int main() {
  const CausalGamma kernel(4.0);
  const auto masses = askrff::quadrature_masses(*kernel.measure(1));
  std::printf("masses by quadrature: %.6f %.6f %.6f\n", masses.real_positive, masses.real_negative, masses.imaginary_positive);

  // Times on [0, 5]; the masses are fitted on 50 of them, the frequencies come from the paper's rejection sampler.
  askrff::Matrix<double> times = askrff::read_data("builtin:uniform:1:500").X;
  for (std::size_t i = 0; i < times.rows(); ++i) times(i, 0) *= 5;
  const auto atoms = askrff::approximate(
      kernel, times, {.n_frequencies = 4096, .sampler = askrff::Sampler::rejection, .weights = askrff::Weights::subset, .seed = 1});
  const askrff::FeatureMap map(atoms);
  const double error = askrff::approximation_error(kernel, map, times, times).frobenius;
  std::printf("relative error with %zu frequencies: %.4f\n", atoms.size(), error);
  return error < 0.1 ? 0 : 1;
}
