// Reads the data a call names; the list of built-in generators in the help comes from the library.
#include "data_options.hpp"

#include <cstddef>
#include <utility>

#include "numbers.hpp"

namespace askrff::cli {
namespace {

constexpr Choice<DataFormat> formats[] = {
    {"auto", DataFormat::automatic}, {"libsvm", DataFormat::libsvm}, {"csv", DataFormat::csv}, {"npy", DataFormat::npy}};

std::string data_help() {
  std::string text = "LIBSVM, CSV or NPY file, plain or compressed (gzip, bzip2, xz, zstd);\n- is standard input; or built-in data:";
  for (const BuiltinInfo& builtin : builtin_datasets()) text += "\n  " + builtin.usage + "\n      " + builtin.meaning;
  return text;
}

}  // namespace

void DataOptions::add_to(CLI::App& app, const std::string& scale_help) {
  data_ = app.add_option("--data", source, data_help())->type_name("FILE")->group("Data");
  format_ =
      add_choice(app, "--format", read.format, formats, "How to read the file; auto: by its name, else by its content")->group("Data");
  columns_ = add_count(app, "--columns", read.n_columns, "LIBSVM: number of columns, if the last ones may be all zero", 1, max_dim)
                 ->default_str("")
                 ->group("Data");
  label_ = app.add_option("--label", read.label_column, "CSV: name or number (from 1) of a label column to leave out")
               ->type_name("COLUMN")
               ->group("Data");
  scale_ = add_choice(app, "--scale", scale, scales, "minmax: map every column to [0,1]" + scale_help)->group("Data");
}

void DataOptions::refuse_all(const std::string& reason) const {
  for (const CLI::Option* option : {data_, format_, columns_, label_, scale_}) refuse_if_given(option, reason);
}

Matrix<double> DataOptions::load_unscaled() const {
  const bool any = read.format == DataFormat::automatic;
  if (!any && read.format != DataFormat::libsvm) refuse_if_given(columns_, "only for LIBSVM data, --format is another");
  if (!any && read.format != DataFormat::csv) refuse_if_given(label_, "only for CSV data, --format is another");
  if (source.starts_with("builtin:")) {
    for (const CLI::Option* option : {format_, columns_, label_}) refuse_if_given(option, "only for files, --data is " + source);
  }
  Dataset data = read_data(source, read);
  if (data.X.empty()) throw DataError(source + ": no data, expected at least one row and one column");
  return std::move(data.X);
}

Matrix<double> DataOptions::load() const {
  Matrix<double> X = load_unscaled();
  if (scale == Scale::minmax) scale_minmax(X);
  return X;
}

}  // namespace askrff::cli
