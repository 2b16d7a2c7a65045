// The complex Fourier measure of a kernel, its Jordan parts, how large they are, and which estimator varies less. Second stage of the flow.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/random.hpp"

namespace askrff {

/// The Jordan parts that have to be sampled: μ_R^+, μ_R^-, μ_I^+ (μ_I^- is the mirror image of μ_I^+).
enum class Part { real_positive, real_negative, imaginary_positive };

inline constexpr std::array<Part, 3> all_parts{Part::real_positive, Part::real_negative, Part::imaginary_positive};

/// The one sign table. For a part with mass m, k gains m · E Re(coefficient · e^{iω·δ}), ω from the normalised part:
/// μ_R^+ gives +m cos, μ_R^- gives -m cos, μ_I^+ gives -2m sin (the 2 stands for its mirror image).
struct PartTraits {
  std::string_view name;
  std::complex<double> coefficient;
  Purpose purpose;  ///< its random stream
};
inline constexpr std::array<PartTraits, 3> part_table{{
    {"real_positive", {+1.0, 0.0}, Purpose::real_positive},
    {"real_negative", {-1.0, 0.0}, Purpose::real_negative},
    {"imaginary_positive", {0.0, +2.0}, Purpose::imaginary_positive},
}};
constexpr const PartTraits& traits(Part part) { return part_table[static_cast<std::size_t>(part)]; }

/// Density of one part given the density μ(ω) of the whole: max(Re μ, 0), max(-Re μ, 0) or max(Im μ, 0).
constexpr double part_of(Part part, std::complex<double> mu) {
  const double value = part == Part::real_positive ? mu.real() : part == Part::real_negative ? -mu.real() : mu.imag();
  return value > 0 ? value : 0.0;
}

/// What a given standard normal vector can be turned into, by ComplexMeasure::propose_from and draw_from.
struct NormalVectorUse {
  bool proposals = false;         ///< draws of the proposal, or weighted draws
  bool parts = false;             ///< draws of every part
  bool scaled_proposals = false;  ///< … by a number alone: ω is a multiple of the vector
  bool scaled_parts = false;
};

/// Exact integrals of one part.
struct PartMoments {
  double mass = 0;                      ///< ‖part‖; may underflow to 0 where log_mass does not
  double log_mass = 0;                  ///< log ‖part‖
  std::optional<double> second_moment;  ///< E‖ω‖² under the normalised part; absent if unknown, infinite if it does not exist
};

/// μ with k(δ) = ∫ e^{iω·δ} μ(dω), dω in dim() dimensions. Immutable; every member may be called from many threads.
/// A user's measure needs parts() and density(); every further group of members it overrides opens further samplers and weightings.
class ComplexMeasure {
 public:
  virtual ~ComplexMeasure() = default;

  virtual std::size_t dim() const = 0;
  /// The parts that are not the zero measure, in the order of the enumeration.
  virtual std::vector<Part> parts() const = 0;
  /// Lebesgue density μ(ω).
  virtual std::complex<double> density(std::span<const double> omega) const = 0;

  // --- proposal: opens the rejection sampler ---------------------------------------------------------------------------
  /// B ≥ part(ω)/g(ω) for every ω, g the proposal's probability density; absent: there is no proposal.
  virtual std::optional<double> proposal_bound(Part part) const;
  /// Fills omega with a draw from g.
  virtual void propose(RandomStream& random, std::span<double> omega) const;
  /// μ(ω)/g(ω).
  virtual std::complex<double> proposal_ratio(std::span<const double> omega) const;

  // --- exact integrals: open exact weights, the uniform bound, dropping of negligible parts ----------------------------
  virtual std::optional<PartMoments> exact_moments(Part part) const;
  /// ∫|μ|.
  virtual std::optional<double> exact_total_variation() const { return std::nullopt; }
  /// ∫ e^{iω·δ} part(dω), which gives the exact variance of the estimator.
  virtual std::optional<std::complex<double>> exact_transform(Part part, std::span<const double> delta) const;
  /// ∫ e^{iω·δ + 2iθ(ω)} |μ|(dω), θ = arg μ, which gives the exact variance of polar sampling.
  virtual std::optional<std::complex<double>> exact_polar_transform(std::span<const double> delta) const;

  // --- exact sampling: opens the exact sampler --------------------------------------------------------------------------
  virtual bool draws_exactly() const { return false; }
  /// Fills omega with a draw from the normalised part, which must be one of parts(). Throws NumericalError instead of looping for ever.
  virtual void draw(Part part, RandomStream& random, std::span<double> omega) const;

