// askrff merge: sums of some parts of a plan, and of others, in one file.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "askrff/plan.hpp"
#include "command.hpp"
#include "output_checks.hpp"
#include "plan_report.hpp"
#include "planned_files.hpp"
#include "plural.hpp"
#include "stopwatch.hpp"

namespace askrff::cli {
namespace {

struct MergeCommandOptions {
  std::vector<std::string> names;
  std::string out;
  Execution execution;
};

Report run_merge(const MergeCommandOptions& options) {
  const std::vector<std::string> files = files_of("FILE", options.names);
  std::vector<NamedFile> inputs;
  for (const std::string& file : files) inputs.push_back({"FILE", file});
  check_files({{"--out", options.out}}, inputs);
  const Stopwatch watch;
  const PlannedSums sums = load_sums(files, options.execution);
  sums.save(options.out);
  Json json = sums_json(sums);
  json["files"] = files;
  json["out"] = options.out;
  json["seconds"] = watch.seconds();
  return {.json = std::move(json),
          .text = fmt::format("{}: sums of {}, {}, in {:.3g} s\n", options.out, counted(files.size(), "file"), sums_line(sums),
                              watch.seconds()),
          .files = {options.out}};
}

}  // namespace

Command add_merge(CLI::App& app) {
  CLI::App* parser = add_subcommand(app, "merge", "Sums of parts of a plan → one file of sums");
  auto options = std::make_shared<MergeCommandOptions>();
  required(add_texts(*parser, "FILE", options->names, "Files of askrff sums or askrff merge, or quoted patterns", ""));
  required(add_text(*parser, "--out", options->out, "The sums of all of them", "FILE"));
  add_threads(*parser, options->execution);
  add_footer(
      *parser,
      "In any order and any tree: the same bits. What is given twice counts once. Sums are as large as each other, however many parts "
      "are in\nthem; askrff train --sums takes them merged or not. askrff plan --help shows the whole way.\n"
      "Examples:\n"
      "  askrff merge 1.sums 2.sums 3.sums --out first.sums\n"
      "  askrff merge 'parts/*.sums' --out all.sums");
  return {parser, [options] { return run_merge(*options); }};
}

}  // namespace askrff::cli
