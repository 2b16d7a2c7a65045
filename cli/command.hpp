// The subcommands of askrff.
#pragma once

#include "program.hpp"

namespace askrff::cli {

Command add_kernels(CLI::App& app);
Command add_info(CLI::App& app);
Command add_masses(CLI::App& app);
Command add_bound(CLI::App& app);
Command add_diagnose(CLI::App& app);
Command add_approx(CLI::App& app);
Command add_choose(CLI::App& app);
Command add_transform(CLI::App& app);
Command add_inspect(CLI::App& app);
Command add_train(CLI::App& app);
Command add_plan(CLI::App& app);
Command add_sums(CLI::App& app);
Command add_merge(CLI::App& app);
Command add_predict(CLI::App& app);
Command add_demo(CLI::App& app);
Command add_doctor(CLI::App& app);

}  // namespace askrff::cli
