// LIBSVM text: one example per line, "label index:value …", indices from 1 and increasing, zeros left out, '#' starts a comment.
#include "data/libsvm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "data/messages.hpp"
#include "data/numbers.hpp"

namespace askrff::data {
namespace {

enum CharacterClass : unsigned char { ordinary = 0, space = 1, end_of_line = 2 };  // a comment ends a line

constexpr std::array<unsigned char, 256> make_classes() {
  std::array<unsigned char, 256> classes{};
  for (const char c : {' ', '\t', '\r', '\f', '\v'}) classes[static_cast<unsigned char>(c)] = space;
  for (const char c : {'\n', '#'}) classes[static_cast<unsigned char>(c)] = end_of_line;
  return classes;
}

constexpr std::array<unsigned char, 256> classes = make_classes();

unsigned char class_of(char c) { return classes[static_cast<unsigned char>(c)]; }

const char* skip_spaces(const char* p) {
  while (class_of(*p) == space) ++p;
  return p;
}

const char* end_of_token(const char* p) {
  while (class_of(*p) == ordinary) ++p;
  return p;
}

/// The start of the next line, for p at the end of what counts on this one. A line end follows the text.
const char* next_line(const char* p, const char* end) {
  if (p < end && *p == '#') p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p) + 1));
  return p + 1;
}

[[noreturn]] void refuse(std::uint64_t line, std::string_view text, std::string_view problem, std::string_view expected) {
  throw LineError{line, fmt::format("{} {}, expected {}", in_quotes(text), problem, expected)};
}

[[noreturn]] void refuse_width(std::uint64_t line, std::uint64_t index) {
  throw LineError{line, fmt::format("index {} would make as many columns, expected at most {}", index, max_columns)};
}

/// Lines of one piece, one after another.
class LineParser {
 public:
  LineParser(std::string_view text, LibsvmColumns columns, ParsedRows& rows)
      : at_(text.data()),
        end_(text.data() + text.size()),
        largest_index_(columns.given != 0 ? columns.given : max_columns),
        columns_(columns),
        rows_(rows) {
    // A pair takes four characters at least, " 1:1", and has a colon: memory for all there may be.
    const auto colons = static_cast<std::size_t>(std::count(text.begin(), text.end(), ':'));
    const std::size_t max_pairs = std::min(colons, text.size() / 4 + 1);
    values_ = rows.values.room_for(max_pairs);
    indices_ = rows.columns.room_for(max_pairs);
  }

  void parse_all() {
    for (; at_ < end_; at_ = next_line(at_, end_)) {
      ++rows_.n_lines;
      at_ = skip_spaces(at_);
      if (class_of(*at_) != end_of_line) parse_row();
    }
    rows_.n_values = n_values_;
  }

 private:
  void parse_row() {
    const char* const label = at_;
    at_ = end_of_token(at_);
    const std::string_view label_text(label, static_cast<std::size_t>(at_ - label));
    if (label_text.find(':') != std::string_view::npos)
      throw LineError{rows_.n_lines, fmt::format("the line starts with {}, expected a label", in_quotes(label_text))};
    previous_ = 0;
    for (at_ = skip_spaces(at_); class_of(*at_) == ordinary; at_ = skip_spaces(at_))
      if (!take_short_pair()) take_pair();
    // The last index of a good line is its largest, so that the pass before this one has seen it.
    if (columns_.found != 0 && previous_ > columns_.found)
      refuse(rows_.n_lines, fmt::format("{}", previous_), fmt::format("is beyond {}, the largest index until now", columns_.found),
             "a file that does not change while it is read");
    if (previous_ > rows_.width) {
      rows_.width = static_cast<std::size_t>(previous_);
      rows_.line_of_width = rows_.n_lines;
    }
    if (is_no_label(label_text)) refuse(rows_.n_lines, label_text, "is a missing value", "a label");
    rows_.add_label(label_text);
    rows_.value_ends.push_back(static_cast<std::uint32_t>(n_values_));
    ++rows_.n_rows;
  }

  /// A pair of few digits with an index in order; false, and nothing taken, for all others.
  bool take_short_pair() {
    const char* p = at_;
    std::uint64_t index = 0;
    while (is_digit(*p)) index = index * 10 + static_cast<std::uint64_t>(*p++ - '0');
    if (*p != ':' || p - at_ > 9 || index <= previous_ || index > largest_index_) return false;
    double value;
    p = fast_number(p + 1, value);
    if (p == nullptr || class_of(*p) == ordinary) return false;
    at_ = p;
    add(index, value);
    return true;
  }

  void take_pair() {
    const char* const begin = std::exchange(at_, end_of_token(at_));
    const std::string_view token(begin, static_cast<std::size_t>(at_ - begin));
    const std::size_t colon = token.find(':');
    if (colon == std::string_view::npos) refuse(rows_.n_lines, token, "is no pair", "index:value");
    const std::string_view index_text = token.substr(0, colon), value_text = token.substr(colon + 1);
    std::uint64_t index = 0;
    if (!parse_count(index_text, index)) refuse(rows_.n_lines, index_text, "is no index", "a whole number from 1");
    if (index == 0) refuse(rows_.n_lines, index_text, "is no index", "indices from 1");
    if (index <= previous_) refuse(rows_.n_lines, index_text, fmt::format("follows index {}", previous_), "increasing indices");
    if (index > largest_index_ && columns_.given != 0)
      refuse(rows_.n_lines, index_text, "is beyond the last column", fmt::format("indices up to {}", largest_index_));
    if (index > largest_index_) refuse_width(rows_.n_lines, index);
    const ParsedNumber number = parse_number(value_text);
    if (number.status != NumberStatus::ok)
      refuse(rows_.n_lines, value_text, fmt::format("{} (index {})", describe(number.status), index), "a finite number");
    add(index, number.value);
  }

  void add(std::uint64_t index, double value) {
    previous_ = index;
    values_[n_values_] = value;
    indices_[n_values_] = static_cast<std::uint32_t>(index - 1);
    n_values_ += value != 0 ? 1 : 0;
  }

  const char *at_, *end_;
  std::uint64_t largest_index_, previous_ = 0;
  LibsvmColumns columns_;
  ParsedRows& rows_;
  double* values_;
  std::uint32_t* indices_;
  std::size_t n_values_ = 0;
};

}  // namespace

LibsvmFormat::LibsvmFormat(const std::string& name, LibsvmColumns columns) : columns_(columns) {
  if (columns.given > max_columns) fail(name, fmt::format("{} columns asked for, expected at most {}", columns.given, max_columns));
}

void LibsvmFormat::parse(std::string_view text, ParsedRows& rows) const { LineParser(text, columns_, rows).parse_all(); }

// Indices increase, so the last pair of a line has the largest. What is wrong with a line is said when its rows are read.
void LibsvmWidth::parse(std::string_view text, ParsedRows& rows) const {
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end;) {
    const auto* const line_end = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at) + 1));
    std::string_view line(at, static_cast<std::size_t>(line_end - at));
    at = line_end + 1;
    line = line.substr(0, line.find('#'));
    const std::size_t colon = line.rfind(':');
    if (colon == std::string_view::npos || colon == 0) continue;
    const std::size_t before = line.find_last_not_of("0123456789", colon - 1);
    std::uint64_t index = 0;
    if (before == std::string_view::npos || !parse_count(line.substr(before + 1, colon - before - 1), index)) continue;
    if (index <= max_columns) rows.width = std::max(rows.width, static_cast<std::size_t>(index));
  }
}

}  // namespace askrff::data
