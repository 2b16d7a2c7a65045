// A figure as data: panels of curves with error bars. What the artefacts give and picture_script() draws.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace askrff::experiments {

/// How a curve looks, and its line in the legend.
struct Look {
  std::string title;
  std::string colour = "#000000";
  int point_type = 0;  ///< of gnuplot; 0: no points
  bool dashed = false;
  bool line = true;
};

struct PlotPoint {
  double x = 0, y = 0;
  double deviation = std::numeric_limits<double>::quiet_NaN();  ///< no error bar if it is NaN
};

/// Points that cannot be drawn (not finite, or not positive on a logarithmic axis) are left out.
struct Curve {
  Look look;
  std::vector<PlotPoint> points;
  bool across = false;  ///< a level: the first point's y, as a line over the whole width
};

struct Panel {
  std::string title;
  std::vector<Curve> curves;
};

enum class YAxis {
  linear,
  logarithmic,
  seconds,  ///< logarithmic, labelled 1 ms, 10 ms, …
};

struct Picture {
  std::string name;  ///< of its files, without ending
  std::string x_label, y_label;
  YAxis y_axis = YAxis::linear;
  bool same_y = true;  ///< one range for all panels
  std::vector<Look> legend{};
  std::vector<Panel> panels{};
  std::string alt{};      ///< what it shows, for those who do not see it
  std::string caption{};  ///< below it
};

/// Panels side by side, or one below the other for a phone.
enum class Layout { wide, narrow };

/// Height and width in pixels.
struct PictureSize {
  std::size_t width = 0, height = 0;
};
PictureSize size_of(const Picture& picture, Layout layout);

/// The picture as SVG, or as PNG. Throws as run_gnuplot.
std::string draw_svg(const Picture& picture, Layout layout);
std::string draw_png(const Picture& picture);

// What the pictures have in common.

inline constexpr const char* x_label = "log₂(M/d)";
inline constexpr const char* neutral_colour = "#555555";

/// The index-th of Okabe and Ito's colours, told apart by the colour-blind, with a symbol of its own, told apart in grey.
Look look_of(std::size_t index, const std::string& title);

/// A shift along x, so that the error bars of n curves do not cover each other.
double bar_offset(std::size_t index, std::size_t n);

/// "3 panels, one per kernel"
std::string panels_in_words(std::size_t n);

}  // namespace askrff::experiments
