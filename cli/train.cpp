// askrff train: from a file of labelled rows, or from sums of many, to a model file.
#include "askrff/train.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "askrff/plan.hpp"
#include "command.hpp"
#include "messages.hpp"
#include "output_checks.hpp"
#include "planned_files.hpp"
#include "plural.hpp"
#include "progress_bar.hpp"
#include "stopwatch.hpp"
#include "train_options.hpp"
#include "train_report.hpp"

namespace askrff::cli {
namespace {

struct TrainCommandOptions {
  TrainFlags flags;
  std::vector<std::string> sums;
  bool probabilities = false;
  std::string out;
  const CLI::App* parser = nullptr;
  CLI::Option *sums_given = nullptr, *probabilities_given = nullptr;
};

Report report_of(const TrainedModel& model, const std::string& source, const std::string& out, double seconds) {
  for (const std::string& warning : train_warnings(model)) print_warning(warning);
  const TrainFacts facts{model, source, out, seconds};
  return {.json = train_json(facts), .text = train_text(facts), .files = {out}};
}

/// Sums that others have made, and if need be one more pass over their files.
TrainedModel solved(const TrainCommandOptions& options, const std::vector<std::string>& files) {
  Execution execution = options.flags.train.execution;
  execution.progress = stages_on_a_bar();
  PlannedSums sums = load_sums(files, execution);
  const RidgePlan plan = sums.plan();
  check_files({{"--out", options.out}}, files_of_plan(plan));
  const auto open = [&](std::size_t part) { return open_part(plan, part, plan.parts()[part].name, execution); };
  return sums.solve({.c = options.flags.c_given(),
                     .probabilities = options.probabilities,
                     .leave_one_out = options.flags.train.leave_one_out,
                     .open_part = open,
                     .execution = execution});
}

Report run_train_of_sums(const TrainCommandOptions& options) {
  refuse_all_but(*options.parser, {"--sums", "--out", "--c", "--c-grid", "--leave-one-out", "--probabilities", "--threads"},
                 "belongs to askrff plan, which the sums are of");
  const std::vector<std::string> files = files_of("--sums", options.sums);
  std::vector<NamedFile> inputs;
  for (const std::string& file : files) inputs.push_back({"--sums", file});
  check_files({{"--out", options.out}}, inputs);
  const Stopwatch watch;
  const TrainedModel model = solved(options, files);
  model.save(options.out);
  const std::string source = options.sums.size() == 1 ? options.sums.front() : counted(files.size(), "file") + " of sums";
  return report_of(model, source, options.out, watch.seconds());
}

/// Of rows of K, all of which the map is made of.
TrainedModel trained_on_matrix(const TrainFlags& flags, RowStream& rows) {
  const NamedMatrix matrix = read_named_matrix(rows, flags.train.execution.stop);
  const MatrixRows& all = matrix.rows;
  TrainOptions train = flags.assembled_of_matrix(matrix);
  train.execution.progress = stages_on_a_bar();
  MemoryRows memory =
      all.labels.empty() ? MemoryRows(all.K, all.label_numbers, flags.data.source) : MemoryRows(all.K, all.labels, flags.data.source);
  if (!all.weights.empty()) memory.set_weights(all.weights);
  return flags.in_words_of_data(train, [&] { return askrff::train(memory, train); });
}

TrainedModel trained_on_rows(const TrainFlags& flags, RowStream& rows) {
  TrainOptions train = flags.assembled(rows);
  train.execution.progress = stages_on_a_bar();
  return flags.in_words_of_data(train, [&] { return askrff::train(rows, train); });
}

Report run_train(const TrainCommandOptions& options) {
  if (given(options.sums_given)) return run_train_of_sums(options);
  const TrainFlags& flags = options.flags;
  if (!flags.data.is_given()) throw InvalidArgument("--data", "missing, expected the training rows, or --sums with sums of them");
  refuse_if_given(options.probabilities_given, "only with --sums; training on rows finds them anyway");
  flags.check();
  check_files({{"--out", options.out}}, flags.data.inputs({{"--features", flags.features}}));
  const Stopwatch watch;
  DataStream rows = flags.data.open(flags.train.execution);  // what can be read only once is kept by train()
  std::optional<WeightedRows> weighted;
  if (!flags.weight.empty()) weighted.emplace(rows, flags.weight);
  RowStream& stream = weighted ? static_cast<RowStream&>(*weighted) : rows;
  const TrainedModel model = flags.kernel.is_matrix() ? trained_on_matrix(flags, stream) : trained_on_rows(flags, stream);
  model.save(options.out);
  return report_of(model, flags.data.source, options.out, watch.seconds());
}

}  // namespace

Command add_train(CLI::App& app) {
  CLI::App* parser =
      add_subcommand(app, "train", "Labelled rows → a classifier or regression on the features of a kernel, in a model file");
  auto options = std::make_shared<TrainCommandOptions>();
  TrainFlags& flags = options->flags;
  options->parser = parser;
  flags.add_to(*parser);
  in_group(add_flag(*parser, "--leave-one-out", flags.train.leave_one_out, "ridge: also the exact leave-one-out error, in one more pass"),
           "Model");
  options->sums_given = in_group(add_texts(*parser, "--sums", options->sums,
                                           "Instead of --data: sums of all parts of an askrff plan, files or a quoted pattern;\n--c and "
                                           "--c-grid may be given, all else was said to the plan",
                                           "FILE"),
                                 "Sums");
  options->probabilities_given = in_group(
      add_flag(*parser, "--probabilities", options->probabilities, "With --sums: of classes, in one more pass over the files of the plan"),
      "Sums");
  required(add_text(*parser, "--out", options->out, "The model file to write; the old one stays until the new one is complete", "FILE"));
  add_threads(*parser, flags.train.execution);
  add_footer(
      *parser,
      "The model holds the scaling of the columns, the features, the weights and the labels as they were written: askrff predict needs "
      "nothing\n"
      "else. Files of any size: ridge goes through them twice, the first time for the scaling; svm keeps rows up to --memory, of more it "
      "makes\n"
      "every step in a pass over the file. A pipe is read into memory.\n"
      "Examples:\n"
      "  askrff train --data train.libsvm --kernel sinh-gaussian --frequencies 2d --out m.askrff\n"
      "  askrff train --data train.csv --label price --kernel gaussian --sigma auto --model ridge --out m.askrff\n"
      "  askrff train --data train.csv --label class --kernel shift-gaussian --tune sigma,shift --out m.askrff\n"
      "  askrff train --data train.csv --label class --kernel gaussian --class-weight balanced --out m.askrff\n"
      "  askrff train --data 'X-*.npy' --labels 'y-*.npy' --kernel gaussian --model ridge --out m.askrff\n"
      "  askrff train --data K.npy --labels y.npy --kernel precomputed --out m.askrff\n"
      "  askrff train --sums 'parts/*.sums' --out m.askrff    (see askrff plan --help)\n"
      "  askrff predict --model m.askrff --data test.libsvm");
  return {parser, [options] { return run_train(*options); }};
}

}  // namespace askrff::cli
