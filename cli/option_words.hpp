// Words for completion that the type names of options do not list: kernels, their parameters, built-in data.
#pragma once

#include <string>
#include <vector>

#include "call_facts.hpp"

namespace askrff::cli {

/// Those of the option of that name and help; see MoreWords.
std::vector<ValueWord> words_of_option(const std::string& option, const std::string& help);

}  // namespace askrff::cli
