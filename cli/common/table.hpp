// Tables for people: aligned columns, one line per row.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace askrff::cli {

/// Columns `text` takes on a terminal: code points without combining marks (no wide characters are printed here).
std::size_t display_width(std::string_view text);

enum class Align { left, right };

struct Column {
  std::string title;  ///< with its unit, "sampling [s]"
  Align align = Align::right;
};

class Table {
 public:
  explicit Table(std::vector<Column> columns);
  /// One cell per column; throws std::logic_error otherwise.
  void add(std::vector<std::string> cells);
  /// Title line, rule and rows, each ending in a newline, without trailing blanks.
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace askrff::cli
