// LIBSVM text: one example per line, "label index:value …", indices from 1 and increasing, zeros left out, '#' starts a comment.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "io/messages.hpp"
#include "io/numbers.hpp"
#include "io/readers.hpp"

namespace askrff::io {
namespace {

constexpr std::string_view spaces = " \t\r\f\v";

/// The next token of a line, taken off it; empty at the end.
std::string_view take_token(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(spaces), line.size()));
  const std::string_view token = line.substr(0, line.find_first_of(spaces));
  line.remove_prefix(token.size());
  return token;
}

struct Entry {
  std::uint64_t column;  // from 1
  double value;
};

/// Entries stay sparse until the whole file is read: the size of the matrix is known only then, and one large index must not allocate it.
class LibsvmReader {
 public:
  LibsvmReader(Input& input, const ReadOptions& options) : lines_(input), options_(options) {}

  Dataset read() {
    std::string_view line;
    while (lines_.next(line)) {
      line = line.substr(0, line.find('#'));
      const std::string_view label = take_token(line);
      if (label.empty()) continue;
      read_row(label, line);
      check_held(lines_.name(), lines_.number(), entries_.size() * sizeof(Entry) + label_bytes_, options_.max_bytes);
    }
    return densify();
  }

 private:
  void read_row(std::string_view label, std::string_view rest) {
    if (label.find(':') != std::string_view::npos)
      fail_at(lines_.name(), lines_.number(), fmt::format("the line starts with {}, expected a label", in_quotes(label)));
    std::uint64_t previous = 0;
    for (std::string_view token = take_token(rest); !token.empty(); token = take_token(rest)) {
      const Entry entry = parse_entry(token, previous);
      previous = entry.column;
      if (entry.value != 0) entries_.push_back(entry);
    }
    if (previous > largest_index_) {
      largest_index_ = previous;
      line_of_largest_index_ = lines_.number();
    }
    labels_.emplace_back(label);
    label_bytes_ += sizeof(std::string) + label.size();
    row_ends_.push_back(entries_.size());
  }

  Entry parse_entry(std::string_view token, std::uint64_t previous) const {
    const std::size_t colon = token.find(':');
    if (colon == std::string_view::npos) refuse(token, "is no pair", "index:value");
    const std::string_view index_text = token.substr(0, colon);
    Entry entry{};
    if (!parse_count(index_text, entry.column)) refuse(index_text, "is no index", "a whole number from 1");
    if (entry.column == 0) refuse(index_text, "is no index", "indices from 1");
    if (entry.column <= previous) refuse(index_text, fmt::format("follows index {}", previous), "increasing indices");
    if (options_.n_columns != 0 && entry.column > options_.n_columns)
      refuse(index_text, "is beyond the last column", fmt::format("indices up to {}", options_.n_columns));
    const ParsedNumber number = parse_number(token.substr(colon + 1));
    if (number.status != NumberStatus::ok)
      refuse(token.substr(colon + 1), fmt::format("{} (index {})", describe(number.status), entry.column), "a finite number");
    entry.value = number.value;
    return entry;
  }

  [[noreturn]] void refuse(std::string_view text, std::string_view problem, std::string_view expected) const {
    fail_at(lines_.name(), lines_.number(), fmt::format("{} {}, expected {}", in_quotes(text), problem, expected));
  }

  Dataset densify() {
    const std::string& name = lines_.name();
    const std::size_t rows = labels_.size();
    const std::uint64_t cols = options_.n_columns != 0 ? options_.n_columns : largest_index_;
    constexpr std::uint64_t most_columns = 10'000'000;  // data is dense here: one row of this width takes 80 MB
    if (options_.n_columns > most_columns)
      fail(lines_.name(), fmt::format("{} columns asked for, expected at most {}", options_.n_columns, most_columns));
    if (cols > most_columns)
      fail_at(lines_.name(), line_of_largest_index_,
              fmt::format("index {} would make as many columns, expected at most {}", cols, most_columns));
    if (rows == 0) fail(name, "no rows, expected lines of 'label index:value …'");
    if (cols == 0) fail(name, fmt::format("{} rows without a single index:value, expected at least one column", rows));
    check_memory(name, rows, cols, options_.max_bytes,
                 options_.n_columns != 0 ? "" : fmt::format(" (the largest index is on line {})", line_of_largest_index_));
    Dataset data;
    data.X = Matrix<double>(rows, static_cast<std::size_t>(cols));
    std::size_t next = 0;
    for (std::size_t row = 0; row < rows; ++row)
      for (; next < row_ends_[row]; ++next) data.X(row, static_cast<std::size_t>(entries_[next].column - 1)) = entries_[next].value;
    data.labels = std::move(labels_);
    return data;
  }

  LineReader lines_;
  const ReadOptions& options_;
  std::vector<Entry> entries_;
  std::vector<std::size_t> row_ends_;
  std::vector<std::string> labels_;
  std::uint64_t label_bytes_ = 0;
  std::uint64_t largest_index_ = 0, line_of_largest_index_ = 0;
};

}  // namespace

Dataset read_libsvm(Input& input, const ReadOptions& options) { return LibsvmReader(input, options).read(); }

}  // namespace askrff::io
