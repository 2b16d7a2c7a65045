// Puts the options that were given together again.
#include "command_text.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

namespace askrff::cli {

std::string shell_word(const std::string& text) {
  const auto harmless = [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) || std::string_view("-_./:,=+@%").find(static_cast<char>(c)) != std::string_view::npos);
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), harmless)) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string command_text(const CLI::App& parser) {
  const CLI::App* program = parser.get_parent();
  std::string text = (program == nullptr ? "" : program->get_name() + " ") + parser.get_name();
  for (const CLI::Option* option : parser.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || name == "--out" || name == "--threads" || name == "--json") continue;
    const bool is_positional = option->get_lnames().empty() && option->get_snames().empty();
    if (!is_positional) text += " " + name;
    if (option->get_expected_min() == 0) continue;  // a flag
    bool is_first = true;
    for (const std::string& value : option->results()) {
      const bool is_repeated = !is_first && !is_positional && !option->get_allow_extra_args();
      text += (is_repeated ? " " + name + " " : " ") + shell_word(value);
      is_first = false;
    }
  }
  return text;
}

}  // namespace askrff::cli
