// What becomes of the figures: verdicts, the JSON file, the table for people.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "row.hpp"

namespace askrff::accuracy {

/// One row of the report.
struct Row {
  std::string group;
  Benchmark benchmark;
  Figures figures;
  std::string verdict;  ///< "reached", "falls short", "report", "not rated", "skipped: why" or "failed: why"
  double seconds = 0;   ///< it took
  bool has_figures = false, failed = false;
};

/// Measures the row; never throws for what a row does.
Row measured(const std::string& group, const Benchmark& benchmark, Context& context);

/// Machine, date, groups with their rows, curves.
nlohmann::ordered_json json_of(const std::vector<Group>& groups, const std::vector<Row>& rows, const Context& context);

/// "63.1 × lower error, reached", or the verdict where there is no figure.
std::string headline(const Row& row);

/// The table.
std::string text_of(const std::vector<Row>& rows);

}  // namespace askrff::accuracy
