// How many processors this process may keep busy; the only place that asks the system.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace askrff {

/// Those of its affinity, or fewer if its control group (cgroup v1 or v2) or one above it has a quota of their time. At least 1. Quotas
/// are those found at the first call.
std::size_t available_processors();

/// Processors the quotas of this process's control groups leave, rounded up, at least 1; nothing where there is no quota. `root` stands
/// before /proc/self/cgroup and /sys/fs/cgroup, for tests. Files that are absent or hold nonsense count for nothing.
std::optional<std::size_t> processors_of_quota(const std::string& root);

}  // namespace askrff