  // --- polar sampling: opens draws from |μ| ------------------------------------------------------------------------------
  /// sup |μ/g|, g the proposal's density; absent: unknown.
  virtual std::optional<double> modulus_bound() const { return std::nullopt; }

  // --- weighted draws: open polar sampling where |μ| is not known pointwise ----------------------------------------------
  /// Whether draw_weighted() is of its own making; else it is a proposal and its ratio.
  virtual bool draws_weighted() const { return false; }
  /// Fills omega and returns a weight c with E c e^{iω·δ} = ∫ e^{iω·δ} μ(dω).
  virtual std::complex<double> draw_weighted(RandomStream& random, std::span<double> omega) const;
  /// The same of a standard normal vector, where normal_vector_use() has proposals.
  virtual std::complex<double> draw_weighted_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const;

  // --- given normal vectors: opens frequencies that depend on each other (orthogonal, mub, structured, sobol) -------------
  virtual NormalVectorUse normal_vector_use() const { return {}; }
  /// Fills omega with a draw from the proposal's density g that uses `normals`, a standard normal vector, as its direction and, where g is
  /// Gaussian, as its length; further randomness comes from `random`. The law of omega is exactly that of propose().
  virtual void propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const;
  /// The same for a draw from the normalised part.
  virtual void draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const;

  // --- decay: opens grids of frequencies ----------------------------------------------------------------------------------
  /// A bound of ∫|μ| over all ω with |ω_coordinate| > cut, which falls to 0 as the cut grows.
  virtual std::optional<double> mass_beyond(std::size_t coordinate, double cut) const;
  /// A bound of |k(δ)| over all δ with |δ_i| ≥ distances[i] for every coordinate i, which falls to 0 as they grow.
  virtual std::optional<double> largest_beyond(std::span<const double> distances) const;

  // --- Gaussian times a function of one scalar: opens quadrature and ridge rules ------------------------------------------
  /// σ if the proposal is N(0, I/σ²).
  virtual std::optional<double> gaussian_sigma() const { return std::nullopt; }
  /// a if μ/g is a function of a·ω alone; empty if it is constant. Has no meaning without gaussian_sigma().
  virtual std::span<const double> ridge() const { return {}; }
};

struct Masses {
  double real_positive = 0, real_negative = 0, imaginary_positive = 0;
  double total = 0;            ///< ‖μ‖ = real_positive + real_negative + 2 imaginary_positive, the paper's total mass
  double total_variation = 0;  ///< ∫|μ|; NaN where it is not known

  double of(Part part) const;
  double& of(Part part);
};

/// Exact masses. Throws std::invalid_argument if the measure does not know them or one is infinite.
Masses exact_masses(const ComplexMeasure& measure);

struct QuadratureOptions {
  /// Relative to the total; 0: 1e-11 in one dimension, 1e-8 in two, 1e-4 in three.
  double tolerance = 0;
  std::size_t max_evaluations = 300'000'000;
  StopToken stop = {};  ///< the quadrature runs on the calling thread
};

/// Masses by adaptive Gauss-Kronrod quadrature of the density, at most 3 dimensions (std::invalid_argument beyond).
/// Throws NumericalError if the tolerance is not reached, as for a kernel without finite total mass (one with a jump, say).
Masses quadrature_masses(const ComplexMeasure& measure, const QuadratureOptions& options = {});

/// Exact one-dimensional Gaussian expectations behind the ridge kernels, t ~ N(0, s²), s ≥ 0.
/// Absolute error below 1e-15 for s ≤ 1000; cos_negative, its logarithm, sin_positive and the second moments also have relative error
/// below 1e-13 for every s > 0.
struct RidgeExpectations {
  double cos_positive = 1;                ///< P = E max(cos t, 0)
  double cos_negative = 0;                ///< Q = E max(-cos t, 0)
  double log_cos_negative = 0;            ///< log Q, finite where Q underflows
  double sin_positive = 0;                ///< S = E max(sin t, 0)
  double cos_positive_second_moment = 0;  ///< E z² max(cos t, 0) / P, z = t/s
  double cos_negative_second_moment = 0;  ///< E z² max(-cos t, 0) / Q
  double sin_positive_second_moment = 0;  ///< E z² max(sin t, 0) / S
};
RidgeExpectations ridge_expectations(double s);

/// Variances at one difference δ; a part drawn M times contributes `of(part)/M`, N polar draws `polar/N`. NaN where not known.
struct EstimatorVariance {
  double real_positive = 0, real_negative = 0, imaginary_positive = 0;
  double polar = 0;
};
EstimatorVariance estimator_variance(const ComplexMeasure& measure, std::span<const double> delta);

}  // namespace askrff
