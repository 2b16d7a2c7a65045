// The results as JSON, by artefact.
#pragma once

#include "experiments/report/report.hpp"

namespace askrff::experiments {

Json json_of(const Figure1& figure);
Json json_of(const Figure2& figure);
Json json_of(const Figure3& figure);
/// With its cells.
Json json_of(const Table1& table);
Json json_of(const RunRecord& run);

}  // namespace askrff::experiments
