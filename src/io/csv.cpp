// CSV text: a header or none, numbers, and at most one column of labels.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <utility>
#include <vector>

#include "io/csv_record.hpp"
#include "io/messages.hpp"
#include "io/numbers.hpp"
#include "io/readers.hpp"

namespace askrff::io {
namespace {

constexpr std::size_t no_column = static_cast<std::size_t>(-1);

bool is_missing(std::string_view field) {
  if (field.size() > 4) return false;
  std::string lower(field);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower.empty() || lower == "na" || lower == "n/a" || lower == "?" || lower == "nan" || lower == "null";
}

/// Whether a field can only be a name: a number that is missing, infinite or too large is an error in the data, not a header.
bool is_name(std::string_view field) { return !is_missing(field) && parse_number(field).status == NumberStatus::not_a_number; }

class CsvReader {
 public:
  CsvReader(Input& input, const ReadOptions& options) : records_(input, options.max_bytes), options_(options) {}

  Dataset read() {
    std::vector<std::string_view> fields;
    if (!records_.next(fields)) fail(records_.name(), "no rows, expected lines of comma-separated numbers");
    n_fields_ = fields.size();
    first_line_ = records_.line();
    const bool has_header = read_header(fields);
    n_columns_ = n_fields_ - (label_column_ == no_column ? 0 : 1);
    if (n_columns_ == 0) fail(records_.name(), "no columns beside the labels, expected at least one");
    check_columns(records_.name(), options_.n_columns, n_columns_);
    if (!has_header) read_row(fields);
    while (records_.next(fields)) read_row(fields);
    if (n_rows_ == 0) fail(records_.name(), "no rows after the header, expected at least one");
    data_.X = Matrix<double>(n_rows_, n_columns_, std::move(values_));
    return std::move(data_);
  }

 private:
  /// Decides whether the first record is a header and which column holds the labels.
  bool read_header(const std::vector<std::string_view>& fields) {
    const std::string& wanted = options_.label_column;
    std::uint64_t number = 0;
    const bool by_number = parse_count(wanted, number) && number >= 1 && number <= n_fields_;
    if (by_number) label_column_ = static_cast<std::size_t>(number - 1);
    bool has_header = !wanted.empty() && !by_number && std::find(fields.begin(), fields.end(), wanted) != fields.end();
    if (!has_header) has_header = looks_like_header(fields);
    if (has_header && !wanted.empty()) find_label_name(fields);
    if (!wanted.empty() && label_column_ == no_column) fail_label_column(fields, has_header);
    if (has_header)
      for (std::size_t j = 0; j < n_fields_; ++j)
        if (j != label_column_) data_.column_names.emplace_back(fields[j]);
    return has_header;
  }

  /// A header has names (or nothing) in every column beside the labels. Names and numbers in one line are a damaged row as likely as a
  /// header, and are refused.
  bool looks_like_header(const std::vector<std::string_view>& fields) const {
    std::size_t name = no_column, number = no_column;
    for (std::size_t j = 0; j < n_fields_; ++j) {
      if (j == label_column_ || fields[j] == options_.label_column) continue;
      if (is_name(fields[j])) name = j;
      if (parse_number(fields[j]).status == NumberStatus::ok) number = j;
    }
    if (name != no_column && number != no_column)
      fail_at(records_.name(), first_line_,
              fmt::format("column {} holds {} and column {} {}, expected a line of numbers or a header of names (name a label column)",
                          name + 1, in_quotes(fields[name]), number + 1, in_quotes(fields[number])));
    return name != no_column;
  }

  /// A name goes before a number: a column may be called "2".
  void find_label_name(const std::vector<std::string_view>& fields) {
    const auto named = std::find(fields.begin(), fields.end(), options_.label_column);
    if (named == fields.end()) return;
    if (std::find(named + 1, fields.end(), options_.label_column) != fields.end())
      fail_at(records_.name(), first_line_,
              fmt::format("two columns are called {}, expected one label column", in_quotes(options_.label_column)));
    label_column_ = static_cast<std::size_t>(named - fields.begin());
  }

  [[noreturn]] void fail_label_column(const std::vector<std::string_view>& fields, bool has_header) const {
    std::string expected = n_fields_ == 1 ? "1 (there is no other column)" : fmt::format("a number from 1 to {}", n_fields_);
    if (has_header) {
      constexpr std::size_t most_names = 20;
      expected += " or one of";
      for (std::size_t j = 0; j < std::min(n_fields_, most_names); ++j) expected += (j == 0 ? " " : ", ") + in_quotes(fields[j]);
      if (n_fields_ > most_names) expected += ", …";
    } else {
      expected += " (the file has no header)";
    }
    fail(records_.name(), fmt::format("there is no label column {}, expected {}", in_quotes(options_.label_column), expected));
  }

  void read_row(const std::vector<std::string_view>& fields) {
    if (fields.size() != n_fields_)
      fail_at(records_.name(), records_.line(),
              fmt::format("{} field{}, expected {} as in line {}", fields.size(), fields.size() == 1 ? "" : "s", n_fields_, first_line_));
    for (std::size_t j = 0; j < n_fields_; ++j) {
      if (j == label_column_) {
        if (is_missing(fields[j])) refuse(fields[j], j, "is a missing value", "a label");
        data_.labels.emplace_back(fields[j]);
        label_bytes_ += sizeof(std::string) + fields[j].size();
        continue;
      }
      const ParsedNumber number = parse_number(fields[j]);
      if (number.status != NumberStatus::ok)
        refuse(fields[j], j, is_missing(fields[j]) ? "is a missing value" : describe(number.status), "a finite number");
      values_.push_back(number.value);
    }
    ++n_rows_;
    check_held(records_.name(), records_.line(), values_.size() * sizeof(double) + label_bytes_, options_.max_bytes);
  }

  [[noreturn]] void refuse(std::string_view field, std::size_t column, std::string_view problem, std::string_view expected) const {
    std::string place = fmt::format("column {}", column + 1);
    if (!data_.column_names.empty() && column != label_column_) {
      const std::size_t name = column - (label_column_ < column ? 1 : 0);
      place += " (" + in_quotes(data_.column_names[name]) + ")";
    }
    fail_at(records_.name(), records_.line(), fmt::format("{}: {} {}, expected {}", place, in_quotes(field), problem, expected));
  }

  CsvRecords records_;
  const ReadOptions& options_;
  Dataset data_;
  std::vector<double> values_;
  std::size_t n_fields_ = 0, n_columns_ = 0, n_rows_ = 0;
  std::size_t label_column_ = no_column;
  std::uint64_t first_line_ = 0;
  std::uint64_t label_bytes_ = 0;
};

}  // namespace

Dataset read_csv(Input& input, const ReadOptions& options) { return CsvReader(input, options).read(); }

}  // namespace askrff::io
