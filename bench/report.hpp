// What becomes of the figures: verdicts, the JSON file, the table for people.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "benchmark.hpp"

namespace askrff::bench {

/// One row of the report.
struct Row {
  Benchmark benchmark;
  Figures figures;      ///< no values if it was skipped or failed
  Spread spread;        ///< of the values
  std::string verdict;  ///< "reached", "falls short", "for information", "not rated", "skipped: why" or "failed: why"
  bool failed = false;
};

/// Measures the row; never throws for what a row does.
Row measured(const Benchmark& benchmark, Context& context);

/// machine, date, BLAS and rows.
nlohmann::ordered_json json_of(const std::vector<Row>& rows, const Context& context);

/// "0.93 × its speed (0.91 – 0.94)", or the verdict where there is no figure.
std::string headline(const Row& row);

/// "skipped" of "skipped: why"; the whole verdict where no reason follows. Tables show the reason among the notes.
std::string verdict_word(const Row& row);

/// The table, the notes and what it was measured with.
std::string text_of(const std::vector<Row>& rows, const Context& context);

}  // namespace askrff::bench
