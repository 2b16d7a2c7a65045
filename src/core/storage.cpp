// Memory of matrices. Features are written once and in order: pages of 2 MiB spare the system 512 of 513 page faults and the processor the
// table walks (first use of a matrix of 164 MB: 20 ms instead of 60).
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

#include "askrff/views.hpp"
#include "core/aligned.hpp"

namespace askrff::detail {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20, min_mapped = 2 * huge_page;

std::size_t mapped_bytes(std::size_t bytes) { return (bytes + huge_page - 1) / huge_page * huge_page; }

// A mapping that begins on a huge page: one page more than needed, the ends given back.
void* map(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t before = (huge_page - address % huge_page) % huge_page;
  auto* begin = static_cast<std::byte*>(memory) + before;
  if (before > 0) munmap(memory, before);
  if (before < huge_page) munmap(begin + bytes, huge_page - before);
#ifdef MADV_HUGEPAGE
  madvise(begin, bytes, MADV_HUGEPAGE);  // a hint: where it is refused, pages stay small
#endif
  return begin;
}

}  // namespace

void* allocate_zeroed(std::size_t bytes) {
  if (bytes >= min_mapped) return map(mapped_bytes(bytes));
  void* memory = ::operator new (bytes, std::align_val_t{cache_line});
  std::memset(memory, 0, bytes);
  return memory;
}

void release(void* memory, std::size_t bytes) {
  if (bytes >= min_mapped)
    munmap(memory, mapped_bytes(bytes));
  else
    ::operator delete (memory, std::align_val_t{cache_line});
}

}  // namespace askrff::detail
