// Processors and memory this process may use.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace askrff {

/// Those of its affinity, or fewer if its control group (cgroup v1 or v2) or one above it has a quota of their time. At least 1. Quotas
/// are those found at the first call.
std::size_t available_processors();

/// Processors the quotas of this process's control groups leave, rounded up, at least 1; nothing where there is no quota. `root` stands
/// before /proc/self/cgroup and /sys/fs/cgroup, for tests. Files that are absent or hold nonsense count for nothing.
std::optional<std::size_t> processors_of_quota(const std::string& root);

/// Throws InvalidArgument if `what` needs more than half of the machine's memory; `advice` says what to do.
void require_memory(double n_bytes, std::string_view where, const std::string& what, const std::string& advice);

}  // namespace askrff
