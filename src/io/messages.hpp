// Words of error messages about files.
#pragma once

#include <string>
#include <string_view>

#include "askrff/errors.hpp"

namespace askrff::io {

/// 'text' as printable() makes it, cut after about 60 characters. Sources are not trusted.
inline std::string in_quotes(std::string_view text) {
  std::string quoted = "'";  // appended to: gcc 12 warns of what it makes of "'" + a string
  quoted += printable(text, 60);
  return quoted += '\'';
}

/// Throws DataError whose where() is `name`.
[[noreturn]] inline void fail(const std::string& name, const std::string& message) { throw DataError(name, message); }

}  // namespace askrff::io
