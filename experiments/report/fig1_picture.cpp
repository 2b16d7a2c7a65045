// The picture of figure 1.
#include "experiments/report/figures.hpp"

#include <fmt/format.h>

#include <cmath>

#include "experiments/report/text.hpp"
#include "experiments/report/numbers.hpp"

namespace askrff::experiments {
namespace {

Panel mass_panel(const Figure1& figure, const std::string& kernel, const std::vector<std::string>& parts) {
  Panel panel{kernel, {}};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Curve estimate{look_of(i, parts[i]), {}}, exact{look_of(i, parts[i]), {}, true};
    exact.look.point_type = 0;
    estimate.look.line = false;
    for (const MassPoint& p : figure.points) {
      if (p.kernel != kernel || p.part != parts[i]) continue;
      const double x = std::log2(static_cast<double>(p.n_frequencies));
      estimate.points.push_back({x + bar_offset(i, parts.size()), p.estimate.mean, p.estimate.deviation});
      exact.points.push_back({x, p.exact});
    }
    panel.curves.push_back(exact);
    panel.curves.push_back(estimate);
  }
  return panel;
}

}  // namespace

std::vector<Picture> pictures_of(const Figure1& figure) {
  const auto kernels = distinct(figure.points, &MassPoint::kernel), parts = distinct(figure.points, &MassPoint::part);
  if (kernels.empty()) return {};
  Picture picture{.name = "fig1", .x_label = x_label, .y_label = "mass", .y_axis = YAxis::linear, .same_y = false};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Look look = look_of(i, part_title(parts[i]));
    look.line = false;
    picture.legend.push_back(look);
  }
  picture.legend.push_back({"exact", neutral_colour});
  for (const std::string& kernel : kernels) picture.panels.push_back(mass_panel(figure, kernel, parts));
  picture.caption = "Masses estimated by Algorithm 2 (points: mean ± standard deviation over trials) against the exact ones (lines).";
  picture.alt =
      panels_in_words(kernels.size()) + ": estimated masses of the Jordan parts against log₂(M/d), and the exact masses as lines.";
  for (const MassCheck& c : figure.checks)
    picture.alt += fmt::format(" {}, {}: estimate {} with {} frequencies, exact {}.", c.kernel, part_title(c.part),
                               rounded(c.estimate.mean), c.n_frequencies, rounded(c.exact));
  return {picture};
}

}  // namespace askrff::experiments
