// askrff choose: the best feature map for a kernel and data, with a certificate, in a file that askrff transform applies.
#include "askrff/choose.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "askrff/model.hpp"
#include "choice_report.hpp"
#include "command.hpp"
#include "command_text.hpp"
#include "data_options.hpp"
#include "kernel_options.hpp"
#include "options.hpp"
#include "output_file.hpp"
#include "plain_words.hpp"
#include "plural.hpp"
#include "progress_bar.hpp"

namespace askrff::cli {
namespace {

constexpr Choice<Family> families[] = {{"any", Family::any}, {"fourier", Family::fourier}, {"nystrom", Family::nystrom}};

struct Options {
  KernelOptions kernel;
  DataOptions data;
  ChooseOptions choose;
  FrequencyCount frequencies{ChooseOptions{}.n_frequencies, false}, max_frequencies{ChooseOptions{}.max_frequencies, false};
  bool no_prune = false;
  std::string out;
  CLI::Option *frequencies_given = nullptr, *max_frequencies_given = nullptr, *no_prune_given = nullptr;
};

void check(const Options& options) {
  const auto& tolerance = options.choose.tolerance;
  if (!tolerance) {
    refuse_if_given(options.max_frequencies_given, "only with --tolerance; --frequencies says how many");
    refuse_if_given(options.no_prune_given, "only with --tolerance: without one nothing is pruned");
    return;
  }
  refuse_if_given(options.frequencies_given, "--tolerance finds the number of frequencies; --max-frequencies limits it");
  if (!(*tolerance > 0 && *tolerance < 1))
    throw std::invalid_argument(fmt::format("--tolerance: got {}, expected a number in (0,1)", *tolerance));
  if (options.choose.family == Family::nystrom) refuse_if_given(options.no_prune_given, "only for Fourier maps, the family is nystrom");
}

askrff::Choice search(const Options& options, const ChosenKernel& chosen, MatrixView<const double> X) {
  ChooseOptions how = options.choose;
  how.n_frequencies = options.frequencies.per_part(X.cols());
  how.max_frequencies = options.max_frequencies.per_part(X.cols(), "--max-frequencies");
  how.prune = !options.no_prune;
  ProgressBar progress("choose", 1);
  how.on_candidate = shown_on(progress);
  return choose_features(chosen.kernel, X, how);
}

Json to_json(const Options& options, const ChosenKernel& chosen, MatrixView<const double> X, const askrff::Choice& choice) {
  return {{"kernel", chosen.name},
          {"parameters", chosen.parameters_json(X.cols())},
          {"dim", X.cols()},
          {"data", options.data.source},
          {"data_rows", X.rows()},
          {"scale", name_of(scales, options.data.scale)},
          {"seed", options.choose.seed},
          {"family", name_of(families, options.choose.family)},
          {"tolerance", options.choose.tolerance ? Json(*options.choose.tolerance) : Json(nullptr)},
          {"out", options.out},
          {"chosen", chosen_json(choice)},
          {"reason", choice.reason},
          {"reached", choice.certificate.reached},
          {"certificate", certificate_json(choice.certificate)},
          {"tried", tried_json(choice.tried)}};
}

Report run(const Options& options, const std::string& command) {
  check(options);
  ChosenKernel chosen = options.kernel.choose();
  require_other_file({"--out", options.out}, {"--data", options.data.source});
  require_creatable(options.out);
  Dataset data = options.data.load_labelled(options.choose.execution);
  Matrix<double>& X = data.X;
  chosen.check_dim(X.cols());
  Preparation map;
  map.column_names = data.column_names;
  map.scaler = Scaler::fitted_to(X, options.data.scale);
  map.scaler.apply(X.view());
  const askrff::Choice choice = search(options, chosen, X);
  Report report{to_json(options, chosen, X, choice),
                fmt::format("{}\ndata {}: {}{}; seed {}\n\n{}\n{}\n{}\n{}: the map; apply it with\n  askrff transform --features {} "
                            "--data {} --side left --out left.npy\n",
                            chosen.title(X.cols()), options.data.source, counted(X.rows(), "row"), scale_text(options.data.scale),
                            options.choose.seed, tried_text(choice.tried), chosen_text(choice),
                            certificate_text(choice.certificate, options.choose.tolerance), options.out, options.out, options.data.source)};
  map.kernel = std::move(chosen);
  map.dim = X.cols();
  map.atoms = choice.atoms;
  map.nystrom = choice.nystrom;
  if (choice.nystrom) map.range = ColumnRange::of(X);
  map.reason = choice.reason;
  map.certificate = choice.certificate;
  map.command = command;
  map.seed = options.choose.seed;
  as_out([&] { save_map(options.out, map); });
  warn_if_not_reached(choice, options.choose.tolerance);
  return report;
}

CLI::Option* add_frequency(CLI::App& parser, const std::string& option, FrequencyCount& count, const std::string& help) {
  const auto read = [&count, option](const std::string& text) { count = parse_frequency(option, text); };
  return parser.add_option_function<std::string>(option, read, help)->type_name("M")->default_str(count.text())->group("Map");
}

}  // namespace

Command add_choose(CLI::App& app) {
  CLI::App* parser = app.add_subcommand("choose", "The best feature map for a kernel and data, certified, written to a file");
  auto options = std::make_shared<Options>();
  options->kernel.add_to(*parser);
  options->data.scale = Scaling::minmax;
  options->data.add_to(*parser, "; the map keeps the scaling\nand applies it to later data");
  options->data.require();
  add_number(*parser, "--tolerance", options->choose.tolerance,
             "The relative error wanted on rows like the data's: the cheapest map\nwhose 95 % interval lies below it is taken")
      ->group("Map");
  options->frequencies_given =
      add_frequency(*parser, "--frequencies", options->frequencies,
                    "Without --tolerance: the most exact map at the arithmetic of so many\nfrequencies; 4d is 4·dimension");
  options->max_frequencies_given =
      add_frequency(*parser, "--max-frequencies", options->max_frequencies, "With --tolerance: the most to try");
  add_choice(*parser, "--family", options->choose.family, families,
             "fourier: cosines and sines, any amount of data; nystrom: kernel values\nat landmarks; any: the better of both")
      ->group("Map");
  options->no_prune_given =
      parser->add_flag("--no-prune", options->no_prune, "With --tolerance: keep frequencies of negligible weight")->group("Map");
  add_count(*parser, "--seed", options->choose.seed, "Seed of all random choices; the same seed gives the same map", 0)->group("Map");
  parser->add_option("--out", options->out, "The file to write, .askrff by custom; it appears when it is complete")
      ->required()
      ->type_name("FILE");
  add_threads(*parser, options->choose.execution);
  parser->footer(
      "Some rows make the candidates, others compare them, others still certify the winner: the certificate's rows had no part in the "
      "choice.\n"
      "It holds for data like --data; askrff transform warns about rows that lie far outside. A tolerance out of reach is a warning: the "
      "most\n"
      "exact map found is written, and its certificate says that it was not reached. askrff inspect shows what is in the file.\n"
      "Examples:\n"
      "  askrff choose --data train.csv --kernel sinh-gaussian --tolerance 1e-3 --out map.askrff\n"
      "  askrff choose --data builtin:uniform:8 --kernel shift-gaussian --frequencies 32d --family fourier --out map.askrff\n"
      "  askrff transform --features map.askrff --data test.csv --side left --out left.npy\n"
      "  askrff inspect map.askrff");
  return {parser, [parser, options] { return run(*options, command_text(*parser)); }};
}

}  // namespace askrff::cli
