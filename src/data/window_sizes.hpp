// How much of a source is looked at in one go.
#pragma once

#include <cstddef>

namespace askrff::data {

#ifdef ASKRFF_SMALL_WINDOWS  // fuzz targets: their inputs are small, and boundaries between windows must fall anywhere in them
inline constexpr std::size_t chunk_bytes = 64, piece_bytes = 48;
#else
inline constexpr std::size_t chunk_bytes = std::size_t{1} << 18;
inline constexpr std::size_t piece_bytes = std::size_t{256} << 10;  // a millisecond of parsing; fits the second cache
#endif

}  // namespace askrff::data
