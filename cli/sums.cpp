// askrff sums: one part of a plan, summed into a file.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>

#include "askrff/plan.hpp"
#include "command.hpp"
#include "output_checks.hpp"
#include "plan_report.hpp"
#include "planned_files.hpp"
#include "plural.hpp"
#include "stopwatch.hpp"

namespace askrff::cli {
namespace {

struct SumsCommandOptions {
  std::string plan, part, data, out;
  Execution execution;
  CLI::Option *part_given = nullptr, *data_given = nullptr;
};

/// From 0.
std::size_t chosen_part(const SumsCommandOptions& options, const RidgePlan& plan) {
  const std::vector<PlannedPart>& parts = plan.parts();
  if (given(options.part_given)) return static_cast<std::size_t>(parse_count("--part", options.part, 1, parts.size()) - 1);
  const auto found = std::ranges::find(parts, options.data, &PlannedPart::name);
  if (found == parts.end())
    throw InvalidArgument("--data", fmt::format("\"{}\" is no part of {}, expected one of its {} names ({}, …), or --part beside it",
                                                options.data, options.plan, parts.size(), printable(parts[0].name, 60)));
  return static_cast<std::size_t>(found - parts.begin());
}

Report run_sums(const SumsCommandOptions& options) {
  if (!given(options.part_given) && !given(options.data_given))
    throw InvalidArgument("--part", "missing, expected the number of a part, or --data with the name of its file");
  const Stopwatch watch;
  const RidgePlan plan = load_plan(options.plan);
  const std::size_t part = chosen_part(options, plan);
  const PlannedPart& planned = plan.parts()[part];
  const std::string& file = given(options.data_given) ? options.data : planned.name;
  std::vector<NamedFile> inputs = files_of_plan(plan);
  inputs.insert(inputs.end(), {{"--plan", options.plan}, {"--data", file}});
  check_files({{"--out", options.out}}, inputs);
  const auto rows = open_part(plan, part, file, options.execution);
  const PlannedSums sums = sums_of_part(plan, part, *rows, options.execution);
  sums.save(options.out);
  return {.json = {{"part", part + 1},
                   {"n_parts", plan.parts().size()},
                   {"rows", planned.n_rows()},
                   {"class_sizes", planned.class_sizes},
                   {"data", file},
                   {"plan", options.plan},
                   {"out", options.out},
                   {"seconds", watch.seconds()}},
          .text = fmt::format("{}: sums of part {} of {}, {} of {}, in {:.3g} s\n", options.out, part + 1, plan.parts().size(),
                              counted(planned.n_rows(), "row"), file, watch.seconds()),
          .files = {options.out}};
}

}  // namespace

Command add_sums(CLI::App& app) {
  CLI::App* parser = add_subcommand(app, "sums", "One part of a plan → its sums, in a file");
  auto options = std::make_shared<SumsCommandOptions>();
  required(add_text(*parser, "--plan", options->plan, "A plan written by askrff plan", "FILE"));
  options->part_given = add_text(*parser, "--part", options->part, "Which file of the plan, from 1", "N");
  options->data_given =
      add_text(*parser, "--data", options->data,
               "Instead of --part: the part by the name of its file; with --part: a copy of that\nfile, to be read in its place", "FILE");
  required(add_text(*parser, "--out", options->out, "The sums; complete or absent, so that a scheduler may look for it", "FILE"));
  add_threads(*parser, options->execution);
  add_footer(*parser,
             "Reads one file, once. Its rows must be those the plan has seen: another number of them, other labels or other values are "
             "refused. A\nfile without rows is a part like any other. askrff plan --help shows the whole way.\n"
             "Examples:\n"
             "  askrff sums --plan job.plan --part 3 --out 3.sums\n"
             "  askrff sums --plan job.plan --data part-03.csv --out part-03.sums\n"
             "  askrff sums --plan job.plan --part 3 --data /scratch/part-03.csv --out 3.sums");
  return {parser, [options] { return run_sums(*options); }};
}

}  // namespace askrff::cli
