// Small charts of curves as an SVG picture, for commands that show more than a table can.
#pragma once

#include <string>
#include <vector>

namespace askrff::cli {

struct ChartCurve {
  std::string label;
  std::vector<double> x, y;  ///< joined in this order; points that are not finite, or not above 0 on a logarithmic axis, break the curve
};

struct Chart {
  std::string title, x_title;
  std::vector<ChartCurve> curves;
  bool log_y = false;
};

/// A picture with the charts in rows of two under a heading. Texts are escaped.
std::string svg_charts(const std::string& heading, const std::vector<Chart>& charts);

}  // namespace askrff::cli
