// CSV text as a format: a header or none, numbers, and at most one column of labels.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_record.hpp"
#include "data/text_format.hpp"
#include "data/text_pieces.hpp"

namespace askrff::data {

/// What the first record says of all: made by read_start, then immutable.
class CsvFormat : public TextFormat {
 public:
  /// Reads the first record and skips it if it is a header. Throws DataError.
  void read_start(TextPieces& pieces, const ReadOptions& options);

  /// Pieces end outside quotes, so each can be parsed by itself.
  std::size_t last_cut(std::string_view text) const override;
  void parse(std::string_view text, ParsedRows& rows) const override;
  std::size_t n_columns() const override { return n_columns_; }
  bool has_labels() const override { return label_column_ != no_column; }
  const std::vector<std::string>& column_names() const override { return column_names_; }
  std::string no_rows() const override { return "no rows after the header, expected at least one"; }

 private:
  using Fields = std::vector<std::string_view>;
  static constexpr std::size_t no_column = static_cast<std::size_t>(-1);

  bool read_header(const std::string& name, const Fields& fields, const std::string& label);
  bool looks_like_header(const std::string& name, const Fields& fields, const std::string& label) const;
  void find_label_name(const std::string& name, const Fields& fields, const std::string& label);
  [[noreturn]] void fail_label_column(const std::string& name, const Fields& fields, const std::string& label, bool has_header) const;

  const char* parse_short_row(const char* p, double* values, ParsedRows& rows) const;
  std::size_t parse_record(std::string_view text, Fields& fields, double* values, ParsedRows& rows) const;
  void parse_fields(const Fields& fields, std::uint64_t line, double* values, ParsedRows& rows) const;
  void check_number_of_fields(const CsvRecords& records) const;
  /// What is wrong with a field.
  std::string refusal(std::string_view field, std::size_t column, std::string_view problem, std::string_view expected) const;

  char delimiter_ = ',';
  std::size_t n_fields_ = 0, n_columns_ = 0, label_column_ = no_column;
  std::uint64_t first_line_ = 0;
  std::vector<std::string> column_names_;
};

}  // namespace askrff::data
