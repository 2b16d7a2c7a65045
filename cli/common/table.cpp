// Layout of tables; widths are counted in code points, so that ‖μ‖ and k̂ do not shift what follows.
#include "table.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace askrff::cli {

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool continues = (byte & 0xC0) == 0x80;
    // Combining marks U+0300 … U+036F are encoded CC 80 … CD AF.
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    const bool combines = byte == 0xCC || (byte == 0xCD && next <= 0xAF);
    if (!continues && !combines) ++width;
  }
  return width;
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add(std::vector<std::string> cells) {
  if (cells.size() != columns_.size()) throw std::logic_error("Table::add: one cell per column expected");
  rows_.push_back(std::move(cells));
}

std::string Table::text() const {
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    titles.push_back(columns_[j].title);
    widths.push_back(display_width(columns_[j].title));
    for (const auto& row : rows_) widths[j] = std::max(widths[j], display_width(row[j]));
  }
  const auto trimmed = [](std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  };
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t j = 0; j < cells.size(); ++j) {
      const std::string padding(widths[j] - display_width(cells[j]), ' ');
      text += (j == 0 ? "" : "  ") + (columns_[j].align == Align::left ? cells[j] + padding : padding + cells[j]);
    }
    return trimmed(std::move(text));
  };
  std::string out = line(titles);
  std::string rule;
  for (std::size_t j = 0; j < widths.size(); ++j) {
    rule += j == 0 ? "" : "  ";
    for (std::size_t i = 0; i < widths[j]; ++i) rule += "─";
  }
  out += trimmed(std::move(rule));
  for (const auto& row : rows_) out += line(row);
  return out;
}

}  // namespace askrff::cli
