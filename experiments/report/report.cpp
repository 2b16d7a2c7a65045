// Writes the files of a report.
#include "experiments/report/report.hpp"

#include <fmt/format.h>

#include <string_view>
#include <system_error>
#include <vector>

#include "askrff/output_file.hpp"
#include "experiments/report/csv.hpp"
#include "experiments/report/figures.hpp"
#include "experiments/report/json.hpp"
#include "experiments/report/page.hpp"

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

template <class Artefact>
std::vector<DrawnPicture> draw(const std::optional<Artefact>& artefact, const fs::path& folder) {
  std::vector<DrawnPicture> drawn;
  if (!artefact) return drawn;
  for (const Picture& picture : pictures_of(*artefact)) {
    drawn.push_back({picture, draw_svg(picture, Layout::wide), draw_svg(picture, Layout::narrow)});
    write_file(folder / (picture.name + ".svg"), drawn.back().wide_svg);
    write_file(folder / (picture.name + ".png"), draw_png(picture));
  }
  return drawn;
}

}  // namespace

void write_report(const Results& results, const fs::path& folder, const ReportOptions& options) {
  create_folder(folder);
  // Numbers first: they are there even if no figure can be drawn.
  write_data(results.fig1, "fig1", folder);
  write_data(results.fig2, "fig2", folder);
  write_data(results.fig3, "fig3", folder);
  write_data(results.table1, "table1", folder);
  write_file(folder / "run.json", text_of(json_of(results.run)));
  DrawnPictures pictures;
  if (options.figures) pictures = {draw(results.fig1, folder), draw(results.fig2, folder), draw(results.fig3, folder)};
  write_file(folder / "index.html", page_of(results, pictures));
}

}  // namespace askrff::experiments
