// Point sets for the standard normal law: E f(Z) ≈ Σ_j w_j f(z_j). What every sampler beyond independent draws makes; a measure turns the
// points into frequencies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/random.hpp"
#include "askrff/views.hpp"

namespace askrff::sampling {

struct NormalPoints {
  Matrix<double> points;        ///< one per row
  std::vector<double> weights;  ///< one per point, sum 1
};

/// The random choices of a set: sets of one seed and different numbers are independent.
struct SetSeed {
  std::uint64_t seed = 0, number = 0;
};
inline RandomStream set_stream(SetSeed seed, std::uint64_t block) { return {seed.seed, Purpose::point_sets, (seed.number << 40) + block}; }

/// Blocks of dim orthogonal directions, uniform on the sphere, with independent chi(dim) lengths: every point is exactly normal.
NormalPoints orthogonal_points(std::size_t n, std::size_t dim, SetSeed seed, const StopToken& stop = {});

/// Randomly rotated mutually unbiased bases of dimension 2p ≥ dim: whole designs as far as n reaches, then bases in random order,
/// orthonormal ones as long as there are enough of them; chi(2p) lengths, stratified over all points. The first dim coordinates of every
/// point are exactly normal.
NormalPoints mub_points(std::size_t n, std::size_t dim, SetSeed seed, const StopToken& stop = {});

/// A scrambled Sobol sequence through the inverse normal law; every point is exactly normal. Its first coordinate, the best spread one,
/// is turned into `direction` if that is not empty. Throws std::invalid_argument above 1000 dimensions.
NormalPoints sobol_points(std::size_t n, std::size_t dim, std::span<const double> direction, SetSeed seed, const StopToken& stop = {});

/// Gauss-Hermite nodes in every coordinate, one of each pair ±z, small weights left out: at most n points, not random. `reach`: the largest
/// |τ_k| of the functions e^{iτ·z} to be integrated; coordinates that reach further get more nodes.
/// Throws std::invalid_argument above 5 dimensions, and if n points cannot do better than a typical error of 0.1.
NormalPoints hermite_points(std::size_t n, std::span<const double> reach, const StopToken& stop = {});

/// Gauss-Hermite nodes along `direction` (a unit vector) up to |τ| = reach, one of each pair ±; across it, for every node, orthogonal
/// directions with lengths of the spherical-radial rule (chi(dim + 1), weights (dim - 1)/ρ², the rest at the centre), each with its
/// opposite. Unbiased but for the error of the nodes. At most n points, at least 3; fewer nodes if n is small. dim ≥ 4: below, the weights
/// have no variance and hermite_points is better. Throws std::invalid_argument if the nodes n allows leave an error of more than 0.1.
NormalPoints ridge_points(std::size_t n, std::span<const double> direction, double reach, SetSeed seed, const StopToken& stop = {});

}  // namespace askrff::sampling
