// askrff_accuracy: measures the errors of the methods against each other and prints a table. Exit codes: 0 every row was measured or
// skipped with a reason (also where a target is missed), 1 a row or writing failed, 2 the call was wrong.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "askrff/execution.hpp"
#include "report.hpp"

namespace askrff::accuracy {
namespace {

constexpr const char* description =
    "askrff_accuracy: how exact askrff is, against the paper's estimator, the best possible, and its own promises. Errors are those of "
    "rows\n"
    "that took part in no fit. `make bench-accuracy` runs all rows and writes docs/accuracy.md.\n";

struct Call {
  bool quick = false, list = false;
  std::vector<std::string> only;
  std::string json_file, data_dir;
};

void add_options(CLI::App& app, Call& call) {
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.add_flag("--quick", call.quick, "Tiny sizes, no files, nothing rated: does every row run?");
  app.add_flag("--list", call.list, "Print the names of the rows and exit");
  app.add_option("--only", call.only, "Rows of this name, or whose name starts with it; may be given more than once")->type_name("NAME");
  app.add_option("--json", call.json_file, "Write the results to this file")->type_name("FILE");
  app.add_option("--data-dir", call.data_dir, fmt::format("Folder with the data sets ({} if it is there)", ASKRFF_DATA_DIR))
      ->type_name("FOLDER");
}

/// Throws std::invalid_argument if a folder was named that is none.
Settings settings_of(const Call& call) {
  Settings settings;
  settings.quick = call.quick;
  if (call.quick) settings.sizes = Sizes::quick();
  if (!call.data_dir.empty() && !std::filesystem::is_directory(call.data_dir))
    throw std::invalid_argument(fmt::format("--data-dir: {} is no folder", call.data_dir));
  if (!call.data_dir.empty() || std::filesystem::is_directory(ASKRFF_DATA_DIR))
    settings.data_dir = call.data_dir.empty() ? ASKRFF_DATA_DIR : call.data_dir;
  return settings;
}

std::vector<Benchmark> rows_of(const std::vector<Group>& groups) {
  std::vector<Benchmark> rows;
  for (const Group& group : groups) rows.insert(rows.end(), group.rows.begin(), group.rows.end());
  return rows;
}

/// True if no row failed.
bool run_rows(const Call& call) {
  const auto groups = all_groups();
  const auto wanted = bench::selected(rows_of(groups), call.only);
  Context context(settings_of(call));
  describe_machine();  // complains of variables of the environment that every row would complain of
  bench::JsonFile file(call.json_file);
  std::vector<Row> rows;
  for (const Group& group : groups)
    for (const Benchmark& benchmark : group.rows) {
      if (std::ranges::find(wanted, benchmark.name, &Benchmark::name) == wanted.end()) continue;
      rows.push_back(measured(group.title, benchmark, context));
      fmt::print(stderr, "[{}/{}] {}: {}\n", rows.size(), wanted.size(), benchmark.name, headline(rows.back()));
    }
  file.write(json_of(groups, rows, context).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  bench::print(text_of(rows));
  return std::ranges::none_of(rows, &Row::failed);
}

/// False if a row failed. Throws std::invalid_argument for a wrong call.
bool run(int argc, char** argv) {
  CLI::App app(description, "askrff_accuracy");
  Call call;
  add_options(app, call);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    bench::print(app.help());
    return true;
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(fmt::format("{}; see askrff_accuracy --help", error.what()));
  }
  if (!call.list) return run_rows(call);
  for (const Benchmark& row : rows_of(all_groups())) bench::print(row.name + "\n");
  return true;
}

}  // namespace
}  // namespace askrff::accuracy

int main(int argc, char** argv) {
  return askrff::bench::exit_code_of("askrff_accuracy", [&] { return askrff::accuracy::run(argc, argv); });
}
