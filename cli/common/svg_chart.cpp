// Every chart has a box of its own, axes with a few round marks, curves, and a legend under the title.
#include "svg_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace askrff::cli {
namespace {

constexpr double chart_width = 480, chart_height = 300, heading_height = 44;
constexpr double left_margin = 64, right_margin = 16, top_margin = 56, bottom_margin = 44;
constexpr std::array<const char*, 4> colours{"#0b6fa4", "#c8442d", "#3f8f3a", "#8b5fa8"};

std::string escaped_for_svg(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      out += c;
  }
  return out;
}

std::string text_at(double x, double y, const std::string& text, const char* anchor, int size, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\"{}>{}</text>\n", x, y, anchor, size, more,
                     escaped_for_svg(text));
}

/// From numbers to places along one side of a box.
class Axis {
 public:
  Axis(bool logarithmic, double from, double to) : logarithmic_(logarithmic), from_(from), to_(to) {}

  bool shows(double value) const { return std::isfinite(value) && (!logarithmic_ || value > 0); }
  void include(double value) {
    if (!shows(value)) return;
    low_ = std::min(low_, scaled(value));
    high_ = std::max(high_, scaled(value));
  }
  /// Once all are in.
  void finish() {
    if (low_ > high_) low_ = 0, high_ = 1;
    if (!(high_ - low_ > 1e-12 * std::max(std::abs(low_), std::abs(high_)))) low_ -= 0.5, high_ += 0.5;
    const double room = 0.04 * (high_ - low_);
    low_ -= room;
    high_ += room;
  }
  double place(double value) const { return from_ + (scaled(value) - low_) / (high_ - low_) * (to_ - from_); }

  /// Round numbers: powers of 10, or steps of 1, 2 or 5 times one.
  std::vector<double> marks() const {
    std::vector<double> found;
    if (logarithmic_) {
      const double step = std::max(1.0, std::ceil((high_ - low_) / 6));
      for (double power = std::ceil(low_ / step) * step; power <= high_; power += step) found.push_back(std::pow(10, power));
      return found;
    }
    const double rough = (high_ - low_) / 5, power = std::pow(10, std::floor(std::log10(rough)));
    const double step = power * (rough / power >= 5 ? 5 : rough / power >= 2 ? 2 : 1);
    for (double n = std::ceil(low_ / step); n * step <= high_; ++n) found.push_back(n * step + 0.0);
    return found;
  }

 private:
  double scaled(double value) const { return logarithmic_ ? std::log10(value) : value; }

  bool logarithmic_;
  double from_, to_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -std::numeric_limits<double>::infinity();
};

std::string curve_path(const ChartCurve& curve, const Axis& x, const Axis& y, const char* colour) {
  std::string path;
  bool joined = false;
  for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    if (!x.shows(curve.x[i]) || !y.shows(curve.y[i])) {
      joined = false;
      continue;
    }
    path += fmt::format("{}{:.1f} {:.1f}", joined ? " L" : " M", x.place(curve.x[i]), y.place(curve.y[i]));
    joined = true;
  }
  if (path.empty()) return "";
  return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" stroke-linejoin=\"round\"/>\n", path.substr(1),
                     colour);
}

std::string chart_at(const Chart& chart, double left, double top) {
  const double x0 = left + left_margin, x1 = left + chart_width - right_margin;
  const double y0 = top + chart_height - bottom_margin, y1 = top + top_margin;
  Axis x(false, x0, x1), y(chart.log_y, y0, y1);
  for (const ChartCurve& curve : chart.curves) {
    for (const double value : curve.x) x.include(value);
    for (const double value : curve.y) y.include(value);
  }
  x.finish();
  y.finish();
  std::string svg = text_at(x0, top + 20, chart.title, "start", 14, " font-weight=\"bold\"");
  double legend = x0;
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const std::string& label = chart.curves[i].label;
    if (label.empty()) continue;
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"3\" fill=\"{}\"/>\n", legend, top + 36,
                       colours[i % colours.size()]);
    svg += text_at(legend + 18, top + 41, label, "start", 11);
    legend += 30 + 6.5 * static_cast<double>(label.size());
  }
  for (const double mark : x.marks()) {
    svg += fmt::format("<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\" stroke=\"#e4e4e4\"/>\n", x.place(mark), y0, y1);
    svg += text_at(x.place(mark), y0 + 16, fmt::format("{:.4g}", mark), "middle", 11);
  }
  for (const double mark : y.marks()) {
    svg += fmt::format("<line x1=\"{1:.1f}\" y1=\"{0:.1f}\" x2=\"{2:.1f}\" y2=\"{0:.1f}\" stroke=\"#e4e4e4\"/>\n", y.place(mark), x0, x1);
    svg += text_at(x0 - 6, y.place(mark) + 4, fmt::format("{:.4g}", mark), "end", 11);
  }
  svg += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#888\"/>\n", x0, y1,
                     x1 - x0, y0 - y1);
  svg += text_at(0.5 * (x0 + x1), y0 + 34, chart.x_title, "middle", 12);
  for (std::size_t i = 0; i < chart.curves.size(); ++i) svg += curve_path(chart.curves[i], x, y, colours[i % colours.size()]);
  return svg;
}

}  // namespace

std::string svg_charts(const std::string& heading, const std::vector<Chart>& charts) {
  const double width = 2 * chart_width;
  const double height = heading_height + chart_height * static_cast<double>((charts.size() + 1) / 2);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"Helvetica, Arial, sans-serif\" fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
      width, height);
  svg += text_at(20, 28, heading, "start", 16, " font-weight=\"bold\"");
  for (std::size_t i = 0; i < charts.size(); ++i)
    svg += chart_at(charts[i], i % 2 == 0 ? 0 : chart_width, heading_height + chart_height * static_cast<double>(i / 2));
  return svg + "</svg>\n";
}

}  // namespace askrff::cli
