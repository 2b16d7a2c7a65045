// The numbers of the record format that writer and reader share: magic bytes, places in the header, padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace askrff::io {

// The first byte is no text, CR LF and LF show a transfer that changed the ends of lines, 1A ends a file that is typed on a terminal.
inline constexpr std::string_view record_magic{
    "\x89"
    "ASK\r\n\x1a\n",
    8};
inline constexpr std::size_t version_at = 8, count_at = 12, size_at = 16, header_bytes = 24, checksum_bytes = 8;
inline constexpr std::size_t record_header_bytes = 24, longest_key = 100;

constexpr std::size_t padded(std::size_t n) { return (n + 7) / 8 * 8; }

}  // namespace askrff::io
