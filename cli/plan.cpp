// askrff plan: one look at many files, so that their sums can be made one by one, anywhere.
#include "askrff/plan.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "choice_report.hpp"
#include "command.hpp"
#include "messages.hpp"
#include "output_checks.hpp"
#include "plan_report.hpp"
#include "planned_files.hpp"
#include "stopwatch.hpp"
#include "train_options.hpp"
#include "train_report.hpp"

namespace askrff::cli {
namespace {

struct PlanCommandOptions {
  TrainFlags flags;
  std::string out;
};

NewRidgePlan planned(const TrainFlags& flags) {
  const PlannedReading reading = planned_reading(flags.data, flags.weight);
  const auto rows = flags.data.rows(flags.train.execution);
  std::optional<WeightedRows> weighted;
  if (!flags.weight.empty()) weighted.emplace(*rows, flags.weight);
  RowStream& stream = weighted ? static_cast<RowStream&>(*weighted) : *rows;
  const TrainOptions train = flags.assembled(stream);
  return flags.in_words_of_data(train, [&] { return plan_ridge(stream, train, reading); });
}

Report run_plan(const PlanCommandOptions& options) {
  const TrainFlags& flags = options.flags;
  flags.check();
  check_files({{"--out", options.out}}, flags.data.inputs({{"--features", flags.features}}));
  const Stopwatch watch;
  const NewRidgePlan plan = planned(flags);
  plan.save(options.out);
  for (const std::string& warning : plan.report.warnings) print_warning(warning);
  warn_if_any(plan.map().scaling_warning());
  warn_if_any(plan.map().accuracy_warning());
  Json json = plan_json(plan);
  add_trials(json, plan.report, plan.map().dim());
  json["warning"] = warning_json(plan.map());
  json["data"] = flags.data.source;
  json["out"] = options.out;
  json["seconds"] = watch.seconds();
  const std::size_t n_parts = plan.parts().size();
  const std::string parts = n_parts == 1 ? "1" : fmt::format("1 … {}", n_parts);
  return {.json = std::move(json),
          .text = plan_text(plan) + "\n" + trials_text(plan.report, plan.map()) +
                  fmt::format("{}: next askrff sums --plan {} --part N for N = {}, in {:.3g} s\n", options.out, options.out, parts,
                              watch.seconds()),
          .files = {options.out}};
}

}  // namespace

Command add_plan(CLI::App& app) {
  CLI::App* parser = add_subcommand(app, "plan", "Many files of labelled rows → a plan: one job for each file, then one model");
  auto options = std::make_shared<PlanCommandOptions>();
  options->flags.train.trainer = Trainer::ridge;
  options->flags.data.read.file_by_file = true;
  options->flags.takes_matrix = false;  // whose map is made of all rows at once
  options->flags.add_to(*parser, {Trainer::ridge});
  options->flags.data.require();
  required(add_text(*parser, "--out", options->out, "The plan to write; the old one stays until the new one is complete", "FILE"));
  add_threads(*parser, options->flags.train.execution);
  add_footer(
      *parser,
      "The model is that of askrff train --model ridge on all files, to the byte, whatever the order in which sums are made and merged.\n"
      "plan reads all files once, sums one file, train none. A file is named as it is here: call sums in the same folder. A file that has\n"
      "changed since is refused. --c with a number sums without folds; otherwise C may be chosen at the end.\n"
      "\n"
      "On one machine, eight jobs at a time:\n"
      "  askrff plan --data 'part-*.csv' --label y --kernel gaussian --out job.plan\n"
      "  seq 40 | xargs -P 8 -I{} askrff sums --plan job.plan --part {} --threads 1 --out {}.sums\n"
      "  askrff train --sums '*.sums' --out model.askrff\n"
      "With make -j 8 the second line is a rule, which goes on where it was stopped:\n"
      "  %.sums: job.plan; askrff sums --plan $< --part $* --threads 1 --out $@\n"
      "With Slurm it is an array:\n"
      "  sbatch --array=1-40 --wrap 'askrff sums --plan job.plan --part $SLURM_ARRAY_TASK_ID --out $SLURM_ARRAY_TASK_ID.sums'\n"
      "\n"
      "Models of classes have no probabilities then, unless train is called with --probabilities, which reads all files once more.");
  return {parser, [options] { return run_plan(*options); }};
}

}  // namespace askrff::cli
