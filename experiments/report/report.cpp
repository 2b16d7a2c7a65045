// Writes the files of a report.
#include "experiments/report/report.hpp"

#include <fmt/format.h>

#include <system_error>

#include "askrff/output_file.hpp"
#include "experiments/report/csv.hpp"
#include "experiments/report/html.hpp"
#include "experiments/report/json.hpp"

namespace askrff::experiments {
namespace {

namespace fs = std::filesystem;

void write_file(const fs::path& path, std::string_view bytes) {
  OutputFile file(path.string(), "report");
  file.append(bytes);
  file.finish();
}

void create_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw WriteError(fmt::format("report: cannot create the folder '{}': {}", folder.string(), error.message()));
}

std::string text_of(const Json& json) { return json.dump(1) + '\n'; }

template <class Artefact>
void write_data(const std::optional<Artefact>& artefact, const std::string& name, const fs::path& folder) {
  if (!artefact) return;
  write_file(folder / (name + ".csv"), csv_of(*artefact));
  write_file(folder / (name + ".json"), text_of(json_of(*artefact)));
}

}  // namespace

void write_report(const Results& results, const fs::path& folder, const ReportOptions&) {
  create_folder(folder);
  write_data(results.fig1, "fig1", folder);
  write_data(results.fig2, "fig2", folder);
  write_data(results.fig3, "fig3", folder);
  write_data(results.table1, "table1", folder);
  write_file(folder / "run.json", text_of(json_of(results.run)));
  write_file(folder / "index.html", html("<!doctype html><title>askrff</title><pre>{}</pre>", text_of(json_of(results))).markup);
}

}  // namespace askrff::experiments
