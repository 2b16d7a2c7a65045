// Gauss-Hermite along the ridge, a spherical-radial rule with opposites across it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/vectors.hpp"
#include "sampling/gauss_hermite.hpp"
#include "sampling/normal_points.hpp"
#include "sampling/rotation.hpp"
#include "askrff/errors.hpp"

namespace askrff::sampling {
namespace {

constexpr double max_rule_error = 0.1;   // worse than that is no approximation
constexpr double node_tolerance = 1e-7;  // more exact than the rule across is for any number of points in use
constexpr std::size_t min_per_node = 3;  // the centre and one pair

// Points across for every node, odd numbers (the centre and pairs) in proportion to the node's weight, at least three, at most n in all.
std::vector<std::size_t> shares(std::size_t n, const HermiteRule& along) {
  std::vector<std::size_t> counts;
  std::size_t total = 0;
  for (const double weight : along.weights) {
    const auto pairs = static_cast<std::size_t>(weight * static_cast<double>(n) / 2);
    counts.push_back(std::max(min_per_node, 2 * (pairs > 0 ? pairs - 1 : 0) + 1));
    total += counts.back();
  }
  while (total > n) {  // the minimum of three each may have taken too many: the largest gives
    auto largest = std::ranges::max_element(counts);
    if (*largest <= min_per_node) break;
    *largest -= 2;
    total -= 2;
  }
  while (total + 2 <= n) {
    auto largest = std::ranges::max_element(counts);
    *largest += 2;
    total += 2;
  }
  return counts;
}

// One node's points: row 0 is the centre, then pairs ±v with weights (dim)/ρ² among them.
void fill_across(MatrixView<double> across, std::span<double> weights, RandomStream& random, const StopToken& stop) {
  const std::size_t dim = across.cols(), n_pairs = (across.rows() - 1) / 2;
  double on_sphere = 0;
  Matrix<double> directions;
  for (std::size_t pair = 0; pair < n_pairs; ++pair) {
    if (pair % dim == 0) directions = random_rotation(std::min(dim, n_pairs - pair), dim, random, stop);
    const double square = random.chi_squared(static_cast<double>(dim + 2)), length = std::sqrt(square);
    const auto plus = across.row(1 + 2 * pair), minus = across.row(2 + 2 * pair);
    for (std::size_t k = 0; k < dim; ++k) {
      plus[k] = length * directions(pair % dim, k);
      minus[k] = -plus[k];
    }
    const double weight = static_cast<double>(dim) / (square * static_cast<double>(n_pairs));
    weights[1 + 2 * pair] = weights[2 + 2 * pair] = weight / 2;
    on_sphere += weight;
  }
  weights[0] = 1 - on_sphere;
}

}  // namespace

NormalPoints ridge_points(std::size_t n, std::span<const double> direction, double reach, SetSeed seed, const StopToken& stop) {
  const std::size_t dim = direction.size();
  // An even number of nodes: at 0 a pair (0, ±v) would be one frequency twice.
  HermiteLadder ladder;
  const std::size_t wanted = ladder.nodes_for(reach, node_tolerance).value_or(HermiteLadder::max_nodes);
  const HermiteRule& both_sides = ladder.rule(2 * std::clamp<std::size_t>(n / min_per_node, 1, (wanted + 1) / 2));
  if (const double error = both_sides.error(reach); error > max_rule_error)
    throw InvalidArgument(
        fmt::format("ridge sampler: {} points leave an error of {:.2g} along a ridge that reaches {:.3g} bandwidths; use mub or sobol", n,
                    error, reach));
  const HermiteRule along = folded(both_sides);
  const auto counts = shares(n, along);
  std::size_t total = 0;
  for (const std::size_t count : counts) total += count;
  NormalPoints set{Matrix<double>(total, dim), std::vector<double>(total)};
  std::size_t first = 0;
  for (std::size_t node = 0; node < counts.size(); ++node) {
    RandomStream random = set_stream(seed, node);
    const auto rows = set.points.view().middle_rows(first, counts[node]);
    for (std::size_t i = 0; i < rows.rows(); ++i) rows(i, 0) = along.nodes[node];
    const std::span weights = std::span(set.weights).subspan(first, counts[node]);
    fill_across({rows.data() + 1, rows.rows(), dim - 1, rows.stride()}, weights, random, stop);
    for (double& weight : weights) weight *= along.weights[node];
    first += counts[node];
  }
  turn_first_axis_to(direction, set.points.view());
  return set;
}

}  // namespace askrff::sampling
