// Which pictures the artefacts give.
#pragma once

#include <vector>

#include "experiments/report/picture.hpp"
#include "experiments/results.hpp"

namespace askrff::experiments {

/// fig1: a panel per kernel, estimated masses with error bars and the exact ones as lines.
std::vector<Picture> pictures_of(const Figure1& figure);
/// fig2-DATASET: a panel per kernel, a curve per method.
std::vector<Picture> pictures_of(const Figure2& figure);
/// fig3-accuracy and fig3-time: a panel per kernel, a curve per data set; the linear classifier dashed.
std::vector<Picture> pictures_of(const Figure3& figure);

}  // namespace askrff::experiments
