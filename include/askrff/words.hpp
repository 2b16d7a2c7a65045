// The words that options are given by: one table beside each enum, which files, the command line, the Python package and the documentation
// read.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "askrff/errors.hpp"

namespace askrff {

template <class Enum>
struct Word {
  Enum value;
  std::string_view name;     ///< as users write it
  std::string_view meaning;  ///< for help texts; may be empty
};

/// An enum with a table: `words_of(Enum)` beside it gives its words.
template <class Enum>
concept HasWords = requires(Enum value) {
  words_of(value).front().name;
};

template <HasWords Enum>
constexpr std::string_view name_of(Enum value) {
  for (const auto& word : words_of(value))
    if (word.value == value) return word.name;
  return "?";
}

/// "jordan, polar or nystrom".
template <HasWords Enum>
std::string names_of() {
  const auto words = words_of(Enum{});
  std::string names;
  for (std::size_t i = 0; i < words.size(); ++i) names.append(i == 0 ? "" : i + 1 < words.size() ? ", " : " or ").append(words[i].name);
  return names;
}

/// The value a word stands for. Throws InvalidArgument "where: got 'x', expected a, b or c".
template <HasWords Enum>
Enum value_of(std::string_view where, std::string_view name) {
  for (const auto& word : words_of(Enum{}))
    if (word.name == name) return word.value;
  throw InvalidArgument(where, "got '" + printable(name, 40) + "', expected " + names_of<Enum>());
}

}  // namespace askrff
