// Options whose values are checked while they are read: numbers, counts and words out of a closed list.
#pragma once

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/execution.hpp"
#include "askrff/words.hpp"
#include "numbers.hpp"

namespace askrff::cli {

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
  const auto read = [&value, option, few, names](const std::string& text) {
    for (const Enum each : few) {
      if (name_of(each) != text) continue;
      value = each;
      return;
    }
    throw InvalidArgument(option, fmt::format("got \"{}\", expected {}", text, names));
  };
  return app.add_option_function<std::string>(option, read, help)->type_name(names)->default_str(std::string(name_of(value)));
}

template <class Count>
CLI::Option* add_count(CLI::App& app, const std::string& option, Count& value, const std::string& help, std::uint64_t least = 1,
                       std::uint64_t most = std::numeric_limits<Count>::max()) {
  const auto read = [&value, option, least, most](const std::string& text) {
    value = static_cast<Count>(parse_count(option, text, least, most));
  };
  return app.add_option_function<std::string>(option, read, help)->type_name("N")->default_str(fmt::format("{}", value));
}

/// --threads: the same for every subcommand that works on rows.
inline CLI::Option* add_threads(CLI::App& app, Execution& execution) {
  return add_count(app, "--threads", execution.n_threads, "Threads; results are the same bits for any number", 1, 1024)
      ->default_str("ASKRFF_THREADS, or all processors");
}

template <class Number>
CLI::Option* add_number(CLI::App& app, const std::string& option, Number& value, const std::string& help) {
  const auto read = [&value, option](const std::string& text) { value = parse_number(option, text); };
  return app.add_option_function<std::string>(option, read, help)->type_name("X");
}

inline bool given(const CLI::Option* option) { return option != nullptr && option->count() > 0; }

/// An option that would have no effect is a mistake of the caller, not something to ignore.
inline void refuse_if_given(const CLI::Option* option, const std::string& reason) {
  if (given(option)) throw InvalidArgument(option->get_name(), reason);
}

}  // namespace askrff::cli
