// Reads the data a call names; the list of built-in generators in the help comes from the library.
#include "data_options.hpp"

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

#include "numbers.hpp"
#include "progress_bar.hpp"

namespace askrff::cli {
namespace {

std::string data_help() {
  std::string text =
      "LIBSVM, CSV, NPY or Arrow file, plain or compressed (gzip, bzip2, xz, zstd); a\nquoted pattern, 'part-*.csv', is all files that "
      "match, "
      "in the order of their names;\n- is standard input; or built-in data:";
  for (const BuiltinInfo& builtin : builtin_datasets()) text += "\n  " + builtin.usage + "\n      " + builtin.meaning;
  return text;
}

}  // namespace

std::string scale_text(Scaling scaling) {
  switch (scaling) {
    case Scaling::minmax:
      return ", columns scaled to [0,1]";
    case Scaling::standard:
      return ", columns scaled to mean 0 and deviation 1";
    case Scaling::robust:
      return ", columns scaled to median 0 and quantiles 1 apart";
    case Scaling::maxabs:
      return ", columns divided by their largest absolute value";
    case Scaling::none:
      break;
  }
  return "";
}

void DataOptions::add_to(CLI::App& app, const std::string& scale_help) {
  add_unscaled_to(app);
  scale_ = in_group(add_word(app, "--scale", scale, "What is done to the columns first. " + scale_help), "Data");
}

void DataOptions::add_unscaled_to(CLI::App& app) {
  data_ = in_group(add_text(app, "--data", source, data_help(), "FILE"), "Data");
  format_ = in_group(add_word(app, "--format", read.format, "How to read the file."), "Data");
  columns_ = in_group(
      with_default(add_count(app, "--columns", read.n_columns, "LIBSVM: number of columns, if the last ones may be all zero", 1, max_dim),
                   ""),
      "Data");
  label_ = in_group(
      add_text(app, "--label", read.label,
               "The column that holds the labels and is no part of the data: CSV and\nArrow: its name or number (from 1); NPY: its number",
               "COLUMN"),
      "Data");
}

void DataOptions::add_labels_to(CLI::App& app) {
  labels_ = in_group(
      add_text(app, "--labels", read.label_file,
               "Labels in a file of their own: text with one per line, or NPY with one column;\na pattern: one for each file of --data",
               "FILE"),
      "Data");
}

void DataOptions::refuse_all(const std::string& reason) const {
  for (const CLI::Option* option : {data_, format_, columns_, label_, labels_, scale_}) refuse_if_given(option, reason);
}

std::vector<NamedFile> DataOptions::inputs(std::vector<NamedFile> others) const {
  for (std::string& file : data_files(source)) others.push_back({"--data", std::move(file)});
  for (std::string& file : data_files(read.label_file)) others.push_back({"--labels", std::move(file)});
  return others;
}

/// What to read with; refuses options that would have no effect.
ReadOptions DataOptions::checked(const Execution& execution) const {
  if (given(label_) && read.label.empty()) throw InvalidArgument("--label", "got \"\", expected the name or number of a column");
  if (given(labels_) && read.label_file.empty()) throw InvalidArgument("--labels", "got \"\", expected the name of a file");
  const bool any = read.format == DataFormat::automatic;
  if (!any && read.format != DataFormat::libsvm) refuse_if_given(columns_, "only for LIBSVM data, --format is another");
  if (read.format == DataFormat::libsvm) refuse_if_given(label_, "only for CSV, NPY and Arrow data, --format is another");
  if (given(labels_)) refuse_if_given(label_, "the labels come from --labels, expected one of both");
  if (source.starts_with("builtin:")) {
    for (const CLI::Option* option : {format_, columns_, label_}) refuse_if_given(option, "only for files, --data is " + source);
  }
  ReadOptions options = read;
  options.execution = execution;
  options.execution.progress = stages_on_a_bar("reading " + (source == "-" ? "standard input" : source));
  return options;
}

Dataset DataOptions::load_labelled(const Execution& execution) const {
  Dataset data = read_data(source, checked(execution));
  if (data.X.empty()) throw DataError(source, "no data, expected at least one row and one column");
  return data;
}

DataStream DataOptions::open(const Execution& execution) const { return DataStream(source, checked(execution)); }

std::unique_ptr<RowStream> DataOptions::rows(const Execution& execution) const {
  if (DataStream::can_read_again(source, read)) return std::make_unique<DataStream>(open(execution));
  return std::make_unique<MemoryRows>(load_labelled(execution), source);
}

}  // namespace askrff::cli
