// HTML that is escaped by construction: text becomes Html only through escaped() or as an argument of html().
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace askrff::experiments {

/// Markup that may be put into a page as it is.
struct Html {
  std::string markup;

  Html& operator+=(const Html& next) { return markup += next.markup, *this; }
  friend Html operator+(Html first, const Html& second) { return first += second; }
};

/// Text, cleaned (text.hpp), for content and for attributes in double quotes.
Html escaped(std::string_view text);

namespace detail {
inline std::string html_argument(const Html& markup) { return markup.markup; }
inline std::string html_argument(std::string_view text) { return escaped(text).markup; }
inline std::string html_argument(std::integral auto number) { return fmt::format("{}", number); }
}  // namespace detail

/// The format with its arguments in place of {}; arguments that are text are escaped, so the format must be a literal of ours.
template <class... Arguments>
Html html(std::string_view format, const Arguments&... arguments) {
  return {fmt::format(fmt::runtime(format), detail::html_argument(arguments)...)};
}

/// A table in a box of its own, which scrolls sideways where the page is too narrow for it.
class HtmlTable {
 public:
  struct Column {
    std::string_view title;
    bool numeric = true;  ///< aligned to the right
  };

  HtmlTable(std::string_view caption, std::vector<Column> columns);

  /// A line over all columns that names the rows after it.
  void group(std::string_view title);
  /// The first cell is the row's header. Throws std::logic_error unless there are as many as columns.
  void row(const std::vector<Html>& cells);
  Html done() const;

 private:
  std::string caption_;
  std::vector<Column> columns_;
  Html body_;
};

}  // namespace askrff::experiments
