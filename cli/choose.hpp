// What the two ways of askrff choose share: of a kernel on rows of data, or of a kernel matrix.
#pragma once

#include <string>

#include "command.hpp"
#include "data_options.hpp"
#include "kernel_options.hpp"
#include "map_options.hpp"

namespace askrff::cli {

struct ChooseCommandOptions {
  KernelOptions kernel;
  DataOptions data;
  MapFlags map;
  bool no_prune = false;
  std::string out;
  Execution execution;
  CLI::Option* no_prune_given = nullptr;
};

Report run_choose_of_matrix(const ChooseCommandOptions& options, const std::string& command);

}  // namespace askrff::cli
