// read_data: opens the source, finds its format and hands it to the reader of that format.
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "askrff/data.hpp"
#include "io/input.hpp"
#include "io/messages.hpp"
#include "io/numbers.hpp"
#include "io/readers.hpp"

namespace askrff {
namespace io {
namespace {

constexpr std::string_view builtin_prefix = "builtin:";
constexpr std::string_view spaces = " \t\r\f\v";
constexpr std::size_t sniffed_bytes = std::size_t{1} << 16;

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

}  // namespace
}  // namespace io

Dataset read_data(const std::string& source, const ReadOptions& options) {
  if (source.starts_with(io::builtin_prefix)) return io::make_builtin(std::string_view(source).substr(io::builtin_prefix.size()), options);
  io::Input input = io::open_input(source, options.max_bytes);
  DataFormat format = options.format;
  if (format == DataFormat::automatic && source != "-") format = io::format_of_name(source);
  if (format == DataFormat::automatic) format = io::format_of_content(input.peek(io::sniffed_bytes));
  if (format != DataFormat::csv && !options.label_column.empty())
    io::fail(input.name(), "a label column (" + io::in_quotes(options.label_column) + ") was asked for, expected only with CSV data");
  switch (format) {
    case DataFormat::libsvm:
      return io::read_libsvm(input, options);
    case DataFormat::npy:
      return io::read_npy(input, options);
    default:
      return io::read_csv(input, options);
  }
}

}  // namespace askrff
