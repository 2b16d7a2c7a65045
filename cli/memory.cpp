// Asks the system how much memory there is.
#include "memory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <stdexcept>

namespace askrff::cli {

void require_memory(double n_bytes, const std::string& what, const std::string& advice) {
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  const long n_pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGESIZE);
  if (n_pages <= 0 || page_bytes <= 0) return;
  const double most = 0.5 * static_cast<double>(n_pages) * static_cast<double>(page_bytes);
  if (n_bytes <= most) return;
  throw std::invalid_argument(fmt::format("{} need {:.3g} GiB, expected at most {:.3g} GiB, half of this machine's memory; {}", what,
                                          n_bytes / gibibyte, most / gibibyte, advice));
}

}  // namespace askrff::cli
