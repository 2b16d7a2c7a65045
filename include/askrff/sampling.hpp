// Where the frequencies are: draws from one Jordan part. Third stage of the flow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "askrff/atoms.hpp"
#include "askrff/execution.hpp"
#include "askrff/measure.hpp"
#include "askrff/views.hpp"
#include "askrff/words.hpp"

namespace askrff {

/// Where frequencies are drawn.
enum class Sampler { exact, rejection, orthogonal, mub, structured, sobol, quadrature, ridge, grid };

inline constexpr Word<Sampler> sampler_words[] = {
    {Sampler::exact, "exact", "independent draws by the measure's own sampler"},
    {Sampler::rejection, "rejection", "the paper's acceptance-rejection from the measure's proposal"},
    {Sampler::orthogonal, "orthogonal", "blocks of orthogonal directions"},
    {Sampler::mub, "mub", "randomly rotated mutually unbiased bases, lengths stratified"},
    {Sampler::structured, "structured", "products of Hadamard and sign matrices, applied in O(log d) per frequency"},
    {Sampler::sobol, "sobol", "a scrambled Sobol sequence"},
    {Sampler::quadrature, "quadrature", "a tensor Gauss-Hermite rule, up to 5 dimensions, not random"},
    {Sampler::ridge, "ridge", "Gauss-Hermite along the direction in which a Gaussian kernel is skew, spherical-radial across it"},
    {Sampler::grid, "grid", "equispaced frequencies, up to 3 dimensions, not random: sums over them take fast Fourier transforms"}};
constexpr std::span<const Word<Sampler>> words_of(Sampler) { return sampler_words; }

struct SamplingOptions {
  Sampler sampler = Sampler::exact;
  std::uint64_t seed = 0;
  /// The rejection sampler refuses a part whose acceptance rate is below this.
  double min_acceptance = 1e-5;
  /// How far apart rows may be in each coordinate: quadrature, ridge and grid place their nodes for it. Empty: 1 everywhere.
  std::vector<double> extent = {};
  StopToken stop = {};  ///< draws run on the calling thread
};

/// Frequencies first … first+count-1 of one part (count × dim). With the exact and rejection samplers each depends on (measure, part,
/// sampler, seed, its number) only: any range, order or thread gives the same bits. Point sets (orthogonal, mub, sobol) are drawn whole:
/// first must be 0. Throws std::invalid_argument if the measure lacks what the sampler needs, NumericalError if rejection would not end.
Matrix<double> draw_frequencies(const ComplexMeasure& measure, Part part, std::size_t first, std::size_t count,
                                const SamplingOptions& options = {});

/// Atoms of the whole measure at once, each frequency with its phase: exact draws from |μ|/∫|μ| (c = ∫|μ| e^{iθ}/n), otherwise points of
/// the proposal g with the ratio as weight (c = w μ/g). n atoms; fewer for quadrature, ridge and grid. Throws std::invalid_argument if the
/// measure lacks what the sampler needs.
SpectralAtoms draw_polar_atoms(const ComplexMeasure& measure, std::size_t n, const SamplingOptions& options = {});

/// n structured frequencies whose law is close to the standard normal one: random signs, and lengths that are those of normal vectors of
/// padded_dim = the least power of two ≥ max(dim, 16) coordinates, independent of each other. Those of one block are orthogonal before the
/// coordinates beyond dim are cut off. Directions are only close to uniform: with P = padded_dim, a coordinate of a direction has the
/// mean square 1/P and the mean fourth power 3/P² - 6/P³ + 4/P⁴, where the sphere has 3/P² - 6/P³ + 12/P⁴ - …: a relative bias of 8/(3P²);
/// mean products of two squares agree to a relative 8/P³. They lie on a lattice: a single coordinate is exactly 0 with probability 0.17,
/// 0.1, 0.03, 0.004 for P = 16, 32, 64, 512, so that for differences along one axis k̂ keeps that share of k(0). Scale them for a kernel by
/// its 1/σ. A longer draw starts with the shorter one; the same bits everywhere. Throws std::invalid_argument if n or dim is 0 or their
/// product above 2^31, or dim above 2^24.
HadamardBlocks draw_hadamard_blocks(std::size_t n, std::size_t dim, std::uint64_t seed);

/// The p + 1 mutually unbiased bases of C^p, p an odd prime, made real with the phases 0, π/3, 2π/3: 3p(p+1) unit vectors of R^{2p}, one
/// per row, whose union integrates even polynomials up to degree 5 over the sphere exactly. Order: basis (the standard one first), phase,
/// vector. Throws std::invalid_argument if p is not an odd prime or above 1000.
Matrix<double> mutually_unbiased_directions(std::size_t p);

}  // namespace askrff
