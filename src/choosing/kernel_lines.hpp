// A kernel of differences along lines through 0 and far out: how smooth it is, how fast it falls, and its values for pictures.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "askrff/diagnose.hpp"
#include "askrff/kernels.hpp"
#include "askrff/measure.hpp"

namespace askrff::choosing {

/// A line in direction u, |u| = 1, along which differences of rows reach from -reach to reach.
struct Direction {
  std::string name;
  std::vector<double> u;
  double reach = 0;
  std::vector<double> through = {};  ///< a point of the line; empty: 0
};

/// The coordinates (at most 3, those in which rows differ) and, if there are several, the diagonal, each as far as the largest difference.
std::vector<Direction> directions_of(std::span<const double> extent);

/// The least smooth of all lines, and of those beside them through another point: at the place where second differences are largest they
/// are followed to ever smaller steps h, and fall like h² (smooth), h (a kink) or not at all (a jump).
Smoothness smoothness_along(const Kernel& kernel, const std::vector<Direction>& directions, const std::vector<double>& through,
                            const StopToken& stop);

/// p with |k| ~ distance^-p by the means of octaves of all lines, the largest, from the reach of the rows to 10^6 times as far, 10^18 where
/// k is not negligible there; infinite where it falls to nothing faster than a power does; 0 where it is a number nowhere so far out.
double decay_along(const Kernel& kernel, const std::vector<Direction>& directions, const StopToken& stop);

/// Whether ∫|k| over ever larger boxes is seen to come to an end: what octaves of the largest coordinate contribute has to fall, up to 10^6
/// times the reach of the rows, or up to 10^18 times, of points all over boxes and of points near coordinate planes.
bool integrable_far_out(const Kernel& kernel, std::span<const double> extent, const StopToken& stop);

/// 257 values of k and, where there is a measure, of its density as far as it is above 1e-4 of its largest.
KernelLine line_of(const Kernel& kernel, const ComplexMeasure* measure, const Direction& direction);

}  // namespace askrff::choosing
