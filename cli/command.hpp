// What a subcommand is to main.cpp: a parser and a function that does the work and returns what to print.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace askrff::cli {

using Json = nlohmann::ordered_json;

/// The result of a subcommand in both of its forms. Nothing is printed before the work is done: a failure leaves standard output empty.
struct Report {
  Json json;          ///< for --json: one object
  std::string text;   ///< for people
  int exit_code = 0;  ///< 1: the work was done, and what it had to judge is bad
};

struct Command {
  CLI::App* parser = nullptr;
  std::function<Report()> run;
};

Command add_kernels(CLI::App& app);
Command add_info(CLI::App& app);
Command add_masses(CLI::App& app);
Command add_bound(CLI::App& app);
Command add_approx(CLI::App& app);
Command add_choose(CLI::App& app);
Command add_transform(CLI::App& app);
Command add_inspect(CLI::App& app);
Command add_train(CLI::App& app);
Command add_predict(CLI::App& app);
Command add_datasets(CLI::App& app);
Command add_demo(CLI::App& app);
Command add_reproduce(CLI::App& app);
Command add_doctor(CLI::App& app);

}  // namespace askrff::cli
