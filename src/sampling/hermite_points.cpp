// Tensor Gauss-Hermite rules, folded and pruned.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "sampling/gauss_hermite.hpp"
#include "sampling/normal_points.hpp"
#include "askrff/errors.hpp"

namespace askrff::sampling {
namespace {

constexpr std::size_t max_grid_dimensions = 5;
constexpr double max_grid_points = 4e6;
constexpr double max_grid_error = 0.1;  // worse than that is no approximation

struct Grid {
  std::vector<HermiteRule> rules;  // one per coordinate

  std::size_t size() const {
    std::size_t n = 1;
    for (const auto& rule : rules) n *= rule.nodes.size();
    return n;
  }
  // Node numbers of grid point i, the last coordinate fastest; the mirror image -z of point i is point size() - 1 - i.
  double weight(std::size_t i) const {
    double product = 1;
    for (std::size_t k = rules.size(); k-- > 0; i /= rules[k].nodes.size()) product *= rules[k].weights[i % rules[k].nodes.size()];
    return product;
  }
  void point(std::size_t i, std::span<double> z) const {
    for (std::size_t k = rules.size(); k-- > 0; i /= rules[k].nodes.size()) z[k] = rules[k].nodes[i % rules[k].nodes.size()];
  }
};

struct GridChoice {
  Grid grid;
  double error = 0;  // typical, of the rules of all coordinates together
};

// Empty if no rule is so exact, or the grid would be too large.
std::optional<GridChoice> grid_for(std::span<const double> reach, double tolerance, HermiteLadder& ladder) {
  GridChoice choice;
  double size = 1;
  for (const double each : reach) {
    const auto nodes = ladder.nodes_for(each, tolerance);
    if (!nodes) return std::nullopt;
    choice.grid.rules.push_back(ladder.rule(*nodes));
    choice.error += choice.grid.rules.back().error(each);
    size *= static_cast<double>(*nodes);
  }
  return size <= max_grid_points ? std::optional(std::move(choice)) : std::nullopt;
}

struct Kept {
  std::size_t grid_point;
  double weight;
};

// One of each pair ±z, the largest weights first.
std::vector<Kept> folded_points(const Grid& grid) {
  const std::size_t size = grid.size(), half = size / 2;
  std::vector<Kept> points;
  points.reserve(size - half);
  for (std::size_t i = half; i < size; ++i) points.push_back({i, grid.weight(i) * (i == size - 1 - i ? 1 : 2)});
  std::ranges::sort(points,
                    [](const Kept& a, const Kept& b) { return a.weight != b.weight ? a.weight > b.weight : a.grid_point < b.grid_point; });
  return points;
}

// Leaves out the smallest weights: what is beyond n points, and more as long as that adds less than `negligible`. Returns their sum.
double prune(std::vector<Kept>& points, std::size_t n, double negligible) {
  double left_out = 0, free = 0;
  while (points.size() > n || (points.size() > 1 && free + points.back().weight <= negligible)) {
    if (points.size() <= n) free += points.back().weight;
    left_out += points.back().weight;
    points.pop_back();
  }
  return left_out;
}

}  // namespace

NormalPoints hermite_points(std::size_t n, std::span<const double> reach, const StopToken& stop) {
  if (reach.size() > max_grid_dimensions)
    throw InvalidArgument(
        fmt::format("quadrature sampler: {} dimensions, expected at most {}: a tensor rule would need too many points; use mub, or ridge "
                    "where the kernel "
                    "has one",
                    reach.size(), max_grid_dimensions));
  // Rules from coarse to fine: the best is where what n points have to leave out begins to outweigh what finer rules gain.
  Grid best_grid;
  std::vector<Kept> best;
  double least = HUGE_VAL;
  HermiteLadder ladder;
  // None is finer than rounding: a rule would grow to its largest size in search of one.
  for (double tolerance = 1; tolerance > 1e-16; tolerance /= std::sqrt(10.0)) {
    stop.check();
    auto choice = grid_for(reach, tolerance, ladder);
    if (!choice) break;
    auto points = folded_points(choice->grid);
    const double error = choice->error + prune(points, n, std::max(0.02 * choice->error, 1e-17));
    if (error > 30 * least || least < 1e-16) break;
    if (!(error < least)) continue;
    least = error;
    best_grid = std::move(choice->grid);
    best = std::move(points);
  }
  if (!(least <= max_grid_error))
    throw InvalidArgument(
        fmt::format("quadrature sampler: {} point(s) cannot integrate waves that reach {:.3g} bandwidths{}; use mub or sobol", n,
                    *std::ranges::max_element(reach), std::isfinite(least) ? fmt::format(" better than {:.2g}", least) : ""));
  NormalPoints set{Matrix<double>(best.size(), reach.size()), std::vector<double>(best.size())};
  double total = 0;
  for (const Kept& each : best) total += each.weight;
  for (std::size_t j = 0; j < best.size(); ++j) {
    best_grid.point(best[j].grid_point, set.points.row(j));
    set.weights[j] = best[j].weight / total;
  }
  return set;
}

}  // namespace askrff::sampling
