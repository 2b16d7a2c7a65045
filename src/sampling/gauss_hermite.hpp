// Gauss-Hermite nodes for the standard normal law, by portable arithmetic.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace askrff::sampling {

struct HermiteRule {
  std::vector<double> nodes, weights;  ///< ascending nodes; weights sum to 1

  /// Root mean square of Σ w e^{iτx} - e^{-τ²/2} over 0 < τ ≤ reach; 1 where nodes are too far apart for that.
  double error(double reach) const;
};

/// All rules from one node upwards, each made once, from the one before.
class HermiteLadder {
 public:
  static constexpr std::size_t max_nodes = 128;

  /// n nodes, exact for polynomials up to degree 2n - 1; 1 ≤ n ≤ max_nodes. Valid as long as the ladder.
  const HermiteRule& rule(std::size_t n);
  /// Nodes of the smallest rule whose error up to `reach` is at most `tolerance`; empty if there is none.
  std::optional<std::size_t> nodes_for(double reach, double tolerance);

 private:
  std::deque<HermiteRule> rules_;                 // rules_[n - 1] has n nodes
  std::map<double, std::vector<double>> errors_;  // by reach: errors_[reach][n - 1]
};

/// The nodes ≥ 0 with the weight of both ±x: for sums whose terms at x and -x are conjugate.
HermiteRule folded(const HermiteRule& rule);

}  // namespace askrff::sampling
