// Bisection of all stretches at whose ends the pieces differ, side by side.
#include "found_measures/line_breaks.hpp"

#include <algorithm>
#include <cmath>

namespace askrff::found_measures {
namespace {

constexpr std::size_t max_breaks = std::size_t{1} << 17;
constexpr double break_grid = 0x1p-38;
constexpr int steps_of_panel = 16;

struct Stretch {
  double from, to, first, last;  // pieces at its ends
  double centre() const { return 0.5 * (from + to); }
};

std::vector<double> pieces_at(const LineFunction& pieces, std::vector<double> points, double x_unit) {
  for (double& point : points) point *= x_unit;
  std::vector<double> values(points.size());
  pieces(points, values);
  return values;
}

std::vector<Stretch> stretches_of(const LineFunction& pieces, double x_unit, std::span<const Panel> panels) {
  std::vector<double> points;
  for (const Panel& panel : panels)
    for (int i = 0; i <= steps_of_panel; ++i)
      points.push_back(i == steps_of_panel ? panel.to : panel.from + (panel.to - panel.from) * i / steps_of_panel);
  const auto values = pieces_at(pieces, points, x_unit);
  std::vector<Stretch> open;
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    if (i % (steps_of_panel + 1) != steps_of_panel && values[i] != values[i + 1])
      open.push_back({points[i], points[i + 1], values[i], values[i + 1]});
  return open;
}

}  // namespace

std::vector<double> find_breaks(const LineFunction& pieces, double x_unit, std::span<const Panel> panels) {
  double farthest = 0;
  for (const Panel& panel : panels) farthest = std::max({farthest, -panel.from, panel.to});
  const double grid = std::ldexp(break_grid, std::ilogb(farthest));
  std::vector<double> breaks, centres;
  std::vector<Stretch> open = stretches_of(pieces, x_unit, panels);
  while (!open.empty()) {
    centres.clear();
    for (const Stretch& stretch : open) centres.push_back(stretch.centre());
    const auto values = pieces_at(pieces, centres, x_unit);
    std::vector<Stretch> narrower;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const Stretch& stretch = open[i];
      if (stretch.to - stretch.from <= grid) {
        breaks.push_back(std::floor(centres[i] / grid + 0.5) * grid);
        continue;
      }
      if (stretch.first != values[i]) narrower.push_back({stretch.from, centres[i], stretch.first, values[i]});
      if (stretch.last != values[i]) narrower.push_back({centres[i], stretch.to, values[i], stretch.last});
    }
    open = std::move(narrower);
    if (open.size() + breaks.size() > max_breaks) return {};
  }
  std::ranges::sort(breaks);
  return breaks;
}

}  // namespace askrff::found_measures
