// What the parser of a program knows of its calls, as plain values: manual pages and completion are made of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace askrff::cli {

/// A word that stands where a value is expected, and what it means, if that is said.
struct ValueWord {
  std::string text, meaning = {};
};

/// Words that the type name of an option does not list: by its name, "--kernel", and its help. Empty: none.
using MoreWords = std::vector<ValueWord> (*)(const std::string& option, const std::string& help);

struct OptionFacts {
  std::vector<std::string> names;  ///< with their dashes, short ones first; empty: an argument without a name
  std::string value;               ///< what is expected after the name, FILE or yes|no; empty: a flag
  std::string default_text, help, group;
  bool is_required = false, takes_many = false;
  std::vector<ValueWord> words;  ///< fixed ones that may be the value

  bool is_file() const { return value == "FILE"; }
};

struct CallFacts {
  std::string name;  ///< "askrff train"
  std::string summary, footer;
  std::vector<OptionFacts> options;
  std::vector<CallFacts> subcommands;
};

/// `name` is how it is called; what has no group in --help is left out.
CallFacts call_facts(const CLI::App& app, const std::string& name, MoreWords more_words);

}  // namespace askrff::cli
