// Affinity, the quotas of control groups, memory.
#include "core/resources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <thread>
#include <vector>

#include "askrff/errors.hpp"
#include "core/platform.hpp"

namespace askrff {
namespace {

/// The beginning of a file of the system; empty if it cannot be read. Whatever is there, little of it is looked at.
std::string beginning_of(const std::string& path) {
  std::string text(std::size_t{4} << 10, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return text;
}

/// Text up to a separator, which is taken off with it.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

std::optional<std::uint64_t> positive_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error != std::errc{} || number == 0 || rest.find_first_not_of(" \n") != std::string_view::npos) return {};
  return number;
}

std::optional<std::size_t> processors_of(std::optional<std::uint64_t> quota, std::optional<std::uint64_t> period) {
  if (!quota || !period) return {};
  constexpr double max_processors = 1 << 20;  // beyond is no limit
  const double share = std::ceil(static_cast<double>(*quota) / static_cast<double>(*period));
  if (share > max_processors) return {};
  return std::max<std::size_t>(1, static_cast<std::size_t>(share));
}

/// Version 2: "quota period", or "max period" for none. Version 1: a file for each, and -1 for none.
std::optional<std::size_t> quota_of_folder(const std::string& folder, bool is_version_2) {
  if (!is_version_2) {
    const std::string quota = beginning_of(folder + "/cpu.cfs_quota_us"), period = beginning_of(folder + "/cpu.cfs_period_us");
    return processors_of(positive_number(quota), positive_number(period));
  }
  const std::string text = beginning_of(folder + "/cpu.max");
  std::string_view rest(text);
  const std::string_view quota = take_until(rest, ' ');
  return processors_of(positive_number(quota), positive_number(rest));
}

bool has_cpu_controller(std::string_view controllers) {
  while (!controllers.empty())
    if (take_until(controllers, ',') == "cpu") return true;
  return false;
}

/// A group's own folder and those above it, down to the root of the hierarchy: a container sees its own group there.
std::vector<std::string> folders_of(const std::string& mount, std::string_view group) {
  std::vector<std::string> folders{mount};
  std::string folder = mount;
  if (group.find("..") != std::string_view::npos) return folders;  // a group outside what this process sees
  while (!group.empty()) {
    const std::string_view name = take_until(group, '/');
    if (name.empty()) continue;
    folder.append(1, '/').append(name);
    folders.push_back(folder);
  }
  return folders;
}

}  // namespace

std::optional<std::size_t> processors_of_quota(const std::string& root) {
  const std::string groups = beginning_of(root + "/proc/self/cgroup"), mounts = root + "/sys/fs/cgroup";
  std::optional<std::size_t> least;
  const auto look_at = [&](const std::string& mount, std::string_view group, bool is_version_2) {
    for (const std::string& folder : folders_of(mount, group))
      if (const auto found = quota_of_folder(folder, is_version_2)) least = std::min(least.value_or(*found), *found);
  };
  look_at(mounts, "", true);
  for (std::string_view lines(groups); !lines.empty();) {  // "number:controllers:path"; version 2 has no controllers there
    std::string_view line = take_until(lines, '\n');
    const std::string_view number = take_until(line, ':'), controllers = take_until(line, ':');
    if (controllers.empty() && number == "0") {
      look_at(mounts, line, true);
      look_at(mounts + "/unified", line, true);
    }
    if (!has_cpu_controller(controllers)) continue;
    for (const char* mount : {"/cpu", "/cpu,cpuacct", "/cpuacct,cpu"}) look_at(mounts + mount, line, false);
  }
  return least;
}

std::size_t available_processors() {
  const std::size_t n = platform::processors_of_affinity().value_or(std::max<std::size_t>(1, std::thread::hardware_concurrency()));
  static const std::optional<std::size_t> of_quota = processors_of_quota("");  // once: the files take longer than small work does
  return std::min(n, of_quota.value_or(n));
}

void require_memory(double n_bytes, std::string_view where, const std::string& what, const std::string& advice) {
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  const double limit = 0.5 * static_cast<double>(platform::physical_memory());
  if (limit == 0 || n_bytes <= limit) return;
  throw InvalidArgument(where, fmt::format("{} need {:.3g} GiB, expected at most {:.3g} GiB, half of this machine's memory; {}", what,
                                           n_bytes / gibibyte, limit / gibibyte, advice));
}

}  // namespace askrff
