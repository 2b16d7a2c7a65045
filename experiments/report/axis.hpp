// The range of an axis and where its marks are.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/picture.hpp"

namespace askrff::experiments {

struct Mark {
  double at = 0;
  std::string label;
};

struct Axis {
  double low = 0, high = 1;
  std::vector<Mark> marks;
};

/// The smallest and the largest of what must be seen; empty while there is nothing.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  void include(double value);
  bool empty() const { return low > high; }
};

/// Round marks that enclose the extent; of an empty or a single value too.
Axis linear_axis(const Extent& extent);
/// Powers of ten, or 1, 2, 5, 10 … where there are few of them. The extent is positive or empty.
Axis logarithmic_axis(const Extent& extent, bool in_seconds);
/// Marks at whole numbers, and room for symbols at both ends.
Axis whole_number_axis(const Extent& extent);

}  // namespace askrff::experiments
