// Reads CLI11's parsers.
#include "call_facts.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

namespace askrff::cli {
namespace {

bool is_upper(char letter) { return letter >= 'A' && letter <= 'Z'; }

/// What stands behind "word: " at the start of a line of the help.
std::string meaning_of(std::string_view word, std::string_view help) {
  const std::string start = "\n" + std::string(word) + ": ";
  const std::size_t found = help.find(start);
  if (found == std::string_view::npos) return {};
  const std::string_view rest = help.substr(found + start.size());
  return std::string(rest.substr(0, rest.find('\n')));
}

/// Those of "auto|X" that stand for themselves: what is to be replaced has capitals.
std::vector<ValueWord> words_in(std::string_view value, std::string_view help) {
  std::vector<ValueWord> words;
  while (!value.empty()) {
    const std::size_t bar = std::min(value.find('|'), value.size());
    const std::string_view word = value.substr(0, bar);
    if (!word.empty() && std::ranges::none_of(word, is_upper)) words.push_back({std::string(word), meaning_of(word, help)});
    value.remove_prefix(std::min(bar + 1, value.size()));
  }
  return words;
}

OptionFacts option_facts(const CLI::Option& option, MoreWords more_words) {
  OptionFacts facts;
  for (const std::string& name : option.get_snames()) facts.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) facts.names.push_back("--" + name);
  if (option.get_type_size() != 0) facts.value = option.get_positional() ? option.get_name() : option.get_type_name();
  facts.default_text = option.get_default_str();
  facts.help = option.get_description();
  facts.group = option.get_group();
  facts.is_required = option.get_required();
  facts.takes_many = option.get_expected_max() == CLI::detail::expected_max_vector_size;
  facts.words = words_in(facts.value, facts.help);
  if (more_words && !facts.names.empty())
    for (ValueWord& word : more_words(facts.names.back(), facts.help)) facts.words.push_back(std::move(word));
  return facts;
}

}  // namespace

CallFacts call_facts(const CLI::App& app, const std::string& name, MoreWords more_words) {
  CallFacts facts{.name = name, .summary = app.get_description(), .footer = app.get_footer(), .options = {}, .subcommands = {}};
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) facts.options.push_back(option_facts(*option, more_words));
  for (const CLI::App* nested : app.get_subcommands({}))
    if (!nested->get_group().empty()) facts.subcommands.push_back(call_facts(*nested, name + " " + nested->get_name(), more_words));
  return facts;
}

}  // namespace askrff::cli
