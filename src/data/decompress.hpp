// Compressed sources: recognised by their first bytes, decompressed on the way in, refused if they are damaged or end early.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "data/input.hpp"

namespace askrff::data {

enum class Compression { none, gzip, bzip2, xz, zstd };

inline constexpr std::size_t longest_magic = 10;

/// By the first bytes of a source (longest_magic of them, if there are so many).
Compression recognise_compression(std::string_view first_bytes);

/// The decompressed bytes of `raw`: one or more members or frames one after another. Its read() throws DataError if anything is damaged,
/// missing or left over, and never reports the end of the data before it has seen the end of the last member.
std::unique_ptr<ByteStream> decompress(Input raw, Compression compression);

}  // namespace askrff::data
