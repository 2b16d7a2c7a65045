// The page of a report: everything in one file that opens without a network.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/picture.hpp"
#include "experiments/results.hpp"

namespace askrff::experiments {

/// A picture and what gnuplot made of it.
struct DrawnPicture {
  Picture picture;
  std::string wide_svg, narrow_svg;
};

/// By artefact; none where figures are not wanted.
struct DrawnPictures {
  std::vector<DrawnPicture> fig1, fig2, fig3;
};

std::string page_of(const Results& results, const DrawnPictures& pictures);

}  // namespace askrff::experiments
