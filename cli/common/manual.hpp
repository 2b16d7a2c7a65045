// Manual pages (man 1) of a program and its subcommands, made of what --help says.
#pragma once

#include <string>
#include <vector>

#include "call_facts.hpp"

namespace askrff::cli {

struct ManualPage {
  std::string file;  ///< "askrff-train.1"
  std::string text;
};

/// The page of the program, then one for each of its subcommands. `summary`: the line under NAME of the first.
std::vector<ManualPage> manual_pages(const CallFacts& program, const std::string& summary, const std::string& version);

}  // namespace askrff::cli
