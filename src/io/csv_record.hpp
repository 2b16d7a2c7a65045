// Records of a CSV file (RFC 4180): fields between delimiters, quoted or not. Below the CSV reader, which gives them meaning.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/input.hpp"

namespace askrff::io {

/// Gives one record after another; blank lines are skipped. A field of a record may contain line ends if it is quoted.
class CsvRecords {
 public:
  CsvRecords(Input& input, std::uint64_t max_bytes);

  /// False after the last record. The fields are valid until the next call; unquoted ones come without surrounding space.
  /// The delimiter is the one of , ; and tab that occurs most often in the first record outside quotes (a comma if they tie or do not
  /// occur). Throws DataError for text around a quoted field or a quote that is never closed.
  bool next(std::vector<std::string_view>& fields);
  std::uint64_t line() const { return first_line_; }  ///< where the record given last begins
  const std::string& name() const { return lines_.name(); }

 private:
  bool is_blank(std::string_view line) const;
  std::string_view whole_record(std::string_view line);
  void split_plain(std::string_view record, std::vector<std::string_view>& fields) const;
  void split_quoted(std::string_view record, std::vector<std::string_view>& fields);
  std::string_view take_quoted(std::string_view& record);
  [[noreturn]] void fail_open_quote() const;

  LineReader lines_;
  std::uint64_t max_bytes_;
  std::uint64_t first_line_ = 0;
  char delimiter_ = '\0';  // not known yet
  std::string joined_;     // a record of several lines
  std::string unquoted_;   // contents of quoted fields, doubled quotes reduced
};

}  // namespace askrff::io
