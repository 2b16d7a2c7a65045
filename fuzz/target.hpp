// What fuzz targets share: the function libFuzzer calls, a file in memory that readers can open by name, and data read in both ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "askrff/data.hpp"

/// One input. Bad input is no error of the target: it catches what the reader promises to throw, and nothing else.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace askrff::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) { return {reinterpret_cast<const char*>(data), size}; }

/// The name of a file that holds these bytes until the next call. It takes no disk.
std::string memory_file(std::string_view bytes);

/// Reads the bytes with read_data and again block by block with DataStream; both must accept and give the same rows and labels, or both
/// refuse with a DataError. Aborts if they disagree.
void read_both_ways(std::string_view bytes, ReadOptions options);

/// Prints why and aborts, which fuzzers and tests take for a crash.
[[noreturn]] void broken(const std::string& why);

}  // namespace askrff::fuzz
