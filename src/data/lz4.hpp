// LZ4 frames, in which Arrow's files compress their buffers unless told otherwise.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace askrff::data {

/// What the frames in `bytes` decompress to, which must be `size` bytes; nothing if they are damaged or another number. Memory grows with
/// what is there. Throws std::bad_alloc.
std::optional<std::vector<char>> decompress_lz4(std::string_view bytes, std::size_t size);

}  // namespace askrff::data
