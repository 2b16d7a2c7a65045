// CSV text: what its first record says, and rows by a short way where they are plain numbers, by records where they are not.
#include "data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "data/csv_record.hpp"
#include "data/messages.hpp"
#include "data/numbers.hpp"

namespace askrff::data {
namespace {

/// Whether a field can only be a name: a number that is missing, infinite or too large is an error in the data, not a header.
bool is_name(std::string_view field) { return !is_missing(field) && parse_number(field).status == NumberStatus::not_a_number; }

[[noreturn]] void fail_too_many_columns(const std::string& name, std::size_t n_columns) {
  fail(name, fmt::format("{} columns, expected at most {}", n_columns, max_columns));
}

}  // namespace

void CsvFormat::read_start(TextPieces& pieces, const ReadOptions& options) {
  Fields fields;
  for (std::string_view text = pieces.peek(); !text.empty(); text = pieces.peek()) {
    CsvRecords records(text, max_columns + 1);  // one may hold the labels
    try {
      if (!records.next(fields)) {  // blank lines only
        pieces.skip(text.size(), records.n_lines());
        continue;
      }
    } catch (const LineError& error) {
      fail_at(pieces.name(), pieces.line_reached() + error.line, error.message);
    }
    delimiter_ = records.delimiter();
    n_fields_ = static_cast<std::size_t>(records.n_fields());
    if (n_fields_ > fields.size()) fail_too_many_columns(pieces.name(), n_fields_);
    first_line_ = pieces.line_reached() + records.line();
    const bool has_header = read_header(pieces.name(), fields, options.label);
    n_columns_ = n_fields_ - (label_column_ == no_column ? 0 : 1);
    if (n_columns_ == 0) fail(pieces.name(), "no columns beside the labels, expected at least one");
    if (n_columns_ > max_columns) fail_too_many_columns(pieces.name(), n_columns_);
    check_columns(pieces.name(), options.n_columns, n_columns_);
    if (!has_header && n_fields_ == 1 && first_line_ > 1)
      fail_at(pieces.name(), 1, refusal({}, 0, "is a missing value", "a finite number"));
    if (has_header) pieces.skip(text.size() - records.rest().size(), records.n_lines());
    return;
  }
  fail(pieces.name(), "no rows, expected lines of comma-separated numbers");
}

/// Decides whether the first record is a header and which column holds the labels.
bool CsvFormat::read_header(const std::string& name, const Fields& fields, const std::string& label) {
  std::uint64_t number = 0;
  const bool by_number = parse_count(label, number) && number >= 1 && number <= n_fields_;
  if (by_number) label_column_ = static_cast<std::size_t>(number - 1);
  bool has_header = !label.empty() && !by_number && std::find(fields.begin(), fields.end(), label) != fields.end();
  if (!has_header) has_header = looks_like_header(name, fields, label);
  if (has_header && !label.empty()) find_label_name(name, fields, label);
  if (!label.empty() && label_column_ == no_column) fail_label_column(name, fields, label, has_header);
  if (has_header)
    for (std::size_t j = 0; j < n_fields_; ++j)
      if (j != label_column_) column_names_.emplace_back(fields[j]);
  return has_header;
}

/// A header has names (or nothing) in every column beside the labels. Names and numbers in one line are a damaged row as likely as a
/// header, and are refused.
bool CsvFormat::looks_like_header(const std::string& name, const Fields& fields, const std::string& label) const {
  std::size_t named = no_column, number = no_column;
  for (std::size_t j = 0; j < n_fields_; ++j) {
    if (j == label_column_ || fields[j] == label) continue;
    if (is_name(fields[j])) named = j;
    if (parse_number(fields[j]).status == NumberStatus::ok) number = j;
  }
  if (named != no_column && number != no_column)
    fail_at(name, first_line_,
            fmt::format("column {} holds {} and column {} {}, expected a line of numbers or a header of names (name a label column)",
                        named + 1, in_quotes(fields[named]), number + 1, in_quotes(fields[number])));
  return named != no_column;
}

/// A name goes before a number: a column may be called "2".
void CsvFormat::find_label_name(const std::string& name, const Fields& fields, const std::string& label) {
  const auto named = std::find(fields.begin(), fields.end(), label);
  if (named == fields.end()) return;
  if (std::find(named + 1, fields.end(), label) != fields.end())
    fail_at(name, first_line_, fmt::format("two columns are called {}, expected one label column", in_quotes(label)));
  label_column_ = static_cast<std::size_t>(named - fields.begin());
}

void CsvFormat::fail_label_column(const std::string& name, const Fields& fields, const std::string& label, bool has_header) const {
  std::string expected = n_fields_ == 1 ? "1 (there is no other column)" : fmt::format("a number from 1 to {}", n_fields_);
  if (has_header) {
    constexpr std::size_t max_names = 20;
    expected += " or one of";
    for (std::size_t j = 0; j < std::min(n_fields_, max_names); ++j) expected += (j == 0 ? " " : ", ") + in_quotes(fields[j]);
    if (n_fields_ > max_names) expected += ", …";
  } else {
    expected += " (the file has no header)";
  }
  fail(name, fmt::format("there is no label column {}, expected {}", in_quotes(label), expected));
}

// A record is whole where the number of quotes before it is even. Looked for from the end: most text has no quotes.
std::size_t CsvFormat::last_cut(std::string_view text) const {
  if (text.find('"') == std::string_view::npos) return TextFormat::last_cut(text);
  bool inside = std::count(text.begin(), text.end(), '"') % 2 != 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == '\n' && !inside) return i + 1;
    if (text[i] == '"') inside = !inside;
  }
  return 0;
}

