// Lays a picture out in pixels and writes the commands that draw it.
#include "experiments/report/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "experiments/report/axis.hpp"
#include "experiments/report/gnuplot.hpp"

namespace askrff::experiments {
namespace {

constexpr const char* font = "DejaVu Sans";

/// Pixels, the origin at the bottom left, as gnuplot counts.
struct Box {
  double left = 0, right = 0, bottom = 0, top = 0;
};

struct LegendEntry {
  Look look;
  double x = 0, y = 0;
};

/// Where everything is.
struct Plan {
  double width = 0, height = 0;
  int font_size = 15;
  std::vector<Box> panels;  ///< the frames of their axes
  std::vector<LegendEntry> legend;
};

std::size_t n_characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

constexpr double sample_width = 34;  // of a piece of line in the legend

/// Entries from left to right, in as many lines as it takes; returns the height of them all. y is counted from the top for now.
double place_legend(const std::vector<Look>& looks, double left, Plan& plan) {
  if (looks.empty()) return 0;
  const double line_height = 1.7 * plan.font_size, gap = 22;
  double x = left, y = line_height * 0.7;
  for (const Look& look : looks) {
    const double width = sample_width + 8 + 0.61 * plan.font_size * static_cast<double>(n_characters(look.title));
    if (x > left && x + width > plan.width) {
      x = left;
      y += line_height;
    }
    plan.legend.push_back({look, x, y});
    x += width + gap;
  }
  return y + line_height * 0.5;
}

/// Panels of a wide picture share a line, and the axis on the left where their ranges are the same.
Plan wide_plan(const Picture& picture) {
  const std::size_t n = std::max<std::size_t>(picture.panels.size(), 1);
  Plan plan{n == 1 ? 720.0 : n == 2 ? 960.0 : 1200.0, 0, 15, {}, {}};
  const double left = 98, right = 12, between = picture.same_y ? 18 : 72, title = 32, bottom = 66, panel_height = 320;
  const double above = place_legend(picture.legend, left, plan) + title;
  plan.height = above + panel_height + bottom;
  const double count = static_cast<double>(n), panel_width = (plan.width - left - right - between * (count - 1)) / count;
  for (std::size_t i = 0; i < picture.panels.size(); ++i) {
    const double start = left + static_cast<double>(i) * (panel_width + between);
    plan.panels.push_back({start, start + panel_width, bottom, bottom + panel_height});
  }
  return plan;
}

/// Panels of a narrow picture stand one below the other.
Plan narrow_plan(const Picture& picture) {
  Plan plan{400, 0, 14, {}, {}};
  const double left = 92, right = 8, title = 34, marks = 34, bottom = 62, panel_height = 240;
  const double above = place_legend(picture.legend, 12, plan);
  const double n = static_cast<double>(picture.panels.size());
  plan.height = above + n * (title + panel_height + marks) + bottom - marks;
  for (double i = 0; i < n; ++i) {
    const double top = plan.height - above - title - i * (title + panel_height + marks);
    plan.panels.push_back({left, plan.width - right, top - panel_height, top});
  }
  return plan;
}

Plan plan_of(const Picture& picture, Layout layout) {
  Plan plan = layout == Layout::wide ? wide_plan(picture) : narrow_plan(picture);
  plan.height = std::round(plan.height);
  for (LegendEntry& entry : plan.legend) entry.y = plan.height - entry.y;
  return plan;
}

bool is_logarithmic(const Picture& picture) { return picture.y_axis != YAxis::linear; }

bool can_be_drawn(const PlotPoint& p, const Picture& picture) {
  return std::isfinite(p.x) && std::isfinite(p.y) && (!is_logarithmic(picture) || p.y > 0);
}

Extent x_extent(const Picture& picture) {
  Extent extent;
  for (const Panel& panel : picture.panels)
    for (const Curve& curve : panel.curves)
      for (const PlotPoint& p : curve.points)
        if (!curve.across && can_be_drawn(p, picture)) extent.include(p.x);
  return extent;
}

void include_panel(const Panel& panel, const Picture& picture, Extent& extent) {
  for (const Curve& curve : panel.curves) {
    for (const PlotPoint& p : curve.points) {
      if (!can_be_drawn(p, picture)) continue;
      extent.include(p.y);
      extent.include(p.y + p.deviation);
      // On a logarithmic axis an error bar may reach down to zero: it need not be seen to its end.
      extent.include(is_logarithmic(picture) ? std::max(p.y - p.deviation, p.y / 2) : p.y - p.deviation);
    }
  }
}

Axis y_axis(const Picture& picture, const Panel& panel) {
  Extent extent;
  if (picture.same_y)
    for (const Panel& each : picture.panels) include_panel(each, picture, extent);
  else
    include_panel(panel, picture, extent);
  return is_logarithmic(picture) ? logarithmic_axis(extent, picture.y_axis == YAxis::seconds) : linear_axis(extent);
}

std::string marks_command(const char* command, const Axis& axis, bool labels) {
  std::string list;
  for (const Mark& mark : axis.marks)
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", gnuplot_string(labels ? mark.label : ""), mark.at);
  return axis.marks.empty() ? fmt::format("unset {}\n", command) : fmt::format("set {} ({})\n", command, list);
}

std::string legend_commands(const Plan& plan) {
  std::string text;
  for (const LegendEntry& entry : plan.legend) {
    const double y = entry.y / plan.height, x = entry.x / plan.width, end = (entry.x + sample_width) / plan.width;
    if (entry.look.line)
      text += fmt::format("set arrow from screen {},{} to screen {},{} nohead lw 2 dt {} lc rgb '{}'\n", x, y, end, y,
                          entry.look.dashed ? 2 : 1, entry.look.colour);
    if (entry.look.point_type > 0)
      text += fmt::format("set label '' at screen {},{} point pt {} ps 0.7 lc rgb '{}'\n", (x + end) / 2, y, entry.look.point_type,
                          entry.look.colour);
    text += fmt::format("set label {} at screen {},{} left\n", gnuplot_string(entry.look.title), end + 8 / plan.width, y);
  }
  return text;
}

/// Where it begins and how long it is, cut to what can be seen.
std::string bar_line(const PlotPoint& p, const Axis& axis) {
  const double low = std::max(p.y - p.deviation, axis.low), high = std::min(p.y + p.deviation, axis.high);
  return fmt::format("{} {} {}\n", p.x, low, high - low);
}

/// The lines of two data blocks: the points, and the error bars of those that have one.
struct CurveData {
  std::string points, bars;
};

CurveData curve_data(const Picture& picture, const Curve& curve, const Axis& x_axis, const Axis& y_axis) {
  CurveData data;
  for (const PlotPoint& p : curve.points) {
    if (!can_be_drawn(p, picture)) continue;
    if (curve.across) {
      data.points = fmt::format("{0} {2}\n{1} {2}\n", x_axis.low, x_axis.high, p.y);
      break;
    }
    data.points += fmt::format("{} {}\n", p.x, p.y);
    if (p.deviation > 0 && std::isfinite(p.deviation)) data.bars += bar_line(p, y_axis);
  }
  return data;
}

std::string curve_style(const Look& look) {
  const char* with = !look.line ? "points" : look.point_type > 0 ? "linespoints" : "lines";
  return fmt::format("with {}{}{}", with, look.line ? (look.dashed ? " lw 2 dt 2" : " lw 2 dt 1") : "",
                     look.point_type > 0 ? fmt::format(" pt {} ps 0.6", look.point_type) : "");
}

/// Data blocks, and what to plot of them.
struct PanelData {
  std::string blocks, plots;
};

PanelData panel_data(const Picture& picture, const Plan& plan, std::size_t index, const Axis& x_axis, const Axis& y_axis) {
  PanelData data;
  // Not yerrorbars: these blank the ground behind every point.
  const std::string bar_style = fmt::format("using 1:2:(0):3 with vectors heads fixed nofilled size screen {},90 lw 1.2", 3.5 / plan.width);
  const auto add = [&](const std::string& block, const std::string& lines, const std::string& style, const Look& look) {
    if (lines.empty()) return;
    data.blocks += fmt::format("{} << EOD\n{}EOD\n", block, lines);
    data.plots += fmt::format("{}{} {} lc rgb '{}' notitle", data.plots.empty() ? "plot " : ", \\\n     ", block, style, look.colour);
  };
  for (std::size_t c = 0; c < picture.panels[index].curves.size(); ++c) {
    const Curve& curve = picture.panels[index].curves[c];
    const CurveData lines = curve_data(picture, curve, x_axis, y_axis);
    add(fmt::format("$bars{}_{}", index, c), lines.bars, bar_style, curve.look);
    add(fmt::format("$curve{}_{}", index, c), lines.points, curve_style(curve.look), curve.look);
  }
  if (data.plots.empty()) data.plots = "plot NaN notitle";
  data.plots += '\n';
  return data;
}

/// Placed by hand: where gnuplot puts titles depends on its terminal and on the widest mark of the panel.
std::string label_command(const std::string& text, const Plan& plan, double x, double y, bool upright = false) {
  return fmt::format("set label {} at screen {},{} center{}\n", gnuplot_string(text), x / plan.width, y / plan.height,
                     upright ? " rotate by 90" : "");
}

std::string panel_commands(const Picture& picture, const Plan& plan, Layout layout, const Axis& x_axis, std::size_t index) {
  const Box& box = plan.panels[index];
  const Axis axis = y_axis(picture, picture.panels[index]);
  const PanelData data = panel_data(picture, plan, index, x_axis, axis);
  const bool wide = layout == Layout::wide, labels_y = !wide || !picture.same_y || index == 0;
  const bool title_x = wide || index + 1 == picture.panels.size(), title_y = !wide || index == 0;
  std::string text = data.blocks;
  text += fmt::format("set lmargin at screen {}\nset rmargin at screen {}\nset bmargin at screen {}\nset tmargin at screen {}\n",
                      box.left / plan.width, box.right / plan.width, box.bottom / plan.height, box.top / plan.height);
  text += fmt::format("set yrange [{}:{}]\n", axis.low, axis.high) + marks_command("ytics", axis, labels_y);
  const double middle_x = (box.left + box.right) / 2, middle_y = (box.bottom + box.top) / 2;
  text += label_command(picture.panels[index].title, plan, middle_x, box.top + 1.1 * plan.font_size);
  if (title_x) text += label_command(picture.x_label, plan, middle_x, box.bottom - 3.4 * plan.font_size);
  if (title_y) text += label_command(picture.y_label, plan, 0.75 * plan.font_size, middle_y, true);
  return text + data.plots + "unset arrow\nunset label\n";
}

std::string script(const Picture& picture, Layout layout, const std::string& terminal) {
  const Plan plan = plan_of(picture, layout);
  const Axis x_axis = whole_number_axis(x_extent(picture));
  std::string text = fmt::format("set encoding utf8\n{}\n", terminal);
  text +=
      "set border lw 1 lc rgb '#666666'\nset tics out nomirror scale 0.5 textcolor rgb '#333333'\n"
      "set grid xtics ytics lt 1 lw 1 lc rgb '#e4e4e4'\nunset key\n";
  if (is_logarithmic(picture)) text += "set logscale y\n";
  text += fmt::format("set xrange [{}:{}]\n", x_axis.low, x_axis.high) + marks_command("xtics", x_axis, true);
  text += "set multiplot\n" + legend_commands(plan);
  for (std::size_t i = 0; i < picture.panels.size(); ++i) text += panel_commands(picture, plan, layout, x_axis, i);
  return text + "unset multiplot\n";
}

}  // namespace

PictureSize size_of(const Picture& picture, Layout layout) {
  const Plan plan = plan_of(picture, layout);
  return {static_cast<std::size_t>(plan.width), static_cast<std::size_t>(plan.height)};
}

std::string draw_svg(const Picture& picture, Layout layout) {
  const PictureSize size = size_of(picture, layout);
  const std::string terminal = fmt::format("set terminal svg size {},{} noenhanced font '{},{}' background '#ffffff'", size.width,
                                           size.height, font, plan_of(picture, layout).font_size);
  std::string svg = run_gnuplot(picture.name + ".svg", script(picture, layout, terminal));
  // Where the font is missing, one of the same widths comes first.
  const std::string family = fmt::format("font-family=\"{}\"", font),
                    families = fmt::format("font-family=\"{}, Verdana, sans-serif\"", font);
  for (std::size_t at = 0; (at = svg.find(family, at)) != std::string::npos; at += families.size())
    svg.replace(at, family.size(), families);
  return svg;
}

std::string draw_png(const Picture& picture) {
  const PictureSize size = size_of(picture, Layout::wide);
  const std::string terminal =
      fmt::format("set terminal pngcairo size {},{} noenhanced font '{},{}' background '#ffffff'", size.width, size.height, font, 11);
  return run_gnuplot(picture.name + ".png", script(picture, Layout::wide, terminal));
}

Look look_of(std::size_t index, const std::string& title) {
  constexpr std::array colours{"#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
  constexpr std::array symbols{7, 5, 9, 11, 13, 6, 4};
  return {title, colours[index % colours.size()], symbols[index % symbols.size()]};
}

double bar_offset(std::size_t index, std::size_t n) {
  constexpr double step = 0.07;
  return step * (static_cast<double>(index) - (static_cast<double>(n) - 1) / 2);
}

std::string panels_in_words(std::size_t n) { return n == 1 ? "One panel" : fmt::format("{} panels, one per kernel", n); }

}  // namespace askrff::experiments
