// A small store of returned blocks.
#include "core/scratch_memory.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <new>

#include "askrff/views.hpp"
#include "core/aligned.hpp"

namespace askrff {
namespace {

// Smaller blocks are the allocator's business.
constexpr std::size_t least_kept = std::size_t{64} << 10, most_kept = std::size_t{64} << 20;

// Address sanitizers must see every block end.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool keeps_blocks = false;
#else
constexpr bool keeps_blocks = true;
#endif

// Large ones lie in huge pages, as matrices do (which nobody fills before their use, smaller ones would be).
constexpr std::size_t least_mapped = std::size_t{4} << 20;
bool is_mapped(std::size_t n_bytes) { return keeps_blocks && n_bytes >= least_mapped; }

ScratchMemory allocate(std::size_t n_bytes) {
  return {is_mapped(n_bytes) ? detail::allocate_zeroed(n_bytes) : ::operator new (n_bytes, std::align_val_t{cache_line}), n_bytes};
}

void release(ScratchMemory memory) noexcept {
  if (!memory.data) return;
  if (is_mapped(memory.n_bytes))
    detail::release(memory.data, memory.n_bytes);
  else
    ::operator delete (memory.data, std::align_val_t{cache_line});
}

class KeptBlocks {
 public:
  /// One of n_bytes up to a quarter more, or none.
  ScratchMemory take(std::size_t n_bytes) noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return {};
    const auto fits = [&](const ScratchMemory& block) { return block.n_bytes >= n_bytes && block.n_bytes - n_bytes <= n_bytes / 4; };
    const auto end = blocks_.begin() + n_blocks_, found = std::find_if(blocks_.begin(), end, fits);
    return found == end ? ScratchMemory{} : removed(found);
  }

  /// Those kept longest go for it. Returns whether it is kept.
  bool keep(ScratchMemory memory) noexcept {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return false;
    while (n_blocks_ == blocks_.size() || n_bytes_ + memory.n_bytes > most_kept) release(removed(blocks_.begin()));
    blocks_[n_blocks_++] = memory;
    n_bytes_ += memory.n_bytes;
    return true;
  }

 private:
  using Blocks = std::array<ScratchMemory, 16>;

  ScratchMemory removed(Blocks::iterator at) noexcept {
    const ScratchMemory block = *at;
    std::copy(at + 1, blocks_.begin() + n_blocks_, at);
    --n_blocks_;
    n_bytes_ -= block.n_bytes;
    return block;
  }

  std::mutex mutex_;    // only ever tried: in a forked child somebody may hold it for ever
  Blocks blocks_ = {};  // in the order of their return
  std::size_t n_blocks_ = 0, n_bytes_ = 0;
};

/// Never destroyed: buffers of static objects may end after it.
KeptBlocks& kept_blocks() {
  static KeptBlocks& blocks = *new KeptBlocks;
  return blocks;
}

bool may_be_kept(std::size_t n_bytes) { return keeps_blocks && n_bytes >= least_kept && n_bytes <= most_kept / 2; }

}  // namespace

ScratchMemory take_scratch(std::size_t n_bytes) {
  if (may_be_kept(n_bytes))
    if (const ScratchMemory kept = kept_blocks().take(n_bytes); kept.data) return kept;
  return allocate(n_bytes);
}

void return_scratch(ScratchMemory memory) noexcept {
  if (!may_be_kept(memory.n_bytes) || !kept_blocks().keep(memory)) release(memory);
}

}  // namespace askrff
