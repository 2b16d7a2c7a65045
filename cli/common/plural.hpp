// Numbers with their nouns.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace askrff::cli {

/// "1 row", "2 rows"; for nouns that take more than an s, with their plural.
inline std::string counted(std::uint64_t n, const std::string& noun, const std::string& plural = "") {
  return fmt::format("{} {}", n, n == 1 ? noun : plural.empty() ? noun + "s" : plural);
}

inline std::string frequencies_text(std::uint64_t n) { return counted(n, "frequency", "frequencies"); }

}  // namespace askrff::cli
