// The only file that asks which system this is.
#include "core/platform.hpp"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <new>
#include <string_view>

#if defined(__linux__)
#include <sched.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#include <xlocale.h>

extern "C" double lgamma_r(double x, int* sign);  // <math.h> has it only if _REENTRANT is defined before whatever includes that first
#endif

namespace askrff::platform {
namespace {

std::string architecture() {
  utsname system{};
  return uname(&system) == 0 ? system.machine : "unknown architecture";
}

#if defined(__APPLE__)

std::string name_with_model() {
  char name[256] = {};
  std::size_t size = sizeof name - 1;
  return sysctlbyname("machdep.cpu.brand_string", name, &size, nullptr, 0) == 0 ? name : "unknown processor";
}

#else

/// x86 has a name, a family and a model; ARM numbers of its maker and of the part.
std::string name_with_model() {
  std::ifstream file("/proc/cpuinfo");
  std::string line, name, family, model, implementer, part;
  const auto value_of = [&line](std::string_view key, std::string& value) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with(key) && colon != std::string::npos && line[key.size()] == '\t') value = line.substr(colon + 2);
  };
  while (std::getline(file, line) && !line.empty()) {
    value_of("model name", name);
    value_of("cpu family", family);
    value_of("model", model);
    value_of("CPU implementer", implementer);
    value_of("CPU part", part);
  }
  if (name.empty()) name = "unknown processor";
  if (!family.empty()) return name + ", family " + family + ", model " + model;
  if (!implementer.empty()) return name + ", implementer " + implementer + ", part " + part;
  return name;
}

#endif

}  // namespace

std::optional<std::size_t> processors_of_affinity() {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return static_cast<std::size_t>(CPU_COUNT(&set));
#endif
  return {};
}

std::string processor_name() { return name_with_model() + ", " + architecture(); }

std::uint64_t physical_memory() {
  const long n_pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGESIZE);
  return n_pages > 0 && page_bytes > 0 ? static_cast<std::uint64_t>(n_pages) * static_cast<std::uint64_t>(page_bytes) : 0;
}

timespec last_written(const struct stat& status) {
#if defined(__APPLE__)
  return status.st_mtimespec;
#else
  return status.st_mtim;
#endif
}

double strtod_of_c_locale(const char* text) {
  static const locale_t locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
  return ::strtod_l(text, nullptr, locale);
}

double log_gamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

// One alignment more than needed, the ends given back.
void* map_pages(std::size_t n_bytes, std::size_t alignment) {
  void* memory = mmap(nullptr, n_bytes + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t before = (alignment - address % alignment) % alignment;
  auto* begin = static_cast<std::byte*>(memory) + before;
  if (before > 0) munmap(memory, before);
  if (before < alignment) munmap(begin + n_bytes, alignment - before);
#ifdef MADV_HUGEPAGE
  madvise(begin, n_bytes, MADV_HUGEPAGE);  // a hint: where it is refused, pages stay small
#endif
  return begin;
}

void unmap_pages(void* memory, std::size_t n_bytes) { munmap(memory, n_bytes); }

}  // namespace askrff::platform
