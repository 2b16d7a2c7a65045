// The complex Fourier measure of a kernel and its Jordan parts. Second stage of the flow: Kernel → ComplexMeasure → frequencies.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

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
  bool proposals = false;         ///< draws of the proposal
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

  // --- given normal vectors: opens frequencies that depend on each other (orthogonal, mub, structured, sobol) -------------
  virtual NormalVectorUse normal_vector_use() const { return {}; }
  /// Fills omega with a draw from the proposal's density g that uses `normals`, a standard normal vector, as its direction and, where g is
  /// Gaussian, as its length; further randomness comes from `random`. The law of omega is exactly that of propose().
  virtual void propose_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const;
  /// The same for a draw from the normalised part.
  virtual void draw_from(Part part, std::span<const double> normals, RandomStream& random, std::span<double> omega) const;

  // --- Gaussian times a function of one scalar: opens quadrature and ridge rules ------------------------------------------
  /// σ if the proposal is N(0, I/σ²).
  virtual std::optional<double> gaussian_sigma() const { return std::nullopt; }
  /// a if μ/g is a function of a·ω alone; empty if it is constant. Has no meaning without gaussian_sigma().
  virtual std::span<const double> ridge() const { return {}; }
};

}  // namespace askrff
