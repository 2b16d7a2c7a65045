// The format of a source, and the reader that goes with it.
#include "data/open.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "data/arrow_messages.hpp"
#include "data/held_rows.hpp"
#include "data/label_file.hpp"
#include "data/many_files.hpp"
#include "data/messages.hpp"
#include "data/numbers.hpp"
#include "data/row_source.hpp"
#include "data/text_pieces.hpp"

namespace askrff::data {
namespace {

constexpr std::string_view spaces = " \t\r\f\v";
constexpr std::size_t sniffed_bytes = std::size_t{1} << 16, longest_known_magic = 5;

/// The last ".ending" of a name in lower case, taken off it; empty if there is none.
std::string take_ending(std::string& name) {
  const std::size_t dot = name.find_last_of("./");
  if (dot == std::string::npos || name[dot] == '/') return {};
  std::string ending = name.substr(dot + 1);
  name.resize(dot);
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

DataFormat format_of_name(std::string name) {
  std::string ending = take_ending(name);
  if (ending == "gz" || ending == "bz2" || ending == "xz" || ending == "zst") ending = take_ending(name);
  if (ending == "npy") return DataFormat::npy;
  if (ending == "arrow" || ending == "arrows" || ending == "feather" || ending == "ipc") return DataFormat::arrow;
  if (ending == "csv" || ending == "tsv") return DataFormat::csv;
  if (ending == "libsvm" || ending == "svm" || ending == "svmlight") return DataFormat::libsvm;
  return DataFormat::automatic;
}

bool is_pair(std::string_view token) {
  const std::size_t colon = token.find(':');
  std::uint64_t index;
  return colon != std::string_view::npos && parse_count(token.substr(0, colon), index) &&
         parse_number(token.substr(colon + 1)).status != NumberStatus::not_a_number;
}

/// Whether a line reads "[label] index:value …" with one pair at least.
bool is_libsvm_line(std::string_view line) {
  line = line.substr(0, line.find('#'));
  std::size_t n_pairs = 0;
  bool first = true;
  for (std::size_t at; (at = line.find_first_not_of(spaces)) != std::string_view::npos; first = false) {
    line.remove_prefix(at);
    const std::string_view token = line.substr(0, line.find_first_of(spaces));
    line.remove_prefix(token.size());
    if (is_pair(token))
      ++n_pairs;
    else if (!first)
      return false;
  }
  return n_pairs > 0;
}

/// Rows of zeros have no pairs in LIBSVM files, so more than the first line is looked at.
DataFormat format_of_content(std::string_view start) {
  if (start.starts_with("\x93NUMPY")) return DataFormat::npy;
  if (start.starts_with(arrow_file_start) || start.starts_with(arrow_stream_mark)) return DataFormat::arrow;
  const bool complete = start.size() < sniffed_bytes;
  while (!start.empty()) {
    const std::size_t end = start.find('\n');
    std::string_view line = start.substr(0, end);
    if (end == std::string_view::npos && !complete) line = line.substr(0, line.find_last_of(spaces));  // its last token may be cut
    if (is_libsvm_line(line)) return DataFormat::libsvm;
    start.remove_prefix(end == std::string_view::npos ? start.size() : end + 1);
  }
  return DataFormat::csv;
}

/// Throws DataError for files that are known, but not read, with what to do about them.
void refuse_others(const std::string& name, std::string_view start) {
  const bool is_binary = start.size() > 4 && static_cast<unsigned char>(start[4]) < ' ' &&
                         spaces.find(start[4]) == std::string_view::npos &&
                         start[4] != '\n';  // a CSV file may begin with these letters too
  if (is_binary && start.starts_with("PAR1"))
    fail(name,
         "a Parquet file, which is not read here, expected an Arrow stream of it: a line of Python with pyarrow makes one, for a pipe "
         "(docs/data.md, Parquet)");
  if (is_binary && start.starts_with("FEA1"))
    fail(name, "a Feather file of version 1, expected version 2, which pyarrow.feather.write_feather writes");
}

/// Throws DataError for labels that cannot be had so.
void check_labels(const std::string& name, DataFormat format, const ReadOptions& options) {
  if (format == DataFormat::libsvm && !options.label.empty())
    fail(name, "a label column (" + in_quotes(options.label) + ") was asked for, expected only with CSV, NPY and Arrow data");
  if (!options.label.empty() && !options.label_file.empty())
    fail(name, "a label column and a label file were asked for, expected one of them");
  if (name == "standard input" && options.label_file == "-")
    fail(name, "data and labels were both asked for from here, expected one of them in a file");
}

Input input_of(const std::string& file, const ReadOptions& options) {
  return open_input(file, std::min(options.max_bytes, longest_line), options.execution.stop);
}

std::size_t given_libsvm_columns(const ReadOptions& options) { return options.n_columns != 0 ? options.n_columns : options.libsvm_columns; }

/// The largest index of all files; throws DataError if there is none.
std::size_t widest_libsvm(const SourceFiles& files, const ReadOptions& options) {
  const std::size_t n_files = files.data.size();
  std::size_t width = 0;
  for (std::size_t k = 0; k < n_files; ++k) {
    Input input = input_of(files.data[k], options);
    if (!can_reopen(files.data[k]))
      fail(input.name(), "LIBSVM data that can be read only once, expected the number of columns to be given or a file");
    ReadOptions of_file = options;
    of_file.execution = execution_of_file(options.execution, k, n_files);
    width = std::max(width, largest_libsvm_index(std::move(input), of_file));
  }
  if (width != 0) return width;
  std::uint64_t n_rows = 0;
  for (const std::string& file : files.data) n_rows += count_libsvm_rows(input_of(file, options), options);
  refuse_libsvm(files.name(), n_rows);
}

std::unique_ptr<RowSource> open_one_file(const SourceFiles& files, const ReadOptions& options, std::size_t& libsvm_width, Reading reading) {
  const std::string& name = files.data.front();
  OpenFile file = open_file(name, options);
  const bool has_columns = file.format != DataFormat::libsvm || given_libsvm_columns(options) != 0 || libsvm_width != 0;
  if (reading == Reading::blocks && !has_columns && !can_reopen(name))
    return hold_rows(*rows_of(std::move(file), options, 0, Reading::whole));
  if (reading == Reading::blocks) find_libsvm_width(files, file.format, options, libsvm_width);
  return rows_of(std::move(file), options, libsvm_width, reading);
}

}  // namespace

const std::vector<std::string>& RowSource::column_names() const {
  static const std::vector<std::string> none;
  return none;
}

std::size_t RowSource::read_sparse(std::size_t, SparseMatrix<double>&, RowBlock&) {
  throw std::logic_error("RowSource: rows of this source are dense");
}

OpenFile open_file(const std::string& file, const ReadOptions& options) {
  Input input = input_of(file, options);
  DataFormat format = options.format;
  if (format == DataFormat::automatic && file != "-") format = format_of_name(file);
  refuse_others(input.name(), input.peek(longest_known_magic).substr(0, longest_known_magic));
  if (format == DataFormat::automatic) format = format_of_content(input.peek(sniffed_bytes));
  check_labels(input.name(), format, options);
  return {std::move(input), format};
}

void find_libsvm_width(const SourceFiles& files, DataFormat format, const ReadOptions& options, std::size_t& libsvm_width) {
  if (format == DataFormat::libsvm && given_libsvm_columns(options) == 0 && libsvm_width == 0) libsvm_width = widest_libsvm(files, options);
}

std::unique_ptr<RowSource> rows_of(OpenFile file, const ReadOptions& options, std::size_t libsvm_width, Reading reading) {
  if (file.format == DataFormat::npy) return open_npy(std::move(file.input), options, reading);
  if (file.format == DataFormat::arrow) return open_arrow(std::move(file.input), options);
  if (file.format == DataFormat::csv) return open_csv(std::move(file.input), options);
  return open_libsvm(std::move(file.input), {given_libsvm_columns(options), libsvm_width}, options);
}

std::unique_ptr<RowSource> open_rows(const SourceFiles& files, const ReadOptions& options, std::size_t& libsvm_width, Reading reading) {
  const std::string& first = files.data.front();
  std::unique_ptr<RowSource> rows = files.data.size() > 1 ? open_many_files(files, options, libsvm_width)
                                    : is_builtin(first)
                                        ? open_builtin(std::string_view(first).substr(builtin_prefix.size()), options, reading)
                                        : open_one_file(files, options, libsvm_width, reading);
  return files.labels.size() == 1 ? with_label_file(std::move(rows), files.labels.front(), options) : std::move(rows);
}

}  // namespace askrff::data

namespace askrff {

bool has_rows(const std::string& file, const ReadOptions& options) {
  if (data::is_builtin(file)) return true;
  data::OpenFile open = data::open_file(file, options);
  if (open.format != DataFormat::npy && open.input.peek(1).empty()) return false;
  const auto rows = data::rows_of(std::move(open), options, 0, data::Reading::blocks);
  Matrix<double> row(1, rows->n_columns());
  RowBlock labels;
  return rows->read(row, labels) > 0;
}

}  // namespace askrff
