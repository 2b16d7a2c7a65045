// Words of the readers' error messages.
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

std::string in_bytes(double bytes) {
  if (bytes < 1024) return fmt::format("{:.0f} bytes", bytes);
  const char* const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (bytes /= 1024; bytes >= 1024 && unit < 5; bytes /= 1024) ++unit;
  return fmt::format("{:.4g} {}", bytes, units[unit]);
}

void fail(const std::string& name, const std::string& message) { throw DataError(name + ": " + message); }

void fail_at(const std::string& name, std::uint64_t line, const std::string& message) {
  throw DataError(fmt::format("{}:{}: {}", name, line, message));
}

void check_memory(const std::string& name, std::uint64_t rows, std::uint64_t cols, std::uint64_t max_bytes, std::string_view hint) {
  if (rows == 0 || cols <= max_bytes / sizeof(double) / rows) return;
  const double needed = static_cast<double>(rows) * static_cast<double>(cols) * sizeof(double);
  fail(name, fmt::format("{} rows and {} columns would need {} of memory, the limit is {}{}", rows, cols, in_bytes(needed),
                         in_bytes(static_cast<double>(max_bytes)), hint));
}

void check_held(const std::string& name, std::uint64_t line, std::uint64_t held_bytes, std::uint64_t max_bytes) {
  if (held_bytes <= max_bytes) return;
  fail_at(name, line,
          fmt::format("the data up to here need {} of memory, the limit is {}", in_bytes(static_cast<double>(held_bytes)),
                      in_bytes(static_cast<double>(max_bytes))));
}

void check_columns(const std::string& name, std::size_t n_columns, std::size_t found) {
  if (n_columns != 0 && n_columns != found) fail(name, fmt::format("the data have {} columns, expected {} as asked for", found, n_columns));
}

}  // namespace askrff::io
