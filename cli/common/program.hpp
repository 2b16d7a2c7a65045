// A program of subcommands: each is a parser and a function that does the work and returns what to print.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "call_facts.hpp"

namespace CLI {
class App;
}

namespace askrff::cli {

using Json = nlohmann::ordered_json;

/// A field of the JSON object whose elements are made one by one while they are printed: a tree of millions would need gigabytes.
struct LongArray {
  std::string name;
  std::function<void(const std::function<void(const Json&)>& put)> put_elements;
};

/// The result of a subcommand in both of its forms. Nothing is printed before the work is done: a failure leaves standard output empty.
struct Report {
  Json json;                                ///< for --json: one object
  std::string text;                         ///< for people
  int exit_code = 0;                        ///< 1: the work was done, and what it had to judge is bad
  std::vector<LongArray> long_arrays = {};  ///< follow the other fields of the object
  std::vector<std::string> files = {};      ///< written by now; they stand if the report cannot be printed
  bool to_standard_error = false;           ///< standard output has been taken by what was made
};

struct Command {
  CLI::App* parser = nullptr;
  std::function<Report()> run;
};

struct Program {
  const char* name;                              ///< as it is called; errors and warnings start with it
  const char* description;                       ///< the beginning of --help
  const char* examples;                          ///< the end of --help, before what holds for every program
  std::vector<Command (*)(CLI::App&)> commands;  ///< each adds a subcommand, in the order of --help
  MoreWords more_words = nullptr;                ///< for completion
};

/// Runs the subcommand that the arguments name. Two more, which --help does not tell of, are for shells and for the build: "complete WORD…"
/// prints what may come next in that call, "man FOLDER" writes the manual pages. Returns the exit code: 0 done, 1 the work failed, 2 the
/// call or the input was wrong, 130 stopped by the user. To be called once, from main().
int run_program(const Program& program, int argc, char** argv);

}  // namespace askrff::cli
