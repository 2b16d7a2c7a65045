// Blocks of scratch memory: alignment, reuse, and what is not kept.
#include "core/scratch_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "core/aligned.hpp"

namespace askrff {
namespace {

TEST(ScratchMemory, IsAlignedAndAtLeastAsLargeAsAskedFor) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{63}, std::size_t{65} << 10, std::size_t{5} << 20, std::size_t{80} << 20}) {
    const ScratchMemory memory = take_scratch(n);
    EXPECT_GE(memory.n_bytes, n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data) % cache_line, 0u);
    std::memset(memory.data, 1, n);
    return_scratch(memory);
  }
}

TEST(ScratchMemory, BlocksInUseAreNeverHandedOutAgain) {
  std::vector<ScratchMemory> used;
  std::set<void*> different;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < 40; ++i) {
      used.push_back(take_scratch((std::size_t{100} << 10) + 64 * i));
      different.insert(used.back().data);
    }
    EXPECT_EQ(different.size(), used.size());
    for (const ScratchMemory& memory : used) return_scratch(memory);
    used.clear();
    different.clear();
  }
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(ScratchMemory, ABlockJustReturnedIsTakenAgain) {
  const ScratchMemory first = take_scratch(std::size_t{3} << 20);
  return_scratch(first);
  const ScratchMemory again = take_scratch((std::size_t{3} << 20) - 4096);
  EXPECT_EQ(again.data, first.data);
  EXPECT_EQ(again.n_bytes, first.n_bytes);
  return_scratch(again);
}

TEST(ScratchMemory, LargerBlocksMakeRoomForThoseOfNow) {
  std::vector<ScratchMemory> large;
  for (int i = 0; i < 4; ++i) large.push_back(take_scratch(std::size_t{16} << 20));
  for (const ScratchMemory& memory : large) return_scratch(memory);  // as much as is kept
  const ScratchMemory first = take_scratch(std::size_t{2} << 20);
  return_scratch(first);
  const ScratchMemory again = take_scratch(std::size_t{2} << 20);
  EXPECT_EQ(again.data, first.data);
  return_scratch(again);
}
#endif

TEST(ScratchMemory, ThreadsDoNotMeetInABlock) {
  std::vector<std::thread> threads;
  for (unsigned char id = 1; id <= 4; ++id)
    threads.emplace_back([id] {
      for (int i = 0; i < 500; ++i) {
        AlignedBuffer<unsigned char> buffer(std::size_t{70} << 10);
        std::memset(buffer.data(), id, buffer.size());
        std::this_thread::yield();
        EXPECT_EQ(buffer[0], id);
        EXPECT_EQ(buffer[buffer.size() - 1], id);
      }
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace askrff
