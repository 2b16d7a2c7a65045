// What the two ways of askrff diagnose share: of a kernel on rows of data, or of a kernel matrix.
#pragma once

#include <string>

#include "askrff/diagnose.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "kernel_options.hpp"
#include "svg_chart.hpp"

namespace askrff::cli {

struct DiagnoseCommandOptions {
  KernelOptions kernel;
  DataOptions data;
  DiagnoseOptions how;
  std::string plot;
};

/// Singular values over the largest, down to rounding: for a picture, and drawn in text.
ChartCurve decay_curve(const SpectrumFacts& found);
std::string decay_plot(const SpectrumFacts& found);
void write_picture(const std::string& path, const std::string& svg);

Report run_diagnose_of_matrix(const DiagnoseCommandOptions& options);

}  // namespace askrff::cli
