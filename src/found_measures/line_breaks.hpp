// Where a function of one variable passes from one smooth piece to the next, if its form tells the pieces.
#pragma once

#include <span>
#include <vector>

#include "found_measures/line_profile.hpp"

namespace askrff::found_measures {

/// Points within the panels, in units of x and ascending, at which `pieces` changes, rounded to 2^-38 of the distance of the farthest
/// panel: roundings of `pieces` hardly ever move them, and panels between breaks that are equally far apart have few different widths.
/// Changes back and forth between neighbours of 16 steps of a panel are not seen. Empty where there are more than can be followed.
std::vector<double> find_breaks(const LineFunction& pieces, double x_unit, std::span<const Panel> panels);

}  // namespace askrff::found_measures