void CsvFormat::parse(std::string_view text, ParsedRows& rows) const {
  // Memory for all rows there may be, and one that turns out to be none: every row ends its line and has all its delimiters.
  const auto n_delimiters = static_cast<std::size_t>(std::count(text.begin(), text.end(), delimiter_));
  const auto n_lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  const std::size_t max_rows = n_fields_ == 1 ? n_lines + 1 : std::min(n_lines + 1, n_delimiters / (n_fields_ - 1));
  double* values = rows.values.room_for((max_rows + 1) * n_columns_);
  Fields fields;
  for (const char *p = text.data(), *const end = p + text.size(); p < end; values += n_columns_) {
    const char* const next = parse_short_row(p, values, rows);
    if (next != nullptr) {
      p = next;
      continue;
    }
    const std::string_view rest = text.substr(static_cast<std::size_t>(p - text.data()));
    const std::size_t taken = parse_record(rest, fields, values, rows);
    if (taken == 0) break;
    p += taken;
  }
  rows.n_values = rows.n_rows * n_columns_;
}

/// A line of plain numbers and a plain label, as most are: where the next line begins; nullptr for all others. Line ends stop every loop.
const char* CsvFormat::parse_short_row(const char* p, double* values, ParsedRows& rows) const {
  std::string_view label;
  const auto is_space = [tab = delimiter_ != '\t'](char c) { return c == ' ' || (tab && c == '\t'); };
  for (std::size_t j = 0; j < n_fields_; ++j) {
    while (is_space(*p)) ++p;
    if (j == label_column_) {
      const char *const begin = p, *end = p;  // end: of what is not space
      for (; *p != delimiter_ && *p != '\n' && *p != '\r' && *p != '"'; ++p)
        if (!is_space(*p)) end = p + 1;
      label = {begin, static_cast<std::size_t>(end - begin)};
      if (is_no_label(label)) return nullptr;
    } else {
      p = fast_number(p, *values++);
      if (p == nullptr) return nullptr;
      while (is_space(*p)) ++p;
    }
    if (j + 1 < n_fields_ && *p++ != delimiter_) return nullptr;
  }
  if (*p == '\r') ++p;
  if (*p != '\n') return nullptr;
  if (has_labels()) rows.add_label(label);
  ++rows.n_rows;
  ++rows.n_lines;
  return p + 1;
}

/// The first record of the text, whatever it looks like; returns how long it is with the blank lines before it, 0 if only those are left.
std::size_t CsvFormat::parse_record(std::string_view text, Fields& fields, double* values, ParsedRows& rows) const {
  CsvRecords records(text, n_fields_, delimiter_);
  try {
    const bool found = records.next(fields);
    if (n_fields_ == 1 && (found ? records.line() > 1 : records.n_lines() > 0)) {  // a blank line, which is a missing value here
      LineError gap{1, refusal({}, 0, "is a missing value", "a finite number")};
      if (found) throw gap;
      gap.line += rows.n_lines;
      rows.gap = gap;
    }
    if (!found) {
      rows.n_lines += records.n_lines();
      return 0;
    }
    check_number_of_fields(records);
    parse_fields(fields, records.line(), values, rows);
  } catch (LineError& error) {
    error.line += rows.n_lines;
    throw;
  }
  ++rows.n_rows;
  rows.n_lines += records.n_lines();
  return text.size() - records.rest().size();
}

void CsvFormat::check_number_of_fields(const CsvRecords& records) const {
  const std::uint64_t n = records.n_fields();
  if (n != n_fields_)
    throw LineError{records.line(), fmt::format("{} field{}, expected {} as in line {}", n, n == 1 ? "" : "s", n_fields_, first_line_)};
}

void CsvFormat::parse_fields(const Fields& fields, std::uint64_t line, double* values, ParsedRows& rows) const {
  for (std::size_t j = 0; j < n_fields_; ++j) {
    if (j == label_column_) {
      if (is_no_label(fields[j])) throw LineError{line, refusal(fields[j], j, "is a missing value", "a label")};
      rows.add_label(fields[j]);
      continue;
    }
    const ParsedNumber number = parse_number(fields[j]);
    if (number.status != NumberStatus::ok)
      throw LineError{line,
                      refusal(fields[j], j, is_missing(fields[j]) ? "is a missing value" : describe(number.status), "a finite number")};
    *values++ = number.value;
  }
}

std::string CsvFormat::refusal(std::string_view field, std::size_t column, std::string_view problem, std::string_view expected) const {
  std::string place = fmt::format("column {}", column + 1);
  if (!column_names_.empty() && column != label_column_) {
    const std::size_t name = column - (label_column_ < column ? 1 : 0);
    place += " (" + in_quotes(column_names_[name]) + ")";
  }
  return fmt::format("{}: {} {}, expected {}", place, in_quotes(field), problem, expected);
}

}  // namespace askrff::data
