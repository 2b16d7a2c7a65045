// Readers of /proc and /sys.
#include "system.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

namespace askrff::bench {
namespace {

/// "Name:   123 kB" in bytes.
std::optional<std::size_t> kilobyte_field(const std::string& path, std::string_view name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(std::string(name) + ":")) continue;
    std::istringstream rest(line.substr(name.size() + 1));
    if (std::size_t kilobytes = 0; rest >> kilobytes) return kilobytes * 1024;
  }
  return std::nullopt;
}

std::optional<std::size_t> number_in(const std::string& path) {
  std::ifstream file(path);
  if (std::size_t value = 0; file >> value) return value;
  return std::nullopt;
}

}  // namespace

std::size_t available_memory() {
  const std::size_t free = kilobyte_field("/proc/meminfo", "MemAvailable").value_or(0);
  // A container may be allowed less than the machine has; "max" is no number and means no limit.
  const auto limit = number_in("/sys/fs/cgroup/memory.max"), used = number_in("/sys/fs/cgroup/memory.current");
  if (!limit || !used) return free;
  return std::min(free, *limit - std::min(*limit, *used));
}

std::size_t own_memory(std::string_view field) {
  const auto bytes = kilobyte_field("/proc/self/status", field);
  if (!bytes) throw std::runtime_error("/proc/self/status has no " + std::string(field));
  return *bytes;
}

std::size_t memory_of(const std::string& process, std::string_view field) {
  return kilobyte_field("/proc/" + process + "/status", field).value_or(0);
}

std::set<std::string> processor_flags() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("flags") && !line.starts_with("Features")) continue;
    std::istringstream words(line.substr(line.find(':') + 1));
    std::set<std::string> flags;
    for (std::string word; words >> word;) flags.insert(word);
    return flags;
  }
  return {};
}

}  // namespace askrff::bench
