// The artefacts as tidy CSV.
#include <string>
#include <vector>

#include "experiments/report/report.hpp"
#include "options.hpp"

namespace askrff::experiments {
namespace {

/// Quoted only where RFC 4180 asks for it; the text of results has no ends of lines.
std::string field(const Json& value) {
  if (!value.is_string()) return value.is_null() ? "" : value.dump();
  const std::string& text = value.get_ref<const std::string&>();
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

/// `columns` is the header, where "mean=error/mean" stands for the column "mean" of what a record has under "error" and there under "mean".
std::string csv_of(const Json& records, const std::string& columns) {
  std::string header;
  std::vector<Json::json_pointer> places;
  for (const std::string& column : cli::split_at_commas(columns)) {
    header += (header.empty() ? "" : ",") + column.substr(0, column.find('='));
    places.emplace_back("/" + column.substr(column.find('=') + 1));  // npos + 1 is 0
  }
  std::string text = header + '\n';
  for (const Json& record : records) {
    for (const auto& place : places) text += (record.contains(place) ? field(record[place]) : "") + ',';
    text.back() = '\n';
  }
  return text;
}

/// The linear classifier's lines have the kernel "linear" and nothing that depends on frequencies.
Json with_linear(const Json& fig3) {
  Json records = fig3["points"];
  for (Json record : fig3["linear"]) {
    record["kernel"] = "linear";
    records.push_back(record);
  }
  return records;
}

}  // namespace

std::map<std::string, std::string> csv_files(const Json& results) {
  std::map<std::string, std::string> files;
  if (results.contains("fig1"))
    files["fig1.csv"] =
        csv_of(results["fig1"]["points"], "kernel,part,n_frequencies,n_trials=estimate/n_trials,mean=estimate/mean,std=estimate/std,exact");
  if (results.contains("fig2"))
    files["fig2.csv"] = csv_of(results["fig2"]["points"],
                               "dataset,kernel,method,dim,multiple,n_frequencies,n_features,n_trials=error/n_trials,mean=error/mean,"
                               "std=error/std");
  if (results.contains("fig3"))
    files["fig3.csv"] = csv_of(with_linear(results["fig3"]),
                               "dataset,kernel,dim,log2_multiple,n_frequencies,n_features,n_trials=accuracy/n_trials,"
                               "accuracy_mean=accuracy/mean,accuracy_std=accuracy/std,sampling_seconds_mean=sampling_seconds/mean,"
                               "sampling_seconds_std=sampling_seconds/std");
  if (results.contains("table1"))
    files["table1.csv"] = csv_of(results["cells"],
                                 "dataset,row,n_frequencies,n_features,n_trials,mean,std,paper,paper_std,difference,pass,training_seconds,"
                                 "microseconds_per_row");
  return files;
}

}  // namespace askrff::experiments
