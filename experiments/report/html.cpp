// Escapes text and builds tables.
#include "experiments/report/html.hpp"

#include <stdexcept>
#include <utility>

#include "experiments/report/text.hpp"

namespace askrff::experiments {

Html escaped(std::string_view text) {
  Html out;
  for (const char c : clean(text)) {
    switch (c) {
      case '&':
        out.markup += "&amp;";
        break;
      case '<':
        out.markup += "&lt;";
        break;
      case '>':
        out.markup += "&gt;";
        break;
      case '"':
        out.markup += "&quot;";
        break;
      case '\'':
        out.markup += "&#39;";
        break;
      default:
        out.markup += c;
    }
  }
  return out;
}

HtmlTable::HtmlTable(std::string_view caption, std::vector<Column> columns) : caption_(caption), columns_(std::move(columns)) {}

void HtmlTable::group(std::string_view title) {
  body_ += html("<tr class=\"group\"><th scope=\"colgroup\" colspan=\"{}\"><span>{}</span></th></tr>\n", columns_.size(), title);
}

void HtmlTable::row(const std::vector<Html>& cells) {
  if (cells.size() != columns_.size())
    throw std::logic_error(fmt::format("HtmlTable::row: {} cells, expected {}", cells.size(), columns_.size()));
  Html line;
  for (std::size_t i = 0; i < cells.size(); ++i)
    line += i == 0 ? html("<th scope=\"row\">{}</th>", cells[i])
                   : html("<td{}>{}</td>", Html{columns_[i].numeric ? "" : " class=\"text\""}, cells[i]);
  body_ += html("<tr>{}</tr>\n", line);
}

Html HtmlTable::done() const {
  Html head;
  for (const Column& column : columns_)
    head += html("<th scope=\"col\"{}>{}</th>", Html{column.numeric ? "" : " class=\"text\""}, column.title);
  // The box can be reached and scrolled with the keyboard, and has a name for who cannot see it.
  return html(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
      "aria-label=\"{0}\"><table><caption><span>{0}</span></caption>\n<thead><tr>{1}</tr></thead>\n"
      "<tbody>\n{2}</tbody></table></div>\n",
      caption_, head, body_);
}

}  // namespace askrff::experiments
