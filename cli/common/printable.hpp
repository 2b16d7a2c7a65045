// Text out of files made safe for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace askrff::cli {

/// On one line: control characters and bytes that are no UTF-8 as \xNN, cut after about `most` bytes.
std::string printable(std::string_view text, std::size_t most = 100);

}  // namespace askrff::cli
