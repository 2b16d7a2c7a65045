// A picture in a terminal: curves on two logarithmic axes, made of characters.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace askrff::cli {

struct Curve {
  std::string title;
  std::string symbol;                             ///< one column wide, at every point; dots join them
  std::vector<std::pair<double, double>> points;  ///< (x, y), all > 0 and finite, in the order to be joined
};

/// A logarithmic axis with a mark at every power of `base`.
struct LogAxis {
  std::string title;
  double base = 10;
  std::function<std::string(double)> mark;  ///< the text of a mark
};

/// The title of y, the picture, marks and title of x, and a line per curve; each line ends in a newline. The axes hold all points and
/// one mark at least. `columns` and `rows` are those of the inner area, at least 2. Throws std::invalid_argument for no points or one
/// that has no logarithm.
std::string log_log_plot(const std::vector<Curve>& curves, const LogAxis& x, const LogAxis& y, std::size_t columns = 60,
                         std::size_t rows = 14);

}  // namespace askrff::cli
