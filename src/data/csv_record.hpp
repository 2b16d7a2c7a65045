// Records of CSV text (RFC 4180): fields between delimiters, quoted or not. Below the CSV reader, which gives them meaning.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace askrff::data {

/// The one of , ; and tab that occurs most often in the record outside quotes; a comma if they tie or do not occur.
char find_delimiter(std::string_view record);

/// Gives one record of a text after another; blank lines are skipped. A field of a record may contain line ends if it is quoted.
class CsvRecords {
 public:
  /// delimiter '\0': found in the first record. Fields beyond max_fields are counted, not kept.
  CsvRecords(std::string_view text, std::size_t max_fields, char delimiter = '\0')
      : rest_(text), max_fields_(max_fields), delimiter_(delimiter) {}

  /// False after the last record. The fields are valid until the next call; unquoted ones come without surrounding space. Throws LineError
  /// for text around a quoted field or a quote that is never closed.
  bool next(std::vector<std::string_view>& fields);
  std::uint64_t n_fields() const { return n_fields_; }  ///< of the record given last, those not kept among them
  std::uint64_t line() const { return first_line_; }    ///< where the record given last begins, from 1
  std::uint64_t n_lines() const { return n_lines_; }    ///< line ends passed
  std::string_view rest() const { return rest_; }       ///< text after it
  char delimiter() const { return delimiter_; }

 private:
  std::string_view take_line();
  bool is_blank(std::string_view line) const;
  std::string_view whole_record(std::string_view line);
  void split_plain(std::string_view record, std::vector<std::string_view>& fields);
  void split_quoted(std::string_view record, std::vector<std::string_view>& fields);
  std::string_view take_quoted(std::string_view& record);
  void add(std::string_view field, std::vector<std::string_view>& fields);
  [[noreturn]] void fail_open_quote() const;

  std::string_view rest_;
  std::size_t max_fields_;
  std::uint64_t first_line_ = 0, n_lines_ = 0, n_fields_ = 0;
  char delimiter_;
  std::string joined_;    // a record of several lines, line ends as \n
  std::string unquoted_;  // contents of quoted fields, doubled quotes reduced
};

}  // namespace askrff::data
