// A call as it could be typed again: what files keep about how they came about.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace askrff::cli {

/// "askrff choose --data 'a b.csv' …" of a parser that has parsed, in the order of --help. Without --out, --threads and --json, which
/// change nothing about the result: the same work gives the same text.
std::string command_text(const CLI::App& parser);

/// As a shell takes it: in single quotes unless it is made of harmless characters only.
std::string shell_word(const std::string& text);

}  // namespace askrff::cli
