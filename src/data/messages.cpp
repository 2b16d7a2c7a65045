// Words of the readers' error messages.
#include "data/messages.hpp"

#include <fmt/format.h>

#include "askrff/errors.hpp"

namespace askrff::data {

std::string in_bytes(double bytes) {
  if (bytes < 1024) return fmt::format("{:.0f} bytes", bytes);
  const char* const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (bytes /= 1024; bytes >= 1024 && unit < 5; bytes /= 1024) ++unit;
  return fmt::format("{:.4g} {}", bytes, units[unit]);
}

void fail_at(const std::string& name, std::uint64_t line, const std::string& message) {
  throw DataError(fmt::format("{}:{}", name, line), message);
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

}  // namespace askrff::data
