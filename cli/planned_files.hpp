// The files of a plan: how they were read, and how they are opened again.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "askrff/plan.hpp"
#include "data_options.hpp"

namespace askrff::cli {

/// What has to be kept to read the files of --data one by one. Throws DataError for files that can be read only once, and for one label
/// file of many files.
PlannedReading planned_reading(const DataOptions& data, const std::string& weight);

/// The rows of a part, read from a file: its own or a copy. Rows that are gone or have changed are found when they are compared with the
/// plan. Reading shows its progress. Throws DataError.
std::unique_ptr<RowStream> open_part(const RidgePlan& plan, std::size_t part, const std::string& file, const Execution& execution);

/// All files that names and patterns stand for, each once. Throws DataError if a pattern matches nothing.
std::vector<std::string> files_of(const char* option, const std::vector<std::string>& names);

}  // namespace askrff::cli
