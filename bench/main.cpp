// askrff_bench: measures every row against its peer and prints a table. Exit codes: 0 every row was measured or skipped with a reason (also
// where a target is missed), 1 a row or writing failed, 2 the call was wrong.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "askrff/execution.hpp"
#include "report.hpp"
#include "runner.hpp"

namespace askrff::bench {
namespace {

constexpr const char* description =
    "askrff_bench: how fast askrff is, as ratios to what it is measured against. The two sides of a row run in turn, one ratio per "
    "repeat;\n"
    "a row shows the median of the ratios and their quartiles. `make bench` runs all rows and writes docs/performance.md.\n";

struct Call {
  bool quick = false, list = false;
  std::vector<std::string> only;
  std::string json_file, python, data_dir = ASKRFF_DATA_DIR;
  std::size_t repeats = 0;  ///< 0: the default
  // For the children of this program.
  std::string probe_blas;
  std::vector<std::size_t> probe_memory;
};

void add_options(CLI::App& app, Call& call) {
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.add_flag("--quick", call.quick, "Tiny sizes, 2 repeats, nothing rated: does every row run?");
  app.add_flag("--list", call.list, "Print the names of the rows and exit");
  app.add_option("--only", call.only, "Rows of this name, or whose name starts with it; may be given more than once")->type_name("NAME");
  app.add_option("--json", call.json_file, "Write the results to this file")->type_name("FILE");
  app.add_option("--repeats", call.repeats, "Ratios per row (11; rows that take minutes are content with 5)")
      ->type_name("COUNT")
      ->check(CLI::Range(1, 1000));
  app.add_option("--sklearn", call.python, "A Python that has scikit-learn and perhaps our package; without them their rows are skipped")
      ->type_name("PYTHON");
  app.add_option("--data-dir", call.data_dir, "Folder of real data sets; rows that need one are skipped without it")->type_name("FOLDER");
  app.add_option("--probe-blas", call.probe_blas)->group("");
  app.add_option("--probe-memory", call.probe_memory)->expected(3)->group("");
}

Settings settings_of(const Call& call) {
  Settings settings;
  settings.quick = call.quick;
  settings.python = call.python;
  settings.data_dir = call.data_dir;
  settings.command = ASKRFF_COMMAND;
  if (call.quick) {
    settings.sizes = Sizes::quick();
    settings.effort = {.repeats = 2, .sample_seconds = 0, .budget_seconds = 10, .min_repeats = 2};
  }
  if (call.repeats > 0) settings.effort.repeats = call.repeats;
  return settings;
}

/// True if no row failed.
bool run_rows(const Call& call) {
  const Settings settings = settings_of(call);
  describe_machine();  // complains of variables of the environment that every row would complain of
  const auto benchmarks = selected(all_rows(settings.sizes), call.only);
  if (!call.python.empty() && !std::filesystem::is_regular_file(call.python))
    throw std::invalid_argument(fmt::format("--sklearn: {} is no program", call.python));
  JsonFile file(call.json_file);
  Context context(settings);
  std::vector<Row> rows;
  for (const Benchmark& benchmark : benchmarks) {
    rows.push_back(measured(benchmark, context));
    fmt::print(stderr, "[{}/{}] {}: {}\n", rows.size(), benchmarks.size(), benchmark.name, headline(rows.back()));
  }
  file.write(json_of(rows, context).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  print(text_of(rows, context));
  return std::none_of(rows.begin(), rows.end(), [](const Row& row) { return row.failed; });
}

/// False if a row failed. Throws std::invalid_argument for a wrong call.
bool run(int argc, char** argv) {
  CLI::App app(description, "askrff_bench");
  Call call;
  add_options(app, call);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    print(app.help());
    return true;
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(fmt::format("{}; see askrff_bench --help", error.what()));
  }
  if (!call.probe_blas.empty()) {
    print(probe_in_this_process(call.probe_blas, call.quick));
  } else if (!call.probe_memory.empty()) {
    print(operator_memory_in_this_process(call.probe_memory[0], call.probe_memory[1], call.probe_memory[2]));
  } else if (call.list) {
    for (const Benchmark& row : all_rows(settings_of(call).sizes)) print(row.name + "\n");
  } else {
    return run_rows(call);
  }
  return true;
}

}  // namespace
}  // namespace askrff::bench

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a worker that has died is an error of write, which is reported
  return askrff::bench::exit_code_of("askrff_bench", [&] { return askrff::bench::run(argc, argv); });
}
