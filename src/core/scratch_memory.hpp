// Memory for scratch buffers, of which the last few are kept for the next to ask.
#pragma once

#include <cstddef>

namespace askrff {

/// Uninitialised memory that starts on a cache line, and how many bytes there are: at least those asked for.
struct ScratchMemory {
  void* data = nullptr;
  std::size_t n_bytes = 0;
};

/// Loops take the same scratch memory again and again, megabytes for some milliseconds of work. Where the system's allocator hands such
/// blocks back at once (as in dask's workers, which set MALLOC_TRIM_THRESHOLD_), new pages for each would cost as much as the work. So up
/// to 16 blocks and 64 MiB that were returned wait here. Any thread may call; nobody waits for a lock. Throws std::bad_alloc.
ScratchMemory take_scratch(std::size_t n_bytes);
void return_scratch(ScratchMemory memory) noexcept;

}  // namespace askrff
