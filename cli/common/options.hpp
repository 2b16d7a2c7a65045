// Options whose values are checked while they are read: numbers, counts and words out of a closed list.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/execution.hpp"
#include "askrff/words.hpp"
#include "numbers.hpp"

// CLI11 costs every file that sees it seconds: only those that define options include it.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace askrff::cli {

CLI::App* add_subcommand(CLI::App& app, const std::string& name, const std::string& help);
/// The end of its --help: what to know, and examples.
void add_footer(CLI::App& app, const std::string& text);

/// An option whose text `read` takes or refuses by std::invalid_argument. --help shows `type_name` and, unless it is empty, the default.
CLI::Option* add_text_option(CLI::App& app, const std::string& option, std::function<void(const std::string&)> read,
                             const std::string& help, const std::string& type_name, const std::string& default_text = "");

/// An option that takes any text but the name of another one, which is a value forgotten.
CLI::Option* add_text(CLI::App& app, const std::string& option, std::string& value, const std::string& help, const std::string& type_name);
/// One or more of them, after the option or, if that has no dashes, in the call itself.
CLI::Option* add_texts(CLI::App& app, const std::string& option, std::vector<std::string>& values, const std::string& help,
                       const std::string& type_name);
/// An option that may be given again and again, with one text each time, which `read` takes or refuses by std::invalid_argument.
CLI::Option* add_repeated(CLI::App& app, const std::string& option, std::function<void(const std::string&)> read, const std::string& help,
                          const std::string& type_name);
CLI::Option* add_flag(CLI::App& app, const std::string& option, bool& value, const std::string& help);

// The functions below return the option they change.
CLI::Option* required(CLI::Option* option, bool is_required = true);
/// The default as --help shows it; "" for none.
CLI::Option* with_default(CLI::Option* option, const std::string& text);
/// The heading in --help.
CLI::Option* in_group(CLI::Option* option, const std::string& group);

/// `value` holds the default and, after parsing, the choice: one of the words of its table, or of the few given. The help is `intro` and
/// what the words mean.
template <HasWords Enum>
CLI::Option* add_word(CLI::App& app, const std::string& option, Enum& value, const std::string& intro, std::vector<Enum> few = {}) {
  if (few.empty())
    for (const auto& word : words_of(Enum{})) few.push_back(word.value);
  std::string help = intro, names;
  for (const auto& word : words_of(Enum{})) {
    if (std::ranges::find(few, word.value) == few.end()) continue;
    names += (names.empty() ? "" : "|") + std::string(word.name);
    help += fmt::format("\n{}: {}", word.name, word.meaning);
  }
  const auto read = [&value, option, few](const std::string& text) {
    for (const Enum each : few) {
      if (name_of(each) != text) continue;
      value = each;
      return;
    }
    std::string expected;
    for (std::size_t i = 0; i < few.size(); ++i)
      expected += (i == 0 ? "" : i + 1 < few.size() ? ", " : " or ") + std::string(name_of(few[i]));
    throw InvalidArgument(option, fmt::format("got \"{}\", expected {}", text, expected));
  };
  return add_text_option(app, option, read, help, names, std::string(name_of(value)));
}

template <class Count>
CLI::Option* add_count(CLI::App& app, const std::string& option, Count& value, const std::string& help, std::uint64_t min = 1,
                       std::uint64_t max = std::numeric_limits<Count>::max()) {
  const auto read = [&value, option, min, max](const std::string& text) {
    value = static_cast<Count>(parse_count(option, text, min, max));
  };
  return add_text_option(app, option, read, help, "N", fmt::format("{}", value));
}

/// --threads: the same for every subcommand that works on rows. The work stops on signals.
CLI::Option* add_threads(CLI::App& app, Execution& execution);

template <class Number>
CLI::Option* add_number(CLI::App& app, const std::string& option, Number& value, const std::string& help) {
  const auto read = [&value, option](const std::string& text) { value = parse_number(option, text); };
  return add_text_option(app, option, read, help, "X");
}

/// False for null.
bool given(const CLI::Option* option);

/// An option that would have no effect is a mistake of the caller, not something to ignore.
void refuse_if_given(const CLI::Option* option, const std::string& reason);
/// The same of all options but a few, --help and --json.
void refuse_all_but(const CLI::App& app, const std::vector<std::string>& few, const std::string& reason);

}  // namespace askrff::cli
