// Options of reading, kept in a plan as words and taken from it again.
#include "planned_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "progress_bar.hpp"

namespace askrff::cli {
namespace {

ReadOptions reading_of(const RidgePlan& plan, std::size_t part, const Execution& execution) {
  const PlannedReading& kept = plan.reading();
  ReadOptions options;
  const auto words = words_of(DataFormat{});
  const auto word = std::ranges::find_if(words, [&](const auto& each) { return each.name == kept.format; });
  if (word == words.end())
    throw DataError(plan.parts()[part].name,
                    fmt::format("its plan wants it read as '{}', expected {}", printable(kept.format, 30), names_of<DataFormat>()));
  options.format = word->value;
  options.label = kept.label;
  if (!kept.label_files.empty()) options.label_file = kept.label_files[part];
  options.libsvm_columns = plan.map().dim() + (kept.weight.empty() ? 0 : 1);
  options.execution = execution;
  return options;
}

}  // namespace

PlannedReading planned_reading(const DataOptions& data, const std::string& weight) {
  if (!DataStream::can_read_again(data.source, data.read))
    throw DataError(data.source == "-" ? "standard input" : data.source,
                    "can be read only once, expected files that are read again for their sums");
  PlannedReading reading{std::string(name_of(data.read.format)), data.read.label, weight, {}};
  if (data.read.label_file.empty()) return reading;
  reading.label_files = data_files(data.read.label_file);
  const std::size_t n_files = data_files(data.source).size();
  if (reading.label_files.size() != n_files)
    throw DataError(data.read.label_file,
                    fmt::format("has the labels of {} files, expected one label file for each file of --data", n_files));
  return reading;
}

std::unique_ptr<RowStream> open_part(const RidgePlan& plan, std::size_t part, const std::string& file, const Execution& execution) {
  ReadOptions options = reading_of(plan, part, execution);
  const bool is_read_once = file == "-";  // to look for rows in it would take them
  if (!is_read_once && !has_rows(file, options))
    return std::make_unique<MemoryRows>(Dataset{Matrix<double>(0, plan.map().dim()), {}, {}}, file);
  options.execution.progress = stages_on_a_bar("reading " + file);
  auto rows = std::make_unique<DataStream>(file, options);
  if (plan.reading().weight.empty()) return rows;
  return std::make_unique<WeightedRows>(std::move(rows), plan.reading().weight);
}

std::vector<NamedFile> files_of_plan(const RidgePlan& plan) {
  std::vector<NamedFile> files;
  for (const PlannedPart& part : plan.parts()) files.push_back({"--data of the plan", part.name});
  for (const std::string& labels : plan.reading().label_files) files.push_back({"--labels of the plan", labels});
  return files;
}

std::vector<std::string> files_of(const char* option, const std::vector<std::string>& names) {
  std::vector<std::string> files;
  std::unordered_set<std::string> seen;
  for (const std::string& name : names) {
    if (name.starts_with("builtin:") || name == "-") throw InvalidArgument(option, fmt::format("got \"{}\", expected files", name));
    for (std::string& file : data_files(name))
      if (seen.insert(file).second) files.push_back(std::move(file));
  }
  return files;
}

}  // namespace askrff::cli
