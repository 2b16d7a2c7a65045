// Options whose values are checked while they are read: numbers, counts and words out of a closed list.
#pragma once

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "askrff/execution.hpp"
#include "interrupt.hpp"
#include "numbers.hpp"

namespace askrff::cli {

/// A word and what it means.
template <class Value>
struct Choice {
  const char* name;
  Value value;
};

template <class Value, std::size_t n>
std::string name_of(const Choice<Value> (&choices)[n], std::type_identity_t<Value> value) {
  for (const Choice<Value>& choice : choices)
    if (choice.value == value) return choice.name;
  throw std::logic_error("a choice without a name");
}

template <class Value, std::size_t n>
std::string names_of(const Choice<Value> (&choices)[n], const char* separator) {
  std::string names;
  for (const Choice<Value>& choice : choices) names += (names.empty() ? "" : separator) + std::string(choice.name);
  return names;
}

/// `value` holds the default and, after parsing, the choice. The choices must outlive the parser.
template <class Value, std::size_t n>
CLI::Option* add_choice(CLI::App& app, const std::string& option, Value& value, const Choice<Value> (&choices)[n],
                        const std::string& help) {
  const auto read = [&value, &choices, option](const std::string& text) {
    for (const Choice<Value>& choice : choices) {
      if (text != choice.name) continue;
      value = choice.value;
      return;
    }
    throw std::invalid_argument(fmt::format("{}: got \"{}\", expected {}", option, text, names_of(choices, " or ")));
  };
  return app.add_option_function<std::string>(option, read, help)->type_name(names_of(choices, "|"))->default_str(name_of(choices, value));
}

template <class Count>
CLI::Option* add_count(CLI::App& app, const std::string& option, Count& value, const std::string& help, std::uint64_t least = 1,
                       std::uint64_t most = std::numeric_limits<Count>::max()) {
  const auto read = [&value, option, least, most](const std::string& text) {
    value = static_cast<Count>(parse_count(option, text, least, most));
  };
  return app.add_option_function<std::string>(option, read, help)->type_name("N")->default_str(fmt::format("{}", value));
}

/// --threads: the same for every subcommand that works on rows. The work stops on signals.
inline CLI::Option* add_threads(CLI::App& app, Execution& execution) {
  execution.stop = stop_token();
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
  if (given(option)) throw std::invalid_argument(option->get_name() + ": " + reason);
}

}  // namespace askrff::cli
