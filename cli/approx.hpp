// What the three ways of askrff approx share: a method that was asked for, one that is chosen, or all of them compared.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "askrff/map.hpp"
#include "data_options.hpp"
#include "kernel_options.hpp"
#include "map_options.hpp"

namespace askrff::cli {

struct ApproxOptions {
  KernelOptions kernel;
  DataOptions data;
  MapFlags map;
  std::vector<FrequencyCount> frequencies;  ///< empty: the default of the way that is taken
  std::size_t n_points = 1000;
  std::size_t n_trials = 0;  ///< 0: likewise
  bool compare = false;
  Execution execution;
};

/// "kernel", "parameters", "dim", "data", "data_rows", "rows_drawn", "points", "trials", "scale", "seed".
Json approx_header_json(const ApproxOptions& options, const ChosenKernel& chosen, const DrawnRows& data, std::size_t n_points,
                        std::size_t n_trials);

/// ", drawn from 1000000", or nothing if they are all.
std::string drawn_text(const DrawnRows& data);

/// Errors of the best maps found, on rows they have not seen.
Report approx_chosen(const ApproxOptions& options, const ChosenKernel& chosen, const DrawnRows& data);
/// Errors of features of a kernel matrix.
Report approx_matrix(const ApproxOptions& options);
/// A line for every sensible method at one number of frequencies, and what it saves against the paper's.
Report approx_compared(const ApproxOptions& options, const ChosenKernel& chosen, const DrawnRows& data);

}  // namespace askrff::cli
