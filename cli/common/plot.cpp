// Places points and marks in cells. Whole cells only: what is between two of them goes to the nearer one.
#include "plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "table.hpp"

namespace askrff::cli {
namespace {

/// Logarithms to the base of the marks, spread over cells 0 … n_cells-1.
class Scale {
 public:
  Scale(const LogAxis& axis, std::size_t n_cells) : axis_(axis), n_cells_(n_cells) {}

  void include(double value) {
    if (!(value > 0) || !std::isfinite(value))
      throw std::invalid_argument(fmt::format("log_log_plot: got {}, expected numbers > 0", value));
    low_ = std::min(low_, log_of(value));
    high_ = std::max(high_, log_of(value));
  }
  /// Once all are in: room for one mark at least.
  void finish() {
    if (low_ > high_) throw std::invalid_argument("log_log_plot: no points");
    if (std::ceil(low_) > high_) (std::ceil(low_) - high_ < low_ - std::floor(low_) ? high_ : low_) = std::round((low_ + high_) / 2);
    if (low_ == high_) high_ = low_ + 1;
  }
  std::size_t cell_of_log(double log) const {
    return static_cast<std::size_t>(std::lround((log - low_) / (high_ - low_) * static_cast<double>(n_cells_ - 1)));
  }
  std::size_t cell_of(double value) const { return cell_of_log(log_of(value)); }
  double log_of(double value) const { return std::log(value) / std::log(axis_.base); }

  /// Cell and text of every mark.
  std::vector<std::pair<std::size_t, std::string>> marks() const {
    std::vector<std::pair<std::size_t, std::string>> found;
    for (double power = std::ceil(low_); power <= high_; ++power)
      found.emplace_back(cell_of_log(power), axis_.mark(std::pow(axis_.base, power)));
    return found;
  }

 private:
  const LogAxis& axis_;
  std::size_t n_cells_;
  double low_ = std::numeric_limits<double>::infinity(), high_ = -std::numeric_limits<double>::infinity();
};

using Cells = std::vector<std::vector<std::string>>;  // row 0 is at the bottom

void draw(Cells& cells, const Curve& curve, const Scale& x, const Scale& y) {
  const auto cell = [&](double log_x, double log_y) -> std::string& { return cells[y.cell_of_log(log_y)][x.cell_of_log(log_x)]; };
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    const double x0 = x.log_of(curve.points[i - 1].first), x1 = x.log_of(curve.points[i].first);
    const double y0 = y.log_of(curve.points[i - 1].second), y1 = y.log_of(curve.points[i].second);
    const std::size_t n_steps = 2 * (cells.size() + cells.front().size());
    for (std::size_t step = 0; step <= n_steps; ++step) {
      const double t = static_cast<double>(step) / static_cast<double>(n_steps);
      std::string& text = cell(x0 + t * (x1 - x0), y0 + t * (y1 - y0));
      if (text == " ") text = "·";
    }
  }
  for (const auto& [px, py] : curve.points) cells[y.cell_of(py)][x.cell_of(px)] = curve.symbol;
}

std::string padded_left(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, display_width(text)), ' ') + text;
}

/// Marks below their cells; one that would touch the one before is left out.
std::string marks_below(const Scale& x) {
  std::string line;
  for (const auto& [cell, text] : x.marks()) {
    const std::size_t width = display_width(text), first = cell > width / 2 ? cell - width / 2 : 0;
    if (!line.empty() && first < display_width(line) + 1) continue;
    line += std::string(first - display_width(line), ' ') + text;
  }
  return line;
}

}  // namespace

std::string log_log_plot(const std::vector<Curve>& curves, const LogAxis& x, const LogAxis& y, std::size_t columns, std::size_t rows) {
  Scale x_scale(x, columns), y_scale(y, rows);
  for (const Curve& curve : curves)
    for (const auto& [px, py] : curve.points) {
      x_scale.include(px);
      y_scale.include(py);
    }
  x_scale.finish();
  y_scale.finish();
  Cells cells(rows, std::vector<std::string>(columns, " "));
  for (const Curve& curve : curves) draw(cells, curve, x_scale, y_scale);

  const auto y_marks = y_scale.marks();
  std::size_t margin = 0;
  for (const auto& mark : y_marks) margin = std::max(margin, display_width(mark.second));
  std::string text = "  " + y.title + "\n";
  for (std::size_t row = rows; row-- > 0;) {
    const auto mark = std::ranges::find(y_marks, row, [](const auto& one) { return one.first; });
    std::string line = "  " + padded_left(mark == y_marks.end() ? "" : mark->second, margin) + (mark == y_marks.end() ? " │" : " ┤");
    for (const std::string& cell : cells[row]) line += cell;
    text += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  }
  std::string axis;
  const auto x_marks = x_scale.marks();
  for (std::size_t column = 0; column < columns; ++column)
    axis += std::ranges::any_of(x_marks, [&](const auto& one) { return one.first == column; }) ? "┬" : "─";
  const std::string indent(margin + 4, ' ');
  text += std::string(margin + 3, ' ') + "└" + axis + "\n" + indent + marks_below(x_scale) + "\n" + indent + x.title + "\n";
  for (const Curve& curve : curves) text += indent + curve.symbol + " " + curve.title + "\n";
  return text;
}

}  // namespace askrff::cli
