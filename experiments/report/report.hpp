// What people and programs see of the results: CSV, JSON, figures, one page.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/results.hpp"

namespace askrff::experiments {

using Json = nlohmann::ordered_json;

/// Everything, for --json: {"cells":[{"dataset","row","mean","std","paper","paper_std","pass",…},…],"run":{…},"fig1":{…},…}. What is not a
/// number in C++ (NaN) is null.
Json json_of(const Results& results);

/// Whether the programs that draw are there. Throws std::runtime_error, naming what is missing and how to go without it, if not.
void require_gnuplot();

struct ReportOptions {
  bool figures = true;  ///< false: no gnuplot is run, and the page has tables only
};

/// Writes for each artefact that is there NAME.csv (tidy: one observation per line), NAME.json, NAME….svg, NAME….png, then run.json and
/// index.html, which holds all of it and needs nothing else. Every file appears complete or not at all, and nothing else in the
/// folder is touched. Throws std::invalid_argument for files that cannot be created, WriteError, and std::runtime_error for figures.
void write_report(const Results& results, const std::filesystem::path& folder, const ReportOptions& options = {});

}  // namespace askrff::experiments
