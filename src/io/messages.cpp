// Words of error messages about files.
#include "io/messages.hpp"

#include <fmt/format.h>

#include "askrff/errors.hpp"

namespace askrff::io {
namespace {

constexpr std::size_t longest_quote = 60;

/// Bytes of the UTF-8 sequence at the start of text (2 … 4), or 0 if it is not one.
std::size_t utf8_sequence(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead >= 0xC2 && lead < 0xE0 ? 2 : lead >= 0xE0 && lead < 0xF0 ? 3 : lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
  return length;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (std::size_t i = 0; i < text.size();) {
    if (i >= longest_quote) {
      out += "…";
      break;
    }
    const auto byte = static_cast<unsigned char>(text[i]);
    std::size_t length = byte >= 0x80 ? utf8_sequence(text.substr(i)) : byte >= 0x20 && byte != 0x7F ? 1 : 0;
    if (length == 0) {
      out += fmt::format("\\x{:02x}", byte);
      length = 1;
    } else {
      out += text.substr(i, length);
    }
    i += length;
  }
  return out + "'";
}

void fail(const std::string& name, const std::string& message) { throw DataError(name + ": " + message); }

}  // namespace askrff::io
