// askrff choose: the best feature map for a kernel and data, with a certificate, in a file that askrff transform applies.
#include "askrff/map.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "choice_report.hpp"
#include "choose.hpp"
#include "command_text.hpp"
#include "matrix_options.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "output_checks.hpp"
#include "plural.hpp"
#include "progress_bar.hpp"

namespace askrff::cli {
namespace {

void check(const ChooseCommandOptions& options) {
  options.map.check();
  options.map.refuse_landmarks("only with --kernel precomputed; Nyström maps find theirs");
  if (!options.map.values.tolerance) refuse_if_given(options.no_prune_given, "only with --tolerance: without one nothing is pruned");
  if (options.map.values.estimator == Estimator::nystrom) refuse_if_given(options.no_prune_given, "only for Fourier maps");
}

/// How many rows there were and the map found for them.
struct Found {
  std::uint64_t n_rows = 0;
  Map map;
  std::vector<Candidate> tried;
};

Found search(const ChooseCommandOptions& options, const std::string& command) {
  DataStream rows = options.data.open(options.execution);
  MapOptions how = options.map.resolved(rows.n_columns(), options.execution);
  how.execution.progress = stages_on_a_bar();
  how.scale = options.data.scale;
  how.prune = !options.no_prune;
  const DrawnRows drawn = draw_rows(rows, how.scale, how.seed, 0, options.execution.stop);
  ProgressBar progress("choose", 1);
  how.on_candidate = shown_on(progress);
  std::vector<Candidate> tried;
  try {
    const Map map = make_map(options.kernel.choice(), drawn, how, tried).with([&](MapContent& content) { content.command = command; });
    return {drawn.n_rows, map, std::move(tried)};
  } catch (const InvalidArgument& error) {
    if (error.where() != "choose_features") throw;
    throw InvalidArgument(options.data.source, error.message());  // too few rows, say
  }
}

Json to_json(const ChooseCommandOptions& options, const Found& found) {
  const MapContent& content = found.map.content();
  const ChosenKernel kernel{content.kernel};
  const MapOptions& asked = options.map.values;
  return {{"kernel", kernel.name},
          {"parameters", kernel.parameters_json(found.map.dim())},
          {"dim", found.map.dim()},
          {"data", options.data.source},
          {"data_rows", found.n_rows},
          {"scale", name_of(content.scaler.kind)},
          {"seed", content.seed},
          {"estimator", name_of(asked.estimator)},
          {"tolerance", asked.tolerance ? Json(*asked.tolerance) : Json(nullptr)},
          {"out", options.out},
          {"chosen", chosen_json(found.map)},
          {"reason", content.reason},
          {"reached", asked.tolerance ? Json(content.certificate->reached) : Json(nullptr)},
          {"certificate", certificate_json(*content.certificate, asked.tolerance.has_value())},
          {"warning", warning_json(found.map)},
          {"tried", tried_json(found.tried)}};
}

std::string to_text(const ChooseCommandOptions& options, const Found& found) {
  const MapContent& content = found.map.content();
  return fmt::format(
      "{}\ndata {}: {}{}; seed {}\n\n{}\n{}\n{}\n{}: the map; apply it with\n  askrff transform --features {} --data {} --side left --out "
      "left.npy\n",
      ChosenKernel{content.kernel}.title(found.map.dim()), options.data.source, counted(found.n_rows, "row"),
      scale_text(content.scaler.kind), content.seed, tried_text(found.tried), chosen_text(found.map),
      certificate_text(*content.certificate, options.map.values.tolerance), options.out, shell_word(options.out),
      shell_word(options.data.source));
}

Report run_choose(const ChooseCommandOptions& options, const std::string& command) {
  if (options.kernel.is_matrix()) return run_choose_of_matrix(options, command);
  check(options);
  options.kernel.choose();  // what is wrong with it is known before the data are read
  check_files({{"--out", options.out}}, options.data.inputs());
  const Found found = search(options, command);
  found.map.save(options.out);
  warn_if_not_reached(found.map, options.map.values.tolerance);
  warn_if_any(found.map.scaling_warning());
  warn_if_any(found.map.accuracy_warning());
  return {.json = to_json(options, found), .text = to_text(options, found), .files = {options.out}};
}

}  // namespace

Command add_choose(CLI::App& app) {
  CLI::App* parser = add_subcommand(app, "choose", "The best feature map for a kernel and data, certified, written to a file");
  auto options = std::make_shared<ChooseCommandOptions>();
  options->kernel.add_to(*parser, matrix_kernel_help());
  options->data.scale = Scaling::minmax;
  options->data.add_to(*parser, "The map keeps the scaling and applies it to later data.");
  options->data.require();
  options->map.values.estimator = Estimator::best;
  options->map.values.search = true;
  options->map.add_tolerance(*parser);
  options->map.add_size(*parser);
  options->map.add_estimator(*parser, {Estimator::best, Estimator::fourier, Estimator::nystrom});
  options->map.add_landmarks(*parser,
                             "precomputed: how many columns and rows of K features are made of (the certificate\nlooks at others, too); of "
                             "rows to come only those columns count",
                             "all");
  options->map.add_seed(*parser);
  options->no_prune_given = add_flag(*parser, "--no-prune", options->no_prune, "With --tolerance: keep frequencies of negligible weight");
  in_group(options->no_prune_given, "Map");
  required(add_text(*parser, "--out", options->out, "The file to write, .askrff by custom; it appears when it is complete", "FILE"));
  add_threads(*parser, options->execution);
  add_footer(
      *parser,
      "Some rows make the candidates, others compare them, others still certify the winner. Of fewer than 2400 rows all certify: dealt to "
      "five\n"
      "folds, each judges a map made like the winner of the other four.\n"
      "The file is gone through once, whatever its size: the scaling is that of all rows, the map is made of at most 20 000 of them, drawn "
      "by\n"
      "--seed. It holds for data like --data; askrff transform warns about rows that lie far outside. A tolerance out of reach is a "
      "warning: the "
      "most\n"
      "exact map found is written, and its certificate says that it was not reached. askrff inspect shows what is in the file.\n"
      "Examples:\n"
      "  askrff choose --data train.csv --kernel sinh-gaussian --tolerance 1e-3 --out map.askrff\n"
      "  askrff choose --data builtin:uniform:8 --kernel shift-gaussian --frequencies 32d --estimator fourier --out map.askrff\n"
      "  askrff transform --features map.askrff --data test.csv --side left --out left.npy\n"
      "  askrff inspect map.askrff\n"
      "  askrff choose --data K.npy --kernel precomputed --tolerance 0.1 --out map.askrff");
  return {parser, [parser, options] { return run_choose(*options, command_text(*parser)); }};
}

}  // namespace askrff::cli
