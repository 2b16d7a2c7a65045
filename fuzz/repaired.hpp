// Bytes of records with header and checksum made right, which a fuzzer could not guess.
#pragma once

#include <string>
#include <string_view>

#include "io/record_format.hpp"
#include "io/records.hpp"

namespace askrff::fuzz {

inline void put(std::string& bytes, std::size_t at, std::uint64_t value, std::size_t n_bytes) {
  for (std::size_t i = 0; i < n_bytes; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i) & 0xFF);
}

/// The number of records stays what it is: the reader has to compare it with what is there.
inline std::string repaired(std::string_view bytes) {
  std::string file(bytes.substr(0, bytes.size() / 8 * 8));
  if (file.size() < io::header_bytes + io::checksum_bytes) return file;
  file.replace(0, io::record_magic.size(), io::record_magic);
  put(file, io::version_at, io::record_version, 4);
  put(file, io::size_at, file.size(), 8);
  const std::size_t end = file.size() - io::checksum_bytes;
  put(file, end, io::crc64(std::string_view(file).substr(0, end)), 8);
  return file;
}

}  // namespace askrff::fuzz
