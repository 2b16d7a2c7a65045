// Where a function of one variable is, before it is looked at closely: its values at distances from 1e-121 to 1e120 on both sides of 0.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "found_measures/line_profile.hpp"

namespace askrff::found_measures {

/// One side of 0: f varies at distances between 2^first and 2^last, is constant within and nothing beyond.
struct ProbedSide {
  int first = 0, last = 0;
};

/// What f was near one of its lengths, in units.
struct Look {
  double x = 0, value = 0;
};

struct LineProbes {
  std::array<ProbedSide, 2> sides;  ///< to the right, to the left
  LineParity parity = LineParity::none;
  int unit = 0;                  ///< x is of the order of 2^unit
  double f_unit = 1;             ///< a power of two, about the largest |f|
  std::vector<Look> looks = {};  ///< ascending
};

/// At each length and up to the eighth of it around it, on both sides of 0: ever nearer by factors of 8. Ascending.
std::vector<double> points_near(std::span<const double> lengths);

/// Values that differ by no more than `grain` (relative to f_unit) count as the same. Throws NoMeasure in the name of `owner`, as
/// LineProfile.
LineProbes probe_line(const Line& f, double grain, const std::string& owner);

/// The power of two that stands for a positive size: the boundaries between them lie where sizes seldom are, so that roundings of the size
/// do not change it.
double coarse_power_of_two(double size);

}  // namespace askrff::found_measures
