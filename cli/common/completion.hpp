// What may come next in a call that is being typed. The shells' scripts (cli/completion) ask the program itself.
#pragma once

#include <string>
#include <vector>

#include "call_facts.hpp"

namespace askrff::cli {

/// `typed`: the words after the program's name up to the cursor, the last one unfinished and possibly empty. One line for each word that
/// may stand there, with a tab and what it means; ":files" in a line of its own where a file may be named as well.
std::string completions(const CallFacts& program, const std::vector<std::string>& typed);

}  // namespace askrff::cli
