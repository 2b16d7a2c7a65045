// Points are found coordinate by coordinate within an ellipsoid, which is enlarged until it holds enough.
#include "weighting/frequency_lattice.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "core/portable_math.hpp"

namespace askrff::weighting {
namespace {

/// The points g of integers + offset with |B·g| ≤ radius, one of each pair ±; B is lower triangular.
class Ellipsoid {
 public:
  Ellipsoid(MatrixView<const double> B, double offset, double radius, const StopToken& stop)
      : B_(B), offset_(offset), square_(radius * radius), stop_(stop), point_(B.rows()) {}

  /// Calls use(g, |B·g|²) for each until it returns false. False if it did, and for a line of too many points, where g + 1 may be g.
  template <class Use>
  bool visit(const Use& use) {
    return visit_from(0, 0.0, true, use);
  }

 private:
  template <class Use>
  bool visit_from(std::size_t a, double sum, bool all_zero, const Use& use) {
    if (a == point_.size()) return use(point_, sum);
    stop_.check();
    double before = 0;
    for (std::size_t b = 0; b < a; ++b) before += B_(a, b) * point_[b];
    const double unit = B_(a, a), half = std::sqrt(std::max(0.0, square_ - sum));
    if (!(half / unit < longest_line)) return false;
    double g = std::ceil((-half - before) / unit - offset_) + offset_;
    if (all_zero) g = std::max(g, offset_);
    for (; unit * g + before <= half; g += 1) {
      point_[a] = g;
      const double value = unit * g + before;
      if (!visit_from(a + 1, sum + value * value, all_zero && g == 0, use)) return false;
    }
    return true;
  }

  static constexpr double longest_line = 1e6;
  MatrixView<const double> B_;
  double offset_, square_;
  const StopToken& stop_;
  std::vector<double> point_;
};

/// L⁻¹·diag(cell).
Matrix<double> inverse_times(MatrixView<const double> L, std::span<const double> cell) {
  Matrix<double> inverse(L.rows(), L.rows());
  for (std::size_t c = 0; c < L.rows(); ++c)
    for (std::size_t r = c; r < L.rows(); ++r) {
      double sum = r == c ? cell[c] : 0.0;
      for (std::size_t q = c; q < r; ++q) sum -= L(r, q) * inverse(q, c);
      inverse(r, c) = sum / L(r, r);
    }
  return inverse;
}

/// What the cell is to be multiplied by so that 2n points of the two cosets are within |L⁻¹ω| ≤ reach, by volumes.
double spacing_for(std::size_t n, MatrixView<const double> L, std::span<const double> cell, double reach) {
  double log_volume = 0;  // of the unit ball, by V_d = V_{d-2}·2π/d; for each of the 2n points
  for (std::size_t d = L.rows(); d > 1; d -= 2) log_volume += portable::log(2 * std::numbers::pi / static_cast<double>(d));
  if (L.rows() % 2 != 0) log_volume += std::numbers::ln2;
  log_volume -= portable::log(static_cast<double>(n));  // 2 cosets, 2n points
  for (std::size_t a = 0; a < L.rows(); ++a) log_volume += portable::log(reach * L(a, a) / cell[a]);
  return portable::exp(log_volume / static_cast<double>(L.rows()));
}

using Found = std::vector<std::pair<double, std::vector<double>>>;

/// All points within the radius, and their squares; empty if there are more than `most`.
Found points_within(MatrixView<const double> B, double radius, std::size_t most, const StopToken& stop) {
  Found found;
  for (const double offset : {0.0, 0.5}) {
    const bool all = Ellipsoid(B, offset, radius, stop).visit([&](const std::vector<double>& g, double square) {
      found.emplace_back(square, g);
      return found.size() <= most;
    });
    if (!all) return {};
  }
  return found;
}

}  // namespace

Matrix<double> lattice_points(std::size_t n, MatrixView<const double> L, std::span<const double> cell, double reach,
                              const StopToken& stop) {
  constexpr int max_rounds = 40;
  std::vector<double> edges(cell.begin(), cell.end());
  const double spacing = spacing_for(n, L, cell, reach);
  for (double& edge : edges) edge *= spacing;
  const Matrix<double> B = inverse_times(L, edges);
  Found found;
  double low = 0, radius = reach;  // below `low` there are too few; 0 is a point and never none
  for (int round = 0; round < max_rounds && found.size() < n; ++round) {
    found = points_within(B.view(), radius, 4 * n + 64, stop);
    if (found.empty()) {
      radius = 0.5 * (low + radius);
    } else {
      low = radius;
      radius *= 1.1;
    }
  }
  if (found.size() < n) return {};
  std::ranges::sort(found);
  Matrix<double> points(n, L.rows());
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t a = 0; a < L.rows(); ++a) points(j, a) = edges[a] * found[j].second[a];
  return points;
}

}  // namespace askrff::weighting
