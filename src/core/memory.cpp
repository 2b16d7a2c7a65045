// Asks the system how much memory there is.
#include "core/memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "askrff/errors.hpp"

namespace askrff {

std::uint64_t physical_memory() {
  const long n_pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGESIZE);
  return n_pages > 0 && page_bytes > 0 ? static_cast<std::uint64_t>(n_pages) * static_cast<std::uint64_t>(page_bytes) : 0;
}

void require_memory(double n_bytes, std::string_view where, const std::string& what, const std::string& advice) {
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  const double limit = 0.5 * static_cast<double>(physical_memory());
  if (limit == 0 || n_bytes <= limit) return;
  throw InvalidArgument(where, fmt::format("{} need {:.3g} GiB, expected at most {:.3g} GiB, half of this machine's memory; {}", what,
                                           n_bytes / gibibyte, limit / gibibyte, advice));
}

}  // namespace askrff
