// LIBSVM text as a format: pieces become sparse rows.
#pragma once

#include <string>
#include <vector>

#include "data/text_format.hpp"

namespace askrff::data {

class LibsvmFormat : public TextFormat {
 public:
  /// n_columns 0: as many as the largest index. Throws DataError if there are too many.
  LibsvmFormat(const std::string& name, std::size_t n_columns);
  void parse(std::string_view text, ParsedRows& rows) const override;
  std::size_t n_columns() const override { return n_columns_; }
  bool has_labels() const override { return true; }
  const std::vector<std::string>& column_names() const override { return no_names_; }
  std::string no_rows() const override { return "no rows, expected lines of 'label index:value …'"; }

 private:
  std::size_t n_columns_;
  std::vector<std::string> no_names_;
};

/// Only the largest index, at a multiple of the speed: rows come without values.
class LibsvmWidth : public LibsvmFormat {
 public:
  explicit LibsvmWidth(const std::string& name) : LibsvmFormat(name, 0) {}
  void parse(std::string_view text, ParsedRows& rows) const override;
};

}  // namespace askrff::data
