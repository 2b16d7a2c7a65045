// askrff-paper reproduce: the figures and the table of the paper, run anew and put beside what was published.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/version.hpp"
#include "experiments/command/commands.hpp"
#include "command_text.hpp"
#include "experiments/datasets/catalogue.hpp"
#include "experiments/reproduce.hpp"
#include "interrupt.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "plural.hpp"
#include "progress_bar.hpp"
#include "experiments/command/reproduce_text.hpp"

namespace askrff::experiments {
namespace {

using namespace cli;

struct Options {
  std::vector<std::string> what;
  std::string data_dir, out = "report";
  std::vector<std::string> datasets, kernels;
  std::size_t n_trials = 10;
  std::uint64_t seed = 0;
  bool quick = false, no_page = false;
  Execution execution;
  CLI::Option* trials_option = nullptr;
  const CLI::App* parser = nullptr;
};

constexpr std::size_t quick_trials = 2;

constexpr std::array<std::pair<std::string_view, Artefact>, 4> artefact_names{
    {{"fig1", Artefact::fig1}, {"fig2", Artefact::fig2}, {"fig3", Artefact::fig3}, {"table1", Artefact::table1}}};

/// In the order of the paper, each once.
std::vector<Artefact> artefacts_of(const std::vector<std::string>& words) {
  std::vector<Artefact> chosen;
  for (const std::string& word : words) {
    const auto is_word = [&](const auto& entry) { return entry.first == word; };
    if (word != "all" && std::ranges::none_of(artefact_names, is_word))
      throw std::invalid_argument(fmt::format("reproduce: got \"{}\", expected all, fig1, fig2, fig3 or table1", word));
  }
  for (const auto& entry : artefact_names)
    if (std::ranges::any_of(words, [&](const std::string& word) { return word == "all" || word == entry.first; }))
      chosen.push_back(entry.second);
  return chosen;
}

/// "shift" stands for "shift-gaussian".
std::vector<std::string> kernels_of(const std::vector<std::string>& words) {
  if (words.empty()) return paper_kernels();
  std::vector<std::string> kernels;
  for (const std::string& word : words) {
    const auto same = [&](const std::string& name) { return word == name || word + "-gaussian" == name; };
    const auto found = std::ranges::find_if(paper_kernels(), same);
    if (found == paper_kernels().end())
      throw std::invalid_argument(
          fmt::format("--kernels: got \"{}\", expected those of the paper: shift-gaussian, sinh-gaussian, cosh-gaussian", word));
    if (std::ranges::find(kernels, *found) == kernels.end()) kernels.push_back(*found);
  }
  return kernels;
}

/// Names as the catalogue has them, each once.
std::vector<std::string> dataset_names_of(const std::vector<std::string>& words) {
  if (words.empty()) return paper_dataset_names();
  std::vector<std::string> names;
  for (const std::string& word : words) {
    const std::string& name = catalogue_entry(word).name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

/// What --datasets names, or all; those that are not there are named in a notice, unless they were asked for.
std::vector<PaperData> datasets_of(const Options& options, std::vector<std::string>& notices) {
  std::vector<PaperData> found;
  std::string missing;
  for (const std::string& name : dataset_names_of(options.datasets)) {
    auto data = find_paper_data(name, {options.data_dir}, options.execution);
    if (data) {
      found.push_back(std::move(*data));
    } else if (!options.datasets.empty()) {
      throw std::invalid_argument(
          fmt::format("--datasets: the files of \"{}\" are not here; give --data-dir, or run askrff-paper datasets get {}", name, name));
    } else {
      missing += (missing.empty() ? "" : ", ") + name;
    }
  }
  if (found.empty()) {
    found.push_back(built_in_data());
    notices.push_back(
        "None of the paper's data sets is here. Built-in data (two half moons in the plane) stand in for them: the method is the same, the "
        "numbers have nothing to do with the published ones. askrff-paper datasets get all fetches the real data.");
  } else if (!missing.empty()) {
    notices.push_back(fmt::format("Not here, and so not run: {}. askrff-paper datasets get fetches them.", missing));
  }
  return found;
}

std::string now_utc() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

Plan plan_of(const Options& options, std::vector<std::string>& notices) {
  Plan plan;
  plan.kernels = kernels_of(options.kernels);
  plan.n_trials = options.quick && !given(options.trials_option) ? quick_trials : options.n_trials;
  plan.seed = options.seed;
  plan.quick = options.quick;
  if (options.quick) {
    plan.sizes = Sizes::quick();
    notices.push_back("A quick run: few trials, few rows, small M. It shows that everything works; the numbers mean little.");
  }
  plan.execution = options.execution;
  plan.execution.stop = {};  // trials that are running are finished and kept
  plan.datasets = datasets_of(options, notices);
  return plan;
}

RunRecord record_of(const Options& options, const Plan& plan, std::vector<std::string> notices) {
  const Machine machine = describe_machine();
  RunRecord run;
  run.version = ASKRFF_VERSION;
  run.command = command_text(*options.parser);
  run.date = now_utc();
  run.processor = machine.processor;
  run.backend = machine.backend;
  run.n_threads = options.execution.n_threads > 0 ? options.execution.n_threads : machine.n_threads;
  run.seed = plan.seed;
  run.n_trials = plan.n_trials;
  run.quick = plan.quick;
  run.kernels = plan.kernels;
  for (const PaperData& data : plan.datasets) run.datasets.push_back(data.record);
  run.notices = std::move(notices);
  return run;
}

void make_folder(const std::string& out) {
  std::error_code error;
  std::filesystem::create_directories(out, error);
  if (error || !std::filesystem::is_directory(out))
    throw std::invalid_argument(
        fmt::format("--out: \"{}\" cannot be made a folder{}", out, error ? ": " + error.message() : ", it is a file"));
}

Results run_all(Reproduction& reproduction, const std::vector<Artefact>& artefacts, const std::string& out) {
  double work = 0;
  const auto trials = reproduction.unfinished(artefacts);
  for (const TrialTask& trial : trials) work += trial.cost;
  const SignalAnswer answer("\naskrff-paper: stopping after the trials that are running; press Ctrl-C again to stop at once\n");
  ProgressBar progress("reproduce", work);
  std::size_t n_done = 0;
  Observer observer;
  observer.starts = [&](const TrialTask& trial) { progress.relabel(trial.label); };
  observer.is_done = [&](const TrialTask& trial) {
    ++n_done;
    progress.advance(trial.cost);
  };
  observer.should_stop = [] { return stop_token().stop_requested(); };
  try {
    return reproduction.run(artefacts, observer);
  } catch (const Interrupted&) {
    throw StoppedByUser(
        fmt::format("reproduce: stopped with {} to go; what is finished is kept in {}, and the same command goes on from there",
                    counted(trials.size() - n_done, "trial"), out));
  }
}

Report run(const Options& options) {
  const auto artefacts = artefacts_of(options.what);
  kernels_of(options.kernels);  // both refuse names before data are read
  dataset_names_of(options.datasets);
  std::vector<std::string> notices;
  Plan plan = plan_of(options, notices);
  RunRecord record = record_of(options, plan, notices);
  make_folder(options.out);
  Reproduction reproduction(std::move(plan), std::move(record), options.out, {.page = !options.no_page});
  for (const std::string& notice : notices) print_warning(notice);
  const Results results = run_all(reproduction, artefacts, options.out);
  const PageProblem& problem = reproduction.page_problem();
  if (!problem.what.empty()) problem.failed ? print_error(problem.what) : print_warning(problem.what);
  const bool has_page = !options.no_page && problem.what.empty();
  return {json_of(results), reproduction_text(results, options.out + (has_page ? "/index.html" : "/results.json")), problem.failed ? 1 : 0};
}

/// One word with commas, so that it does not take what follows it.
void add_names(CLI::App& app, const char* option, std::vector<std::string>& names, const char* help) {
  app.add_option_function<std::string>(
         option, [&names](const std::string& text) { names = split_at_commas(text); }, help)
      ->type_name("NAME[,NAME]");
}

}  // namespace

cli::Command add_reproduce(CLI::App& app) {
  CLI::App* parser = app.add_subcommand("reproduce", "The figures and the table of the paper, run anew, as a report");
  auto options = std::make_shared<Options>();
  options->parser = parser;
  parser->add_option("what", options->what, "all, fig1, fig2, fig3, table1")->required()->type_name("WHAT");
  parser
      ->add_option("--data-dir", options->data_dir,
                   "Folder with the data sets; else ASKRFF_DATA, else what askrff-paper datasets get has fetched")
      ->type_name("FOLDER");
  parser->add_option("--out", options->out, "Folder of the report")->type_name("FOLDER")->capture_default_str();
  add_names(*parser, "--datasets", options->datasets, "Of spambase, ijcnn1, letter, cod-RNA; default: those that are here");
  add_names(*parser, "--kernels", options->kernels, "Of shift-gaussian, sinh-gaussian, cosh-gaussian; default: all");
  options->trials_option = add_count(*parser, "--trials", options->n_trials, "Trials of everything; with --quick 2", 1, 1000);
  add_count(*parser, "--seed", options->seed, "The same seed gives the same numbers", 0);
  parser->add_flag("--quick", options->quick, "Small sizes, in less than a minute: does everything work?");
  parser->add_flag("--no-page", options->no_page, "Numbers only: no figures, no page; Python is not needed then");
  add_threads(*parser, options->execution);
  parser->footer(
      "Writes results.json, CSV for each artefact, its figures as SVG and PNG, and index.html, which holds all of it and opens without a\n"
      "network. Finished trials are kept in trials.jsonl beside it: after Ctrl-C the same command goes on where it stopped, and more\n"
      "--trials use those that are there. Figures and page need Python with matplotlib and jinja2.\n"
      "All of it takes about half an hour on two cores.\n"
      "Examples:\n"
      "  askrff-paper reproduce all --quick\n"
      "  askrff-paper datasets get all\n"
      "  askrff-paper reproduce all --out report\n"
      "  askrff-paper reproduce table1 --datasets letter,spambase --trials 3 --seed 1 --json");
  return {parser, [options] { return run(*options); }};
}

}  // namespace askrff::experiments
