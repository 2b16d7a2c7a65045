// Records of CSV text.
#include "data/csv_record.hpp"

#include <algorithm>
#include <array>

#include "data/messages.hpp"
#include "data/text_format.hpp"

namespace askrff::data {
namespace {

std::string_view trimmed(std::string_view text, char delimiter) {
  const std::string_view spaces = delimiter == '\t' ? " " : " \t";
  const std::size_t begin = text.find_first_not_of(spaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(spaces) - begin + 1);
}

bool has_open_quote(std::string_view text) { return std::count(text.begin(), text.end(), '"') % 2 != 0; }

}  // namespace

char find_delimiter(std::string_view record) {
  constexpr std::string_view candidates = ",;\t";
  std::array<std::size_t, 3> counts{};
  bool inside_quotes = false;
  for (const char c : record) {
    if (c == '"') inside_quotes = !inside_quotes;
    const std::size_t candidate = candidates.find(c);
    if (!inside_quotes && candidate != std::string_view::npos) ++counts[candidate];
  }
  return candidates[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin())];
}

// The next line without its end, LF or CR LF.
std::string_view CsvRecords::take_line() {
  const std::size_t end = rest_.find('\n');
  std::string_view line = rest_.substr(0, end);
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++n_lines_;
  return line;
}

// Where tabs delimit, a line of tabs is a record of empty fields.
bool CsvRecords::is_blank(std::string_view line) const {
  return line.find_first_not_of(delimiter_ == '\t' ? " " : " \t") == std::string_view::npos;
}

bool CsvRecords::next(std::vector<std::string_view>& fields) {
  std::string_view line;
  do {
    if (rest_.empty()) return false;
    line = take_line();
  } while (is_blank(line));
  first_line_ = n_lines_;
  const bool has_quotes = line.find('"') != std::string_view::npos;
  const std::string_view content = has_quotes ? whole_record(line) : line;
  if (delimiter_ == '\0') delimiter_ = find_delimiter(content);
  fields.clear();
  n_fields_ = 0;
  if (has_quotes)
    split_quoted(content, fields);
  else
    split_plain(content, fields);
  return true;
}

// The line and those after it up to the one that closes its quotes.
std::string_view CsvRecords::whole_record(std::string_view line) {
  if (!has_open_quote(line)) return line;
  joined_ = line;
  for (bool open = true; open;) {
    if (rest_.empty()) fail_open_quote();
    line = take_line();
    open = !has_open_quote(line);
    joined_ += '\n';
    joined_ += line;
  }
  return joined_;
}

void CsvRecords::add(std::string_view field, std::vector<std::string_view>& fields) {
  if (++n_fields_ <= max_fields_) fields.push_back(field);
}

void CsvRecords::split_plain(std::string_view record, std::vector<std::string_view>& fields) {
  for (std::size_t end; n_fields_ < max_fields_ && (end = record.find(delimiter_)) != std::string_view::npos; record.remove_prefix(end + 1))
    add(trimmed(record.substr(0, end), delimiter_), fields);
  if (n_fields_ < max_fields_) return add(trimmed(record, delimiter_), fields);
  n_fields_ += 1 + static_cast<std::uint64_t>(std::count(record.begin(), record.end(), delimiter_));
}

void CsvRecords::split_quoted(std::string_view record, std::vector<std::string_view>& fields) {
  unquoted_.clear();
  unquoted_.reserve(record.size());  // the fields point into it
  for (bool more = true; more;) {
    const std::size_t begin = record.find_first_not_of(delimiter_ == '\t' ? " " : " \t");
    const bool is_quoted = begin != std::string_view::npos && record[begin] == '"';
    if (is_quoted) {
      record.remove_prefix(begin + 1);
      add(take_quoted(record), fields);
    }
    const std::size_t end = record.find(delimiter_);
    const std::string_view plain = trimmed(record.substr(0, end), delimiter_);
    if (is_quoted && !plain.empty()) throw LineError{first_line_, in_quotes(plain) + " follows a quoted field, expected the delimiter"};
    if (!is_quoted && plain.find('"') != std::string_view::npos)
      throw LineError{first_line_, "field " + in_quotes(plain) + " contains a quote, expected it at the start of the field or doubled"};
    if (!is_quoted) add(plain, fields);
    more = end != std::string_view::npos;
    record.remove_prefix(more ? end + 1 : record.size());
  }
}

// What stands before the closing quote, doubled quotes reduced; takes it and the quote off the record.
std::string_view CsvRecords::take_quoted(std::string_view& record) {
  const std::size_t start = unquoted_.size();
  for (;;) {
    const std::size_t quote = record.find('"');
    if (quote == std::string_view::npos) fail_open_quote();
    const bool doubled = record.substr(quote + 1).starts_with('"');
    unquoted_ += record.substr(0, quote + (doubled ? 1 : 0));
    record.remove_prefix(quote + (doubled ? 2 : 1));
    if (!doubled) return std::string_view(unquoted_).substr(start);
  }
}

void CsvRecords::fail_open_quote() const {
  throw LineError{first_line_, "a quote is opened and never closed, expected '\"' at the end of the field"};
}

}  // namespace askrff::data
