// Writes the man macros of roff; man and mandoc are both content with them.
#include "manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace askrff::cli {
namespace {

/// Text as it is to be read: nothing of it is a request of roff.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    switch (letter) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      default:
        result += letter;
    }
  }
  return result.starts_with('.') ? "\\&" + result : result;
}

std::string upper(std::string text) {
  for (char& letter : text)
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  return text;
}

std::string with_dashes(std::string name) {
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::string line = text.substr(from, end - from);
    while (line.ends_with(' ')) line.pop_back();
    lines.push_back(std::move(line));
    from = end + 1;
  }
  return lines;
}

/// "word: meaning", a line of a list of values.
bool is_list_item(const std::string& line) {
  const std::size_t colon = line.find(": ");
  if (colon == std::string::npos || colon == 0) return false;
  return std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '/'; });
}

/// How many characters, of UTF-8.
std::size_t width(const std::string& line) {
  return static_cast<std::size_t>(std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

/// Help of an option: its lines are filled anew where they were wrapped, which is between 60 and 90 characters, but for those that start a
/// list item or are a remark. docs/site/command_pages.py does the same.
std::string filled(const std::string& help) {
  std::string text;
  bool is_wrapped = false;
  for (const std::string& line : lines_of(help)) {
    if (line.empty()) continue;
    const std::size_t indent = line.find_first_not_of(' ');
    const bool is_remark = line.starts_with('(') && line.ends_with(')');
    if (!text.empty() && (!is_wrapped || indent > 0 || is_remark || is_list_item(line))) text += ".br\n";
    text += escaped(line.substr(indent)) + "\n";
    is_wrapped = width(line) >= 60 && width(line) <= 90;
  }
  return text;
}

/// The end of --help: indented lines are examples, shown as they are; others are text.
std::string with_examples(const std::string& footer) {
  std::string text;
  bool is_literal = false, starts_paragraph = false;
  for (const std::string& line : lines_of(footer)) {
    const bool is_indented = line.starts_with("  ");
    if (is_literal && !is_indented) text += ".fi\n.RE\n";
    if (!is_literal && is_indented) text += ".RS 4\n.nf\n";
    if (is_literal && !is_indented && !line.empty()) starts_paragraph = true;
    is_literal = is_indented;
    if (line.empty()) {
      starts_paragraph = true;
      continue;
    }
    if (starts_paragraph && !is_indented && !text.empty()) text += ".PP\n";
    starts_paragraph = false;
    text += escaped(is_indented ? line.substr(2) : line) + "\n";
  }
  return is_literal ? text + ".fi\n.RE\n" : text;
}

std::string option_entry(const OptionFacts& option) {
  std::string names;
  for (const std::string& name : option.names) names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", escaped(name));
  std::string value;
  if (option.words.empty() || option.value.find('|') == std::string::npos)
    value = option.value.empty() ? "" : fmt::format("\\fI{}\\fR", escaped(option.value));
  else
    value = escaped(option.value);
  std::string head = names + (names.empty() || value.empty() ? "" : " ") + value + (option.takes_many ? " ..." : "");
  if (option.is_required) head += " (required)";
  std::string text = ".TP\n" + head + "\n" + filled(option.help);
  if (!option.default_text.empty()) text += fmt::format(".br\nDefault: {}\n", escaped(option.default_text));
  return text;
}

/// The groups of --help as sections, in the order in which they appear, that of the program's own options first.
std::string options_text(const CallFacts& call) {
  std::vector<std::string> groups;
  for (const OptionFacts& option : call.options)
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  std::string text;
  for (const std::string& group : groups) {
    text += groups.size() == 1 || group == groups.front() ? ".SH OPTIONS\n" : "";
    if (group != "Options" && group != groups.front()) text += fmt::format(".SS {}\n", escaped(group));
    for (const OptionFacts& option : call.options)
      if (option.group == group) text += option_entry(option);
  }
  return text;
}

std::string head(const CallFacts& call, const std::string& program, const std::string& summary, const std::string& version) {
  const std::string title = with_dashes(call.name);
  // No date: the same sources give the same bytes.
  return fmt::format(".TH {} 1 \"\" \"{} {}\" \"{} manual\"\n.SH NAME\n{} \\- {}\n", upper(escaped(title)), program, version, program,
                     escaped(title), escaped(summary));
}

std::string synopsis(const CallFacts& call) {
  std::string text = fmt::format(".SH SYNOPSIS\n\\fB{}\\fR", escaped(call.name));
  if (!call.subcommands.empty()) return text + " \\fISUBCOMMAND\\fR [\\fIOPTIONS\\fR]\n";
  for (const OptionFacts& option : call.options)
    if (option.is_required)
      text += option.names.empty() ? fmt::format(" \\fI{}\\fR{}", escaped(option.value), option.takes_many ? " ..." : "")
                                   : fmt::format(" \\fB{}\\fR \\fI{}\\fR", escaped(option.names.back()), escaped(option.value));
  return text + " [\\fIOPTIONS\\fR]\n";
}

/// Nested subcommands as sections of the page of the one they belong to.
std::string subcommand_sections(const CallFacts& call) {
  std::string text;
  for (const CallFacts& nested : call.subcommands) {
    text += fmt::format(".SH {}\n{}\n", upper(escaped(nested.name)), escaped(nested.summary));
    for (const OptionFacts& option : nested.options) text += option_entry(option);
    if (!nested.footer.empty()) text += ".PP\n" + with_examples(nested.footer);
  }
  return text;
}

std::string subcommand_page(const CallFacts& call, const CallFacts& program, const std::string& version) {
  std::string text = head(call, program.name, call.summary, version) + synopsis(call) + ".SH DESCRIPTION\n" + escaped(call.summary) + ".\n";
  text += options_text(call) + subcommand_sections(call);
  if (!call.footer.empty()) text += ".SH NOTES\n" + with_examples(call.footer);
  return text + fmt::format(".SH SEE ALSO\n.BR {} (1)\n", escaped(program.name));
}

}  // namespace

std::vector<ManualPage> manual_pages(const CallFacts& program, const std::string& summary, const std::string& version) {
  std::string text =
      head(program, program.name, summary, version) + synopsis(program) + ".SH DESCRIPTION\n" + with_examples(program.summary);
  text += options_text(program) + ".SH SUBCOMMANDS\n";
  std::vector<ManualPage> pages(1);
  std::string see_also;
  for (const CallFacts& call : program.subcommands) {
    const std::string page = with_dashes(call.name);
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(call.name.substr(program.name.size() + 1)), escaped(call.summary));
    see_also += fmt::format("{}.BR {} (1)", see_also.empty() ? "" : ",\n", escaped(page));
    pages.push_back({page + ".1", subcommand_page(call, program, version)});
  }
  text += ".SH NOTES\n" + with_examples(program.footer);
  pages.front() = {program.name + ".1", text + ".SH SEE ALSO\n" + see_also + "\n"};
  return pages;
}

}  // namespace askrff::cli
