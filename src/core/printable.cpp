// Escapes what a terminal would act upon.
#include "askrff/errors.hpp"

#include <fmt/format.h>

namespace askrff {
namespace {

/// Bytes of the character at the start of text, or 0 if it is none to be shown as it is.
std::size_t shown_bytes(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
  const std::size_t length = lead >= 0xC2 && lead < 0xE0 ? 2 : lead >= 0xE0 && lead < 0xF0 ? 3 : lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
  const bool control = lead == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0;  // U+0080 … U+009F
  return control ? 0 : length;
}

}  // namespace

std::string printable(std::string_view text, std::size_t max_bytes) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (i >= max_bytes) return out + "…";
    const std::size_t length = shown_bytes(text.substr(i));
    out += length == 0 ? fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i])) : std::string(text.substr(i, length));
    i += length == 0 ? 1 : length;
  }
  return out;
}

}  // namespace askrff
