// What people and programs see of the results: JSON and CSV, written here; pictures and one page, made of them by report.py.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/results.hpp"

namespace askrff::experiments {

using Json = nlohmann::ordered_json;

/// Everything, for --json and results.json:
/// {"cells":[{"dataset","row","mean","std","paper","paper_std","pass",…},…],"run":{…},"fig1":{…},…}. What is not a number in C++ (NaN) is
/// null, and text is one line of valid UTF-8.
Json json_of(const Results& results);

/// Content by name, "fig1.csv", for each artefact in json_of(): one observation per line under a header line, numbers as short as they read
/// back to the same bits, an empty field where there is no number.
std::map<std::string, std::string> csv_files(const Json& results);

/// Writes results.json and, for each artefact that is there, NAME.csv. Every file appears complete or not at all, and nothing else in the
/// folder is touched. Throws std::invalid_argument for files that cannot be created, and WriteError.
void write_numbers(const Results& results, const std::filesystem::path& folder);

/// Why there is no page.
struct PageProblem {
  std::string what;     ///< a sentence with the command that makes the page later; empty if it is there
  bool failed = false;  ///< or something is missing: Python, one of its packages, report.py
};

/// How long Python may take; a request to stop leaves it some seconds to finish.
struct PageLimits {
  std::chrono::milliseconds max_time = std::chrono::minutes(5);
  std::function<bool()> should_stop = {};
};

/// Has Python make pictures and page of the results.json in `folder`. An older page is removed first: it shows other numbers.
PageProblem make_page(const std::filesystem::path& folder, const PageLimits& limits = {});

}  // namespace askrff::experiments
