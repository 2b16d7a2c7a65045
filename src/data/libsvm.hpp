// LIBSVM text as a format: pieces become sparse rows.
#pragma once

#include <string>
#include <vector>

#include "data/row_source.hpp"
#include "data/text_format.hpp"

namespace askrff::data {

class LibsvmFormat : public TextFormat {
 public:
  /// Throws DataError if more columns are given than there may be.
  LibsvmFormat(const std::string& name, LibsvmColumns columns);
  void parse(std::string_view text, ParsedRows& rows) const override;
  std::size_t n_columns() const override { return columns_.given != 0 ? columns_.given : columns_.found; }
  bool has_labels() const override { return true; }
  const std::vector<std::string>& column_names() const override { return no_names_; }
  std::string no_rows() const override { return "no rows, expected lines of 'label index:value …'"; }

 private:
  LibsvmColumns columns_;
  std::vector<std::string> no_names_;
};

/// Only the largest index, at a multiple of the speed: rows come without values, and nothing is refused.
class LibsvmWidth : public LibsvmFormat {
 public:
  explicit LibsvmWidth(const std::string& name) : LibsvmFormat(name, {}) {}
  void parse(std::string_view text, ParsedRows& rows) const override;
};

}  // namespace askrff::data
