// Words of error messages about files: text of the source made safe to print.
#pragma once

#include <string>
#include <string_view>

namespace askrff::io {

/// 'text' on one line: control characters and invalid UTF-8 as \xNN, cut after about 60 characters. Sources are not trusted.
std::string in_quotes(std::string_view text);

/// Throws DataError "name: message".
[[noreturn]] void fail(const std::string& name, const std::string& message);

}  // namespace askrff::io
