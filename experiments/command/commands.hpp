// The subcommands of askrff-paper.
#pragma once

#include "program.hpp"

namespace askrff::experiments {

cli::Command add_reproduce(CLI::App& app);
cli::Command add_datasets(CLI::App& app);

}  // namespace askrff::experiments
